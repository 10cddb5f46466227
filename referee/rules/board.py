"""
The boards as data: rings, entries, tips, lanes, safe squares.

Knows: where a seat's route runs, as progress and as squares.
Does not know: pawns, rulesets, whose turn it is.

A pawn's *progress* counts along its own route: `NEST` (0), 1 on its entry, then square by square
to its tip, then its lane, then home. On `parcheesi68`: 1 to 64 ring, 65 to 71 lane, 72 home. Where
a ruleset lets a pawn go on round the ring from its tip, the squares between tip and entry come after
that, 73 to 76; from the last of them it comes to its entry again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

NEST: Final = 0
"""Progress of a pawn that waits to enter."""

SEATS: Final = (0, 1, 2, 3)
PAWNS: Final = (0, 1, 2, 3)

# The codes of squares in messages and in `Step`; the table is in proto/parcheesi/v1/board.proto.
SQUARE_NEST: Final = 0
SQUARE_LANE: Final = 70
"""Added to the number of a lane square: L1 is 71."""
SQUARE_HOME: Final = 99
SQUARE_ABSENT: Final = 127


@dataclass(frozen=True, slots=True)
class Board:
    """
    One board. All squares are ring squares, numbered from 1 in the direction of travel.

    `entries` and `tips` hold one square for each of the four seats.
    """

    name: str
    ring: int
    lane: int
    entries: tuple[int, int, int, int]
    tips: tuple[int, int, int, int]
    safe: frozenset[int]

    ring_steps: int = field(init=False)
    """Progress of a pawn on its tip: 64 on `parcheesi68`."""
    home: int = field(init=False)
    """Progress of a pawn that is home: 72 on `parcheesi68`."""
    last: int = field(init=False)
    """The highest progress, on the square before the entry: 76 on `parcheesi68`."""

    def __post_init__(self) -> None:
        """Find what follows from the squares, once for all."""
        ring_steps = (self.tips[0] - self.entries[0]) % self.ring + 1
        home = ring_steps + self.lane + 1
        last = home + self.ring - ring_steps
        for name, value in (("ring_steps", ring_steps), ("home", home), ("last", last)):
            object.__setattr__(self, name, value)

    def square(self, seat: int, progress: int) -> int:
        """Return the square code of a pawn of *seat* at *progress*."""
        if progress == NEST:
            return SQUARE_NEST
        if progress == self.home:
            return SQUARE_HOME
        if progress > self.home:
            return (self.tips[seat] + progress - self.home - 1) % self.ring + 1
        if progress > self.ring_steps:
            return SQUARE_LANE + progress - self.ring_steps
        return (self.entries[seat] + progress - 2) % self.ring + 1

    def progress(self, seat: int, square: int, *, lap: bool = False) -> int | None:
        """
        Return the progress of a pawn of *seat* on *square* (a code), None if it cannot be there.

        Between its tip and its entry it can only be where it may run a second *lap*.
        """
        if square == SQUARE_NEST:
            return NEST
        if square == SQUARE_HOME:
            return self.home
        if SQUARE_LANE < square <= SQUARE_LANE + self.lane:
            return self.ring_steps + square - SQUARE_LANE
        if not 1 <= square <= self.ring:
            return None
        progress = (square - self.entries[seat]) % self.ring + 1
        if progress <= self.ring_steps:
            return progress
        return self.home + progress - self.ring_steps if lap else None


PARCHEESI68: Final = Board(
    name="parcheesi68",
    ring=68,
    lane=7,
    entries=(5, 22, 39, 56),
    tips=(68, 17, 34, 51),
    safe=frozenset({5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}),
)

PAHRCHEESI56: Final = Board(
    name="pahrcheesi56",
    ring=56,
    lane=5,
    entries=(2, 16, 30, 44),
    tips=(56, 14, 28, 42),
    safe=frozenset({10, 24, 38, 52}),
)

BOARDS: Final[Mapping[str, Board]] = {board.name: board for board in (PARCHEESI68, PAHRCHEESI56)}
