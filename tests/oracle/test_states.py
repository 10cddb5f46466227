"""
The slow checker against itself: what a state holds is all that the rules ask of a throw.

Knows: questions on every ruleset that can be told, played or not.
Does not know: the engine.
"""

from random import Random

import pytest

from referee.rules.notation import state_from_text, state_text
from referee.rules.ruleset import Ruleset
from tests.oracle.checker import Checker, TooMany
from tests.oracle.judging import EVERY, made_question
from tests.oracle.possible import first_steps, steps_in
from tests.oracle.squares import men_of
from tests.rules.positions import FAMILIES, may_stand

TRIED = [ruleset for ruleset in EVERY.values() if "=" not in ruleset.name or "team" in ruleset.name]
"""The named rulesets and the mixtures."""


@pytest.mark.parametrize("ruleset", TRIED, ids=lambda ruleset: ruleset.name)
def test_a_state_tells_what_may_follow(ruleset: Ruleset) -> None:
    """
    After a legal step the same is legal as the throw has left, unless that could be a win.

    A win may use fewer numbers than other plays, and a state does not tell that its play was kept for it.
    """
    checker = Checker(ruleset, 300)
    for family in FAMILIES:
        before, dice = made_question(ruleset, family, 0)
        random = Random(family)
        state, won = checker.throw(before, dice), False
        while state.dice and not won:
            assert state_from_text(ruleset, state_text(ruleset, state)) == state
            men = men_of(ruleset.board, state.position)
            assert all(may_stand(ruleset, place, there) for place, there in men.items()), state
            try:
                kept = checker.plays(state)
            except TooMany:
                break
            steps = first_steps(kept)
            if not steps:
                break
            step = random.choice(steps)
            left = {steps_in(moves[1:]) for moves in kept if moves and moves[0].step == step}
            after, _, _, won = checker.apply(state, step)
            if not won and not any(moves and moves[-1].wins for moves in kept):
                anew = checker.plays(after) if after.numbers or after.bonuses else [()]
                assert {steps_in(moves) for moves in anew} == left, (state, step)
            state = after
