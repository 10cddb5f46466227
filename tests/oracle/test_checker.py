"""
The slow checker against the worked cases of the rule book, section 8.

Knows: positions, throws, and what the sheets say of them.
Does not know: the engine.
"""

import pytest

from referee.rules.rulesets import RULESETS
from referee.rules.state import State, Step
from tests.oracle.checker import Checker
from tests.oracle.squares import position_from, position_of, text_of

NESTS = "N,N,N,N"
"""A seat whose pawns do not matter."""

WINNING_MOVES, RACKET = (Checker(RULESETS[name]) for name in ("winning_moves", "racket"))


def thrown(checker: Checker, own: str, second: str, dice: tuple[int, int], repeats: int = 0) -> State:
    """Return the state after *dice*, with seat 0's *own* pawns, seat 1's, and seat 2 in its nest."""
    return checker.throw(State(position_from(checker.board, f"{own}/{second}/{NESTS}/-"), 0, repeats), dice)


def steps(checker: Checker, state: State) -> set[str]:
    """Return the legal steps as `pawn:use>square`."""
    return {f"{step.pawn}:{step.use}>{step.square}" for step in checker.steps(state)}


def ends(checker: Checker, state: State) -> set[str]:
    """Return seat 0's squares after every play."""
    board = checker.board
    return {
        text_of(board, position_of(board, moves[-1].after.men)).partition("/")[0]
        for moves in checker.plays(state)
        if moves
    }


@pytest.mark.parametrize(
    ("checker", "own", "second", "dice", "expected"),
    [
        pytest.param(
            WINNING_MOVES,
            "N,H,H,H",
            NESTS,
            (4, 1),
            {"5,H,H,H"},
            id="1: a five by sum enters, nothing is left",
        ),
        pytest.param(
            WINNING_MOVES, "N,H,H,H", NESTS, (5, 2), {"7,H,H,H"}, id="2: enters with 5, goes on with 2"
        ),
        pytest.param(
            WINNING_MOVES, "5,N,H,H", NESTS, (5, 5), {"5,10,H,H", "10,5,H,H"}, id="3: one enters, one on 10"
        ),
        pytest.param(
            WINNING_MOVES,
            "10,H,H,H",
            "15,N,N,N",
            (5, 1),
            {"16,H,H,H", "36,H,H,H"},
            id="4: a capture gives 20",
        ),
        pytest.param(
            WINNING_MOVES, "10,H,H,H", "12,N,N,N", (2, 1), {"13,H,H,H"}, id="5: 1 first, for 12 is safe"
        ),
        pytest.param(
            WINNING_MOVES, "N,H,H,H", "5,N,N,N", (5, 6), {"31,H,H,H"}, id="6: entering captures, 20"
        ),
        pytest.param(WINNING_MOVES, "L6,L7,H,H", NESTS, (1, 1), set(), id="9: fourteen cannot be completed"),
        pytest.param(
            RACKET, "L6,L7,H,H", NESTS, (1, 1), {"L7,H,H,H", "H,L7,H,H"}, id="9: played as far as possible"
        ),
        pytest.param(
            RACKET, "66,L6,H,H", NESTS, (2, 3), {"L1,H,H,H", "L3,L6,H,H", "H,H,H,H"}, id="19: two win by 10"
        ),
    ],
)
def test_worked_case_ends_as_the_sheet_says(
    checker: Checker, own: str, second: str, dice: tuple[int, int], expected: set[str]
) -> None:
    """
    The positions after every play are those that the rule book names.
    """
    assert ends(checker, thrown(checker, own, second, dice)) == expected


@pytest.mark.parametrize(
    ("checker", "own", "second", "dice", "expected"),
    [
        pytest.param(
            WINNING_MOVES, "5,N,H,H", NESTS, (5, 5), {"1:5>5"}, id="3: entering comes before another five"
        ),
        pytest.param(
            RACKET, "5,N,H,H", NESTS, (5, 5), {"1:5>5", "0:5>10"}, id="3: where nobody must enter, either"
        ),
        pytest.param(WINNING_MOVES, "10,H,H,H", "12,N,N,N", (2, 1), {"0:1>11"}, id="5: not 2 first"),
        pytest.param(
            WINNING_MOVES,
            "29,30,30,N",
            NESTS,
            (3, 4),
            {"1:3>33", "1:4>34", "2:3>33", "2:4>34"},
            id="12: one of the pair must move",
        ),
        pytest.param(
            WINNING_MOVES,
            "10,30,H,H",
            "13,N,N,N",
            (3, 1),
            {"0:1>11", "0:3>13", "1:1>31", "1:3>33"},
            id="20: nobody must capture",
        ),
        pytest.param(
            WINNING_MOVES,
            "5,5,N,30",
            NESTS,
            (5, 2),
            {"0:2>7", "1:2>7", "3:2>32", "0:5>10", "1:5>10", "3:5>35"},
            id="21: the entry is shut, the five is free",
        ),
        pytest.param(
            RACKET,
            "L6,66,H,H",
            NESTS,
            (2, 3),
            {"0:2>99", "1:2>68", "1:3>71"},
            id="19: winning with one number is not dropped",
        ),
    ],
)
def test_worked_case_begins_as_the_sheet_says(
    checker: Checker, own: str, second: str, dice: tuple[int, int], expected: set[str]
) -> None:
    """
    The legal first steps are those that the rule book names.
    """
    assert steps(checker, thrown(checker, own, second, dice)) == expected


def test_third_doublet_returns_the_pawn_nearest_home() -> None:
    """
    17: L3 returns to the nest, the turn ends, nothing else moves.
    """
    after = thrown(WINNING_MOVES, "20,L3,H,N", NESTS, (2, 2), repeats=2)

    assert after == State(position_from(WINNING_MOVES.board, f"20,N,H,N/{NESTS}/{NESTS}/-"), 1)


def test_second_of_a_pair_does_not_follow_the_first() -> None:
    """
    A pair does not move on as a pair; with the last number another pawn must be found, or none.
    """
    state = thrown(WINNING_MOVES, "30,30,N,H", NESTS, (2, 2))
    assert steps(WINNING_MOVES, state) == {"0:2>32", "1:2>32"}

    after = WINNING_MOVES.apply(state, Step(0, 2, 32)).state

    assert steps(WINNING_MOVES, after) == {"0:2>34"}


def test_pair_may_come_home_as_a_pair() -> None:
    """
    Home is excepted: two pawns that stood together may both go there.
    """
    state = thrown(RACKET, "L6,L6,H,N", NESTS, (2, 2))

    assert "H,H,H,N" in ends(RACKET, state)
