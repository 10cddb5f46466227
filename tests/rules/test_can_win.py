"""
Whether the game can end in this throw: `can_win` may say so too often, and never too seldom.
"""

from random import Random

import pytest

from referee.rules.board import NEST
from referee.rules.counting import can_win
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, step_text
from referee.rules.ruleset import BonusTiming, Ruleset, Teams
from referee.rules.rulesets import ruleset
from referee.rules.state import State
from tests.oracle.checker import Checker, TooMany
from tests.oracle.filters import ends_the_game
from tests.oracle.support import variation

QUESTIONS = 150
"""So many endings are asked about in each ruleset."""

MET = 10
"""So many of them at least are won, and so many cannot be."""

RULESETS = [
    *(
        ruleset(name)
        for name in ("winning_moves", "hasbro", "pressman_gentle", "pressman_teams", "casual_super")
    ),
    variation(ruleset("racket"), capture_bonus=7, home_bonus=3),
    variation(ruleset("hasbro"), capture_bonus=52, home_bonus=0),
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
def test_no_throw_that_can_end_the_game_is_denied(given: Ruleset) -> None:
    """
    Where a sequence of possible steps ends the game, `can_win` says so: at the throw, and on the way.
    """
    rules, checker, random = Rules(given), Checker(given, 20_000), Random(given.name)
    side = rules._moves.sides[0]
    won = denied = 0
    for _ in range(QUESTIONS):
        state = ending(given, rules, random)
        while True:
            told = can_win(rules._moves, side, state)
            denied += not told
            try:
                is_won = any(map(ends_the_game, checker.sequences(state)))
            except TooMany:
                break
            assert told or not is_won, state
            won += is_won
            possible = [move.step for move in checker.possible(state)]
            if not possible:
                break
            state, _, _, over = checker.apply(state, random.choice(possible))
            if over:
                break
    assert min(won, denied) >= MET, (won, denied)


def test_a_second_lap_may_end_the_game() -> None:
    """
    A pawn near home goes round once more by a bonus, and comes home by it.
    """
    given = variation(ruleset("hasbro"), capture_bonus=52, home_bonus=0)
    rules, checker = Rules(given), Checker(given)
    before = State(position_from_text(given, "38,H,H,H/-/40,24,46,N/-")[0], 0)
    state = rules.throw(before, (2, 6)).state

    assert {step_text(given, state, step) for step in checker.steps(state)} == {
        "0: 38 to 40 with 2",
        "0: 38 to 44 with 6",
    }
    assert rules.steps(state) == checker.steps(state)
