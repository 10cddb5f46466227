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


_OVER: Final = frozenset({Phase.OVER})

NEXT: Final[Mapping[Phase, Mapping[type[Event], frozenset[Phase]]]] = {
    Phase.SEATING: {
        FirstThrown: frozenset({Phase.SEATING}),
        Begun: frozenset({Phase.THROW}),
        Faulted: frozenset({Phase.SEATING}),
        SeatLost: frozenset({Phase.SEATING}),
        Ended: _OVER,
        Voided: _OVER,
    },
    Phase.THROW: {
        Thrown: frozenset({Phase.CHOICE, Phase.THROW}),
        Penalised: frozenset({Phase.THROW}),
        Faulted: frozenset({Phase.THROW}),
        SeatLost: frozenset({Phase.THROW}),
        Ended: _OVER,
        Voided: _OVER,
    },
    Phase.CHOICE: {
        Stepped: frozenset({Phase.CHOICE, Phase.THROW}),
        Faulted: frozenset({Phase.CHOICE}),
        SeatLost: frozenset({Phase.CHOICE, Phase.THROW}),
        Ended: _OVER,
        Voided: _OVER,
    },
    Phase.OVER: {},
}
"""For each phase, the events it allows and the phases each may lead to."""
