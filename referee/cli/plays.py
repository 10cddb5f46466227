"""`referee plays`: the rules as an oracle, a question a line on standard input, an answer a line."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from typing import Any, Final, TextIO

from referee.cli.answers import Answered, Teller
from referee.cli.questions import answer
from referee.cli.shell import DONE, command
from referee.errors import ConfigError, PositionError, RefereeBug

LONGEST: Final = 64 << 10
"""A line of more bytes is no question."""

CHUNK: Final = 64 << 10
"""So many bytes are read at once, if they are there."""


def add_plays(commands: Any) -> None:
    """Add the command `plays`."""
    parser = command(
        commands,
        "plays",
        "Answers questions about the rules: reads one a line, a JSON object, and tells what is legal.",
        "referee plays --json < questions.jsonl",
        _plays,
    )
    parser.add_argument(
        "--json", action="store_true", help="answer with one JSON object a line (default: as text)"
    )


def _plays(options: argparse.Namespace) -> int:
    tell = Teller().json if options.json else Teller().text
    try:
        with open(0, "rb", closefd=False) as lines:
            answer_all(lines, sys.stdout, tell)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT  # whoever asked has had enough, and knows it
    return DONE


def answer_all(lines: BufferedIOBase, out: TextIO, tell: Callable[[int, Any, Answered], str]) -> None:
    """
    Answer every line of *lines* to *out*; all that were read are answered before more are waited for.

    *tell* gets the number of a line, the question on it, and what it came to.
    """
    for number, line in _numbered(lines, out.flush):
        if line and not line.isspace():
            out.write(tell(number, *_answered(line)))


def _numbered(lines: BufferedIOBase, before_waiting: Callable[[], object]) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number; of one that is too long only its beginning."""
    number, rest = 0, b""
    while True:
        before_waiting()
        try:
            chunk = lines.read1(CHUNK)
        except OSError as error:
            raise ConfigError(f"standard input: cannot be read: {error.strerror}") from None
        if not chunk:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            number += 1
            yield number, line
        rest = rest[: LONGEST + 2]
    yield number + 1, rest
    before_waiting()


def _answered(line: bytes) -> tuple[Any, Answered]:
    """Return what a line asked for and what it came to."""
    if len(line) > LONGEST and len(line.rstrip(b"\r")) > LONGEST:
        return None, PositionError(f"a line of over {LONGEST} bytes is no question")
    try:
        question = json.loads(line)
    except UnicodeDecodeError:
        return None, PositionError("the line is not UTF-8 text")
    except RecursionError:
        return None, PositionError("the line is nested too deeply")
    except ValueError as error:
        return None, PositionError(f"the line is not JSON: {error}")
    try:
        return question, answer(question)
    except (ConfigError, PositionError, RefereeBug) as error:
        return question, error
