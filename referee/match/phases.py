"""
The table of phases: what may happen when, and what it leads to.

The table is the whole order of a game: the tests hold `Match` to it, event by event.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from referee.match.events import (
    Begun,
    Ended,
    Event,
    Faulted,
    FirstThrown,
    Penalised,
    SeatLost,
    Stepped,
    Thrown,
    Voided,
)


class Phase(Enum):
    """Where a game stands."""

    SEATING = "seating"  # seats throw for who begins, where the ruleset wants it
    THROW = "throw"  # the seat to move is to throw
    CHOICE = "choice"  # the seat to move has a legal step
    OVER = "over"


_ANY: Final[Mapping[type[Event], frozenset[Phase]]] = {
    Faulted: frozenset({Phase.SEATING, Phase.THROW, Phase.CHOICE}),
    SeatLost: frozenset({Phase.SEATING, Phase.THROW, Phase.CHOICE}),
    Ended: frozenset({Phase.OVER}),
    Voided: frozenset({Phase.OVER}),
}

NEXT: Final[Mapping[Phase, Mapping[type[Event], frozenset[Phase]]]] = {
    Phase.SEATING: {
        **_ANY,
        FirstThrown: frozenset({Phase.SEATING}),
        Begun: frozenset({Phase.THROW}),
    },
    Phase.THROW: {
        **_ANY,
        Thrown: frozenset({Phase.CHOICE, Phase.THROW}),
        Penalised: frozenset({Phase.THROW}),
    },
    Phase.CHOICE: {
        **_ANY,
        Stepped: frozenset({Phase.CHOICE, Phase.THROW, Phase.OVER}),
    },
    Phase.OVER: {},
}
"""For each phase, the events it allows and the phases each may lead to."""
