"""
Answers to questions about the rules in words: JSON for programs, lines for people.

Knows: the fields of an answer, as `docs/plays.md` tells them.
Does not know: what is legal, where questions come from.

A program asks thousands of questions a second, so JSON is put together as text, and the texts of steps and
of a seat's four pawns are kept: the same ones come again and again.
"""

from collections.abc import Iterator, Mapping, Sequence
from json import JSONEncoder
from typing import Any, Final

from referee.cli.questions import Answer, IllegalStep, Start
from referee.errors import RefereeError
from referee.record.show import plain
from referee.rules.board import SEATS, Board
from referee.rules.notation import (
    NOBODY,
    position_text,
    square_text,
    state_text,
    step_text,
    use_text,
)
from referee.rules.plays import Play
from referee.rules.ruleset import Ruleset
from referee.rules.state import Pawns, Position, State, Step


class Mistake(RefereeError):
    """A failure of this program over a question; the text says so."""


Answered = Answer | Start | RefereeError
"""What a line comes to."""

LONGEST_ERROR: Final = 1000
"""More characters of an error are not told: it may repeat what was wrong."""

SHOWN: Final = 20
"""So many plays are shown to people; programs get all."""

KEPT: Final = 1 << 14
"""So many texts of one kind are kept for each seat of a board."""

_ENCODE: Final = JSONEncoder(allow_nan=False).encode


class _Codes(dict[Step, str]):
    """The number of a step as text."""

    def __missing__(self, step: Step) -> str:
        if len(self) >= KEPT:
            self.clear()
        self[step] = text = str(step.code)
        return text


_CODE_OF: Final = _Codes().__getitem__


class _Texts:
    """The texts of one board: a seat's pawns, and its steps as JSON."""

    def __init__(self, board: Board) -> None:
        """Know none of them yet."""
        self.board: Final = board
        squares = [[square_text(board.square(seat, p)) for p in range(board.last + 1)] for seat in SEATS]
        self._groups: Final = tuple(_Groups(texts) for texts in squares)
        self._steps: Final = tuple(_Steps(texts) for texts in squares)

    def position(self, position: Position, arrived: int) -> str:
        """Return *position* as text."""
        if arrived:
            return position_text(self.board, position, arrived)
        a, b, c, d = position
        zero, one, two, three = self._groups
        return f"{zero[a]}/{one[b]}/{two[c]}/{three[d]}"

    def positions(self, plays: Sequence[Play]) -> str:
        """Return the positions that *plays* lead to as JSON, without the brackets."""
        zero, one, two, three = self._groups
        return ", ".join(
            [
                f'"{position_text(self.board, (a, b, c, d), arrived)}"'
                if arrived
                else f'"{zero[a]}/{one[b]}/{two[c]}/{three[d]}"'
                for _, (a, b, c, d), arrived in plays
            ]
        )

    def steps(self, state: State, mover: int, steps: tuple[Step, ...]) -> str:
        """Return *steps*, legal ones in *state* for the pawns of *mover*, as JSON."""
        own = state.position[mover]
        assert own is not None
        told = self._steps[mover]
        return ", ".join([told[own[step[0]], step] for step in steps])


class _Groups(dict[Pawns | None, str]):
    """The four squares of one seat as text."""

    def __init__(self, squares: Sequence[str]) -> None:
        self._squares = squares

    def __missing__(self, pawns: Pawns | None) -> str:
        if pawns is None:
            return NOBODY
        if len(self) >= KEPT:
            self.clear()
        squares = self._squares
        a, b, c, d = pawns
        self[pawns] = text = f"{squares[a]},{squares[b]},{squares[c]},{squares[d]}"
        return text


class _Steps(dict[tuple[int, Step], str]):
    """The steps of one seat as JSON, by how far the pawn has come."""

    def __init__(self, squares: Sequence[str]) -> None:
        self._squares = squares

    def __missing__(self, key: tuple[int, Step]) -> str:
        if len(self) >= KEPT:
            self.clear()
        progress, step = key
        origin, square = self._squares[progress], square_text(step.square)
        self[key] = told = (
            f'{{"pawn": {step.pawn}, "use": {step.use}, "square": "{square}", "from": "{origin}", '
            f'"text": "{step.pawn}: {origin} to {square} with {use_text(step.use)}", "code": {step.code}}}'
        )
        return told


class Teller:
    """Puts answers into words."""

    def __init__(self) -> None:
        """Have told nothing yet."""
        self._boards: Final[dict[str, _Texts]] = {}

    def _texts(self, board: Board) -> _Texts:
        texts = self._boards.get(board.name)
        if texts is None:
            texts = self._boards[board.name] = _Texts(board)
        return texts

    # For programs.

    def json(self, number: int, question: Any, found: Answered) -> str:
        """Return the answer to the *question* on line *number* as one line of JSON."""
        name = f'"id": {_ENCODE(question["id"])}, ' if isinstance(question, dict) and "id" in question else ""
        if isinstance(found, Answer):
            return f"{{{name}{', '.join(self._parts(found))}}}\n"
        if isinstance(found, Start):
            first = _state(found.name, found.rules.ruleset, found.state)
            return f'{{{name}"dice": {found.rules.ruleset.dice}, "next": {first}}}\n'
        rule = f'"rule": {_ENCODE(found.refusal.rule)}, ' if isinstance(found, IllegalStep) else ""
        return f'{{{name}"error": {_ENCODE(str(found)[:LONGEST_ERROR])}, {rule}"line": {number}}}\n'

    def _parts(self, found: Answer) -> Iterator[str]:
        rules, state, steps, third, returned = found.situation
        board = rules.board
        texts = self._texts(board)
        if found.applied is not None:
            after, captured, earned, won = found.applied
            yield f'"captured": {[list(pawn) for pawn in captured]}, "earned": {list(earned)}'
            yield f'"won": {"true" if won else "false"}, "after": {_state(found.name, rules.ruleset, after)}'
        if third:
            position = texts.position(state.position, state.arrived)
            yield f'"third": true, "returned": {_ENCODE(returned)}, "position": "{position}"'
        mover = rules.mover(state.position, state.seat)
        legal = texts.steps(state, mover, steps) if steps else ""
        yield f'"numbers": {list(state.numbers)}, "steps": [{legal}]'
        if found.plays is not None:
            plays = ", ".join([f"[{', '.join(map(_CODE_OF, steps))}]" for steps, _, _ in found.plays])
            positions = texts.positions(found.plays)
            cut = "true" if found.cut else "false"
            yield f'"plays": [{plays}], "positions": [{positions}], "cut": {cut}'
        if found.asked:
            yield f'"explain": {_ENCODE(found.refusal and found.refusal._asdict())}'
        if not steps:
            following = found.situation.following
            if following is not None:
                yield f'"next": {_state(found.name, rules.ruleset, following)}'
            elif found.applied is None:
                yield '"won": true'

    # For people.

    def text(self, number: int, question: Any, found: Answered) -> str:
        """Return the answer to the *question* on line *number* as lines for people, the last one empty."""
        if isinstance(found, RefereeError):
            lines = [f"line {number}: {plain(str(found)[:LONGEST_ERROR])}"]
        else:
            name = question.get("id")
            title = "" if name is None else f"{plain(name if isinstance(name, str) else _ENCODE(name))}: "
            told = self._beginning(found) if isinstance(found, Start) else self._lines(found)
            lines = [f"{title}{next(told)}", *told]
        return "".join(f"{line}\n" for line in (*lines, ""))

    def _beginning(self, start: Start) -> Iterator[str]:
        many = "one die" if start.rules.ruleset.dice == 1 else f"{start.rules.ruleset.dice} dice"
        position = self._position(start.rules.board, start.state)
        yield f"seat {start.state.seat} throws {many} at {position}"

    def _lines(self, found: Answer) -> Iterator[str]:
        rules, state, steps, third, returned = found.situation
        position = self._position(rules.board, state)
        if found.applied is not None:
            yield from self._applied(found)
        elif third:
            special = "six" if rules.ruleset.dice == 1 else "doublet"
            back = "no pawn goes back" if returned is None else f"pawn {returned} goes back"
            yield f"the third {special} of the turn is not played; {back}: {position}"
        else:
            yield f"seat {state.seat} threw {' '.join(map(str, state.dice))} at {position}"
        for step in steps:
            yield f"  pawn {step_text(rules.ruleset, state, step)}"
        if not steps and not third:
            yield "  no step is legal"
        for play in (found.plays or ())[:SHOWN]:
            end = position_text(rules.board, play.position, play.arrived)
            yield f"  play {', '.join(self._played(found, play))} > {end}"
        if found.plays and (len(found.plays) > SHOWN or found.cut):
            yield f"  and {len(found.plays) - SHOWN} plays more{', and others' if found.cut else ''}"
        if found.asked:
            yield f"  {found.refusal.why if found.refusal else 'that step is legal'}"
        if not steps:
            following = found.situation.following
            yield "  the game is won" if following is None else f"  seat {following.seat} throws next"

    def _applied(self, found: Answer) -> Iterator[str]:
        rules = found.situation.rules
        assert found.applied is not None
        assert found.step is not None
        after, captured, earned, _ = found.applied
        step = step_text(rules.ruleset, found.before, found.step)
        yield f"seat {after.seat} played {step}: {self._position(rules.board, after)}"
        for seat, pawn in captured:
            yield f"  it captured pawn {pawn} of seat {seat}"
        for bonus in earned:
            yield f"  it earned a bonus of {bonus}"

    def _played(self, found: Answer, play: Play) -> Iterator[str]:
        rules, state = found.situation.rules, found.situation.state
        for step in play.steps:
            yield step_text(rules.ruleset, state, step)
            state = rules.apply(state, step).state

    def _position(self, board: Board, state: State) -> str:
        return position_text(board, state.position, state.arrived)


def _state(name: str, ruleset: Ruleset, state: State) -> str:
    """Return *state* as the JSON of a question about it, in which only new dice may be missing."""
    question: Mapping[str, Any] = {"rules": name, **state_text(ruleset, state)}
    return _ENCODE(question)
