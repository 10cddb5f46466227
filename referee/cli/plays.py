"""`referee plays`: the rules as an oracle, a question a line on standard input, an answer a line."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, TextIO

from referee.cli.questions import Answer, answer
from referee.cli.shell import DONE, command
from referee.errors import ConfigError, PositionError, RefereeBug
from referee.record.show import plain
from referee.rules.notation import square_text, step_text
from referee.rules.state import Step

LONGEST: Final = 64 << 10
"""A line of more bytes is no question."""

LONGEST_ERROR: Final = 1000
"""More characters of an error are not told: it may repeat what was wrong."""

SHOWN: Final = 20
"""So many plays are shown to people; programs get all."""

STEPS_KEPT: Final = 1 << 16
"""So many steps are kept as they are told."""


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


def answer_all(lines: BinaryIO, out: TextIO, tell: Callable[[int, Any], str]) -> None:
    """
    Answer every line of *lines* to *out*, each before the next one is read.

    *tell* gets the number of a line, and what it came to: an `Answer`, or the error that it is.
    """
    for number, line in _numbered(lines):
        if not line.strip():
            continue
        out.write(tell(number, _answered(line)))
        out.flush()


def _numbered(lines: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number; of one that is too long only its beginning."""
    number = 0
    while True:
        try:
            line = lines.readline(LONGEST + 2)
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = lines.readline(LONGEST)
        except OSError as error:
            raise ConfigError(f"standard input: cannot be read: {error.strerror}") from None
        if not line:
            return
        number += 1
        yield number, line


def _answered(line: bytes) -> "tuple[Any, Answer | str]":
    """Return what a line asked for and its answer; an error is a sentence."""
    if len(line.rstrip(b"\r\n")) > LONGEST:
        return None, f"a line of over {LONGEST} bytes is no question"
    try:
        question = json.loads(line)
    except UnicodeDecodeError:
        return None, "the line is not UTF-8 text"
    except RecursionError:
        return None, "the line is nested too deeply"
    except ValueError as error:
        return None, f"the line is not JSON: {error}"
    try:
        return question, answer(question)
    except (ConfigError, PositionError, RefereeBug) as error:
        return question, str(error)


class Teller:
    """
    Puts answers into words, and keeps the steps that it has told: the same ones come again and again.

    JSON is put together as text: a program asks thousands of questions a second.
    """

    def __init__(self) -> None:
        """Have told nothing yet."""
        self._steps: dict[tuple[object, ...], str] = {}

    def json(self, number: int, answered: "tuple[Any, Answer | str]") -> str:
        """Return an answer as one line of JSON."""
        question, found = answered
        parts = []
        if isinstance(question, dict) and "id" in question:
            parts.append(f'"id": {json.dumps(question["id"])}')
        if isinstance(found, str):
            parts.append(f'"error": {json.dumps(found[:LONGEST_ERROR])}, "line": {number}')
        else:
            parts += self._parts(found)
        return f"{{{', '.join(parts)}}}\n"

    def _parts(self, found: Answer) -> Iterator[str]:
        if found.third:
            yield f'"third": true, "returned": {json.dumps(found.returned)}, "position": "{found.position()}"'
        yield f'"steps": [{", ".join([self._step(found, step) for step in found.steps])}]'
        if found.plays is not None:
            yield f'"plays": {[[step.code for step in play] for play in found.plays]}'
            yield f'"positions": {json.dumps(found.positions)}, "cut": {json.dumps(found.cut)}'
        if found.asked:
            yield f'"explain": {json.dumps(found.refusal and found.refusal._asdict())}'

    def text(self, number: int, answered: "tuple[Any, Answer | str]") -> str:
        """Return an answer as lines for people, the last one empty."""
        question, found = answered
        lines = [f"line {number}: {plain(found[:LONGEST_ERROR])}"] if isinstance(found, str) else []
        if isinstance(found, Answer):
            lines = list(self._lines(found, question.get("id")))
        return "".join(f"{line}\n" for line in (*lines, ""))

    def _lines(self, found: Answer, name: object) -> Iterator[str]:
        title = "" if name is None else f"{plain(str(name))}: "
        if found.third:
            back = "no pawn goes back" if found.returned is None else f"pawn {found.returned} goes back"
            yield f"{title}the third doublet of the turn is not played; {back}: {found.position()}"
        else:
            dice = " ".join(map(str, found.state.dice))
            yield f"{title}seat {found.state.seat} threw {dice} at {found.position()}"
            for step in found.steps:
                yield f"  pawn {step_text(found.rules.board, found.state, step)}"
            if not found.steps:
                yield "  no step is legal"
        for play, position in zip((found.plays or ())[:SHOWN], found.positions or (), strict=False):
            yield f"  play {', '.join(self._texts(found, play))} > {position}"
        if found.plays and (len(found.plays) > SHOWN or found.cut):
            yield f"  and {len(found.plays) - SHOWN} plays more{', and others' if found.cut else ''}"
        if found.asked:
            yield f"  {found.refusal.why if found.refusal else 'that step is legal'}"

    def _texts(self, found: Answer, play: tuple[Step, ...]) -> Iterator[str]:
        state = found.state
        for step in play:
            yield step_text(found.rules.board, state, step)
            state = found.rules.apply(state, step).state

    def _step(self, found: Answer, step: Step) -> str:
        """Return *step*, a legal one, as JSON."""
        state, board, seat = found.state, found.rules.board, found.mover
        own = state.position[seat]
        assert own is not None
        progress = own[step.pawn]
        key = (board.name, seat, progress, step)
        told = self._steps.get(key)
        if told is None:
            if len(self._steps) >= STEPS_KEPT:
                self._steps.clear()
            told = self._steps[key] = json.dumps(
                {
                    "pawn": step.pawn,
                    "use": step.use,
                    "square": square_text(step.square),
                    "from": square_text(board.square(seat, progress)),
                    "text": step_text(board, state, step),
                    "code": step.code,
                }
            )
        return told
