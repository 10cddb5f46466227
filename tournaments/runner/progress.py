"""
How a tournament is going, for people: one line that is drawn anew on a terminal, a plain line now and
then elsewhere.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final, TextIO

from tournaments.runner.folder import Begun
from tournaments.runner.share import Share, cores
from tournaments.scoring.standings import Scores

EVERY: Final = 5.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """Tells *stream* how it goes; *terminal* tells whether a line can be drawn anew there."""

    def __init__(self, stream: TextIO, *, terminal: bool, now: Callable[[], float] = monotonic) -> None:
        """Prepare."""
        self._stream: Final = stream
        self._terminal: Final = terminal
        self._now: Final = now
        self._scores: Scores | None = None
        self._began = self._told = 0.0
        self._before = self._total = 0
        self._drawn = False

    def began(self, begun: Begun, scores: Scores, share: Share) -> None:
        """Tell what is about to be played."""
        plan = begun.plan
        self._scores, self._before, self._total = scores, scores.games, plan.games
        self._began = self._told = self._now()
        jobs, there = share.jobs, cores()
        within = f" in {share.workers} processes" if share.workers > 1 else ""
        self._line(
            f"{plan.name}: {plan.games} games of {plan.ruleset.name}, {len(plan.entrants)} bots, "
            f"{plan.seats} at a table, {jobs} side by side{within} on {there} cores"
        )
        if plan.listen:
            self._line(f"remote bots dial in at {plan.listen}")
        if scores.games:
            self._line(f"{scores.games} games were played before")
        if jobs > there:
            self._line(f"{jobs} games on {there} cores: bots wait for each other, on their own clocks")
        if plan.same_dice:
            self._line("games of a block share their dice: a bot that remembers could foresee them")

    def remark(self, sentence: str) -> None:
        """Tell *sentence* on a line of its own."""
        self._line(sentence)

    def tick(self) -> None:
        """Tell how it goes, if it is time to."""
        if self._terminal:
            self._stream.write(f"\r\x1b[K{self.status()}")
            self._stream.flush()
            self._drawn = True
        elif self._now() - self._told >= EVERY:
            self._told = self._now()
            self._line(self.status())

    def over(self) -> None:
        """Tell how it went."""
        self._line(self.status())

    def status(self) -> str:
        """Return games, rate, time left and faults in one line."""
        games, faults = (self._scores.games, self._scores.faults()) if self._scores else (0, 0)
        took = self._now() - self._began
        rate = (games - self._before) / took if took > 0 else 0.0
        left = f"{spoken((self._total - games) / rate)} left" if rate else "time left unknown"
        if games == self._total:
            left = f"took {spoken(took)}"
        return f"{games}/{self._total} games, {rate:.1f} games/s, {left}, {faults} faults"

    def _line(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text}\n" if self._drawn else f"{text}\n")
        self._stream.flush()
        self._drawn = False


class Silence:
    """Tells nobody anything."""

    def began(self, begun: Begun, scores: Scores, share: Share) -> None:
        """Say nothing."""

    def remark(self, sentence: str) -> None:
        """Say nothing."""

    def tick(self) -> None:
        """Say nothing."""

    def over(self) -> None:
        """Say nothing."""


def spoken(seconds: float) -> str:
    """Return a length of time in its two largest units."""
    whole = round(seconds)
    for size, unit, smaller, name in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            return f"{whole // size} {unit} {whole % size // smaller} {name}"
    return f"{whole} s"
