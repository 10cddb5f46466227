"""
Which rule of section 5 strikes out the last play with a step.

The theory. The rule book takes all sequences that `bonus_timing` lets come about, and then strikes some out,
rule by rule. So a step that is possible and not legal has one rule that is to blame: the first after which
no sequence with it is left. Rules 3 to 7 are asked of the engine, which judges the same question with the
later ones lifted. With the earlier ones that would mislead: what `bonus_timing` lets come about depends on
rules 1 and 2, as a number or a bonus that only they forbid *cannot be used*, and lifting one of them
changes the sequences. `_Beginnings` therefore looks at the sequences themselves, as far as those rules ask.

Knows: the rules in their order, by the field that each obeys, the value with which it strikes nothing, and
the sequences that `bonus_timing` and rules 1 and 2 leave.
Does not know: words (`explaining.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from referee.errors import RefereeBug
from referee.rules.board import SQUARE_HOME
from referee.rules.counting import meets_again
from referee.rules.moves import Moves, second_pawns
from referee.rules.ruleset import (
    BonusTiming,
    DoubletHome,
    Fourteen,
    MustEnter,
    MustOpen,
    Ruleset,
    SamePair,
    SingleNumber,
    Use,
)
from referee.rules.search import gives_four
from referee.rules.state import BONUS, BROUGHT_HOME, MOVED, State, Step

LIFTED: Final[Mapping[str, object]] = {
    "bonus_timing": BonusTiming.ANY_TIME,
    "same_pair": SamePair.FREE,
    "doublet_home": DoubletHome.FREE,
    "fourteen": Fourteen.AS_POSSIBLE,
    "must_enter": MustEnter.NEVER,
    "must_open": MustOpen.NONE,
    "use": Use.GREEDY,
    "single_number": SingleNumber.EITHER,
}
"""The fields of section 5 in the order of its rules, each with the value that strikes out nothing."""

_LATER: Final = tuple(LIFTED)[3:]
"""Rules 3 to 7."""


def struck_by(ruleset: Ruleset, state: State, step: Step, is_legal: Callable[[Ruleset], bool]) -> str:
    """
    Return the field whose rule strikes out the last play with *step*, which is possible and not legal.

    *is_legal* tells whether it is legal under another ruleset.

    Raises:
        RefereeBug: It is legal.
    """
    lifted = {field: LIFTED[field] for field in _LATER}
    if not is_legal(replace(ruleset, **lifted)):  # type: ignore[arg-type]
        return _Beginnings(ruleset, state).struck_by(step)
    for field in _LATER:
        del lifted[field]
        in_force = getattr(ruleset, field) != LIFTED[field]
        if in_force and not is_legal(replace(ruleset, **lifted)):  # type: ignore[arg-type]
            return field
    raise RefereeBug(f"{step} is legal in {state}: no rule strikes it out")


class _Beginnings:
    """The sequences of one throw, as far as `bonus_timing` and rules 1 and 2 tell them apart."""

    def __init__(self, ruleset: Ruleset, state: State) -> None:
        """Make ready for the throw of *state*."""
        free = {field: LIFTED[field] for field in ("same_pair", "doublet_home", "must_enter")}
        self._moves: Final = _compiled(ruleset)
        self._possible: Final = _compiled(replace(ruleset, **free))  # type: ignore[arg-type]
        self._state: Final = state
        self._timing: Final = ruleset.bonus_timing
        self._seat: Final = self._moves.mover(state.position, state.seat)
        side = self._moves.sides[self._seat]
        self._side: Final = side
        dice = state.dice
        is_doublet = len(dice) == 2 and dice[0] == dice[1]
        self._second_stays: Final = is_doublet and ruleset.same_pair is SamePair.SECOND_STAYS
        forbidden = ruleset.same_pair is SamePair.FORBIDDEN
        self._together: Final = side.together[state.at_throw] if forbidden else ()
        self._doublet_home: Final = ruleset.doublet_home if is_doublet else DoubletHome.FREE
        self._gave_four: Final = is_doublet and gives_four(ruleset, state)
        self._known: Final[dict[object, bool]] = {}

    def struck_by(self, step: Step) -> str:
        """Return the field that strikes out the last sequence that begins with *step*."""
        if step not in self._in_time(self._state):
            return "bonus_timing"
        return "doublet_home" if self._is_kept(self._state, step, both=False) else "same_pair"

    def _in_time(self, state: State) -> list[Step]:
        """Return the steps that are possible at *state* and that `bonus_timing` lets come about."""
        asked = state._replace(past=0)  # with what was lifted, nothing that happened before counts
        by_number = self._possible.by_number(asked)
        by_bonus = self._possible.by_bonus(asked)
        first = {BonusTiming.AFTER_NUMBERS: by_number, BonusTiming.AT_ONCE: by_bonus}.get(self._timing, [])
        if any(self._is_kept(state, step, both=True) for step in first):
            return first
        return [*by_number, *by_bonus]

    def _is_kept(self, state: State, step: Step, *, both: bool) -> bool:
        """Tell whether rule 1, or *both* rules 1 and 2, keep a sequence that goes on with *step*."""
        if self._second_stays and step.use < BONUS and second_pawns(self._side, state) >> step.pawn & 1:
            return False
        after, _, _, won = self._moves.apply(state, step)
        if both and self._breaks_rule_2(state, step, after):
            return False
        return self._may_stop(after, both=both) if won else self._goes_on(after, both=both)

    def _goes_on(self, state: State, *, both: bool) -> bool:
        """Tell whether a sequence from *state* is kept, be it the one that stops there."""
        if self._may_stop(state, both=both):
            return True
        key = (state.position, state.numbers, state.bonuses, state.arrived, state.past, both)
        known = self._known.get(key)
        if known is None:
            known = any(self._is_kept(state, step, both=both) for step in self._in_time(state))
            self._known[key] = known
        return known

    def _may_stop(self, state: State, *, both: bool) -> bool:
        """Tell whether the rules keep the sequence that stops at *state*."""
        own = state.position[self._seat]
        assert own is not None
        if self._together and meets_again(own, state.at_throw, self._together, self._side.home):
            return False
        if both and self._doublet_home is DoubletHome.WITH_FOURTEEN and state.past & BROUGHT_HOME:
            return self._gave_four and not state.numbers
        return True

    def _breaks_rule_2(self, state: State, step: Step, after: State) -> bool:
        """Tell whether rule 2 keeps no sequence that goes on with *step*, whatever follows it."""
        if self._doublet_home is DoubletHome.WHOLE_FOURTEEN:
            if step.use > BONUS or step.square != SQUARE_HOME:
                return False
            is_last = len(state.numbers) == 1
            return not (self._gave_four and is_last and state.past & MOVED == 1 << step.pawn)
        if self._doublet_home is DoubletHome.WITH_FOURTEEN and after.past & BROUGHT_HOME:
            used = 0 if step.use > BONUS else 1  # a five by sum is no doublet
            return not self._gave_four or (not after.numbers and len(state.numbers) > used)
        return False


@lru_cache(64)
def _compiled(ruleset: Ruleset) -> Moves:
    """Return *ruleset* compiled, for questions that are asked seldom."""
    return Moves(ruleset)
