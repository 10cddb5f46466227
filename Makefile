# Everything that is done with this project, one verb each. `make` alone lists them.
#
# Needed: GNU make and Python 3.11 or newer with its venv module. The rest is installed into .venv,
# in the versions of constraints.txt.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
# What is installed: the commands alone, what the checks need, what the benchmarks need.
RUN := $(VENV)/.ready-run
DEV := $(VENV)/.ready-dev
BENCH := $(VENV)/.ready-bench
PROTO := .venv-proto/.ready

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
OUT := out
# Games of each kind that `make many` plays.
GAMES := 1000
# Options handed on: `make test ARGS='-k capture'`, `make bench ARGS=…`.
ARGS :=

# Bots that are started as processes find the Python of .venv first.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export BUF_CACHE_DIR := $(CURDIR)/.cache/buf

.PHONY: help demo test many check fmt proto bench golden boards pins oracle lock clean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*  ## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: $(RUN)  ## play a small tournament and show its standings
	@mkdir -p $(OUT); n=1; while [ -e $(OUT)/demo-$$n ]; do n=$$((n + 1)); done; \
	$(BIN)/tournament run examples/demo.toml --out $(OUT)/demo-$$n

test: $(DEV)  ## run all tests; REQUIRE_ALL=1 lets none be skipped
	$(BIN)/pytest $(ARGS)

many: $(DEV)  ## play and prove GAMES=1000 random games of each ruleset and number of seats, on two cores
	$(BIN)/python -m tests.host.many $(GAMES)

# The steps stand in the order in which they fail fastest.
check: $(DEV) $(PROTO)  ## format, lint, types, imports, proto, oldest and newest libraries, tests, 384 games proven
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter
	$(BIN)/buf lint
	@if [ -f proto/released.binpb ]; then \
	  echo "buf breaking --against proto/released.binpb"; $(BIN)/buf breaking --against proto/released.binpb; \
	else echo "buf breaking: no release yet, so no proto/released.binpb to compare with"; fi
	.venv-proto/bin/python tools/proto.py --check
	$(BIN)/python -m tools.rules_page --check
	$(BIN)/mypy
	$(BIN)/python tools/runtimes.py
	MANY_GAMES=8 $(MAKE) --no-print-directory test

fmt: $(DEV)  ## format the code and mend what can be mended by itself
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/buf format --write proto

proto: $(PROTO)  ## make proto/gen/python from proto/
	.venv-proto/bin/python tools/proto.py

bench: $(BENCH)  ## measure, as ratios in one run
	$(BIN)/python -m benchmarks $(ARGS)

golden: $(DEV)  ## write the golden games anew, to be committed with the reason
	$(BIN)/python -m tests.golden $(ARGS)

boards: $(RUN)  ## draw the boards, and write the tables of docs/rules.md
	$(BIN)/python -m tools.rules_page

pins: $(DEV)  ## find a question that pins each field of each ruleset, and write docs/rulesets-pinned.md
	$(BIN)/python -m tests.rules.pin

oracle: $(DEV)  ## compare the engine with the slow checker, 20000 positions a ruleset: hours
	$(BIN)/python -m tests.oracle $(ARGS)

lock:  ## resolve constraints.txt anew, with the newest versions there are
	rm -rf .cache/lock && $(FIND_PYTHON) && "$$python" -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check hatchling editables
	.cache/lock/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[dev,bench]'
	{ sed -n '/^#/p' constraints.txt; .cache/lock/bin/python -m pip freeze --exclude-editable; } > .cache/constraints.txt
	mv .cache/constraints.txt constraints.txt

clean:  ## remove everything that make made, but for out/
	rm -rf $(VENV) .venv-proto .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- Environments --------------------------------------------------------------------------------

# Sets $python to the first Python that will do, or says what is missing. PATH may begin with .venv,
# whose own Python must not make it.
FIND_PYTHON = \
	PATH="$${PATH\#$(CURDIR)/$(BIN):}"; python=; \
	for candidate in $${PYTHON:-python3.11 python3 python3.12 python3.13 python3.14}; do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python="$$candidate"; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "Python 3.11 or newer is needed and was not found: install it, or name it with PYTHON=/path/to/python" >&2; exit 1; fi; \
	if ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "$$python has no venv module: on Debian and Ubuntu, apt-get install python3-venv brings it" >&2; exit 1; fi

$(VENV)/bin/python:
	@$(FIND_PYTHON); echo "making $(VENV) with $$python"; "$$python" -m venv --clear $(VENV)

$(RUN): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP_INSTALL) --constraint constraints.txt hatchling editables
	$(PIP_INSTALL) --constraint constraints.txt --no-build-isolation --editable .
	@touch $@

$(DEV): $(RUN)
	$(PIP_INSTALL) --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

$(BENCH): $(RUN)
	$(PIP_INSTALL) --constraint constraints.txt --no-build-isolation --editable '.[bench]'
	@touch $@

# The generator is old on purpose and wants an old protobuf: it lives apart.
$(PROTO): tools/proto-requirements.txt
	@$(FIND_PYTHON); "$$python" -m venv --clear .venv-proto
	.venv-proto/bin/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: --requirement $<
	@touch $@
