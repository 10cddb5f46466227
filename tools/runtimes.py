"""
Try the wheel with the oldest and with the newest libraries that `pyproject.toml` allows.

Knows: how to build the wheel, how to make an environment for each end, and which commands must run there.
Does not know: what the commands do.

An environment is made once and kept under `.cache/`, by the versions in it. None has the libraries of
[dev], so that nothing leans on one of those by mistake.
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
BOT_LOWEST = (
    "grpcio==1.62.0",
    "grpcio-health-checking==1.62.0",
    "grpcio-reflection==1.62.0",
    "protobuf==4.25.0",
)
"""What a bot's author may be held back to. The referee itself needs a newer grpcio."""

BOT_LOWEST_UP_TO = (3, 12)
"""The last Python for which there are wheels of it."""


def main() -> int:
    """Try each; print a line with the versions that could."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        lowest = [line.replace(">=", "==") for line in tomllib.load(file)["project"]["dependencies"]]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in lowest}
    highest = [line for line in pinned if line.partition("==")[0] in names]
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        attempt("oldest", environment("oldest", lowest), wheel)
        newest = environment("newest", highest)
        attempt("newest", newest, wheel)
        if sys.version_info[:2] <= BOT_LOWEST_UP_TO:
            old = environment("bot", BOT_LOWEST)
            load_generated("a bot's oldest", old, wheel)
            play("a bot's oldest", newest, f"exec:{old} {BOT / 'bot.py'}")
        else:
            print("a bot's oldest: left out, it has no wheels for this Python")
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
    """Use *wheel* beside *python*: its generated code, both commands, and a game with a bot that dials in."""
    load_generated(name, python, wheel)
    run(python, "tournament", "--help")
    play(name, python, str(BOT))


def play(name: str, python: Path, bot: str) -> None:
    """Let *bot* play a game that the referee beside *python* holds."""
    ruleset = run(python, "referee", "rules", "list").split()[0]
    game = run(python, "referee", "play", "--rules", ruleset, "--seat", "builtin:random", "--seat", bot)
    if game.count("faults: none") != 2:
        raise SystemExit(f"{name}: a bot had faults:\n{game}")


def load_generated(name: str, python: Path, wheel: Path) -> None:
    """Install *wheel* beside *python* and load its generated code; print the versions that could."""
    install(python, "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    print(f"{name}: {run(python, 'python', str(ROOT / 'tools' / 'load_generated.py'))}", flush=True)


def run(python: Path, program: str, *arguments: str) -> str:
    """Run a program that is installed beside *python*, warnings as errors; return what it prints."""
    folder = python.parent
    environ = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "error"}
    line = [str(folder / program), *arguments]
    done = subprocess.run(line, cwd=CACHE, env=environ, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"this failed with exit code {done.returncode}: {' '.join(line)}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
