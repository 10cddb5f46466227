"""
Try the wheel with the oldest and with the newest libraries that `pyproject.toml` allows.

Knows: how to build the wheel, how to make an environment for each end, and which commands must run there.
Does not know: what the commands do.

An environment is made once and kept under `.cache/`, by the versions in it. Neither end has the
libraries of [dev], so that nothing leans on one of those by mistake.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "runtimes"
BOT = ROOT / "sample_bots" / "python_random"
NO_WHEEL_AFTER = (3, 12)
"""The oldest grpcio has no wheels for Python versions after this one."""


def main() -> int:
    """Try both ends; print a line for each."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        lowest = [line.replace(">=", "==") for line in tomllib.load(file)["project"]["dependencies"]]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in lowest}
    highest = [line for line in pinned if line.partition("==")[0] in names]
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        if sys.version_info[:2] > NO_WHEEL_AFTER and not os.environ.get("REQUIRE_ALL"):
            print("oldest: skipped, it has no wheel for this Python")
        else:
            attempt("oldest", environment("oldest", lowest), wheel)
        attempt("newest", environment("newest", highest), wheel)
    return 0


def build_wheel(folder: Path) -> Path:
    """Build the wheel in *folder*."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise SystemExit(f"the wheel cannot be built:\n{built.stdout}{built.stderr}")
    return next(folder.glob("*.whl"))


def environment(name: str, requirements: Sequence[str]) -> Path:
    """Return the Python of an environment that holds exactly *requirements*; make it if there is none."""
    text = "\n".join([*requirements, sys.version])
    folder = CACHE / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        venv.create(folder, clear=True, with_pip=True)
        install(python, "--only-binary=:all:", *requirements)
        ready.touch()
    return python


def install(python: Path, *arguments: str) -> None:
    """Install what *arguments* say into the environment of *python*."""
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *arguments], check=True)


def attempt(name: str, python: Path, wheel: Path) -> None:
    """
    Install *wheel* beside *python* and use it.

    The generated code is loaded and carries messages, both commands start, and one game is played in
    which one of the seats is a process that dials in.
    """
    programs = python.parent
    environ = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "error"}

    def run(program: str, *arguments: str) -> str:
        line = [str(programs / program), *arguments]
        done = subprocess.run(line, cwd=CACHE, env=environ, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{name}: this failed: {' '.join(line)}")
        return done.stdout.strip()

    install(python, "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    print(f"{name}: {run('python', str(ROOT / 'tools' / 'load_generated.py'))}", flush=True)
    run("tournament", "--help")
    ruleset = run("referee", "rules", "list").split()[0]
    game = run("referee", "play", "--rules", ruleset, "--seat", "builtin:random", "--seat", str(BOT))
    if game.count("faults: none") != 2:
        raise SystemExit(f"{name}: a bot had faults:\n{game}")


if __name__ == "__main__":
    sys.exit(main())
