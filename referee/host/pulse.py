"""
The referee's own delay, measured.

A loop that stalls (a slow disk, a garbage collection, a busy machine) makes every answer look late.
The pulse beats every few milliseconds; a beat that comes late by more than a bound is a stall, and
what stalled while an ask was open is the referee's time, not the bot's.
"""

from time import monotonic
from typing import Final

BEAT: Final = 0.005
"""Seconds between two beats."""

BOUND: Final = 0.003
"""A beat that comes later than this, in seconds, counts as a stall."""


class Pulse:
    """Adds up the stalls of the loop. All times are seconds of the monotonic clock."""

    def __init__(self, now: float | None = None) -> None:
        """Begin with the first beat at *now*."""
        self._stalled = 0.0
        self._due: float  # a beat that comes later is a stall
        self.rest(monotonic() if now is None else now)

    def rest(self, now: float) -> None:
        """Begin again at *now*, after a time without beats in which nothing was measured."""
        self._due = now + BEAT + BOUND

    def beat(self, now: float) -> None:
        """Note a beat."""
        self._stalled = self.stalled(now)
        self._due = now + BEAT + BOUND

    def stalled(self, now: float) -> float:
        """Return all stalls so far, one that is still going on at *now* included."""
        return self._stalled if now <= self._due else self._stalled + now - self._due + BOUND
