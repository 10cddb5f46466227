"""
What a state comes to for whoever asks about it: what is legal, what a step does, who throws next.

Knows: what follows from a throw and from a step while nobody is late and no seat is lost.
Does not know: who asks, how a state is put into words.

`referee plays` and the `RulesService` both answer from here, so that they tell the same.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.rules.board import PAWNS, SEATS
from referee.rules.checking import check_asked
from referee.rules.engine import Rules
from referee.rules.explaining import OBSTACLE, Refusal, third_throw
from referee.rules.relay import relays
from referee.rules.state import Applied, Position, State, Step

MOST_REPEATS: Final = 1 << 20
"""So many extra throws of one turn can be asked about; the one after them must still be countable."""


def too_many_repeats(repeats: int) -> str:
    """Return what is said of more."""
    return f"repeats is {repeats}; no turn has over {MOST_REPEATS} throws"


class Situation(NamedTuple):
    """
    A state after its throw, and the legal `steps` in it.

    After a `third` doublet (or six) of a turn, which is not played, the state is the one between throws that
    it leads to; `returned` is then the pawn that went back to its nest, None if there was none.
    """

    rules: Rules
    state: State
    steps: tuple[Step, ...]
    third: bool = False
    returned: int | None = None

    @property
    def is_won(self) -> bool:
        """Tell whether nothing follows as somebody has won."""
        return not self.steps and is_won(self.rules, self.state.position)

    @property
    def following(self) -> State | None:
        """Return the state in which the next dice fall; None where a step comes first, or nothing."""
        if self.steps or is_won(self.rules, self.state.position):
            return None
        return self.rules.play_over(self.state) if self.state.dice else self.state

    def refusal(self, asked: Step | int) -> Refusal | None:
        """Return why a step, or the number that is said to be that of one, is not legal; None if it is."""
        step = Step.from_code(asked) if isinstance(asked, int) else asked
        if step in self.steps:
            return None
        if self.third:
            return third_throw(self.rules.ruleset)
        if step is None:
            return Refusal(OBSTACLE, f"{asked} is not the number of a step")
        return self.rules.explain(self.state, step)

    def after(self, step: Step) -> "tuple[Applied, Situation]":
        """Return what *step*, a legal one, does, and the situation that it leads to."""
        rules = self.rules
        applied = rules.apply(self.state, step)
        steps = () if applied.won else rules.steps(applied.state)
        return applied, Situation(rules, applied.state, steps)


def thrown(rules: Rules, before: State, dice: Sequence[int]) -> Situation:
    """
    Return what *dice* that fall in the state *before* come to.

    Raises:
        PositionError: The state cannot be, or nobody throws such dice.
    """
    rules.check(before)
    state, third, returned = rules.throw(before, dice)
    return Situation(rules, state, () if third else rules.steps(state), third, returned)


def in_mid_throw(rules: Rules, state: State) -> Situation:
    """
    Return what *state*, in which numbers or bonuses may be left, comes to.

    Raises:
        PositionError: The state cannot be.
    """
    rules.check(state)
    check_asked(rules.ruleset, state)
    return Situation(rules, state, rules.steps(state))


def is_won(rules: Rules, position: Position) -> bool:
    """Tell whether a seat has all pawns home, and its partner too where both members must."""
    home = (rules.board.home,) * len(PAWNS)
    if home not in position:
        return False
    both = relays(rules.ruleset)
    return any(
        pawns == home and not (both and position[(seat + 2) % len(SEATS)] not in (home, None))
        for seat, pawns in enumerate(position)
    )
