"""What is done with output that nobody reads to its end."""

import fcntl
import json
import os
import select
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO

import pytest

from tests.cli.command import DONE, NO, PATIENCE, REFEREE, WRONG, environment, nobody_reads, referee

QUESTION = {"rules": "racket", "position": "5,N,N,N/-/N,N,N,N/-", "seat": 0, "throw": [5, 5]}
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


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("rules", "show", "racket"), id="much output"),
        pytest.param(("verify", *["no.jsonl"] * 3000), id="verify"),
        pytest.param(("plays", "--json"), id="plays"),
        pytest.param(("replay", "game.jsonl"), id="replay"),
    ],
)
def test_a_pipe_that_does_not_block_loses_nothing(folder: Path, command: tuple[str, ...]) -> None:
    """
    Some programs make their pipes so; a slow reader gets all the same what any other gets.
    """
    questions = (json.dumps(QUESTION).encode() + b"\n") * 300
    code, right, _ = whole(folder, command, questions)
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)  # less than is written at once
    os.set_blocking(writing, False)
    with subprocess.Popen(
        [*REFEREE, *command], cwd=folder, env=environment(), stdin=subprocess.PIPE, stdout=writing
    ) as process:
        os.close(writing)
        sender = Thread(target=send, args=(process.stdin, questions))
        sender.start()
        with open(reading, "rb", buffering=0) as slow:
            select.select([slow], [], [])
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)  # by then it has filled the pipe
            found = b"".join(iter(lambda: slow.read(1000), b""))
        sender.join()

    assert (process.returncode, found) == (code, right)


def send(file: IO[bytes] | None, text: bytes) -> None:
    """Write *text* to *file*, to its end or to that of its reader."""
    assert file is not None
    with suppress(BrokenPipeError), file:
        file.write(text)


def test_a_question_that_is_late_is_waited_for(folder: Path) -> None:
    """
    A pipe of questions that does not block is not at its end when it is empty.
    """
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with subprocess.Popen(
        [*REFEREE, "plays", "--json"], cwd=folder, env=environment(), stdin=reading, stdout=subprocess.PIPE
    ) as process:
        os.close(reading)
        assert process.stdout is not None
        for number in range(2):
            os.write(writing, json.dumps(QUESTION | {"id": number}).encode() + b"\n")
            assert json.loads(process.stdout.readline())["id"] == number
            ended, _, _ = select.select([process.stdout], [], [], 0.1)
            assert not ended
        os.close(writing)

    assert process.returncode == DONE


LETTERS = "ann\u00e9 \u0430 \U0001f3b2 \udcff"
"""A name with letters that few encodings have, and a byte that is no text."""


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"PYTHONIOENCODING": "latin-1"}, id="latin-1"),
        pytest.param({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, id="C"),
        pytest.param({"PYTHONIOENCODING": "utf-8:strict"}, id="utf-8"),
    ],
)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param(("plays",), DONE, id="plays"),
        pytest.param(("plays", "--json"), DONE, id="plays as JSON"),
        pytest.param(("rules", "check", f"{LETTERS}.toml"), DONE, id="rules check"),
        pytest.param(("rules", "show", f"{LETTERS}.toml"), DONE, id="rules show"),
        pytest.param(("rules", "show", f"no {LETTERS}.toml"), WRONG, id="rules show nothing"),
        pytest.param(("replay", "names.jsonl"), DONE, id="replay"),
        pytest.param(("verify", "names.jsonl"), DONE, id="verify"),
        pytest.param(("verify", f"{LETTERS}.jsonl"), NO, id="verify nothing"),
    ],
)
def test_letters_that_the_output_does_not_have_are_written_another_way(
    folder: Path, command: tuple[str, ...], code: int, env: dict[str, str]
) -> None:
    """
    Whatever encoding standard output has: names that users gave end no command.
    """
    named = folder / f"{LETTERS}.toml"
    named.write_text('extends = "racket"\nname = "x"\nsource = "\U0001f3b2 by \u0430nn"\n', encoding="utf-8")
    record = (folder / "game.jsonl").read_text(encoding="utf-8")
    text = record.replace('"name":"builtin:racer"', '"name":"\u0430\U0001f3b2"', 1)
    (folder / "names.jsonl").write_text(text, encoding="utf-8")
    question = {"id": "\u0430 \U0001f3b2 \ud800"} | QUESTION

    found, out, err = whole(folder, command, json.dumps(question).encode(), env)

    assert found == code, err
    assert b"Traceback" not in err
    assert b"mistake" not in err
    assert bool(out) == (code != WRONG)


def test_bots_may_be_called_by_any_letters(folder: Path) -> None:
    """
    What a game came to is told with the names of those who played.
    """
    seat = f"exec:sh -c 'echo {LETTERS[:-2]}'"

    code, out, err = whole(folder, (*PLAY, "--seat", seat), b"", {"PYTHONIOENCODING": "latin-1"})

    assert (code, err) == (DONE, b"")
    assert rb"exec:sh -c 'echo ann\xe9 \u0430 \U0001f3b2': 0 captures".replace(rb"\xe9", b"\xe9") in out


def whole(
    folder: Path, command: tuple[str, ...], questions: bytes, env: Mapping[str, str] | None = None
) -> tuple[int, bytes, bytes]:
    """Run *command* with *questions* as its input; return its exit code, its output and its errors."""
    done = subprocess.run(
        [*REFEREE, *command],
        cwd=folder,
        env=environment(env),
        input=questions,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


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
