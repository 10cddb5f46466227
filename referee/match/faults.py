"""What a bot can do wrong, and what it costs. A bot's mistake is data, never an exception."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from referee.errors import ConfigError, UnknownName


class FaultKind(StrEnum):
    """A way to break the contract of the `BotGateway`."""

    LATE = "late"  # no answer within limit, bank and grace
    ILLEGAL = "illegal"  # a step that was not offered
    MALFORMED = "malformed"  # a message that cannot be read, or no step at all
    STALE = "stale"  # an answer to an ask that is not open
    GONE = "gone"  # the stream or the process ended
    NO_SHOW = "no_show"  # no hello, or no ready, in time
    FLOOD = "flood"  # more unasked messages than the referee bears
    TOO_LARGE = "too_large"  # one message over the limit
    RESIGNED = "resigned"  # gave up the seat


class Cost(StrEnum):
    """What a fault costs."""

    NOTE = "note"  # nothing but the verdict
    STRIKE = "strike"  # a strike; where an ask was open, the first legal step is played
    SEAT = "seat"  # the seat


ENDS_THE_ASK: Final = frozenset({FaultKind.LATE, FaultKind.ILLEGAL, FaultKind.MALFORMED})
"""Faults that spend the open ask: if the seat is not lost, a substitute step is played."""

ALWAYS_THE_SEAT: Final = frozenset(
    {FaultKind.GONE, FaultKind.NO_SHOW, FaultKind.FLOOD, FaultKind.TOO_LARGE, FaultKind.RESIGNED}
)
"""Faults after which there is nobody to go on with."""


@dataclass(frozen=True, slots=True)
class Penalties:
    """
    A price list. `strikes` counts the strikes with which the seat is lost, at least 1.

    Raises:
        ConfigError: A kind has no cost, a kind that leaves nobody to play costs less than the seat,
            or `strikes` is below 1.
    """

    name: str
    costs: Mapping[FaultKind, Cost] = field(hash=False)
    strikes: int = 3

    def __post_init__(self) -> None:
        """Refuse a table that cannot be carried out."""
        if missing := [kind for kind in FaultKind if kind not in self.costs]:
            raise ConfigError(f"penalties {self.name!r} give no cost for {missing[0]}")
        for kind in sorted(ALWAYS_THE_SEAT):
            if self.costs[kind] is not Cost.SEAT:
                raise ConfigError(
                    f"penalties {self.name!r}: {kind} must cost the seat, as nobody is left to play"
                )
        if self.strikes < 1:
            raise ConfigError(f"penalties {self.name!r}: strikes must be 1 or more, not {self.strikes}")


STRICT: Final = Penalties("strict", dict.fromkeys(FaultKind, Cost.SEAT), strikes=1)
"""The first fault loses the seat."""

TOURNAMENT: Final = Penalties(
    "tournament",
    {kind: Cost.SEAT if kind in ALWAYS_THE_SEAT else Cost.STRIKE for kind in FaultKind},
    strikes=3,
)
"""A substitute step and a strike; the third strike loses the seat."""

PENALTIES: Final[Mapping[str, Penalties]] = {table.name: table for table in (STRICT, TOURNAMENT)}


def penalties(name: str) -> Penalties:
    """
    Return the table called *name*.

    Raises:
        UnknownName: There is none; the message lists those there are.
    """
    try:
        return PENALTIES[name]
    except KeyError:
        raise UnknownName("penalty table", name, PENALTIES) from None
