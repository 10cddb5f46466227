"""
What every part of the house keeps to, read from its source.

Knows: the folders, their floors, and Python's syntax tree.
Does not know: what the code does. Imports between floors are `lint-imports`' part.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BOTS = sorted(path.parent for path in (ROOT / "sample_bots").glob("*/bot.toml"))
BUILT = {"node_modules", "target", "build", "dist", "__pycache__", ".venv"}
"""Folders that a bot's own build may leave behind."""

PURE = [
    "referee/rules",
    "referee/match",
    "tournaments/results.py",
    "tournaments/formats",
    "tournaments/scoring",
]
TOUCHES_THE_WORLD = {"open", "print", "input", "eval", "exec", "breakpoint"}


def sources(*places: str) -> list[Path]:
    """Return all Python files in *places*, each a file or a folder of the project."""
    found = {file for place in places for file in [ROOT / place, *(ROOT / place).rglob("*.py")]}
    return sorted(
        file for file in found if file.suffix == ".py" and file.is_file() and not BUILT & set(file.parts)
    )


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=name_of(file))


def imported(module: ast.Module) -> Iterator[str]:
    """Yield the first part of the name of everything that *module* imports, but for its neighbours."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


class TestPureFloors:
    @pytest.mark.parametrize("file", sources(*PURE), ids=name_of)
    def test_wait_for_nothing_and_touch_nothing(self, file: Path) -> None:
        """
        The rules, the order of a match and the formats neither wait nor read nor print.
        """
        asynchronous = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)

        waits = [node.lineno for node in ast.walk(tree(file)) if isinstance(node, asynchronous)]
        touches = [
            f"{node.func.id} in line {node.lineno}"
            for node in ast.walk(tree(file))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in TOUCHES_THE_WORLD
        ]

        assert not waits
        assert not touches


class TestSampleBots:
    @pytest.mark.parametrize("file", sources("sample_bots"), ids=name_of)
    def test_know_the_contract_and_nothing_else_of_ours(self, file: Path) -> None:
        """
        A bot imports the generated contract, gRPC, the standard library and its own files.
        """
        own = {path.stem for path in file.parent.iterdir()}
        allowed = sys.stdlib_module_names | {"grpc", "google", "parcheesi"} | own

        assert set(imported(tree(file))) <= allowed

    @pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
    def test_explain_themselves_on_one_page(self, bot: Path) -> None:
        """
        Whoever looks for a bot to copy finds one page about it in its folder.
        """
        lines = (bot / "README.md").read_text(encoding="utf-8").splitlines()

        assert 0 < len(lines) <= 60


class TestDecisions:
    PAGES = sorted((ROOT / "docs" / "decisions").glob("*.md"))

    def test_are_numbered_without_a_gap(self) -> None:
        """
        A decision keeps its number; one that is given up says so on its page.
        """
        assert [int(page.name[:4]) for page in self.PAGES] == list(range(1, len(self.PAGES) + 1))

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
    def test_say_context_decision_and_consequence(self, page: Path) -> None:
        """
        A page says what the question was, what was decided, and what follows.
        """
        headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)

        assert headings == ["Context", "Decision", "Consequence"]

    def test_give_a_reason_for_every_dependency(self) -> None:
        """
        What an installation brings along has its reason on one of the pages.
        """
        text = "".join(page.read_text(encoding="utf-8") for page in self.PAGES)

        assert {name for name in dependencies() if f"`{name}`" not in text} == set()


def dependencies() -> set[str]:
    """Return the names of all that `pyproject.toml` asks for, the extras included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for extra in project["optional-dependencies"].values() for line in extra]
    return {re.split(r"[<>=\[; ]", line)[0] for line in [*project["dependencies"], *extras]}


def test_every_dependency_is_pinned() -> None:
    """
    Two machines install the same: `make lock` was not forgotten.
    """
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()

    assert dependencies() - {line.partition("==")[0] for line in pinned} == set()
