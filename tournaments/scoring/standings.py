"""
Who stands where.

Knows: points, tie-breaks, and the figures of each entrant.
Does not know: files, how a table is printed.

Order: points a game; wins a game; points a game against those who are level so far; fewer faults.
Entrants that are level in all of these share a rank and are listed by name. While a tournament runs
not all have played equally often, so everything is compared for each game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from referee.errors import RecordError
from referee.match.events import Reason
from referee.match.faults import FaultKind
from referee.match.tally import SeatTally
from tournaments.results import Result, SeatResult
from tournaments.scoring.interval import Blocks
from tournaments.scoring.points import duels

WINS = frozenset({Reason.WON, Reason.LAST_STANDING})
"""The reasons that count as a win; a game that reached its limit of throws has no winner."""


@dataclass(slots=True)
class Total:
    """
    Everything an entrant has come to. `halves` are half points; `places` counts places from first
    to last; `lost` counts seats lost by a fault; `figures` are sums, but for `slowest`.
    """

    name: str
    places: list[int]
    games: int = 0
    halves: int = 0
    wins: int = 0
    lost: int = 0
    figures: SeatTally = field(default_factory=SeatTally)
    blocks: Blocks = field(default_factory=Blocks)

    @property
    def faults(self) -> int:
        """Return how many faults of any kind."""
        return sum(self.figures.faults.values())

    def add(self, seat: SeatResult) -> None:
        """Add one game but for its points, which depend on the other seats."""
        self.games += 1
        self.wins += seat.reason in WINS
        self.lost += seat.lost_by_fault
        self.places[seat.place - 1] += 1
        mine, new = self.figures, seat.figures
        mine.steps += new.steps
        mine.captures += new.captures
        mine.captured += new.captured
        mine.answers += new.answers
        mine.elapsed += new.elapsed
        mine.lag += new.lag
        mine.slowest = max(mine.slowest, new.slowest)
        for kind, count in new.faults.items():
            mine.faults[kind] = mine.faults.get(kind, 0) + count


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """
    One line of the standings. What cannot be said yet is None.

    `mean` is points a game, `low` and `high` its 95 % interval, `share` the part of all points that
    could have been had, 0 to 1. Times are whole microseconds.
    """

    rank: int
    name: str
    games: int
    points: float
    mean: float | None
    low: float | None
    high: float | None
    share: float | None
    blocks: int
    wins: int
    places: tuple[int, ...]
    captures: int
    captured: int
    steps: int
    answers: int
    mean_us: int | None
    slowest_us: int | None
    lag_us: int | None
    faults: dict[FaultKind, int]
    lost: int


class Scores:
    """
    The standings as results come in, in any order. Holds sums, and the blocks that are not complete.

    *block* is the number of games in a block. In games of *teams* partners take no points off each other.
    """

    def __init__(self, names: Sequence[str], seats: int, block: int, *, teams: bool = False) -> None:
        """Begin with nobody having played."""
        self.names = tuple(names)
        self.seats = seats
        self.games = 0
        self._block = block
        self._teams = teams
        self._totals = {name: Total(name, [0] * seats) for name in names}
        self._duels: dict[tuple[str, str], list[int]] = {}  # half points, meetings
        self._open: dict[str, tuple[int, dict[str, int]]] = {}  # block: games so far, half points

    def add(self, result: Result) -> None:
        """
        Count *result*, which must not have been counted before.

        Raises:
            RecordError: It is about somebody who does not take part, or has other seats.
        """
        if len(result.seats) != self.seats:
            raise RecordError(f"game {result.game} has {len(result.seats)} seats instead of {self.seats}")
        for seat in result.seats:
            if seat.name not in self._totals:
                raise RecordError(f"game {result.game} was played by {seat.name!r}, who does not take part")
            if not 1 <= seat.place <= self.seats:
                raise RecordError(f"game {result.game} has a place {seat.place} among {self.seats} seats")
        self.games += 1
        gained = {seat.name: 0 for seat in result.seats}
        for seat in result.seats:
            self._totals[seat.name].add(seat)
        for one, other, points in duels(result, teams=self._teams):
            gained[one.name] += points
            duel = self._duels.setdefault((one.name, other.name), [0, 0])
            duel[0] += points
            duel[1] += 1
        for name, points in gained.items():
            self._totals[name].halves += points
        self._count_block(result.block, gained)

    def against(self, one: str, other: str) -> tuple[float, int]:
        """Return the points that *one* took from *other*, and in how many games."""
        halves, meetings = self._duels.get((one, other), (0, 0))
        return halves / 2, meetings

    def faults(self) -> int:
        """Return how many faults of any kind there were."""
        return sum(total.faults for total in self._totals.values())

    def standings(self) -> list[Row]:
        """Return all entrants, best first."""
        rows: list[Row] = []
        level = sorted(self._totals.values(), key=_merit, reverse=True)
        for _, tied in groupby(level, key=_merit):
            rows.extend(self._ranked(list(tied), len(rows) + 1))
        return rows

    def _count_block(self, block: str, gained: dict[str, int]) -> None:
        games, sums = self._open.pop(block, (0, {}))
        for name, points in gained.items():
            sums[name] = sums.get(name, 0) + points
        if games + 1 < self._block:
            self._open[block] = games + 1, sums
            return
        for name, points in sums.items():
            self._totals[name].blocks.add(points)

    def _ranked(self, tied: list[Total], first: int) -> Iterable[Row]:
        """Return the rows of entrants who are level in points and wins; the best has rank *first*."""
        names = [total.name for total in tied]

        def order(total: Total) -> tuple[Fraction, int]:
            return -self._among(total.name, names), total.faults

        tied.sort(key=lambda total: (*order(total), total.name))
        rank = first
        for index, total in enumerate(tied):
            if index and order(total) != order(tied[index - 1]):
                rank = first + index
            yield self._row(total, rank)

    def _among(self, name: str, names: Iterable[str]) -> Fraction:
        """Return what *name* took a meeting from those in *names*, in half points."""
        met = [self._duels[name, other] for other in names if (name, other) in self._duels]
        return _per(sum(halves for halves, _ in met), sum(meetings for _, meetings in met))

    def _row(self, total: Total, rank: int) -> Row:
        most = self.seats - 1  # points in one game
        interval = total.blocks.interval(2 * most * self._block)
        figures = total.figures
        return Row(
            rank=rank,
            name=total.name,
            games=total.games,
            points=total.halves / 2,
            mean=total.halves / 2 / total.games if total.games else None,
            low=interval[0] * most if interval else None,
            high=interval[1] * most if interval else None,
            share=total.halves / 2 / total.games / most if total.games else None,
            blocks=total.blocks.count,
            wins=total.wins,
            places=tuple(total.places),
            captures=figures.captures,
            captured=figures.captured,
            steps=figures.steps,
            answers=figures.answers,
            mean_us=figures.elapsed // figures.answers if figures.answers else None,
            slowest_us=figures.slowest if figures.answers else None,
            lag_us=figures.lag // figures.answers if figures.answers else None,
            faults=dict(sorted(figures.faults.items())),
            lost=total.lost,
        )


def _per(amount: int, games: int) -> Fraction:
    return Fraction(amount, games) if games else Fraction(0)


def _merit(total: Total) -> tuple[Fraction, Fraction]:
    """Return what decides before anything else: points a game, wins a game."""
    return _per(total.halves, total.games), _per(total.wins, total.games)
