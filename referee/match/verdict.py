"""What a player is told about an answer, and about the end."""

from enum import Enum
from typing import NamedTuple

from referee.match.events import Ended
from referee.match.faults import Cost, FaultKind
from referee.rules.state import Step


class Verdict(NamedTuple):
    """
    What the referee thinks of an answer, or of its absence. `kind` is None when it was accepted.

    `ask` is the open question of the seat, 0 if it had none, as when it makes a mistake out of turn.
    `elapsed` and `bank` are whole microseconds; `played` the substitute steps.
    """

    game: int
    ask: int
    kind: FaultKind | None
    detail: str
    cost: Cost | None
    elapsed: int
    bank: int
    played: tuple[Step, ...]
    strikes_left: int


class Ending(Enum):
    """How a game is over for a player."""

    FINISHED = "finished"  # it has ended, and every seat has its place
    SEAT_LOST = "seat lost"  # its own seat is lost; the others play on
    ADJOURNED = "adjourned"  # stopped where it is; it may go on later
    VOID = "void"  # stopped for trouble that is no bot's fault; it does not count


class Over(NamedTuple):
    """
    A game is over for a player. Only one that is FINISHED has an `ended`, and only that may tell its
    `seed`. A player whose seat was lost hears so at once, and how the game ended with the others.
    """

    game: int
    ending: Ending
    ended: Ended | None
    seed: bytes | None
    detail: str
