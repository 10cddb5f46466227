"""
What quiet steps do, as tables: those that take a pawn to a square while nothing else happens.

The theory. The search for plays (`finding.py`) knows what it has met before by where own pawns are, whichever
they are. A pawn on a place has a number of its own, and the sum of four such numbers tells how many pawns are
on which place; so what a step makes of the sum is one addition, and known for each way beforehand.

Knows: what a way changes. Does not know: whether a step is quiet.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from referee.rules.state import BONUS, Step
from referee.rules.tables import LEFT, Numbers, Plan, Side, Way, Ways, without

_PLACES: Final = 80
"""More places than there are on a pawn's way."""

KINDS: Final = tuple(
    tuple(1 << 3 * (kind * _PLACES + place) for place in range(_PLACES)) for kind in range(8)
)
"""
What a pawn adds to the sum, by its kind and place; three bits for a count of four pawns at most.

Pawns of different kinds are not alike, see `moments.py`.
"""

PLACES: Final = KINDS[0]
"""What a pawn adds where all are of one kind."""

QuietWay = tuple[int, tuple[Step, ...], int, int, int, int]
"""
One use from one place: as a `Way`, the walls that stop it and the step for each pawn.

Then its use, its square, the progress there, and what it adds to the sum of `PLACES`.
"""

ByPlace = Sequence[tuple[QuietWay, ...]] | Mapping[int, tuple[QuietWay, ...]]
"""Ways by progress; by use at each."""

Left = tuple[Numbers, Numbers]
"""What is left of a throw: numbers and bonuses."""

NOTHING_LEFT: Final[Left] = (), ()

QuietPlan = tuple[ByPlace, ByPlace, tuple[int, ...], Mapping[int, Left]]
"""A `Plan` of such ways by numbers and bonuses, and what each use leaves."""

KEPT: Final = 400
"""So many plans are kept for a side, more than games come to."""


class QuietPlans(dict[Left, QuietPlan]):
    """
    What a side may do with what is left. Made for what comes, then kept.

    Where bonuses wait for the numbers, they are used when none is left. Where they come at once, there is
    no plan for them.
    """

    def __init__(self, side: Side, plans: Mapping[Numbers, Plan], *, waits: bool) -> None:
        """Make ready to make them of *plans*; a bonus *waits* for the numbers, or is for any time."""
        super().__init__()
        self._side: Final = side
        self._plans: Final = plans
        self._waits: Final = waits
        self.pairs: Final = sum(0b110 << 3 * place for place, wall in enumerate(side.pair_walls) if wall)
        """What the sum for own pawns has some bits of, where two stand together that are a wall."""
        # All plans share the ways, so they stay near at hand.
        self._known: Final[dict[tuple[int, int, int], QuietWay]] = {}

    def __missing__(self, left: Left) -> QuietPlan:
        if len(self) >= KEPT:
            self.clear()
        numbers, bonuses = left
        ways, forced, roads = self._plans[numbers]
        after = {use: (then, bonuses) for use, then in LEFT[numbers].items()}
        by_bonus: list[Ways] = []
        if not (numbers and self._waits):
            for bonus in sorted(set(bonuses)):
                by_bonus.append(self._side.bonuses[bonus])
                after[BONUS + bonus] = numbers, without(bonuses, bonus)
        plan = self._quiet(ways, by_bonus), self._quiet(forced, by_bonus), roads, after
        self[left] = plan
        return plan

    def _quiet(self, ways: Ways, by_bonus: Sequence[Ways]) -> ByPlace:
        return tuple(
            tuple(self._way(place, way) for way in chain(there, *(more[place] for more in by_bonus)))
            for place, there in enumerate(ways)
        )

    def _way(self, place: int, way: Way) -> QuietWay:
        stops, steps = way
        _, use, square = steps[0]
        known = self._known.get((place, use, square))
        if known is None:
            lands = self._side.progress[square]
            known = stops, steps, use, square, lands, PLACES[lands] - PLACES[place]
            self._known[place, use, square] = known
        return known
