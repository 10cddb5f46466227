"""Ctrl-C, at any moment of a command's life."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import PATIENCE, ROOT, environment

INTERRUPTED = 128 + signal.SIGINT
COMMANDS = [
    pytest.param((sys.executable, "-m", "referee"), id="python -m referee"),
    pytest.param((sys.executable, "-m", "tournaments"), id="python -m tournaments"),
    pytest.param((str(Path(sys.executable).with_name("referee")),), id="referee"),
    pytest.param((str(Path(sys.executable).with_name("tournament")),), id="tournament"),
]

TELLS_AND_WAITS = """
import os
os.write({writing}, b"here")
os.read({reading}, 1)
{then}
"""
"""A module that says when it is imported, and goes on when it is told to."""


def interrupted(
    folder: Path, command: tuple[str, ...], module: str, then: str, *, ignored: bool = False
) -> tuple[int, bytes, bytes]:
    """
    Interrupt *command* while it imports *module*; return its exit code, its output and its errors.

    *then* is what the module does, if it lives.
    """
    heard, says = os.pipe()
    waits, told = os.pipe()
    text = TELLS_AND_WAITS.format(writing=says, reading=waits, then=then)
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment({"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(says, waits),
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,  # noqa: PLW1509
    ) as process:
        os.close(says)
        os.close(waits)
        assert os.read(heard, 4) == b"here"
        process.send_signal(signal.SIGINT)
        os.write(told, b".")
        out, err = process.communicate(timeout=PATIENCE)
    os.close(heard)
    os.close(told)
    return process.returncode, out, err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("module", ["structlog", "argparse"])
def test_while_a_command_is_imported_ends_it_quietly(
    tmp_path: Path, command: tuple[str, ...], module: str
) -> None:
    """
    Nothing of the command is there yet, and nothing is told.
    """
    found = interrupted(tmp_path, (*command, "--version"), module, "raise SystemExit(99)")

    assert found == (INTERRUPTED, b"", b"")


def test_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """
    As of a command that a script has put into the background.
    """
    found = interrupted(
        tmp_path, (sys.executable, "-m", "referee"), "structlog", "raise SystemExit(99)", ignored=True
    )

    assert found == (99, b"", b"")


def test_when_the_work_is_done_tells_nothing(tmp_path: Path) -> None:
    """
    A process that is about to leave has nothing to say about being told to.
    """
    ends = "import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
    (tmp_path / "sitecustomize.py").write_text(ends, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "--version"],
        cwd=ROOT,
        env=environment({"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == INTERRUPTED
    assert done.stderr == b""
