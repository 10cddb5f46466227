"""
Which steps the rules of section 5 leave, found by looking at every sequence that goes on from here.

The theory. A *moment* is what can still change while a seat plays: where its pawns are, what is left
of the throw, which bonuses wait. From each moment the sequences go on by the ways that are possible
and that `bonus_timing` and rule 4 (*Entering*) leave then; these two look at the moment alone.
A sequence may stop at any moment, unless rule 1 (*Same pair*) forbids the position that it would
leave. So one question, asked of each moment and remembered, carries rules 1 to 6:

    most(moment)   how many numbers of the throw can the sequences that are kept still use?
                   NOTHING when none is kept, which is not the same as 0

Rule 3 (*Fourteen*) keeps what uses all the numbers that are left. Rule 6 (*Using the throw*) keeps
what uses the most, or, when greedy, everything that can be gone on with until nothing more can be
used; a step is then legal as soon as one sequence through it is kept at all. A sequence that ends
the game is exempt from rule 6, and `wins` looks for one only where `most` would drop a step.

Knows: moments, and rules 1 to 6 as this version plays them.
Does not know: how to tell quickly that nothing is dropped (`engine.py`).
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS
from referee.rules.ruleset import BonusTiming, DoubletFaces, Fourteen, Ruleset, SamePair, Use
from referee.rules.state import BONUS, Pawns, State, Step
from referee.rules.tables import SPENT, USED, Numbers, Side, Way, moved, pairs, without

Pairs = tuple[tuple[int, int], ...]
"""Pawns of one seat, two by two."""

NOTHING: Final = -1
"""The count of a moment from which no sequence is kept."""


class Moment(NamedTuple):
    """
    What can change while a seat plays its throw.

    `captured` has a bit for the progress of each place where a pawn was captured since the search began.
    """

    own: Pawns
    numbers: Numbers
    bonuses: Numbers
    captured: int = 0


class Search:
    """Looks ahead from one state in mid-throw, and remembers what it found there."""

    def __init__(self, ruleset: Ruleset, side: Side, state: State) -> None:
        own, at_throw = state.position[state.seat], state.at_throw
        assert own is not None and at_throw
        self._ruleset: Final = ruleset
        self._side: Final = side
        self._position: Final = state.position
        self._walls: Final = side.walls(state.position)
        self._at_throw: Final = at_throw
        self._pairs: Final = () if ruleset.same_pair is SamePair.FREE else pairs_at_throw(side, at_throw)
        self._bonus_waits: Final = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
        self._most: Final[dict[Moment, int]] = {}
        self._may_stop: Final[dict[Moment, bool]] = {}
        self._wins: Final[dict[Moment, bool]] = {}
        self.start: Final = Moment(own, state.numbers, state.bonuses)
        self.whole: Final = must_be_whole(ruleset, state)
        """Whether rule 3 is in force: all the numbers that are left, or nothing."""

    def legal(self) -> tuple[Step, ...]:
        """Return the steps that rules 1 to 6 leave, in canonical order."""
        ways = list(self.ways(self.start))
        counts = [self.most_through(self.start, way) for way in ways]
        least = self.least(counts)
        return tuple(
            way.step
            for way, count in zip(ways, counts, strict=True)
            if count >= least or self.excused(self.start, way)
        )

    def least(self, counts: Iterable[int]) -> int:
        """Return how many numbers a kept sequence uses at least, from what is most through each way."""
        if self.whole:
            return len(self.start.numbers)
        return max((0, *counts)) if self._ruleset.use is Use.MAXIMAL else 0

    def excused(self, moment: Moment, way: Way) -> bool:
        """Tell whether *way* may end the game, so that rule 6 does not drop it. Rule 3 may."""
        return not self.whole and self.wins(self.after(moment, way))

    # The sequences.

    def ways(self, moment: Moment, *, entering: bool = True, twins: bool = True) -> Iterator[Way]:
        """
        Yield the ways that are possible at *moment* and in time, and kept by rule 4 if *entering*.

        Without *twins*, one pawn stands for all that share its place now and did so at the throw.
        """
        own, numbers, bonuses, _ = moment
        walls = self._walls | pairs(own, self._side.pair_walls)
        plan = self._side.plans[numbers]
        numbers_now = not (bonuses and self._bonus_waits) or self._can_use_number(moment, walls)
        bonuses_now = sorted(set(bonuses)) if not (numbers_now and self._bonus_waits) else []
        forced = plan.forced if entering and NEST in own and not walls & self._side.shut else None
        tables = [forced or plan.rows] if numbers_now else []
        tables += [self._side.bonuses[bonus] for bonus in bonuses_now]
        for pawn, place in enumerate(own):
            if not twins and self._has_twin(own, pawn):
                continue
            for rows in tables:
                for way in rows[pawn][place]:
                    if not walls & way.stops:
                        yield way

    def after(self, moment: Moment, way: Way, *, earns: bool = True) -> Moment:
        """Return the moment after *way*; unless it *earns*, without the bonuses that it earns."""
        own, numbers, bonuses, captured = moment
        (pawn, use, square), _, lands = way
        if use < BONUS:
            numbers = SPENT[numbers][use]
        else:
            numbers = () if self._bonus_waits else numbers
            bonuses = without(bonuses, use - BONUS)
        if earns:
            earned = []
            if not captured >> lands & 1 and self._captures(square, entering=own[pawn] == NEST):
                captured |= 1 << lands
                earned.append(self._ruleset.capture_bonus)
            if lands == self._side.home:
                earned.append(self._ruleset.home_bonus)
            if any(earned):
                bonuses = tuple(sorted((*bonuses, *filter(None, earned))))
        return Moment(moved(own, pawn, lands), numbers, bonuses, captured)

    def _captures(self, square: int, *, entering: bool) -> bool:
        """Tell whether an opponent's pawn stands where a step to *square* captures it."""
        position = self._position
        return any(theirs in (position[other] or ()) for other, theirs in self._side.prey[square])

    def _has_twin(self, own: Pawns, pawn: int) -> bool:
        """Tell whether an earlier pawn stands where *pawn* does, and did so at the throw."""
        place, before = own[pawn], self._at_throw[pawn]
        return any(own[twin] == place and self._at_throw[twin] == before for twin in range(pawn))

    def violates(self, own: Pawns) -> bool:
        """Tell whether a pair of the throw stands together on another square: rule 1 forbids to stop here."""
        return violates(own, self._at_throw, self._pairs, self._side.home)

    # The questions.

    def most(self, moment: Moment) -> int:
        """Return how many numbers the sequences from *moment* use at most; NOTHING if none is kept."""
        known = self._most.get(moment)
        if known is not None:
            return known
        most = NOTHING if self.violates(moment.own) else 0
        if most < len(moment.numbers):
            for way in self.ways(moment, twins=False):
                most = max(most, self.most_through(moment, way))
                if most == len(moment.numbers):
                    break
        self._most[moment] = most
        return most

    def most_through(self, moment: Moment, way: Way) -> int:
        """Return how many numbers the sequences that go on with *way* use at most, its own included."""
        # Without pairs that must not form again, bonuses behind the numbers change nothing before them.
        earns = bool(self._pairs) or not self._bonus_waits
        below = self.most(self.after(moment, way, earns=earns))
        return NOTHING if below == NOTHING else below + USED.get(way.step.use, 0)

    def may_stop(self, moment: Moment) -> bool:
        """Tell whether rules 1 and 2 keep a sequence from *moment*, its end included."""
        if not self.violates(moment.own):
            return True
        known = self._may_stop.get(moment)
        if known is None:
            ways = self.ways(moment, entering=False, twins=False)
            known = any(self.may_stop(self.after(moment, way)) for way in ways)
            self._may_stop[moment] = known
        return known

    def _can_use_number(self, moment: Moment, walls: int) -> bool:
        """Tell whether a number can be used, as `bonus_timing` means it: by rules 1 and 2."""
        rows = self._side.plans[moment.numbers].rows
        ways = (way for pawn, place in enumerate(moment.own) for way in rows[pawn][place] if not walls & way.stops)
        return any(not self._pairs or self.may_stop(self.after(moment, way)) for way in ways)

    def wins(self, moment: Moment) -> bool:
        """Tell whether a sequence from *moment* that rules 1 to 5 keep ends the game."""
        known = self._wins.get(moment)
        if known is None:
            to_go = sum(self._side.home - place for place in moment.own)
            known = not to_go or (
                to_go <= self._reach(moment)
                and any(self.wins(self.after(moment, way)) for way in self.ways(moment, twins=False))
            )
            self._wins[moment] = known
        return known

    def _reach(self, moment: Moment) -> int:
        """Return a bound on the squares that all numbers and bonuses, also those still to come, can give."""
        others = [place for other, _ in self._side.others for place in self._position[other] or ()]
        coming = len(others) * self._ruleset.capture_bonus + len(PAWNS) * self._ruleset.home_bonus
        return sum(moment.numbers) + sum(moment.bonuses) + coming


class NumbersOnly:
    """
    Looks ahead where bonuses wait for the end and rule 1 cannot matter: pawns and numbers are all that counts.

    That is so in most throws, and it is several times faster than `Search`, with which it agrees.
    """

    def __init__(self, side: Side, walls: int) -> None:
        """Make ready to look ahead from where the opponents are *walls*."""
        self._side = side
        self._walls = walls
        self._most: dict[tuple[Pawns, Numbers], int] = {}

    def most(self, own: Pawns, numbers: Numbers) -> int:
        """Return how many of *numbers* the sequences from here use at most."""
        known = self._most.get((own, numbers))
        if known is not None:
            return known
        side = self._side
        walls = self._walls | pairs(own, side.pair_walls)
        rows, forced, _ = side.plans[numbers]
        if forced is not None and NEST in own and not walls & side.shut:
            rows = forced
        left = SPENT[numbers]
        most, all_of_them = 0, len(numbers)
        for row, place in zip(rows, own):
            for (pawn, use, _), stops, lands in row[place]:
                if not walls & stops:
                    after = left[use]
                    used = all_of_them - len(after)
                    if after:
                        used += self.most(moved(own, pawn, lands), after)
                    if used > most:
                        most = used
            if most == all_of_them:
                break
        self._most[own, numbers] = most
        return most


def pairs_at_throw(side: Side, at_throw: Pawns) -> Pairs:
    """Return the pawns that stood together as pairs when the dice fell."""
    if not pairs(at_throw, side.pair_walls):
        return ()
    return tuple(
        (one, two)
        for one, two in combinations(PAWNS, 2)
        if at_throw[one] == at_throw[two] and side.pair_walls[at_throw[one]]
    )


def violates(own: Pawns, at_throw: Pawns, pairs: Pairs, home: int) -> bool:
    """Tell whether one of *pairs* stands together again on another square than *at_throw*; home does not count."""
    return any(own[one] == own[two] != at_throw[one] and own[one] != home for one, two in pairs)


def must_be_whole(ruleset: Ruleset, state: State) -> bool:
    """Tell whether rule 3, *Fourteen*, is in force: the throw gave four numbers, to be used all or not at all."""
    return (
        ruleset.fourteen is Fourteen.ALL_OR_NOTHING
        and ruleset.doublet_faces is DoubletFaces.BOTH
        and state.dice[0] == state.dice[-1]
        and NEST not in state.at_throw
    )
