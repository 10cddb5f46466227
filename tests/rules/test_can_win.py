"""
Whether the game can end in this throw: `can_win` may say so too often, and never too seldom.
"""

from random import Random

import pytest

from referee.rules.board import NEST
from referee.rules.engine import Rules
from referee.rules.ruleset import BonusTiming, Ruleset, Teams
from referee.rules.rulesets import ruleset
from referee.rules.search import can_win
from referee.rules.state import State
from tests.oracle.checker import Checker, TooMany
from tests.oracle.filters import ends_the_game
from tests.oracle.support import variation

QUESTIONS = 300
"""So many endings are asked about in each ruleset."""

MET = 10
"""So many of them at least are won, and so many cannot be."""

RULESETS = [
    *(
        ruleset(name)
        for name in ("winning_moves", "hasbro", "pressman_gentle", "pressman_teams", "casual_super")
    ),
    variation(ruleset("racket"), capture_bonus=7, home_bonus=3),
    variation(ruleset("winning_moves"), capture_bonus=0, bonus_timing=BonusTiming.AT_ONCE),
]


def ending(given: Ruleset, rules: Rules, random: Random) -> State:
    """Return a state just after a throw: the mover has few squares to go, opponents stand in its way."""
    board = given.board
    dice = tuple(random.randint(1, 6) for _ in range(given.dice))
    bonus, far = random.choice((given.capture_bonus, given.home_bonus)), sum(dice)
    own = sorted(
        board.home - random.choice([0, 0, 0, *dice, bonus, bonus + dice[0], bonus + far]) for _ in range(4)
    )
    if own[0] == board.home:
        own[0] -= random.choice([*dice, bonus or 1, far])
    theirs = [NEST] * 4
    if random.random() < 0.7:
        on = board.square(0, min(own[0] + random.choice(dice), board.ring_steps))
        theirs[0] = board.progress(2, on) or NEST
    others = (NEST,) * 4 if given.teams is not Teams.NONE else None
    a, b, c, d = own
    w, x, y, z = theirs
    return rules.throw(State(((a, b, c, d), others, (w, x, y, z), others), 0), dice).state


@pytest.mark.parametrize("given", RULESETS, ids=lambda given: given.name)
def test_every_throw_that_can_end_the_game_is_told(given: Ruleset) -> None:
    """
    Where a sequence of possible steps ends the game, `can_win` says that one may.
    """
    rules, checker, random = Rules(given), Checker(given, 20_000), Random(given.name)
    side = rules._moves.sides[0]
    won = denied = 0
    for _ in range(QUESTIONS):
        state = ending(given, rules, random)
        told = can_win(rules._moves, side, state)
        denied += not told
        try:
            is_won = any(map(ends_the_game, checker.sequences(state)))
        except TooMany:
            continue
        assert told or not is_won, state
        won += is_won
    assert min(won, denied) >= MET, (won, denied)
