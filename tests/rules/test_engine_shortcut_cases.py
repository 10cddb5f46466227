"""
Positions in which a shortcut of the engine once said otherwise than the rules do.

Each is told by text, with what is legal in it. From there on engine, search and slow checker are asked in
every state that the throw can lead to.
"""

from collections.abc import Iterator

import pytest

from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, state_text, step_text
from referee.rules.ruleset import DoubletHome, MustEnter, Ruleset, Teams, TeamWin
from referee.rules.rulesets import ruleset
from referee.rules.search import Search
from referee.rules.state import BROUGHT_HOME, State
from tests.oracle.checker import Checker
from tests.oracle.support import variation

NESTS = "N,N,N,N"

LAP = variation(ruleset("racket"), second_lap=True, must_enter=MustEnter.MOST)
PLEDGED = variation(
    ruleset("racket"),
    teams=Teams.PAIRS,
    team_win=TeamWin.BOTH_MEMBERS,
    doublet_home=DoubletHome.WITH_FOURTEEN,
    home_bonus=3,
)
BARRED = variation(ruleset("selchow_righter"), doublet_home=DoubletHome.WHOLE_FOURTEEN)
FINISHERS = variation(ruleset("pressman_teams"), team_win=TeamWin.BOTH_MEMBERS)

CASES = [
    pytest.param(
        ruleset("pressman_teams"),
        f"41,40,36,L7/45,45,N,N/{NESTS}/44,N,N,N",
        0,
        (3, 3),
        {
            "0: 41 to 44 with 3",
            "1: 40 to 43 with 3",
            "1: 40 to 44 with 4",
            "2: 36 to 39 with 3",
            "2: 36 to 40 with 4",
        },
        id="a pawn that is captured stands in nobody's way any more",
    ),
    pytest.param(
        ruleset("hasbro"),
        f"5,4,N,H/10,10,N,N/{NESTS}/{NESTS}",
        0,
        (1, 5),
        {"0: 5 to 6 with 1", "2: N to 5 with 5"},
        id="a pawn that enters stops one that comes round: 1 comes first, of the pawn on the entry",
    ),
    pytest.param(
        ruleset("hasbro"),
        f"5,4,N,H/7,7,N,N/{NESTS}/{NESTS}",
        0,
        (2, 5),
        {"1: 4 to 6 with 2"},
        id="a pawn that comes round passes the entry before another enters",
    ),
    pytest.param(
        LAP,
        f"5,4,N,H/-/{NESTS}/-",
        0,
        (1, 5),
        {"0: 5 to 6 with 1", "2: N to 5 with 5"},
        id="a pawn that comes round shuts the entry, where most must enter",
    ),
    pytest.param(
        PLEDGED,
        f"{NESTS}/{NESTS}/H,L7,H,33/{NESTS}",
        2,
        (6, 6),
        {"3: 33 to 34 with 1", "3: 33 to L5 with 6"},
        id="a seat that finishes by a bonus leaves numbers, of which all were to be used",
    ),
    pytest.param(
        FINISHERS,
        f"61,61,62,9/{NESTS}/H,H,H,H/{NESTS}",
        0,
        (3, 3),
        {
            *(f"{pawn}: 61 to 6{4 + more} with {3 + more}" for pawn in (0, 1) for more in (0, 1)),
            *(f"2: 62 to 6{5 + more} with {3 + more}" for more in (0, 1)),
            *(f"3: 9 to 1{2 + more} with {3 + more}" for more in (0, 1)),
        },
        id="a seat whose partner has finished",
    ),
    pytest.param(
        BARRED,
        "21,21,N,H/H,N,N,N/19,N,N,H/H,H,15,29",
        3,
        (4, 4),
        {"2: 15 to 18 with 3", "2: 15 to 19 with 4", "3: 29 to 32 with 3", "3: 29 to 33 with 4"},
        id="a bonus would take a pawn so near home that numbers of a doublet could not move it any more",
    ),
    pytest.param(
        ruleset("pressman_teams"),
        f"{NESTS}/L2,H,5,7/17,17,H,H/13,N,H,N",
        1,
        (6, 6),
        {
            "0: L2 to L3 with 1",
            *("2: 5 to 6 with 1", "2: 5 to 11 with 6"),
            *("3: 7 to 8 with 1", "3: 7 to 13 with 6"),
        },
        id="a pawn that comes to stand with its partner's shuts the road",
    ),
    *(
        pytest.param(
            ruleset("pressman"),
            f"24,62,68,{fourth}/-/31,31,64,64/-",
            0,
            (6, 6),
            {"0: 24 to 30 with 6", "1: 62 to 63 with 1", "2: 68 to L1 with 1", "2: 68 to L6 with 6"},
            id=f"after 6 and 1 a road home is none: another pawn could have taken all four; {fourth}",
        )
        for fourth in ("H", "L7")
    ),
]


@pytest.mark.parametrize(("given", "text", "seat", "dice", "expected"), CASES)
def test_legal_steps_are_those_of_the_rules(
    given: Ruleset, text: str, seat: int, dice: tuple[int, ...], expected: set[str]
) -> None:
    """
    What is legal at the throw is what is expected, and in all that follows engine and rules agree.
    """
    rules, checker = Rules(given), Checker(given)
    before = State(position_from_text(given, text)[0], seat)
    rules.check(before)
    state = rules.throw(before, dice).state

    assert {step_text(rules.ruleset, state, step) for step in rules.steps(state)} == expected
    for later in all_states(checker, state):
        told = state_text(rules.ruleset, later)
        kept = checker.steps(later)
        assert Search(rules._moves, later).legal(later) == kept, f"search: {told}"
        assert rules.steps(later) == kept, f"engine: {told}"


def all_states(checker: Checker, state: State) -> Iterator[State]:
    """Yield every state of the throw that legal steps lead to, *state* first."""
    found, todo = {state}, [state]
    while todo:
        state = todo.pop()
        yield state
        for step in checker.steps(state):
            after, _, _, won = checker.apply(state, step)
            if not won and after not in found:
                found.add(after)
                todo.append(after)


@pytest.mark.parametrize("bonuses", [(), (10,)])
def test_nothing_follows_a_pawn_that_two_numbers_of_a_doublet_should_not_have_brought_home(
    bonuses: tuple[int, ...],
) -> None:
    """
    A state written by hand: with a pawn in the nest a doublet gives two numbers, and none may lead home.
    """
    given = ruleset("selchow_righter")
    rules, checker = Rules(given), Checker(given)
    position, _ = position_from_text(given, f"H,30,N,N/-/{NESTS}/-")
    stood, _ = position_from_text(given, f"L6,30,N,N/-/{NESTS}/-")
    state = State(position, 0, dice=(2, 2), numbers=(2,), bonuses=bonuses, past=BROUGHT_HOME)
    state = state._replace(at_throw=stood[0] or ())
    rules.check(state)

    assert checker.steps(state) == ()
    assert Search(rules._moves, state).legal(state) == ()
    assert rules.steps(state) == ()


@pytest.mark.parametrize(
    ("text", "first", "second", "expected"),
    [
        ("62,L7,H,H/-/68,68,N,N/-", (1, 1), (1, 5), {"0: 62 to 67 with 5", "1: L7 to H with 1"}),
        ("62,L1,L6,L7/-/68,68,N,N/-", (3, 6), (5, 5), set()),
    ],
)
def test_a_throw_that_moved_nothing_does_not_answer_for_the_next(
    text: str, first: tuple[int, int], second: tuple[int, int], expected: set[str]
) -> None:
    """
    A doublet of which not all four can be used gives another throw, from the same position; so may a game.
    """
    given = ruleset("pressman")
    before = State(position_from_text(given, text)[0], 0)
    rules = Rules(given)
    rules.steps(rules.throw(before, first).state)
    state = rules.throw(before, second).state

    assert {step_text(given, state, step) for step in rules.steps(state)} == expected
    assert rules.steps(state) == Checker(given).steps(state)
