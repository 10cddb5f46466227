"""
One text for each thing on the board, and back.

Knows: the texts of squares, positions, states, steps; which of them a ruleset has no use for.
Does not know: what is legal. What cannot be on a board is refused here; what cannot stand
together (two colours on a square, too many on one) is `checking.py`'s.

Writing a position is part of every throw, so it is done by tables; reading is for people's texts
and says in one sentence what is wrong, where, and what would be right.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.errors import PositionError
from referee.rules.board import (
    BOARDS,
    NEST,
    PAWNS,
    SEATS,
    SQUARE_ABSENT,
    SQUARE_HOME,
    SQUARE_LANE,
    SQUARE_NEST,
    Board,
)
from referee.rules.relay import mover_in
from referee.rules.ruleset import EntryCapture, Ruleset
from referee.rules.state import (
    BONUS,
    BROUGHT_HOME,
    FIVE_BY_SUM,
    GAVE_UP,
    MOVED,
    Pawns,
    Position,
    State,
    Step,
    arrival,
)

NOBODY: Final = "-"
"""Stands for a seat that is absent or lost."""

LAST: Final = "+"
"""Marks the pawn that came last of two, in rulesets where that matters."""


# Squares.


def square_text(code: int) -> str:
    """Return the text of a square code: `N`, `1` …, `L1` …, `H`, or `-` for no pawn."""
    if code == SQUARE_NEST:
        return "N"
    if code == SQUARE_HOME:
        return "H"
    if code == SQUARE_ABSENT:
        return NOBODY
    return f"L{code - SQUARE_LANE}" if code > SQUARE_LANE else str(code)


def square_code(text: str) -> int:
    """
    Return the code of the square that *text* names.

    Raises:
        PositionError: It names none.
    """
    if text == "N":
        return SQUARE_NEST
    if text == "H":
        return SQUARE_HOME
    lane = text.startswith("L")
    digits = text[1:] if lane else text
    if digits.isascii() and digits.isdigit() and len(digits) <= 2 and digits[0] != "0":
        code = SQUARE_LANE + int(digits) if lane else int(digits)
        if (SQUARE_LANE if lane else 0) < code < (SQUARE_HOME if lane else SQUARE_LANE):
            return code
    raise PositionError(f"{text!r} is no square: squares are N, numbers from 1, L1 and on, and H")


# Positions.


_TEXTS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    board.name: tuple(
        tuple(square_text(board.square(seat, progress)) for progress in range(board.last + 1))
        for seat in SEATS
    )
    for board in BOARDS.values()
}
"""The text of every progress of every seat, by the board's name."""


def position_text(board: Board, position: Position, arrived: int = 0) -> str:
    """Return *position* as text: `5,N,N,L3/-/22,22,H,40/-`; pawns that *arrived* last are marked."""
    if arrived:
        return _marked_text(board, position, arrived)
    groups = []
    for texts, pawns in zip(_TEXTS[board.name], position, strict=True):
        if pawns is None:
            groups.append(NOBODY)
        else:
            a, b, c, d = pawns
            groups.append(f"{texts[a]},{texts[b]},{texts[c]},{texts[d]}")
    return "/".join(groups)


def seat_text(board: Board, seat: int, pawns: Sequence[int]) -> str:
    """Return the four squares of one seat as text."""
    texts = _TEXTS[board.name][seat]
    return ",".join(texts[progress] for progress in pawns)


def _marked_text(board: Board, position: Position, arrived: int) -> str:
    groups = [
        NOBODY
        if pawns is None
        else ",".join(
            _TEXTS[board.name][seat][progress] + (LAST if arrived & arrival(seat, pawn) else "")
            for pawn, progress in enumerate(pawns)
        )
        for seat, pawns in enumerate(position)
    ]
    return "/".join(groups)


def position_from_text(ruleset: Ruleset, text: str) -> tuple[Position, int]:
    """
    Return the position that *text* describes, and which pawns arrived last (`State.arrived`).

    Where two stand on a square of the ring and none is marked, the one of the higher seat arrived last,
    of one seat the one of the higher number.

    Raises:
        PositionError: What is wrong, at which seat and pawn, and what would be right.
    """
    groups = text.split("/")
    if len(groups) != len(SEATS):
        raise PositionError(
            f"position {text!r} has {len(groups)} seats: it should be four groups joined by /, "
            f"{NOBODY} for an absent seat"
        )
    marked = 0
    if LAST in text:
        groups, marked = _without_marks(ruleset, groups)
    a, b, c, d = (
        None if group == NOBODY else pawns_from_text(ruleset, seat, group)
        for seat, group in enumerate(groups)
    )
    position = a, b, c, d
    marks = ruleset.entry_capture is EntryCapture.WHEN_FULL
    return position, _arrived(ruleset.board, position, marked) if marks else 0


def _without_marks(ruleset: Ruleset, groups: Sequence[str]) -> tuple[list[str], int]:
    """Return the groups of a position without marks, and whom they marked."""
    marked = 0
    plain = []
    for seat, group in enumerate(groups):
        squares = group.split(",")
        for pawn, square in enumerate(squares):
            if not square.endswith(LAST):
                continue
            if ruleset.entry_capture is not EntryCapture.WHEN_FULL:
                raise PositionError(
                    f"seat {seat}, pawn {pawn}: {square!r}: {LAST} marks who came last of two on a square, "
                    f"which {ruleset.name} does not ask"
                )
            marked |= arrival(seat, pawn)
        plain.append(",".join(square.removesuffix(LAST) for square in squares))
    return plain, marked


def _arrived(board: Board, position: Position, marked: int) -> int:
    """
    Return who arrived last wherever two stand on a square of the ring, those *marked* if they can be.

    Raises:
        PositionError: A pawn is marked that shares no square of the ring with one other.
    """
    standing: dict[int, list[int]] = {}
    for seat, pawns in enumerate(position):
        for pawn, progress in enumerate(pawns or ()):
            square = board.square(seat, progress)
            if SQUARE_NEST < square <= board.ring:
                standing.setdefault(square, []).append(arrival(seat, pawn))
    arrived = 0
    for square, bits in standing.items():
        named = [bit for bit in bits if bit & marked]
        if len(bits) == 2 and len(named) < 2:
            arrived |= named[0] if named else max(bits)
        elif named:
            raise PositionError(
                f"{LAST} on {square} marks {len(named)} of {len(bits)} pawns: "
                "it marks the one of two that came last"
            )
    if stray := marked & ~arrived:
        seat, pawn = divmod(stray.bit_length() - 1, len(PAWNS))
        raise PositionError(f"seat {seat}, pawn {pawn}: {LAST} marks pawns on the ring only")
    return arrived


def pawns_from_text(ruleset: Ruleset, seat: int, text: str) -> Pawns:
    """
    Return the four pawns of *seat* that *text* describes, such as `5,N,N,L3`.

    Raises:
        PositionError: What is wrong, and what would be right.
    """
    squares = text.split(",")
    if len(squares) != len(PAWNS):
        raise PositionError(f"seat {seat} has {len(squares)} pawns in {text!r}: it should have four squares")
    a, b, c, d = (_progress(ruleset, seat, pawn, square) for pawn, square in enumerate(squares))
    return (a, b, c, d)


def _progress(ruleset: Ruleset, seat: int, pawn: int, text: str) -> int:
    board = ruleset.board
    where = f"seat {seat}, pawn {pawn}"
    try:
        code = square_code(text)
    except PositionError as error:
        raise PositionError(f"{where}: {error}") from None
    progress = board.progress(seat, code, lap=ruleset.second_lap)
    if progress is not None:
        return progress
    if code > SQUARE_LANE:
        raise PositionError(f"{where}: {text!r}: the lane has the squares L1 to L{board.lane}")
    if code > board.ring:
        raise PositionError(f"{where}: {text!r}: the ring of {board.name} has the squares 1 to {board.ring}")
    raise PositionError(
        f"{where}: {text!r} lies between the seat's tip {board.tips[seat]} and entry {board.entries[seat]}, "
        f"where its pawns never stand in {ruleset.name}"
    )


# States.


def state_text(ruleset: Ruleset, state: State) -> dict[str, Any]:
    """Return *state* as what JSON can hold; two states with different futures never have the same."""
    texts: dict[str, Any] = {
        "position": position_text(ruleset.board, state.position, state.arrived),
        "seat": state.seat,
        "repeats": state.repeats,
        "last_moved": state.last_moved,
    }
    if state.dice:
        texts["throw"] = list(state.dice)
        texts["numbers"] = list(state.numbers)
        texts["bonuses"] = list(state.bonuses)
        mover = mover_in(ruleset, state.position, state.seat)
        texts["at_throw"] = seat_text(ruleset.board, mover, state.at_throw)
        for name, bits in PAST.items():
            if state.past & bits:
                texts[name] = past_value(name, state.past)
    return texts


PAST: Final[Mapping[str, int]] = {"moved": MOVED, "brought_home": BROUGHT_HOME, "gave_up": GAVE_UP}
"""The fields that tell what a throw has done so far, each with its bits of `State.past`."""


def past_value(name: str, past: int) -> list[int] | bool:
    """Return what the field *name* of `PAST` holds, pawns or a truth."""
    return [pawn for pawn in PAWNS if past >> pawn & 1] if name == "moved" else bool(past & PAST[name])


_FIELDS: Final = frozenset(
    ("position", "seat", "repeats", "last_moved", "throw", "numbers", "bonuses", "at_throw", *PAST)
)


def state_from_text(ruleset: Ruleset, texts: Mapping[str, Any]) -> State:
    """
    Return the state that `state_text` described.

    Raises:
        PositionError: A field is missing, unknown, or of the wrong type.
    """
    if unknown := sorted(texts.keys() - _FIELDS):
        raise PositionError(f"a state has no field {unknown[0]!r}; it has: {', '.join(sorted(_FIELDS))}")
    position, arrived = position_from_text(ruleset, _field(texts, "position", str))
    seat = _field(texts, "seat", int)
    if seat not in SEATS:
        raise PositionError(f"seat {seat} does not exist: seats are 0 to 3")
    last_moved = texts.get("last_moved")
    if last_moved not in (None, *PAWNS) or isinstance(last_moved, bool):
        raise PositionError(f"last_moved is {last_moved!r}: it should be a pawn, 0 to 3, or null")
    repeats = _field(texts, "repeats", int, 0)
    if "throw" not in texts:
        return State(position, seat, repeats, last_moved, arrived=arrived)
    dice = _numbers(texts, "throw")
    if "numbers" not in texts:
        raise PositionError(
            "numbers is missing: what is left to be used of the throw that is under way, such as "
            f"{dice[-1:]}, or [] if nothing is"
        )
    return State(
        position,
        seat,
        repeats,
        last_moved,
        tuple(dice),
        tuple(sorted(_numbers(texts, "numbers"))),
        tuple(sorted(_numbers(texts, "bonuses"))),
        pawns_from_text(ruleset, mover_in(ruleset, position, seat), _field(texts, "at_throw", str)),
        arrived,
        _past(texts),
    )


def _past(texts: Mapping[str, Any]) -> int:
    past = 0
    for pawn in _numbers(texts, "moved"):
        if pawn not in PAWNS:
            raise PositionError(f"moved names the pawn {pawn}: pawns are 0 to 3")
        past |= 1 << pawn
    for name in ("brought_home", "gave_up"):
        value = texts.get(name, False)
        if not isinstance(value, bool):
            raise PositionError(f"{name} is {value!r}: it should be true or false")
        past |= PAST[name] * value
    return past


def _field(texts: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    value = texts.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        word = {str: "text", int: "a whole number", list: "a list of whole numbers"}[kind]
        raise PositionError(f"{name} is {value!r}: it should be {word}")
    return value


def _numbers(texts: Mapping[str, Any], name: str) -> list[int]:
    values: list[int] = _field(texts, name, list, [])
    if any(type(value) is not int for value in values):
        raise PositionError(f"{name} is {values!r}: it should be a list of whole numbers")
    return values


# Steps.

_SUMS: Final = {use: f"{a} and {b}" for (a, b), use in FIVE_BY_SUM.items()}


def use_text(use: int) -> str:
    """Return what a step spends in words: `5`, `1 and 4`, `bonus 20`."""
    if use > BONUS:
        return f"bonus {use - BONUS}"
    return _SUMS.get(use) or str(use)


def step_text(ruleset: Ruleset, state: State, step: Step) -> str:
    """Return a step of the seat to move as text: `0: 12 to 17 with 5`."""
    seat = mover_in(ruleset, state.position, state.seat)
    pawns = state.position[seat]
    progress = NEST if pawns is None else pawns[step.pawn]
    origin = _TEXTS[ruleset.board.name][seat][progress]
    return f"{step.pawn}: {origin} to {square_text(step.square)} with {use_text(step.use)}"
