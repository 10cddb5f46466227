"""
What can happen in a game, in the past tense. Record, screen and replay read the same events.

Times are whole microseconds. Squares are codes (`rules/board.py`). With a position goes who `arrived`
last of two on a square, as `rules/state.py` has it.
"""

from enum import StrEnum
from typing import NamedTuple

from referee.match.faults import Cost, FaultKind
from referee.rules.state import Position


class By(StrEnum):
    """Who chose a step."""

    BOT = "bot"
    FORCED = "forced"  # the only legal step; the seat was not asked
    SUBSTITUTE = "substitute"  # played for the seat after a fault


class Reason(StrEnum):
    """Why a seat came to its place."""

    WON = "won"
    RACED = "raced"
    LIMIT = "limit"
    FAULT = "fault"
    LAST_STANDING = "last_standing"


class FirstThrown(NamedTuple):
    """*seat* threw for who begins. `number` counts the seat's throws in this game, from 1."""

    seat: int
    number: int
    dice: tuple[int, ...]


class Begun(NamedTuple):
    """*seat* begins, from `position`."""

    seat: int
    position: Position
    arrived: int = 0


class Thrown(NamedTuple):
    """The referee threw for *seat*. `position` is the board on which the dice fell."""

    seat: int
    number: int
    dice: tuple[int, ...]
    position: Position
    arrived: int = 0


class Penalised(NamedTuple):
    """The third doublet of a turn ended it; `pawn` went back to its nest, None if there was none."""

    seat: int
    pawn: int | None


class Stepped(NamedTuple):
    """
    *seat* took one step.

    `captured` holds (seat, pawn) of those sent back. `ask` is the question it answers, 0 if none was
    put. `elapsed` is the bot's time, `lag` the referee's own delay within it, `bank` what is left of
    the bank; all three are None for a step that was not asked for by itself.
    """

    seat: int
    pawn: int
    use: int
    origin: int
    square: int
    captured: tuple[tuple[int, int], ...]
    by: By
    ask: int
    elapsed: int | None
    lag: int | None
    bank: int | None


class Faulted(NamedTuple):
    """
    *seat* made a mistake. `ask` is the open question, 0 if none was; `raw` the answer as it came
    (in hexadecimal where it could not be read; cut), `stderr` the tail of a local bot's standard error;
    `elapsed` what the bot had taken, None if it was not asked. `strikes` counts those it has now.
    """

    seat: int
    ask: int
    kind: FaultKind
    cost: Cost
    detail: str
    elapsed: int | None
    strikes: int
    raw: str
    stderr: str


class SeatLost(NamedTuple):
    """*seat* lost its place by a fault of `kind`; its pawns left the board."""

    seat: int
    kind: FaultKind


class Ended(NamedTuple):
    """The game ended. `places` and `reasons` go by `seats`, ascending; 1 is first, equals share."""

    seats: tuple[int, ...]
    places: tuple[int, ...]
    reasons: tuple[Reason, ...]
    position: Position
    arrived: int = 0


class Voided(NamedTuple):
    """The game does not count: trouble that is no bot's fault."""

    detail: str


class Revealed(NamedTuple):
    """The seed of the dice, told after the end."""

    seed: bytes


Event = FirstThrown | Begun | Thrown | Penalised | Stepped | Faulted | SeatLost | Ended | Voided | Revealed
