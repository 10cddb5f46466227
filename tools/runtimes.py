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
import zipfile
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
        unpacked = unpack_wheel(Path(folder))
        if sys.version_info[:2] > NO_WHEEL_AFTER and not os.environ.get("REQUIRE_ALL"):
            print("oldest: skipped, it has no wheel for this Python")
        else:
            attempt("oldest", environment("oldest", lowest), unpacked)
        attempt("newest", environment("newest", highest), unpacked)
    return 0


def unpack_wheel(folder: Path) -> Path:
    """Build the wheel and unpack it in *folder*: what an installation puts on the path."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise SystemExit(f"the wheel cannot be built:\n{built.stdout}{built.stderr}")
    unpacked = folder / "unpacked"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(unpacked)
    return unpacked


def environment(name: str, requirements: Sequence[str]) -> Path:
    """Return the Python of an environment that holds exactly *requirements*; make it if there is none."""
    text = "\n".join([*requirements, sys.version])
    folder = CACHE / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        venv.create(folder, clear=True, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--only-binary=:all:", *requirements]
        subprocess.run(install, check=True)
        ready.touch()
    return python


def attempt(name: str, python: Path, unpacked: Path) -> None:
    """
    Use what lies in *unpacked* under *python*.

    The generated code is loaded and carries messages, both commands start, and one game is played in
    which one of the seats is a process that dials in.
    """

    def run(*arguments: str) -> str:
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [str(python), "-P", "-W", "error", *arguments],
            cwd=unpacked,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(unpacked)},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"{name}: `{' '.join(arguments)}` failed with the versions of {python}")
        return done.stdout.strip()

    print(f"{name}: {run(str(ROOT / 'tools' / 'load_generated.py'))}", flush=True)
    run("-m", "tournaments", "--help")
    ruleset = run("-m", "referee", "rules", "list").split()[0]
    run("-m", "referee", "play", "--rules", ruleset, "--seat", "builtin:random", "--seat", str(BOT))


if __name__ == "__main__":
    sys.exit(main())
