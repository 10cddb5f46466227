"""
How many numbers of a throw can be used, and whether it can end the game: what is counted without a search.

The theory. Bonuses aside, a sequence is a matter of own pawns and numbers, and the others only stand in its
way: so `NumbersOnly` carries these two, and finds a sequence that is really there. Where bonuses wait for
the numbers, none of them comes in between, and what it counts is what there is. `can_win` is a bound from
the other side: it never denies a throw that can end the game, and may believe in one that cannot.

Knows: rules 1, 2 and 4 as far as numbers obey them. Does not know: what bonuses do, which steps are legal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.rules.board import NEST, PAWNS
from referee.rules.moves import Moves
from referee.rules.ruleset import Capture, EntryCapture
from referee.rules.state import BONUS, Pawns, State, Step
from referee.rules.tables import (
    LEFT,
    VERY_MANY,
    Numbers,
    Plan,
    Side,
    Together,
    is_any_possible,
    moved,
    possible,
    without,
)

NOTHING: Final = -(10**9)
"""The value where no sequence is kept: below 0, whatever is added to it."""


class NumbersOnly:
    """
    Looks ahead at those sequences only that use numbers and no bonus, several times as fast as `Search`.

    It counts how many numbers they use, with rule 4 as `when_possible` and rule 1 as `forbidden` have it,
    and others that stay where they are, captured or not. Its `most` is never more than what `Search` counts.
    It is the same where bonuses wait for the numbers, rule 1 has no effect and no capture opens a way: who
    is captured stood alone, or in a pair that is broken, which stops nobody there.
    """

    def __init__(
        self,
        side: Side,
        plans: Mapping[Numbers, Plan],
        others: Mapping[Numbers, Plan],
        walls: Callable[[Pawns], int],
        at_throw: Pawns,
        together: Together,
    ) -> None:
        """
        Make ready to look ahead among *walls*, by own pawns; rule 1 is about the pawns *together*.

        All pawns go by the plans of *others*, but for one that takes the whole throw, which goes by *plans*.
        """
        self._side = side
        self._plans = plans
        self._others = others
        self._walls = walls
        self._at_throw = at_throw
        self._together = together
        self._most: dict[tuple[Pawns, Numbers], int] = {}

    def unused(self, own: Pawns, numbers: Numbers, step: Step) -> int:
        """Return how many of *numbers* are left, when *step*, by a number or a bonus, was played first."""
        pawn, use, square = step
        left = LEFT[numbers][use] if use < BONUS else numbers
        return len(left) - self.most(moved(own, pawn, self._side.progress[square]), left)

    def most(self, own: Pawns, numbers: Numbers) -> int:
        """Return how many of *numbers* the sequences from here use at most; below 0 if none is kept."""
        known = self._most.get((own, numbers))
        if known is not None:
            return known
        together = self._together
        most = 0
        if together and meets_again(own, self._at_throw, together, self._side.home):
            most = NOTHING
        if numbers:
            side = self._side
            walls = self._walls(own)
            ways, forced, _ = self._others[numbers]
            if forced and NEST in own and not walls & side.shut:
                ways = forced
            if len(numbers) == 1 and not together:
                any_one = is_any_possible(ways, own, walls)
                most = 1 if any_one or self._last_of_one(own, numbers, walls) else 0
            else:
                steps = possible(ways, own, walls)
                if len(numbers) == 1:
                    steps += self._last_of_one(own, numbers, walls)
                for step in steps:
                    most = max(most, len(numbers) - self.unused(own, numbers, step))
                    if most == len(numbers):
                        break
        self._most[own, numbers] = most
        return most

    def _last_of_one(self, own: Pawns, numbers: Numbers, walls: int) -> list[Step]:
        """Return the steps with the last number of a pawn that alone has moved, and so may come home."""
        if self._others is self._plans:
            return []
        movers = [pawn for pawn in PAWNS if own[pawn] != self._at_throw[pawn]]
        ways, _, _ = self._plans[numbers]
        return [step for step in possible(ways, own, walls) if [step.pawn] == movers]


def meets_again(own: Pawns, at_throw: Pawns | tuple[()], together: Together, home: int) -> bool:
    """Tell whether a pair of the throw stands together on another square. Home does not count."""
    for one, two in together:
        if own[one] == own[two] != at_throw[one] and own[one] != home:
            return True
    return False


def can_win(moves: Moves, side: Side, state: State) -> bool:
    """Tell whether numbers and bonuses, with those still to be earned, might bring all pawns home."""
    ruleset, home = moves.ruleset, moves.home
    own = state.position[side.seat]
    assert own is not None
    left = sum(state.numbers) + sum(state.bonuses)
    to_go = [side.to_go[place] for place in own if place != home]
    # Who has less to go than any bonus takes one needs numbers, unless it may go round once more.
    least = min(filter(None, (ruleset.capture_bonus, ruleset.home_bonus)), default=VERY_MANY)
    near = [squares for squares in to_go if squares < least]
    if not ruleset.second_lap and not _can_be_shared(state.numbers, near):
        return False
    # The bonus for the last pawn comes too late.
    most = left + (len(to_go) - 1) * ruleset.home_bonus
    if sum(to_go) <= most:
        return True
    if ruleset.capture is Capture.NONE and ruleset.entry_capture is EntryCapture.NONE:
        return False
    out = sum(NEST < place != home for other in side.opponents for place in state.position[other] or ())
    return sum(to_go) <= most + out * ruleset.capture_bonus


def _can_be_shared(numbers: Numbers, sums: Sequence[int]) -> bool:
    """Tell whether *numbers* can be shared out so that each of *sums* is met, with or without a rest."""
    if not sums:
        return True
    first, *others = sums
    if first == 0:
        return _can_be_shared(numbers, others)
    return any(
        _can_be_shared(without(numbers, number), [first - number, *others])
        for number in numbers
        if number <= first
    )
