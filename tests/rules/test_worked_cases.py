"""
The worked cases of the rule book, section 8: every row, for every ruleset that it names.

Knows: the table, row by row; where it names a sheet, the variations of it that leave the row as it is.
Does not know: how the engine comes to its answers.
"""

import pytest

from referee.rules.notation import position_text
from referee.rules.ruleset import ThirdThrow
from referee.rules.rulesets import RULESETS
from tests.rules.asking import (
    NESTS,
    after,
    between,
    ends,
    legal,
    numbered,
    pawns_of,
    rules_of,
    squares,
    steps,
    taken,
    thrown,
)

WINNING_MOVES = ("winning_moves", "winning_moves_highest")
PRESSMAN = ("pressman", "pressman_gentle", "pressman_teams")
CASUAL_CLASSIC = (
    "casual_classic",
    "casual_classic_start",
    "casual_classic_mixed",
    "casual_classic_couples",
)
CASUAL_SUPER = ("casual_super", "casual_super_start", "casual_super_mixed", "casual_super_couples")
US = (*WINNING_MOVES, *PRESSMAN, "hasbro", "selchow_righter")
"""Sets with two dice whose fives must enter."""

US_LANDING = tuple(name for name in US if name != "pressman_gentle")
"""Those of them that capture by landing."""

FOURTEEN = (*WINNING_MOVES, *PRESSMAN, "selchow_righter")
TWO_DICE = (*US, *CASUAL_SUPER, "racket")
NEAREST_HOME = (*WINNING_MOVES, *PRESSMAN, "selchow_righter", "racket")

named = pytest.mark.parametrize

Case = tuple[str, tuple[str, ...], str, tuple[int, ...], set[str]]

BEGINNINGS: list[Case] = [
    ("1", US, "N,N,N,N", (4, 1), numbered("0123", "N to 5 with 1 and 4")),
    ("2", US, "N,N,N,N", (5, 2), numbered("0123", "N to 5 with 5")),
    ("3", WINNING_MOVES, "5,N,N,N", (5, 5), numbered("123", "N to 5 with 5")),
    (
        "3, in either order",
        ("selchow_righter",),
        "5,N,N,N",
        (5, 5),
        {"0: 5 to 10 with 5", *numbered("123", "N to 5 with 5")},
    ),
    (
        "4",
        (*US_LANDING, "racket"),
        f"10,H,H,H/15,N,N,N/{NESTS}",
        (5, 1),
        {"0: 10 to 15 with 5", "0: 10 to 11 with 1"},
    ),
    ("5", (*US_LANDING, "racket"), f"10,H,H,H/12,N,N,N/{NESTS}", (2, 1), {"0: 10 to 11 with 1"}),
    ("9", FOURTEEN, "L6,L7,H,H", (1, 1), set()),
    (
        "12",
        TWO_DICE,
        "29,30,30,N",
        (3, 4),
        {*numbered("12", "30 to 33 with 3"), *numbered("12", "30 to 34 with 4")},
    ),
    ("13", ("hasbro", *PRESSMAN), "L4,H,H,H", (6, 4), {"0: L4 to H with 4"}),
    ("14", ("hasbro", *PRESSMAN), f"30,H,H,H/36,36,N,N/{NESTS}", (5, 2), {"0: 30 to 35 with 5"}),
    ("16", CASUAL_CLASSIC, "30,30,40,50", (6,), numbered("01", "30 to 37 with 7")),
    (
        "20",
        WINNING_MOVES,
        f"10,30,H,H/13,N,N,N/{NESTS}",
        (3, 1),
        {"0: 10 to 11 with 1", "0: 10 to 13 with 3", "1: 30 to 31 with 1", "1: 30 to 33 with 3"},
    ),
    (
        "21",
        (*CASUAL_SUPER, *WINNING_MOVES),
        "5,5,N,30",
        (5, 2),
        {
            *numbered("01", "5 to 10 with 5"),
            *numbered("01", "5 to 7 with 2"),
            "3: 30 to 35 with 5",
            "3: 30 to 32 with 2",
        },
    ),
    ("22", ("selchow_righter",), "5,5,N,30", (5, 2), numbered("01", "5 to 7 with 2")),
    ("23", ("selchow_righter",), "20,L6,N,40", (2, 2), {"0: 20 to 22 with 2", "3: 40 to 42 with 2"}),
]
"""Number of the case, rulesets, position, dice, legal first steps."""

ENDS: list[Case] = [
    ("1", US, "N,N,N,N", (4, 1), {"5,N,N,N"}),
    ("2", US, "N,N,N,N", (5, 2), {"7,N,N,N"}),
    ("3", (*WINNING_MOVES, "selchow_righter"), "5,N,N,N", (5, 5), {"5,10,N,N"}),
    ("3, entering is free", ("racket",), "5,N,N,N", (5, 5), {"5,10,N,N", "15,N,N,N"}),
    ("4", (*US_LANDING, "racket"), f"10,H,H,H/15,N,N,N/{NESTS}", (5, 1), {"16,H,H,H", "36,H,H,H"}),
    ("5", (*US_LANDING, "racket"), f"10,H,H,H/12,N,N,N/{NESTS}", (2, 1), {"13,H,H,H"}),
    ("9", FOURTEEN, "L6,L7,H,H", (1, 1), set()),
    ("9, as far as possible", ("racket",), "L6,L7,H,H", (1, 1), {"L7,H,H,H"}),
    ("10", ("hasbro",), "30,H,H,H/-/41,41,N,N", (2, 2), {"39,H,H,H"}),
    ("11", PRESSMAN, "L2,20,H,H", (3, 3), {"L2,34,H,H", "L5,31,H,H", "L6,30,H,H"}),
    (
        "19",
        ("selchow_righter", "racket", *CASUAL_SUPER),
        "66,L6,H,H",
        (2, 3),
        {"L1,H,H,H", "L3,L6,H,H", "H,H,H,H"},
    ),
    ("22", ("selchow_righter",), "5,5,N,30", (5, 2), {"5,5,7,30"}),
]
"""Number of the case, rulesets, position, dice, what the pawns look like after each play."""


def each(cases: list[Case]) -> list[object]:
    """Return one test for each ruleset of each case."""
    return [
        pytest.param(name, text, dice, expected, id=f"{number}: {name}")
        for number, rulesets, text, dice, expected in cases
        for name in rulesets
    ]


@named(("name", "text", "dice", "expected"), each(BEGINNINGS))
def test_begins_as_the_rule_book_says(
    name: str, text: str, dice: tuple[int, ...], expected: set[str]
) -> None:
    """
    The legal first steps are those that the table names.
    """
    assert legal(name, text, *dice) == expected


@named(("name", "text", "dice", "expected"), each(ENDS))
def test_ends_as_the_rule_book_says(name: str, text: str, dice: tuple[int, ...], expected: set[str]) -> None:
    """
    The plays end as the table says.
    """
    assert ends(name, text, *dice) == {squares(end) for end in expected}


@named("name", [*US_LANDING, "racket"])
def test_4_landing_on_a_single_opponent_captures_it(name: str) -> None:
    """
    10 to 15 with the 5 sends the opponent to its nest and earns 20, which waits to be used.
    """
    state = thrown(name, f"10,H,H,H/15,N,N,N/{NESTS}", 5, 1)

    applied = taken(name, state, "0: 10 to 15 with 5")

    assert (applied.captured, applied.earned, applied.state.bonuses) == (((1, 0),), (20,), (20,))
    assert pawns_of(name, applied.state, seat=1) == NESTS


@named("name", [*US_LANDING, "racket"])
@named("other", [1, 2, 3, 4, 6])
def test_6_entering_captures_an_opponent_on_the_entry(name: str, other: int) -> None:
    """
    The entry is safe for everybody but from the pawn that enters, whatever the other die shows.
    """
    state = thrown(name, f"N,N,N,N/5,N,N,N/{NESTS}", 5, other)

    applied = taken(name, state, "0: N to 5 with 5")

    assert (applied.captured, applied.earned) == (((1, 0),), (20,))
    assert pawns_of(name, applied.state, seat=1) == NESTS


def five(name: str) -> tuple[int, ...]:
    """Return a throw with one five."""
    return (5, 6)[: rules_of(name).ruleset.dice]


@named("name", [*CASUAL_CLASSIC, *CASUAL_SUPER])
def test_7_entering_shares_the_entry(name: str) -> None:
    """
    The entry holds two colours, and nobody is captured.
    """
    applied = taken(name, thrown(name, f"N,N,N,N/5,N,N,N/{NESTS}", *five(name)), "0: N to 5 with 5")

    assert (applied.captured, applied.earned) == ((), ())
    assert (pawns_of(name, applied.state), pawns_of(name, applied.state, seat=1)) == ("5,N,N,N", "5,N,N,N")


@named("name", [*CASUAL_CLASSIC, *CASUAL_SUPER])
@named(("text", "returns"), [("5,N,N,N/5+,N,N,N", 2), ("5+,N,N,N/5,N,N,N", 1)])
def test_8_the_last_to_arrive_on_a_full_entry_returns(name: str, text: str, returns: int) -> None:
    """
    Entering captures the pawn that came last, for 20; the other stays.
    """
    applied = taken(name, thrown(name, f"N,N,N,N/{text}", *five(name)), "0: N to 5 with 5")

    assert (applied.captured, applied.earned) == (((returns, 0),), (20,))
    assert pawns_of(name, applied.state, seat=returns) == NESTS
    assert pawns_of(name, applied.state, seat=3 - returns) == "5,N,N,N"


@named("name", FOURTEEN)
def test_9_a_forfeited_fourteen_gives_another_throw(name: str) -> None:
    """
    Nothing moves, and the seat throws again.
    """
    over = rules_of(name).play_over(thrown(name, "L6,L7,H,H", 1, 1))

    assert over == between(name, "L6,L7,H,H", repeats=1)


def test_10_not_all_of_a_doublet_used_gives_no_other_throw() -> None:
    """
    30 goes 2, 2 and 5 to 39; the other 5 is stopped by the pair on 41.
    """
    state = thrown("hasbro", "30,H,H,H/-/41,41,N,N", 2, 2)
    state = after("hasbro", state, "0: 30 to 32 with 2", "0: 32 to 34 with 2", "0: 34 to 39 with 5")

    assert steps("hasbro", state) == set()
    assert rules_of("hasbro").play_over(state).seat == 2


@named("name", PRESSMAN)
def test_11_a_pawn_does_not_come_home_with_half_a_doublet(name: str) -> None:
    """
    L2 stands six from home: after one 3 the other is for the pawn on 20.
    """
    state = after(name, thrown(name, "L2,20,H,H", 3, 3), "0: L2 to L5 with 3")

    assert steps(name, state) == {"1: 20 to 23 with 3", "1: 20 to 24 with 4"}


def test_15_a_pawn_is_captured_in_passing() -> None:
    """
    The 4 leads from 20 to 24 past the pawn on 22, which returns; there is no bonus.
    """
    state = thrown("pahrcheesi", f"20,N,N,N/22,N,N,N/{NESTS}", 4, 2)

    applied = taken("pahrcheesi", state, "0: 20 to 24 with 4")

    assert (applied.captured, applied.earned) == (((1, 0),), ())
    assert pawns_of("pahrcheesi", applied.state, seat=1) == NESTS


@named("name", NEAREST_HOME)
@named("die", range(1, 7))
def test_17_a_third_doublet_returns_the_pawn_nearest_home(name: str, die: int) -> None:
    """
    L3 returns to the nest, the turn ends, nothing else moves; pawns at home have left the race.
    """
    third = rules_of(name).throw(between(name, "20,L3,H,N", repeats=2), (die, die))

    text = position_text(rules_of(name).board, third.state.position)
    assert (third.third, third.returned, text.split("/")[0]) == (True, 1, "20,N,H,N")
    assert third.state.seat != 0
    assert (third.state.repeats, third.state.dice) == (0, ())


def test_17_is_about_all_that_have_the_rule() -> None:
    """
    The table says: all with `nearest_home`.
    """
    have = {name for name, of in RULESETS.items() if of.third_throw is ThirdThrow.NEAREST_HOME}

    assert have == set(NEAREST_HOME)


@named("name", [*CASUAL_SUPER, *CASUAL_CLASSIC])
def test_18_a_third_doublet_returns_nobody_from_the_lane(name: str) -> None:
    """
    The pawn moved last is in the lane: nothing returns, the turn ends.
    """
    dice = (6, 6)[: rules_of(name).ruleset.dice]

    third = rules_of(name).throw(between(name, "20,L3,H,N", repeats=2, last_moved=1), dice)

    assert (third.third, third.returned, pawns_of(name, third.state)) == (True, None, "20,L3,H,N")
    assert third.state.seat != 0


@named("name", ["selchow_righter", "racket", *CASUAL_SUPER])
def test_19_a_bonus_ends_the_game_before_the_other_number(name: str) -> None:
    """
    L6 home with the 2, then 66 home with the bonus of 10; the 3 is void.
    """
    state = thrown(name, "66,L6,H,H", 2, 3)

    applied = taken(name, state, "1: L6 to H with 2", "0: 66 to H with bonus 10")

    assert applied.won
    assert steps(name, applied.state) == set()


@named("name", [*CASUAL_SUPER, *WINNING_MOVES])
def test_21_a_five_that_cannot_enter_moves_another_pawn(name: str) -> None:
    """
    The entry is shut when the 5 is played; after that it is used, and what is left is the 2.
    """
    state = after(name, thrown(name, "5,5,N,30", 5, 2), "3: 30 to 35 with 5")

    assert steps(name, state) == {*numbered("01", "5 to 7 with 2"), "3: 35 to 37 with 2"}


def test_22_opening_the_entry_comes_first() -> None:
    """
    After 5 to 7 with the 2 the pawn in the nest enters with the 5, and nothing else is legal.
    """
    state = after("selchow_righter", thrown("selchow_righter", "5,5,N,30", 5, 2), "0: 5 to 7 with 2")

    assert steps("selchow_righter", state) == {"2: N to 5 with 5"}


def test_every_row_is_tested() -> None:
    """
    The table has 23 rows.
    """
    tables = {case[0].split(",")[0] for case in [*BEGINNINGS, *ENDS]}
    functions = {name.split("_")[1] for name in globals() if name.startswith("test_")}

    assert {str(row) for row in range(1, 24)} <= tables | functions
