"""
Rests of bots that dial in, are offered games, and do not play them.

Without a rest, two such bots would fill the disk with games in which nothing happens.
"""

from dataclasses import dataclass, field
from typing import Final

FIRST: Final = 1.0
"""Seconds of the first rest; each further one is twice as long."""

LONGEST: Final = 300.0
"""Seconds of the longest rest."""


@dataclass(slots=True)
class Rests:
    """Who rests until when, in seconds of the caller's clock."""

    first: float = FIRST
    longest: float = LONGEST
    _lengths: dict[str, float] = field(default_factory=dict)
    _until: dict[str, float] = field(default_factory=dict)

    def missed(self, name: str, now: float) -> float:
        """
        Let *name* rest, because it did not play the game that it was offered. Return how long.

        Games that it missed side by side are one rest.
        """
        if not self.rests(name, now):
            last = self._lengths.get(name)
            self._lengths[name] = self.first if last is None else min(2 * last, self.longest)
            self._until[name] = now + self._lengths[name]
        return self._until[name] - now

    def played(self, name: str) -> None:
        """Forget what *name* missed."""
        self._lengths.pop(name, None)
        self._until.pop(name, None)

    def rests(self, name: str, now: float) -> bool:
        """Tell whether *name* is not to be offered a game yet."""
        return self._until.get(name, now) > now

    def next_end(self, now: float) -> float | None:
        """Return in how many seconds the next rest is over, None where nobody rests."""
        return min((until - now for until in self._until.values() if until > now), default=None)
