"""
Which steps the rules of section 5 leave, found by looking at every sequence that goes on from here.

The theory. A *moment* is what can still change while a seat plays: where its pawns are, what is left
of the throw, which bonuses wait, whom it captured. From each moment the sequences go on with the steps
that are possible (section 4) and that `bonus_timing` and rule 4 (*Entering*) leave; these two look at
the moment alone. A sequence may stop at any moment, unless rule 1 (*Same pair*) forbids the position
that it would leave. So one question, asked of each moment and remembered, carries rules 1 to 6:

    most(moment)   how many numbers of the throw can the sequences that are kept still use?
                   It is below 0 when none is kept at all.

Rule 3 (*Fourteen*) keeps what uses all the numbers that are left. Rule 6 (*Using the throw*), when
maximal, keeps what uses the most; when greedy, a step is legal as soon as a sequence through it is kept
at all, since one of those cannot be gone on with. A bonus that can be used must be: that lengthens
sequences behind their last number and so drops no step. A sequence that ends the game is exempt
from rule 6: `wins` looks for one, where `most` would drop a step.

Knows: moments, and rules 1 to 6 as this version plays them.
Does not know: how to see at a glance that nothing is dropped (`engine.py`).
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS
from referee.rules.ruleset import BonusTiming, DoubletFaces, Fourteen, Ruleset, SamePair, Use
from referee.rules.state import BONUS, Pawns, State, Step
from referee.rules.tables import LEFT, Numbers, Side, moved, pairs, without

NOTHING: Final = -100
"""The count where no sequence is kept: below 0, whatever numbers are added to it."""

Together = tuple[tuple[int, int], ...]
"""The pawns of a seat that stood together as pairs when the dice fell, two by two."""


class Moment(NamedTuple):
    """
    What can change while a seat plays its throw.

    `captured` has a bit for the progress of each square where the search has captured a pawn.
    """

    own: Pawns
    numbers: Numbers
    bonuses: Numbers
    captured: int = 0


class Search:
    """Looks ahead from one state in mid-throw, and remembers what it found there."""

    def __init__(self, ruleset: Ruleset, side: Side, state: State) -> None:
        own, at_throw = state.position[state.seat], state.at_throw
        assert own is not None
        assert at_throw
        self.start: Final = Moment(own, state.numbers, state.bonuses)
        self._ruleset: Final = ruleset
        self._side: Final = side
        self._position: Final = state.position
        self._walls: Final = side.walls(state.position)
        self._at_throw: Final = at_throw
        self._together: Final = () if ruleset.same_pair is SamePair.FREE else pairs_at_throw(side, at_throw)
        self._bonus_waits: Final = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
        self.whole: Final = must_be_whole(ruleset, state)
        self._most: Final[dict[Moment, int]] = {}
        self._kept: Final[dict[Moment, bool]] = {}
        self._wins: Final[dict[Moment, bool]] = {}

    def legal(self) -> tuple[Step, ...]:
        """Return the steps that rules 1 to 6 leave, in canonical order."""
        steps = list(self.steps(self.start))
        counts = [self.most_with(self.start, step) for step in steps]
        least = self.least(counts)
        return tuple(
            step for step, count in zip(steps, counts, strict=True) if count >= least or self.excused(step)
        )

    def least(self, counts: Iterable[int]) -> int:
        """Return how many numbers a sequence must use to be kept, from how many each first step leads to."""
        if self.whole:
            return len(self.start.numbers)
        return max((0, *counts)) if self._ruleset.use is Use.MAXIMAL else 0

    def excused(self, step: Step) -> bool:
        """Tell whether *step* can end the game, so that rule 6 does not drop it; rule 3 may."""
        return not self.whole and self.wins(self.after(self.start, step))

    # The sequences.

    def steps(self, moment: Moment, *, entering: bool = True, twins: bool = True) -> Iterator[Step]:
        """
        Yield the steps that are possible at *moment* and in time, in canonical order.

        They are those that rule 4 keeps, unless *entering* is false. Without *twins*, one pawn stands
        for all that share its square now and shared it when the dice fell.
        """
        own, numbers, bonuses, _ = moment
        walls = self._walls | pairs(own, self._side.pair_walls)
        ways, forced, _ = self._side.plans[numbers]
        if entering and forced and NEST in own and not walls & self._side.shut:
            ways = forced
        by_bonus = [self._side.bonuses[bonus] for bonus in sorted(set(bonuses))]
        if bonuses and self._bonus_waits:
            tables = [ways] if self._number_can_be_used(moment, walls) else by_bonus
        else:
            tables = [ways, *by_bonus]
        for pawn, place in enumerate(own):
            if twins or not self._has_twin(own, pawn):
                for table in tables:
                    for stops, steps in table[place]:
                        if not walls & stops:
                            yield steps[pawn]

    def _has_twin(self, own: Pawns, pawn: int) -> bool:
        """Tell whether an earlier pawn stands where *pawn* does, and did so when the dice fell."""
        at_throw = self._at_throw
        return any(own[twin] == own[pawn] and at_throw[twin] == at_throw[pawn] for twin in range(pawn))

    def _number_can_be_used(self, moment: Moment, walls: int) -> bool:
        """Tell whether a number can be used, as `bonus_timing` means it: by rules 1 and 2."""
        ways, _, _ = self._side.plans[moment.numbers]
        return any(
            not self._together or self.is_kept(self.after(moment, steps[pawn]))
            for pawn, place in enumerate(moment.own)
            for stops, steps in ways[place]
            if not walls & stops
        )

    def after(self, moment: Moment, step: Step, *, earning: bool = True) -> Moment:
        """Return the moment after *step*; if not *earning*, without the bonuses that it earns."""
        own, numbers, bonuses, captured = moment
        pawn, use, square = step
        lands = self._side.progress[square]
        if use < BONUS:
            numbers = LEFT[numbers][use]
        else:
            numbers = () if self._bonus_waits else numbers
            bonuses = without(bonuses, use - BONUS)
        if earning:
            earned = self._ruleset.home_bonus if lands == self._side.home else 0
            if not captured >> lands & 1 and self._captures(square):
                captured |= 1 << lands
                earned = self._ruleset.capture_bonus
            if earned:
                bonuses = tuple(sorted((*bonuses, earned)))
        return Moment(moved(own, pawn, lands), numbers, bonuses, captured)

    def _captures(self, square: int) -> bool:
        """Tell whether an opponent's pawn stood where a step to *square* captures it."""
        return any(theirs in (self._position[other] or ()) for other, theirs in self._side.prey[square])

    # The questions.

    def most(self, moment: Moment) -> int:
        """Return how many numbers the sequences from *moment* use at most; below 0 if none is kept."""
        known = self._most.get(moment)
        if known is not None:
            return known
        most = 0 if self._may_stop(moment) else NOTHING
        if most < len(moment.numbers):
            for step in self.steps(moment, twins=False):
                most = max(most, self.most_with(moment, step))
                if most == len(moment.numbers):
                    break
        self._most[moment] = most
        return most

    def most_with(self, moment: Moment, step: Step) -> int:
        """Return how many numbers the sequences that go on with *step* use at most, its own included."""
        # Bonuses that wait for the end change nothing before it, unless rule 1 looks at that end.
        earning = bool(self._together) or not self._bonus_waits
        after = self.after(moment, step, earning=earning)
        used = len(moment.numbers) - len(after.numbers) if step.use < BONUS else 0
        return used + self.most(after)

    def is_kept(self, moment: Moment) -> bool:
        """Tell whether rules 1 and 2 keep a sequence from *moment*, be it the one that stops there."""
        if self._may_stop(moment):
            return True
        known = self._kept.get(moment)
        if known is None:
            steps = self.steps(moment, entering=False, twins=False)
            known = any(self.is_kept(self.after(moment, step)) for step in steps)
            self._kept[moment] = known
        return known

    def _may_stop(self, moment: Moment) -> bool:
        """Tell whether rule 1 lets a sequence end at *moment*."""
        return not meets_again(moment.own, self._at_throw, self._together, self._side.home)

    def wins(self, moment: Moment) -> bool:
        """Tell whether a sequence from *moment* that rules 1 to 5 keep ends the game."""
        known = self._wins.get(moment)
        if known is None:
            to_go = sum(self._side.home - place for place in moment.own)
            known = not to_go or (
                to_go <= self._reach(moment)
                and any(self.wins(self.after(moment, step)) for step in self.steps(moment, twins=False))
            )
            self._wins[moment] = known
        return known

    def _reach(self, moment: Moment) -> int:
        """Return a bound on the squares that numbers and bonuses can give, with those still to be earned."""
        pawns = sum(len(self._position[other] or ()) for other, _ in self._side.others)
        coming = pawns * self._ruleset.capture_bonus + len(PAWNS) * self._ruleset.home_bonus
        return sum(moment.numbers) + sum(moment.bonuses) + coming


class NumbersOnly:
    """
    Looks ahead at those sequences only that use numbers and no bonus, several times as fast as `Search`.

    Its `most` is never more than that of `Search`. It is the same where bonuses wait for the numbers and
    rule 1 has no effect, which is so in most throws.
    """

    def __init__(self, side: Side, walls: int, at_throw: Pawns, together: Together) -> None:
        """Make ready to look ahead where the opponents are *walls*; rule 1 is about the pawns *together*."""
        self._side = side
        self._walls = walls
        self._at_throw = at_throw
        self._together = together
        self._most: dict[tuple[Pawns, Numbers], int] = {}

    def unused(self, own: Pawns, numbers: Numbers, step: Step) -> int:
        """Return how many of *numbers* are left at least, when *step* was played first."""
        pawn, use, square = step
        left = LEFT[numbers][use]
        return len(left) - self.most(moved(own, pawn, self._side.progress[square]), left)

    def most(self, own: Pawns, numbers: Numbers) -> int:
        """Return how many of *numbers* the sequences from here use at most; below 0 if none is kept."""
        known = self._most.get((own, numbers))
        if known is not None:
            return known
        meets = self._together and meets_again(own, self._at_throw, self._together, self._side.home)
        most = NOTHING if meets else 0
        if numbers:
            for step in self._steps(own, numbers):
                most = max(most, len(numbers) - self.unused(own, numbers, step))
                if most == len(numbers):
                    break
        self._most[own, numbers] = most
        return most

    def _steps(self, own: Pawns, numbers: Numbers) -> Iterator[Step]:
        side = self._side
        walls = self._walls | pairs(own, side.pair_walls)
        ways, forced, _ = side.plans[numbers]
        if forced and NEST in own and not walls & side.shut:
            ways = forced
        for pawn, place in enumerate(own):
            for stops, steps in ways[place]:
                if not walls & stops:
                    yield steps[pawn]


def pairs_at_throw(side: Side, at_throw: Pawns) -> Together:
    """Return the pawns that stood together as pairs when the dice fell."""
    if not pairs(at_throw, side.pair_walls):
        return ()
    return tuple(
        (one, two)
        for one, two in combinations(PAWNS, 2)
        if at_throw[one] == at_throw[two] and side.pair_walls[at_throw[one]]
    )


def meets_again(own: Pawns, at_throw: Pawns, together: Together, home: int) -> bool:
    """Tell whether a pair of the throw stands together on another square. Home does not count."""
    for one, two in together:
        if own[one] == own[two] != at_throw[one] and own[one] != home:
            return True
    return False


def must_be_whole(ruleset: Ruleset, state: State) -> bool:
    """Tell whether rule 3, *Fourteen*, is in force: four numbers, of which all must be used or none."""
    return (
        ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        and ruleset.doublet_faces is DoubletFaces.BOTH
        and state.dice[0] == state.dice[-1]
        and NEST not in state.at_throw
    )
