"""What a player is told about an answer, and about the end."""

from typing import NamedTuple

from referee.match.events import Ended
from referee.match.faults import Cost, FaultKind
from referee.rules.state import Step


class Verdict(NamedTuple):
    """
    What the referee thinks of an answer, or of its absence. `kind` is None when it was accepted.

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


class Over(NamedTuple):
    """
    A game is over for a player. `ended` is None while others play on, and when it does not count;
    `seed` is None until the whole game has ended. `void` tells that it never will count.
    """

    game: int
    ended: Ended | None
    seed: bytes | None
    detail: str
    void: bool = False
