"""
The plays of a throw that were found, and the moments from which they were looked for.

Knows: what was met before, how many plays and moments are enough.
Does not know: how plays go on.
"""

from collections import defaultdict
from typing import Final, NamedTuple

from referee.rules.moments import Around
from referee.rules.quiet import NOTHING_LEFT, Left
from referee.rules.state import MOVED, Position, Step, new

MOMENTS: Final = 2000
"""From so many moments of one throw its plays are looked for, far more than games come to."""

Met = defaultdict[Left, set[int]]
"""
By what is left of a throw: which moments were met, told by the sum for own pawns.

With nothing left, the positions that were found; all pawns are of one kind there.
"""


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


class Found:
    """The plays of one throw that were found, up to a limit."""

    def __init__(self, limit: int) -> None:
        """Have found none yet."""
        self.plays: Final[list[Play]] = []
        self._limit: Final = limit
        self._moments = 0
        self._met: Final[dict[object, Met]] = {}
        self._ended: Final[dict[object, set[int]]] = {}

    def met(self, around: Around, last: object, past: int) -> Met:
        """Return what was met while others are as *around* tells, *last* came last and *past* is past."""
        past &= ~MOVED
        met = self._met.get((around.number, last, past))
        if met is None:
            met = self._met[around.number, last, past] = defaultdict(set)
            met[NOTHING_LEFT] = self._ended.setdefault((around.number, last), set())
        return met

    def end(
        self, ended: set[int], places: int, done: tuple[Step, ...], position: Position, arrived: int
    ) -> bool:
        """Add the play of the steps *done*, if none has *ended* so; return whether it is one too many."""
        if places in ended:
            return False
        if len(self.plays) == self._limit:
            return True
        ended.add(places)
        self.plays.append(new(Play, (done, position, arrived)))
        return False

    def go_on_from(self, known: set[int], key: int) -> bool:
        """Add a new moment to those *known*; return whether it is one too many."""
        if self._moments == MOMENTS:
            return True
        self._moments += 1
        known.add(key)
        return False
