"""
Which steps the rules of section 5 leave, found by looking at every sequence that goes on from here.

The theory. From each state in mid-throw the sequences go on with the steps that are possible
(`moves.py`), as far as `bonus_timing` lets them. A sequence may stop anywhere unless rule 1 (*Same
pair*) forbids the position that it would leave, or rule 2 (*Home with a doublet*) wants all numbers
used first. The rules that then keep "the most" or "those, if there are any" come one after another, so
what they look for in a sequence is written as the digits of one number, the earliest rule in front:

    rule 4, `most`      how many pawns enter            ENTERED
    rule 5              whether a pair is opened        OPENED
    rule 6, `maximal`   how many numbers are used       USED
    rule 7              whether the larger one is       LARGER

and one question, asked of each state and remembered, carries all of them:

    best(state)   the highest such number of the sequences that are kept from here on.
                  It is below 0 when none is kept at all.

A step is legal when a sequence that goes on with it comes to the best. Where rule 3 (*Fourteen*) is in
force, the numbers used come first instead, and are all of them or none. Where `use` is greedy they count
for nothing: a step is legal as soon as a sequence through it is kept at all, since one of those cannot
be gone on with. A bonus that can be used must be: that lengthens sequences and so drops no step.
A sequence that ends the game is exempt from rules 6 and 7: `wins` looks for one, where `best` would
drop a step, and `can_win` (counting.py) says that it need not look.

Knows: section 5 as a whole. Does not know: how to see at a glance that nothing is dropped (`engine.py`).
"""

from collections.abc import Iterator
from typing import Final

from referee.rules.board import NEST, SQUARE_LANE
from referee.rules.counting import NOTHING, can_win, meets_again
from referee.rules.moves import Moves
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    Fourteen,
    MustEnter,
    MustOpen,
    Ruleset,
    SamePair,
    SingleNumber,
    Use,
)
from referee.rules.state import BONUS, BROUGHT_HOME, FIVE_BY_SUM, Pawns, State, Step
from referee.rules.tables import (
    ENTERS,
    FIVE,
    LEFT,
    Side,
)

REMEMBERED_STATES: Final = 10_000
"""So many states of a throw are remembered, far more than games come to."""

ALL_USED: Final = 1_000_000
ENTERED: Final = 10_000
OPENED: Final = 1_000
USED: Final = 10
LARGER: Final = 1


class Search:
    """Looks ahead in one throw, from any state that it leads to, and remembers what it found there."""

    def __init__(self, moves: Moves, state: State) -> None:
        """Make ready for the throw of *state*."""
        ruleset, dice = moves.ruleset, state.dice
        self._moves: Final = moves
        side = moves.sides[moves.mover(state.position, state.seat)]
        self._side: Final = side
        self._at_throw: Final = state.at_throw
        forbidden = ruleset.same_pair is SamePair.FORBIDDEN
        self._together: Final = side.together[state.at_throw] if forbidden else ()
        self._timing: Final = ruleset.bonus_timing
        self._whole: Final = must_be_whole(ruleset, state)
        self._pledged: Final = ruleset.doublet_home is DoubletHome.WITH_FOURTEEN
        self._gave_four: Final = gives_four(ruleset, state)
        self._counts_entered: Final = ruleset.must_enter is MustEnter.MOST
        self._openers: Final = must_open(ruleset, side, state)
        larger = ruleset.single_number is SingleNumber.LARGER and dice[0] != dice[-1]
        self._larger: Final = max(dice) if larger else 0
        self._greedy: Final = ruleset.use is Use.GREEDY and not self._whole
        self._used: Final = ALL_USED if self._whole else USED if larger or not self._greedy else 0
        self._best: Final[dict[object, int]] = {}
        self._kept: Final[dict[object, bool]] = {}
        self._wins: Final[dict[object, int]] = {}

    @property
    def is_full(self) -> bool:
        """Whether so much is remembered that a new one had better be made; seldom within one game."""
        return len(self._best) + len(self._kept) + len(self._wins) > REMEMBERED_STATES

    def legal(self, state: State) -> tuple[Step, ...]:
        """Return the steps that section 5 leaves, in canonical order."""
        steps = self.steps(state)
        values = [self.value_with(state, step) for step in steps]
        best = max((0, *values))
        if self._whole and best < ALL_USED * len(state.numbers):
            return ()
        if self._larger and (len(state.numbers) < 2 or best % OPENED >= 2 * USED):
            # Not one number only can be used, so rule 7 has no effect; greedy does not ask how many are.
            best -= best % (OPENED if self._greedy else USED)
        return tuple(
            step
            for step, value in zip(steps, values, strict=True)
            if value >= best or self._excused(state, step, best)
        )

    def _excused(self, state: State, step: Step, best: int) -> bool:
        """Tell whether *step* can end the game, so that rules 6 and 7 do not drop it; the others may."""
        if self._whole:
            return False
        worth = self._winning_with(state, step)
        return worth >= 0 and worth // OPENED == best // OPENED

    # The sequences.

    def steps(self, state: State, *, entering: bool = True) -> list[Step]:
        """
        Return the steps that are possible at *state* and in time, in canonical order.

        They are those that rule 4 keeps, unless *entering* is false.
        """
        moves = self._moves
        by_number = moves.by_number(state, entering=entering)
        if not state.bonuses:
            return by_number
        if self._timing is BonusTiming.AFTER_NUMBERS:
            numbers = moves.by_number(state, entering=False) if entering else by_number
            return by_number if self._can_be_used(state, numbers) else moves.by_bonus(state)
        by_bonus = moves.by_bonus(state)
        if self._timing is BonusTiming.AT_ONCE:
            return by_bonus if self._can_be_used(state, by_bonus) else by_number
        return sorted([*by_number, *by_bonus])

    def _can_be_used(self, state: State, steps: list[Step]) -> bool:
        """Tell whether one of *steps* can be used, as `bonus_timing` means it: by rules 1 and 2."""
        if not (self._together or self._pledged):
            return bool(steps)
        return any(self.is_kept(self._moves.apply(state, step).state) for step in steps)

    # The questions.

    def best(self, state: State) -> int:
        """Return the highest value of the sequences from *state*; below 0 if none is kept."""
        key = _key(state)
        known = self._best.get(key)
        if known is not None:
            return known
        best = self._stopping(state)
        most = self._most(state)
        if best < most:
            for step in self._unlike(state):
                best = max(best, self.value_with(state, step))
                if best >= most:
                    break
        self._best[key] = best
        return best

    def value_with(self, state: State, step: Step) -> int:
        """Return the highest value of the sequences that go on with *step*, its own worth included."""
        after, _, _, won = self._moves.apply(state, step)
        if self._is_pledge_broken(state, step, after):
            return NOTHING
        rest = self._stopping(after) if won else self.best(after)
        return self._worth(state, step) + rest

    def _is_pledge_broken(self, state: State, step: Step, after: State) -> bool:
        """Tell whether a seat finishes with *step* and leaves numbers that rule 2 wants used."""
        if not (self._pledged and after.past & BROUGHT_HOME) or after.numbers:
            return False
        return bool(state.numbers if step.use >= BONUS else LEFT[state.numbers][step.use])

    def _worth(self, state: State, step: Step) -> int:
        """Return what *step* by itself adds to the value of a sequence."""
        pawn, use, _ = step
        if use >= BONUS:
            return 0
        worth = 0
        if self._counts_entered and use in ENTERS and self._own(state)[pawn] == NEST:
            worth = ENTERED
        if self._openers and self._openers >> pawn & 1 and not state.past & self._openers:
            worth += OPENED
        if self._used:
            worth += self._used * (len(state.numbers) - len(LEFT[state.numbers][use]))
            if use == self._larger:
                worth += LARGER
        return worth

    def _most(self, state: State) -> int:
        """Return a value that no sequence from *state* exceeds."""
        numbers = state.numbers
        most = 0
        if self._counts_entered and NEST in self._own(state):
            most = ENTERED * max(numbers.count(FIVE), numbers in FIVE_BY_SUM)
        if self._openers and not state.past & self._openers:
            most += OPENED
        if self._used:
            most += self._used * len(numbers) + (LARGER if self._larger in numbers else 0)
        return most

    def _own(self, state: State) -> Pawns:
        own = state.position[self._side.seat]
        assert own is not None
        return own

    def _unlike(self, state: State) -> Iterator[Step]:
        """Yield the steps, of pawns that stand and stood alike only one's."""
        own, at_throw, past = self._own(state), self._at_throw, state.past
        for step in self.steps(state):
            pawn = step.pawn
            if not any(
                own[twin] == own[pawn]
                and at_throw[twin] == at_throw[pawn]
                and past >> twin & 1 == past >> pawn & 1
                for twin in range(pawn)
            ):
                yield step

    def is_kept(self, state: State) -> bool:
        """Tell whether rules 1 and 2 keep a sequence from *state*, be it the one that stops there."""
        if self._stopping(state) >= 0:
            return True
        key = _key(state)
        known = self._kept.get(key)
        if known is None:
            steps = self.steps(state, entering=False)
            known = any(self.is_kept(self._moves.apply(state, step).state) for step in steps)
            self._kept[key] = known
        return known

    def _stopping(self, state: State) -> int:
        """Return the value of stopping at *state*: 0, or `NOTHING` where rules 1 and 2 forbid it."""
        if self._together and meets_again(self._own(state), self._at_throw, self._together, self._side.home):
            return NOTHING
        if self._pledged and state.past & BROUGHT_HOME and (state.numbers or not self._gave_four):
            return NOTHING
        return 0

    def wins(self, state: State) -> int:
        """Return the highest worth, by rules 4 and 5, of a sequence from *state* that ends the game."""
        key = _key(state)
        known = self._wins.get(key)
        if known is None:
            known = NOTHING
            if can_win(self._moves, self._side, state):
                known = max((known, *(self._winning_with(state, step) for step in self._unlike(state))))
            self._wins[key] = known
        return known

    def _winning_with(self, state: State, step: Step) -> int:
        """Return the highest worth of a sequence that goes on with *step* and ends the game."""
        after, _, _, won = self._moves.apply(state, step)
        return self._worth(state, step) + (self._stopping(after) if won else self.wins(after))


def _key(state: State) -> object:
    """Return what two states of one throw share when the same sequences follow."""
    position, _, _, _, _, numbers, bonuses, _, arrived, past = state
    return position, numbers, bonuses, arrived, past


def must_be_whole(ruleset: Ruleset, state: State) -> bool:
    """Tell whether rule 3, *Fourteen*, is in force: four numbers, of which all must be used or none."""
    return ruleset.fourteen is Fourteen.ALL_OR_NOTHING and gives_four(ruleset, state)


def gives_four(ruleset: Ruleset, state: State) -> bool:
    """Tell whether the throw gave four numbers: a doublet with no pawn in the nest."""
    both_faces = ruleset.doublet_faces is DoubletFaces.BOTH
    return both_faces and state.dice[0] == state.dice[-1] and NEST not in state.at_throw


def counts_numbers(ruleset: Ruleset) -> bool:
    """Tell whether rule 3, 6 or 7 asks how many numbers a sequence uses, so that it may drop first steps."""
    return (
        ruleset.use is not Use.GREEDY
        or ruleset.fourteen is not Fourteen.AS_POSSIBLE
        or ruleset.single_number is SingleNumber.LARGER
    )


def must_open(ruleset: Ruleset, side: Side, state: State) -> int:
    """Return, as bits, the pawns of which rule 5, *Opening*, wants one moved; 0 where it is not in force."""
    wanted = ruleset.must_open
    dice = state.dice
    if wanted is MustOpen.NONE or (dice != (6,) if wanted is MustOpen.ON_SIX else dice[0] != dice[-1]):
        return 0
    openers = 0
    for one, two in side.together[state.at_throw]:
        if side.squares[state.at_throw[one]] < SQUARE_LANE:
            openers |= 1 << one | 1 << two
    return openers


def two_numbers(state: State) -> bool:
    """Tell whether the throw gave two different numbers and both are left."""
    dice = state.dice
    return len(state.numbers) == 2 == len(dice) and dice[0] != dice[1]
