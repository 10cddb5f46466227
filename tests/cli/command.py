"""
The `referee` command as its users run it: a process, its output, its exit code.

Knows: how to start it and what every answer of it has in common. Does not know: single commands.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
REFEREE: Final = (sys.executable, "-m", "referee")
PATIENCE: Final = 120
"""Seconds after which a command hangs."""

DONE, NO, WRONG = 0, 1, 2


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of the command: output is buffered, as it is for whoever types it."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"} | dict(env or {})


@contextmanager
def nobody_reads() -> Iterator[int]:
    """Return the writing end of a pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        yield writing
    finally:
        os.close(writing)


def squeezed(blocks: int, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command where no file may grow beyond so many *blocks*, as if the disk were full."""
    return subprocess.run(
        ["sh", "-c", f"ulimit -f {blocks}; exec {shlex.join([*REFEREE, *map(str, arguments)])}"],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def referee(*arguments: object, cwd: Path, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Run the command in *cwd*; return its exit code and what it wrote to standard output and error."""
    done = subprocess.run(
        [*REFEREE, *map(str, arguments)],
        cwd=cwd,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "Traceback" not in done.stdout, done.stdout
    return done.returncode, done.stdout, done.stderr


def refused(*arguments: object, cwd: Path) -> str:
    """Run the command, which must be refused: exit code 2, one line on standard error; return that line."""
    code, out, err = referee(*arguments, cwd=cwd)
    assert code == WRONG, (code, out, err)
    assert out == ""
    assert err.endswith("\n"), err
    assert err.count("\n") == 1, err
    return err.rstrip("\n")


def a_bot(folder: Path, name: str = "steady") -> Path:
    """Copy the bot called *name* into *folder*; return where it is."""
    return Path(shutil.copytree(Path(__file__).parent / "bots" / name, folder / name))
