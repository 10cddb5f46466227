"""What is done with output that nobody reads to its end."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.command import DONE, NO, PATIENCE, REFEREE, WRONG, environment, nobody_reads, referee

PLAY = ("play", "--rules", "racket", "--seat", "builtin:racer", "--seat", "builtin:random")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a record in it."""
    folder = tmp_path_factory.mktemp("pipes")
    assert referee(*PLAY, "--record", "game.jsonl", cwd=folder)[0] == DONE
    return folder


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("rules", "list"), id="little output"),
        pytest.param(("verify", "game.jsonl"), id="verify"),
        pytest.param(PLAY, id="play"),
        pytest.param(("replay", "game.jsonl"), id="much output"),
    ],
)
def test_a_reader_who_has_gone_is_no_error(folder: Path, command: tuple[str, ...]) -> None:
    """
    `referee … | head` ends quietly: nothing on standard error, exit code 0.
    """
    with nobody_reads() as writing:
        done = subprocess.run(
            [*REFEREE, *command],
            cwd=folder,
            env=environment(),
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    assert (done.returncode, done.stderr) == (DONE, "")


def test_a_reader_who_goes_in_the_middle_is_no_error(folder: Path) -> None:
    """
    What was printed before the reader went was whole.
    """
    with subprocess.Popen(
        [*REFEREE, "replay", "game.jsonl"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()

    assert first.startswith("game by racket")
    assert (process.returncode, err) == (DONE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no /dev/full")
@pytest.mark.parametrize("command", [("rules", "list"), ("replay", "game.jsonl")], ids=" ".join)
def test_a_full_disk_is_told_in_one_line(folder: Path, command: tuple[str, ...]) -> None:
    """
    `referee … > file` on a full disk says so.
    """
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*REFEREE, *command],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    assert done.returncode == WRONG
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


PLAYED = (
    pytest.param(("verify", "game.jsonl"), DONE, id="verify"),
    pytest.param(("verify", "no.jsonl"), NO, id="verify nothing"),
    pytest.param((*PLAY, "--seat", "exec:true"), DONE, id="play with remarks"),
    pytest.param(("rules", "show", "ludo"), WRONG, id="bad input"),
)


@pytest.mark.parametrize(("command", "code"), PLAYED)
@pytest.mark.parametrize("closed", ["1", "2", "1 2"])
def test_a_stream_that_is_closed_changes_no_exit_code(
    folder: Path, command: tuple[str, ...], code: int, closed: str
) -> None:
    """
    `referee … 2>&-`, as some services start programs, does what it would do anyway.
    """
    shut = "; ".join(f"exec {number}>&-" for number in closed.split())
    done = subprocess.run(
        ["sh", "-c", f'{shut}; exec "$@"', "sh", *REFEREE, *command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )

    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("command", "code"), PLAYED)
def test_remarks_that_nobody_takes_change_no_exit_code(
    folder: Path, command: tuple[str, ...], code: int
) -> None:
    """
    Where the reader of standard error has gone the command goes on, and prints what was asked for.
    """
    with nobody_reads() as writing:
        done = subprocess.run(
            [*REFEREE, *command],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=writing,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    assert done.returncode == code
    assert bool(done.stdout) == (code != WRONG)
