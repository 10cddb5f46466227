"""`referee plays`: the rules as an oracle, a question a line on standard input, an answer a line."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from math import isfinite
from typing import Any, Final, TextIO

import structlog

from referee.cli.answers import LONGEST_ERROR, Answered, Mistake, Teller
from referee.cli.questions import answer, shown
from referee.cli.shell import BUG, DONE, command, mistake
from referee.errors import ConfigError, PositionError, RefereeBug
from referee.record.show import plain

LONGEST: Final = 64 << 10
"""A line of more bytes is no question."""

CHUNK: Final = 64 << 10
"""So many bytes are read at once, if they are there."""

DEEPEST: Final = 32
"""So deep may lists and objects lie in each other; a question needs two, and its id may be anything."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

Tell = Callable[[int, Any, Answered], str]
"""Puts into words, from the number of a line and the question on it, what it came to."""

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.plays")


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
    os.set_blocking(0, True)  # or what is not there yet would be taken for the end
    try:
        with open(0, "rb", closefd=False) as lines:
            flawless = answer_all(lines, sys.stdout, tell)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT  # whoever asked has had enough, and knows it
    return DONE if flawless else BUG


def answer_all(lines: BufferedIOBase, out: TextIO, tell: Tell) -> bool:
    """
    Answer every line of *lines* to *out*; all that were read are answered before more are waited for.

    Return whether all went well: a line on which this program fails is told so, and costs no other line.
    """
    flawless = True
    for number, line in _numbered(lines, out.flush):
        if line and not line.isspace():
            told, well = _told(number, line, tell)
            out.write(told)
            flawless = flawless and well
    return flawless


def _told(number: int, line: bytes, tell: Tell) -> tuple[str, bool]:
    """Return the answer to *line* in words, and whether this program made no mistake over it."""
    question = None
    try:
        try:
            question = _question(line)
            found: Answered = answer(question)
        except (ConfigError, PositionError, RefereeBug) as error:
            found = error
        return tell(number, question, found), True
    except Exception as error:
        log.debug("bug", line=number, exc_info=error)
        what = mistake(error)[:LONGEST_ERROR]
        print(f"referee: line {number}: {plain(what)}; --log-level debug shows where", file=sys.stderr)
        return tell(number, question, Mistake(what)), False


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


def _question(line: bytes) -> Any:
    """
    Return the JSON value on *line*.

    Raises:
        PositionError: It is too long, nested too deeply, or no JSON.
    """
    if len(line) > LONGEST and len(line.rstrip(b"\r")) > LONGEST:
        raise PositionError(f"a line of over {LONGEST} bytes is no question")
    try:
        question = _DECODE(line.removeprefix(_BYTE_ORDER_MARK).decode())
    except UnicodeDecodeError:
        raise PositionError("the line is not UTF-8 text") from None
    except RecursionError:
        raise PositionError("the line is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise PositionError(f"the line is not JSON: {error}") from None
    except ValueError:
        raise PositionError("the line is not JSON that can be read: a number has too many digits") from None
    if line.count(b"[") + line.count(b"{") > DEEPEST and _depth(question) > DEEPEST:
        raise PositionError(
            f"the line is nested too deeply: {DEEPEST} lists and objects in each other at most"
        )
    return question


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these *pairs*, each of another name: which of two counts nobody can tell."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise PositionError(f"the line has {shown(name)} twice in one object: which of them counts?")
            seen.add(name)
    return found


def _fraction(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise PositionError(f"the line is not JSON: {text[:20]} is beyond what a number can be")
    return number


def _constant(text: str) -> None:
    raise PositionError(f"the line is not JSON: {text} is no number")


_DECODE: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_fraction, parse_constant=_constant
).decode


def _depth(value: Any) -> int:
    """Return how deep lists and objects lie in each other in *value*."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, list | dict)]:
        depth += 1
        level = [part for each in level for part in (each.values() if isinstance(each, dict) else each)]
    return depth
