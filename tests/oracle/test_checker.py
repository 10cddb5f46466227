"""
The slow checker against the rule book: the worked cases of section 8, then each rule by itself.

Knows: positions, throws, and what the sheets say of them.
Does not know: the engine.
"""

from functools import cache

import pytest

from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Fourteen,
    MustOpen,
    Partner,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    TeamWin,
    ThirdThrow,
)
from referee.rules.rulesets import RULESETS
from referee.rules.state import BROUGHT_HOME, GAVE_UP, State, Step
from tests.oracle.checker import Checker
from tests.oracle.sheets import (
    CASUAL_CLASSIC,
    CASUAL_CLASSIC_COUPLES,
    CASUAL_CLASSIC_MIXED,
    CASUAL_SUPER,
    CASUAL_SUPER_MIXED,
    CASUAL_SUPER_START,
    HASBRO,
    PAHRCHEESI,
    PRESSMAN,
    PRESSMAN_GENTLE,
    PRESSMAN_TEAMS,
    RACKET,
    SELCHOW_RIGHTER,
    SHEETS,
    WINNING_MOVES,
)
from tests.oracle.squares import placed_from, position_from, position_of, text_of
from tests.oracle.support import variation, why_unplayable

NESTS = "N,N,N,N"
"""A seat whose pawns do not matter."""

US = (WINNING_MOVES, SELCHOW_RIGHTER, HASBRO, PRESSMAN)
"""The sets sold in the United States whose fives must enter."""

PRESSMAN_FINISHERS = variation(PRESSMAN_TEAMS, team_win=TeamWin.BOTH_MEMBERS)
"""Teams that win when both members have finished."""

named = pytest.mark.parametrize

checker_of = cache(Checker)


def state_of(ruleset: Ruleset, text: str, seat: int = 0, **more: object) -> State:
    """Return a state between throws; seats that *text* leaves out are: seat 2 in its nest, others absent."""
    groups = text.split("/")
    groups += ["-", NESTS, "-"][len(groups) - 1 :]
    position, arrived = placed_from(ruleset.board, "/".join(groups))
    kept = arrived if ruleset.entry_capture is EntryCapture.WHEN_FULL else 0
    return State(position, seat, arrived=kept)._replace(**more)  # type: ignore[arg-type]


def thrown(ruleset: Ruleset, text: str, *dice: int, seat: int = 0, **more: object) -> State:
    """Return the state after *dice* fell on `state_of` the others."""
    return checker_of(ruleset).throw(state_of(ruleset, text, seat, **more), dice)


def words(steps: tuple[Step, ...] | list[Step]) -> set[str]:
    """Return *steps* as `pawn:use>square`."""
    return {f"{step.pawn}:{step.use}>{step.square}" for step in steps}


def legal(ruleset: Ruleset, state: State) -> set[str]:
    """Return the legal steps."""
    return words(checker_of(ruleset).steps(state))


def possible(ruleset: Ruleset, state: State) -> set[str]:
    """Return what section 4 allows."""
    return words([move.step for move in checker_of(ruleset).possible(state)])


def after(ruleset: Ruleset, state: State, step: str) -> State:
    """Return what *step* leads to."""
    found = {f"{s.pawn}:{s.use}>{s.square}": s for s in checker_of(ruleset).steps(state)}
    return checker_of(ruleset).apply(state, found[step]).state


def captures(ruleset: Ruleset, state: State, step: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return whom a possible *step* captures, each with all that the step earns."""
    move = next(m for m in checker_of(ruleset).possible(state) if words([m.step]) == {step})
    return dict.fromkeys(((man.seat, man.pawn) for man in move.captured), move.earned)


def ends(ruleset: Ruleset, state: State, seat: int = 0) -> set[str]:
    """Return the squares of *seat* after every play."""
    board = ruleset.board
    return {
        text_of(board, position_of(board, moves[-1].after.men)).split("/")[seat]
        for moves in checker_of(ruleset).plays(state)
        if moves
    }


def cases(*given: tuple[str, tuple[Ruleset, ...], str, tuple[int, ...], set[str]]) -> pytest.MarkDecorator:
    """Return one test for each ruleset of each case: number, rulesets, position, dice, what is expected."""
    return pytest.mark.parametrize(
        ("ruleset", "text", "dice", "expected"),
        [
            pytest.param(ruleset, text, dice, expected, id=f"{number}: {ruleset.name}")
            for number, rulesets, text, dice, expected in given
            for ruleset in rulesets
        ],
    )


LANDING = (*US, RACKET)
ALL_OR_NOTHING = (PRESSMAN, WINNING_MOVES, SELCHOW_RIGHTER)


class TestWorkedCases:
    @cases(
        ("1", US, "N,H,H,H", (4, 1), {"5,H,H,H"}),
        ("2", US, "N,H,H,H", (5, 2), {"7,H,H,H"}),
        ("3", (WINNING_MOVES, SELCHOW_RIGHTER), "5,N,H,H", (5, 5), {"5,10,H,H", "10,5,H,H"}),
        ("4", LANDING, f"10,H,H,H/15,N,N,N/{NESTS}", (5, 1), {"16,H,H,H", "36,H,H,H"}),
        ("5", LANDING, f"10,H,H,H/12,N,N,N/{NESTS}", (2, 1), {"13,H,H,H"}),
        ("6", LANDING, f"N,H,H,H/5,N,N,N/{NESTS}", (5, 6), {"31,H,H,H"}),
        ("7", (CASUAL_CLASSIC,), f"N,H,H,H/5,N,N,N/{NESTS}", (5,), {"5,H,H,H"}),
        ("7", (CASUAL_SUPER,), f"N,H,H,H/5,N,N,N/{NESTS}", (5, 6), {"11,H,H,H"}),
        ("9", ALL_OR_NOTHING, "L6,L7,H,H", (1, 1), set()),
        ("9, as far as possible", (RACKET,), "L6,L7,H,H", (1, 1), {"L7,H,H,H", "H,L7,H,H"}),
        ("10", (HASBRO,), "30,H,H,H/-/41,41,N,N", (2, 2), {"39,H,H,H"}),
        ("11", (PRESSMAN,), "L2,20,H,H", (3, 3), {"L2,34,H,H", "L5,31,H,H", "L6,30,H,H"}),
        (
            "19",
            (RACKET, SELCHOW_RIGHTER, CASUAL_SUPER),
            "66,L6,H,H",
            (2, 3),
            {"L1,H,H,H", "L3,L6,H,H", "H,H,H,H"},
        ),
        ("19, after the numbers", (WINNING_MOVES,), "66,L6,H,H", (2, 3), {"L1,H,H,H", "L3,L6,H,H"}),
        ("22", (SELCHOW_RIGHTER,), "5,5,N,30", (5, 2), {"7,5,5,30", "5,7,5,30"}),
    )
    def test_ends_as_the_sheet_says(
        self, ruleset: Ruleset, text: str, dice: tuple[int, ...], expected: set[str]
    ) -> None:
        """
        The positions after every play are those that the rule book names.
        """
        assert ends(ruleset, thrown(ruleset, text, *dice)) == expected

    @cases(
        ("1", US, "N,N,N,N", (4, 1), {"0:14>5", "1:14>5", "2:14>5", "3:14>5"}),
        ("3", (WINNING_MOVES,), "5,N,H,H", (5, 5), {"1:5>5"}),
        ("3", (SELCHOW_RIGHTER, RACKET), "5,N,H,H", (5, 5), {"1:5>5", "0:5>10"}),
        ("5", LANDING, f"10,H,H,H/12,N,N,N/{NESTS}", (2, 1), {"0:1>11"}),
        (
            "12",
            (*LANDING, CASUAL_SUPER),
            "29,30,30,N",
            (3, 4),
            {"1:3>33", "1:4>34", "2:3>33", "2:4>34"},
        ),
        ("13", (HASBRO, PRESSMAN), "L4,H,H,H", (6, 4), {"0:4>99"}),
        ("14", (HASBRO, PRESSMAN), f"30,H,H,H/36,36,N,N/{NESTS}", (5, 2), {"0:5>35"}),
        ("14, either", (WINNING_MOVES,), f"30,H,H,H/36,36,N,N/{NESTS}", (5, 2), {"0:5>35", "0:2>32"}),
        ("16", (CASUAL_CLASSIC,), "30,30,40,50", (6,), {"0:7>37", "1:7>37"}),
        ("19", (RACKET,), "L6,66,H,H", (2, 3), {"0:2>99", "1:2>68", "1:3>71"}),
        (
            "20",
            (WINNING_MOVES,),
            f"10,30,H,H/13,N,N,N/{NESTS}",
            (3, 1),
            {"0:1>11", "0:3>13", "1:1>31", "1:3>33"},
        ),
        (
            "21",
            (WINNING_MOVES, CASUAL_SUPER),
            "5,5,N,30",
            (5, 2),
            {"0:2>7", "1:2>7", "3:2>32", "0:5>10", "1:5>10", "3:5>35"},
        ),
        ("22", (SELCHOW_RIGHTER,), "5,5,N,30", (5, 2), {"0:2>7", "1:2>7"}),
        ("23", (SELCHOW_RIGHTER,), "20,L6,N,40", (2, 2), {"0:2>22", "3:2>42"}),
    )
    def test_begins_as_the_sheet_says(
        self, ruleset: Ruleset, text: str, dice: tuple[int, ...], expected: set[str]
    ) -> None:
        """
        The legal first steps are those that the rule book names.
        """
        assert legal(ruleset, thrown(ruleset, text, *dice)) == expected

    @named("ruleset", [CASUAL_CLASSIC, CASUAL_SUPER], ids=lambda ruleset: ruleset.name)
    @named(("text", "returns"), [("5,N,N,N/5+,N,N,N", (2, 0)), ("5+,N,N,N/5,N,N,N", (1, 0))])
    def test_8_the_last_to_arrive_returns(
        self, ruleset: Ruleset, text: str, returns: tuple[int, int]
    ) -> None:
        """
        Entering a full entry captures the pawn that came last, and the captor came last then.
        """
        dice = (5, 6)[: ruleset.dice]
        state = thrown(ruleset, f"N,H,H,H/{text}/-", *dice)

        assert captures(ruleset, state, "0:5>5") == {returns: (20,)}
        assert after(ruleset, state, "0:5>5").arrived == 1

    @named("ruleset", ALL_OR_NOTHING, ids=lambda ruleset: ruleset.name)
    def test_9_the_seat_throws_again(self, ruleset: Ruleset) -> None:
        """
        The extra throw comes after a forfeited fourteen too.
        """
        over = checker_of(ruleset).play_over(thrown(ruleset, "L6,L7,H,H", 1, 1))

        assert (over.seat, over.repeats) == (0, 1)

    def test_10_the_seat_does_not_throw_again(self) -> None:
        """
        Not all numbers of the doublet were used.
        """
        state = thrown(HASBRO, "30,H,H,H/-/41,41,N,N", 2, 2)
        for step in ("0:2>32", "0:2>34", "0:5>39"):
            state = after(HASBRO, state, step)

        assert legal(HASBRO, state) == set()
        assert checker_of(HASBRO).play_over(state).seat == 2

    def test_15_a_pawn_is_captured_in_passing(self) -> None:
        """
        The 4 leads from 20 to 24 and meets the pawn on 22 on its way.
        """
        state = thrown(PAHRCHEESI, f"20,N,N,N/22,N,N,N/{NESTS}", 4, 2)

        assert captures(PAHRCHEESI, state, "0:4>24") == {(1, 0): ()}

    @named(
        "ruleset",
        [sheet for sheet in SHEETS.values() if sheet.third_throw is ThirdThrow.NEAREST_HOME],
        ids=lambda ruleset: ruleset.name,
    )
    def test_17_third_doublet_returns_the_pawn_nearest_home(self, ruleset: Ruleset) -> None:
        """
        L3 returns to the nest, the turn ends, nothing else moves.
        """
        over = thrown(ruleset, f"20,L3,H,N/-/{NESTS}/-", 2, 2, repeats=2)

        assert over == State(position_from(ruleset.board, f"20,N,H,N/-/{NESTS}/-"), 2)

    @named(
        ("last_moved", "expected"),
        [
            pytest.param(0, "N,L3,H,N", id="on the ring"),
            pytest.param(1, "20,L3,H,N", id="18: in the lane"),
            pytest.param(2, "20,L3,H,N", id="home"),
            pytest.param(None, "20,L3,H,N", id="nothing was moved"),
        ],
    )
    def test_18_third_doublet_returns_the_pawn_moved_last(
        self, last_moved: int | None, expected: str
    ) -> None:
        """
        The pawn moved last returns, unless it is in the lane or home; the turn ends.
        """
        over = thrown(CASUAL_SUPER, "20,L3,H,N", 2, 2, repeats=2, last_moved=last_moved)

        assert over == State(position_from(CASUAL_SUPER.board, f"{expected}/-/{NESTS}/-"), 2)


class TestThrow:
    """Section 3: what a throw gives."""

    @named(
        ("ruleset", "text", "dice", "expected"),
        [
            pytest.param(WINNING_MOVES, "20,N,N,N", (6, 2), (2, 6), id="two dice"),
            pytest.param(WINNING_MOVES, "20,30,H,H", (2, 2), (2, 2, 5, 5), id="both faces"),
            pytest.param(WINNING_MOVES, "20,30,N,H", (2, 2), (2, 2), id="a pawn in the nest"),
            pytest.param(CASUAL_SUPER, "20,30,H,H", (2, 2), (2, 2), id="top faces"),
            pytest.param(CASUAL_CLASSIC, "20,30,H,H", (6,), (7,), id="a six that counts seven"),
            pytest.param(CASUAL_CLASSIC, "20,30,N,H", (6,), (6,), id="a six with a pawn in the nest"),
            pytest.param(CASUAL_CLASSIC, "20,30,H,H", (3,), (3,), id="one die"),
        ],
    )
    def test_gives_numbers(
        self, ruleset: Ruleset, text: str, dice: tuple[int, ...], expected: tuple[int, ...]
    ) -> None:
        """
        Dice give numbers, by the pawns in the nest when they fall.
        """
        assert thrown(ruleset, text, *dice).numbers == expected


GENTLE_ENTRY, FULL_ENTRY = (
    variation(WINNING_MOVES, entry_capture=entering)
    for entering in (EntryCapture.NONE, EntryCapture.WHEN_FULL)
)


class TestEntering:
    """The table of section 4."""

    @named(
        ("text", "alone", "when_full", "none"),
        [
            pytest.param(f"N,H,H,H/{NESTS}", (), (), (), id="nothing"),
            pytest.param(f"N,5,H,H/{NESTS}", (), (), (), id="one own"),
            pytest.param("N,H,H,H/5,N,N,N", ((1, 0),), (), (), id="one opponent's"),
            pytest.param(f"N,5,5,H/{NESTS}", None, None, None, id="two own"),
            pytest.param("N,5+,H,H/5,N,N,N", None, ((1, 0),), None, id="one own, one opponent's"),
            pytest.param("N,H,H,H/5+,5,N,N", None, ((1, 0),), None, id="two opponents', one colour"),
            pytest.param("N,H,H,H/5,N,N,N/5,N,N,N", None, ((2, 0),), None, id="two opponents', two colours"),
        ],
    )
    def test_follows_the_table(
        self,
        text: str,
        alone: tuple[tuple[int, int], ...] | None,
        when_full: tuple[tuple[int, int], ...] | None,
        none: tuple[tuple[int, int], ...] | None,
    ) -> None:
        """
        Each row, in each column: whom entering captures, None where it is not possible.
        """
        for ruleset, expected in (
            (WINNING_MOVES, alone),
            (FULL_ENTRY, when_full),
            (GENTLE_ENTRY, none),
        ):
            state = thrown(ruleset, text, 5, 6)
            if expected is None:
                assert "0:5>5" not in possible(ruleset, state), ruleset.name
            else:
                assert tuple(captures(ruleset, state, "0:5>5")) == expected, ruleset.name

    def test_shares_with_a_partner_but_not_with_two(self) -> None:
        """
        The partner's pawns count as own, those of the other team as of one colour.
        """
        for others, enters in (
            (f"{NESTS}/5,N,N,N/{NESTS}", True),
            (f"{NESTS}/5,5,N,N/{NESTS}", False),
            (f"5,N,N,N/{NESTS}/5,N,N,N", False),
        ):
            state = thrown(PRESSMAN_TEAMS, f"N,H,H,H/{others}", 5, 6)

            assert ("0:5>5" in possible(PRESSMAN_TEAMS, state)) == enters, others

    def test_keeps_who_came_last(self) -> None:
        """
        The mark goes to the one that comes to another, and leaves the one that is left alone.
        """
        state = thrown(CASUAL_SUPER, "N,20,H,H/5,N,N,N", 5, 6)
        entered = after(CASUAL_SUPER, state, "0:5>5")
        assert entered.arrived == 0b1

        assert after(CASUAL_SUPER, entered, "0:6>11").arrived == 0


class TestAdvancing:
    """Section 4 but for the table."""

    @named(
        ("ruleset", "text", "dice", "expected"),
        [
            pytest.param(
                WINNING_MOVES, "L1,L3,L3,H", (2, 3), {"1:2>75", "2:2>75", "1:3>76", "2:3>76"}, id="lane pair"
            ),
            pytest.param(
                CASUAL_SUPER,
                "L1,L3,L3,H",
                (2, 3),
                {"0:2>73", "0:3>74", "1:2>75", "2:2>75", "1:3>76", "2:3>76"},
                id="three in a lane",
            ),
            pytest.param(
                CASUAL_SUPER, "10,H,H,H/12,N,N,N", (2, 3), {"0:2>12", "0:3>13"}, id="a safe square is shared"
            ),
            pytest.param(
                CASUAL_SUPER, "10,12,H,H/12,N,N,N", (2, 3), {"0:3>13", "1:2>14", "1:3>15"}, id="it is full"
            ),
            pytest.param(
                CASUAL_SUPER_MIXED,
                "10,12,H,H/12,N,N,N",
                (2, 3),
                {"1:2>14", "1:3>15"},
                id="two colours block it",
            ),
            pytest.param(
                CASUAL_SUPER_MIXED,
                "10,H,H,H/12,N,N,N/12,N,N,N",
                (2, 3),
                set(),
                id="two opponents' colours block it",
            ),
            pytest.param(
                PRESSMAN_GENTLE, "20,H,H,H/23,N,N,N", (3, 4), {"0:4>24"}, id="captures are not possible"
            ),
            pytest.param(
                PAHRCHEESI,
                "8,10,H,H/10,N,N,N/10,N,N,N",
                (2, 3),
                {"0:2>10", "0:3>11", "1:2>12", "1:3>13"},
                id="two of each colour on a circle",
            ),
            pytest.param(
                PAHRCHEESI, "8,H,H,H/10,10,N,N", (2, 3), set(), id="a pair blocks a circle for everyone"
            ),
            pytest.param(
                HASBRO, "66,H,H,H", (3, 1), {"0:3>71", "0:3>1", "0:1>67"}, id="two ways on from the tip"
            ),
            pytest.param(
                HASBRO,
                "68,3,H,H",
                (2, 1),
                {"0:2>72", "0:2>2", "0:1>71", "0:1>1", "1:2>5", "1:1>4"},
                id="between the tip and the entry",
            ),
            pytest.param(HASBRO, "66,H,H,H/1,1,N,N", (4, 3), {"0:3>71", "0:4>72"}, id="one way is blocked"),
            pytest.param(
                HASBRO, "3,H,H,H/5,N,N,N", (2, 3), {"0:3>6"}, id="its own entry is a safe square like others"
            ),
            pytest.param(
                PRESSMAN_TEAMS,
                f"10,H,H,H/{NESTS}/13,N,N,N/14,N,N,N",
                (3, 4),
                {"0:3>13", "0:4>14"},
                id="partners share any square",
            ),
            pytest.param(
                PRESSMAN_TEAMS,
                f"10,H,H,H/13,N,N,N/{NESTS}/13,N,N,N",
                (3, 4),
                set(),
                id="two of the other team block",
            ),
        ],
    )
    def test_is_possible(
        self, ruleset: Ruleset, text: str, dice: tuple[int, ...], expected: set[str]
    ) -> None:
        """
        What can be done with a number, whatever section 5 says of it.
        """
        assert possible(ruleset, thrown(ruleset, text, *dice)) == expected

    @named(
        ("ruleset", "text", "dice", "step", "expected"),
        [
            pytest.param(PAHRCHEESI, "20,N,N,N/22,23,N,N", (4, 2), "0:4>24", 2, id="all that are passed"),
            pytest.param(PAHRCHEESI, "20,N,N,N/22,25,N,N", (5, 2), "0:5>25", 2, id="passed and landed on"),
            pytest.param(PAHRCHEESI, "20,N,N,N/24,N,N,N", (5, 2), "0:5>25", 0, id="not on a circle"),
            pytest.param(PAHRCHEESI, "20,N,N,N/22,24,N,N", (4, 2), "0:4>24", 1, id="sharing a circle"),
            pytest.param(PRESSMAN_TEAMS, f"10,H,H,H/{NESTS}/13,N,N,N", (3, 2), "0:3>13", 0, id="a partner"),
            pytest.param(
                CASUAL_CLASSIC_COUPLES, f"10,H,H,H/{NESTS}/13,N,N,N", (3,), "0:3>13", 1, id="a partner too"
            ),
            pytest.param(HASBRO, "68,H,H,H/2,N,N,N", (2, 3), "0:2>2", 1, id="on a second lap"),
        ],
    )
    def test_captures(
        self, ruleset: Ruleset, text: str, dice: tuple[int, ...], step: str, expected: int
    ) -> None:
        """
        How many pawns a step captures.
        """
        assert len(captures(ruleset, thrown(ruleset, text, *dice), step)) == expected

    def test_bonus_captures_in_passing(self) -> None:
        """
        A bonus moves a pawn like a number.
        """
        ruleset = variation(PAHRCHEESI, capture_bonus=3)
        state = thrown(ruleset, "24,N,N,N/26,N,N,N", 1, 2)._replace(numbers=(), bonuses=(3,))

        assert captures(ruleset, state, "0:103>27") == {(1, 0): (3,)}

    @named(
        ("text", "dice", "step", "expected"),
        [
            pytest.param("30,H,H,H/31,31,N,N", (1, 1), "0:1>31", {(1, 0), (1, 1)}, id="lands on a pair"),
            pytest.param("25,H,H,H/31,31,N,N", (1, 1), "0:6>31", {(1, 0), (1, 1)}, id="with opposite faces"),
            pytest.param("28,H,H,H/29,29,N,N", (1, 1), "0:6>34", set(), id="passes a pair on a safe square"),
            pytest.param("28,H,H,H/29,29,N,N", (1, 1), "0:1>29", None, id="does not land on a safe square"),
            pytest.param("28,31,31,H", (1, 1), "0:6>34", None, id="own pairs stop"),
            pytest.param("30,N,H,H/31,31,N,N", (1, 2), "0:1>31", None, id="not with another throw"),
        ],
    )
    def test_double_one_breaks_pairs(
        self, text: str, dice: tuple[int, int], step: str, expected: set[tuple[int, int]] | None
    ) -> None:
        """
        Numbers of 1 1 pass opponents' pairs and capture both pawns of one.
        """
        state = thrown(HASBRO, text, *dice)
        if expected is None:
            assert step not in possible(HASBRO, state)
        else:
            assert set(captures(HASBRO, state, step)) == expected

    def test_double_one_does_not_share_with_a_pair(self) -> None:
        """
        On a safe square landing on a pair stays impossible, even where there is room for a third.
        """
        ruleset = variation(HASBRO, safe_sharing=True, square_limit=SquareLimit.TWO_OF_A_COLOUR)

        assert "0:1>29" not in possible(ruleset, thrown(ruleset, "28,H,H,H/29,29,N,N", 1, 1))

    def test_double_one_passes_a_pair_without_capturing_it(self) -> None:
        """
        Who captures in passing captures those that stand alone.
        """
        ruleset = variation(HASBRO, capture=Capture.PASSING)

        assert set(captures(ruleset, thrown(ruleset, "30,H,H,H/31,31,33,N", 1, 1), "0:6>36")) == {(1, 2)}

    def test_bonus_of_a_double_one_is_stopped_by_pairs(self) -> None:
        """
        Only the numbers of that throw break pairs.
        """
        state = thrown(HASBRO, "28,H,H,H/31,31,N,N", 1, 1)._replace(numbers=(), bonuses=(20,))

        assert possible(HASBRO, state) == set()


class TestBonusTiming:
    @named(
        ("ruleset", "expected"),
        [
            (WINNING_MOVES, {"0:4>17", "1:4>24"}),
            (CASUAL_SUPER, {"0:120>33", "1:120>40"}),
            (RACKET, {"0:4>17", "1:4>24", "0:120>33", "1:120>40"}),
        ],
        ids=["after_numbers", "at_once", "any_time"],
    )
    def test_says_when_a_bonus_comes(self, ruleset: Ruleset, expected: set[str]) -> None:
        """
        After the numbers, before the next number, or in any order.
        """
        state = thrown(ruleset, "10,20,H,H/13,N,N,N", 3, 4)

        assert legal(ruleset, after(ruleset, state, "0:3>13")) == expected

    def test_at_once_bonus_that_cannot_be_used_is_lost_with_the_next_number(self) -> None:
        """
        It waits until then, and no longer.
        """
        state = after(CASUAL_SUPER, thrown(CASUAL_SUPER, "57,L1,H,H/60,N,N,N", 3, 4), "0:3>60")
        assert state.bonuses == (20,)
        assert legal(CASUAL_SUPER, state) == {"0:4>64", "1:4>75"}

        assert after(CASUAL_SUPER, state, "0:4>64").bonuses == ()

    def test_at_once_bonus_that_would_break_rule_1_does_not_wait(self) -> None:
        """
        A bonus can be used only if a sequence goes on with it that rules 1 and 2 keep.
        """
        ruleset = variation(CASUAL_SUPER, capture_bonus=3, same_pair=SamePair.FORBIDDEN)
        state = thrown(ruleset, "20,20,H,H/23,24,24,N", 3, 1)
        captured = after(ruleset, state, "0:3>23")

        assert captured.bonuses == (3,)
        assert possible(ruleset, captured) >= {"1:103>23"}
        assert legal(ruleset, captured) == {"1:1>21"}

    def test_number_that_would_break_rule_1_does_not_hold_a_bonus_back(self) -> None:
        """
        After the numbers is when none of them can be used in a sequence that rules 1 and 2 keep.
        """
        state = thrown(WINNING_MOVES, "23,23,44,N/25,27,27,46", 2, 2)
        captured = after(WINNING_MOVES, state, "0:2>25")

        assert possible(WINNING_MOVES, captured) == {"1:2>25", "2:120>64"}
        assert legal(WINNING_MOVES, captured) == {"2:120>64"}

    def test_numbers_are_given_up_for_a_bonus(self) -> None:
        """
        Where all numbers must be used for another throw, the state remembers that some were not.
        """
        state = thrown(HASBRO, "29,H,H,H/34,N,N,N", 2, 2)._replace(numbers=(5,), bonuses=(20,))
        used = after(HASBRO, state, "0:120>49")

        assert (used.numbers, used.past) == ((), GAVE_UP)
        assert checker_of(HASBRO).play_over(used).seat != 0

    @pytest.mark.parametrize("timing", [BonusTiming.ANY_TIME, BonusTiming.AT_ONCE])
    def test_numbers_that_stay_are_not_given_up_for_a_bonus(self, timing: BonusTiming) -> None:
        """
        Only after the numbers does a bonus end them; else all may be used yet, and give another throw.
        """
        ruleset = variation(PRESSMAN_FINISHERS, bonus_timing=timing, extra_throw_if=ExtraThrowIf.ALL_USED)
        state = thrown(ruleset, f"10,N,N,N/13,N,N,N/{NESTS}/{NESTS}", 3, 3)
        used = after(ruleset, after(ruleset, state, "0:3>13"), "0:120>33")
        assert (used.numbers, used.past & GAVE_UP) == ((3,), 0)

        over = after(ruleset, used, "0:3>36")

        assert checker_of(ruleset).play_over(over).seat == 0


class TestSamePair:
    def test_forbidden_second_does_not_follow_the_first(self) -> None:
        """
        A pair does not move on as a pair; with the last number another pawn must be found, or none.
        """
        state = thrown(WINNING_MOVES, "30,30,N,H", 2, 2)
        assert legal(WINNING_MOVES, state) == {"0:2>32", "1:2>32"}

        assert legal(WINNING_MOVES, after(WINNING_MOVES, state, "0:2>32")) == {"0:2>34"}

    def test_forbidden_pair_may_come_home_as_a_pair(self) -> None:
        """
        Home is excepted: two pawns that stood together may both go there.
        """
        assert "H,H,H,N" in ends(RACKET, thrown(RACKET, "L6,L6,H,N", 2, 2))

    @named(("blocks", "expected"), [(True, False), (False, True)])
    def test_forbidden_is_about_pairs_that_block(self, blocks: bool, expected: bool) -> None:
        """
        Two in a lane are no pair where they do not block it.
        """
        ruleset = variation(CASUAL_SUPER, same_pair=SamePair.FORBIDDEN, lane_pairs_block=blocks)

        assert ("L3,L3,H,N" in ends(ruleset, thrown(ruleset, "L1,L1,H,N", 2, 2))) == expected

    def test_second_stays_on_a_doublet(self) -> None:
        """
        The second pawn of a pair is not moved by a number; a third pawn is.
        """
        state = thrown(CASUAL_SUPER, "30,30,40,H", 2, 2)

        assert legal(CASUAL_SUPER, after(CASUAL_SUPER, state, "0:2>32")) == {"0:2>34", "2:2>42"}

    def test_second_may_be_moved_by_another_throw_or_a_bonus(self) -> None:
        """
        The rule is about the numbers of a doublet.
        """
        state = thrown(CASUAL_SUPER, "30,30,N,H", 2, 4)
        assert legal(CASUAL_SUPER, after(CASUAL_SUPER, state, "0:2>32")) == {"0:4>36", "1:4>34"}

        state = thrown(CASUAL_SUPER, "30,30,N,H/32,N,N,N", 2, 2)
        assert legal(CASUAL_SUPER, after(CASUAL_SUPER, state, "0:2>32")) == {"0:120>52", "1:120>50"}


class TestDoubletHome:
    def test_whole_fourteen_takes_one_pawn_home(self) -> None:
        """
        A pawn that takes all four numbers alone may come home by a doublet.
        """
        assert "H,30,H,H" in ends(PRESSMAN, thrown(PRESSMAN, "62,20,H,H", 1, 1))

    def test_whole_fourteen_keeps_a_pawn_that_took_less_out(self) -> None:
        """
        With two numbers there is no fourteen, and no number of a doublet goes home.
        """
        assert legal(PRESSMAN, thrown(PRESSMAN, "20,L6,N,40", 2, 2)) == {"0:2>22", "3:2>42"}

        both = after(PRESSMAN, thrown(PRESSMAN, "L4,20,N,H", 2, 2), "0:2>76")
        assert legal(PRESSMAN, both) == {"1:2>22"}

    def test_with_fourteen_lets_home_if_all_four_are_used(self) -> None:
        """
        Which pawn takes the others does not matter.
        """
        state = thrown(SELCHOW_RIGHTER, "L6,20,H,H", 2, 2)

        assert "H,42,H,H" in ends(SELCHOW_RIGHTER, state)
        assert after(SELCHOW_RIGHTER, state, "0:2>99").past == BROUGHT_HOME

    def test_with_fourteen_keeps_out_if_not_all_four_can_be_used(self) -> None:
        """
        The others are blocked.
        """
        ruleset = variation(SELCHOW_RIGHTER, fourteen=Fourteen.AS_POSSIBLE)

        assert ends(ruleset, thrown(ruleset, "L6,20,H,H/26,26,N,N", 2, 2)) == {"L6,24,H,H"}

    @named("rule", [DoubletHome.WITH_FOURTEEN, DoubletHome.WHOLE_FOURTEEN])
    def test_may_drop_a_win(self, rule: DoubletHome) -> None:
        """
        Rules 2 and 3 may drop a sequence that ends the game.
        """
        ruleset = variation(RACKET, doublet_home=rule)
        state = thrown(ruleset, "L6,H,H,H", 2, 2)

        assert "0:2>99" in legal(RACKET, state)
        assert legal(ruleset, state) == set()


class TestMustOpen:
    def test_need_not_if_no_pair_can_open(self) -> None:
        """
        The pair is stopped, so others may move.
        """
        state = thrown(CASUAL_CLASSIC, "30,30,40,50/37,37,N,N", 6)

        assert legal(CASUAL_CLASSIC, state) == {"2:7>47", "3:7>57"}

    def test_any_step_of_the_play_will_do(self) -> None:
        """
        Another pawn may move first; then the pair must, and once it has, it need not again.
        """
        state = thrown(CASUAL_SUPER, "30,30,40,N", 3, 3)
        assert legal(CASUAL_SUPER, state) == {"0:3>33", "1:3>33", "2:3>43"}

        assert legal(CASUAL_SUPER, after(CASUAL_SUPER, state, "2:3>43")) == {"0:3>33", "1:3>33"}
        assert legal(CASUAL_SUPER, after(CASUAL_SUPER, state, "0:3>33")) == {"0:3>36", "2:3>43"}

    def test_pairs_in_a_lane_and_other_throws_do_not_count(self) -> None:
        """
        A pair on the ring, at a six, or at a doublet.
        """
        lane = thrown(CASUAL_CLASSIC, "L1,L1,20,40", 6)
        assert legal(CASUAL_CLASSIC, lane) == {"0:7>99", "1:7>99", "2:7>27", "3:7>47"}

        five = thrown(CASUAL_CLASSIC, "30,30,40,50", 4)
        assert legal(CASUAL_CLASSIC, five) == {"0:4>34", "1:4>34", "2:4>44", "3:4>54"}


class TestEnteringRule:
    def test_most_enters_the_one_that_is_left(self) -> None:
        """
        5 5 with one pawn in the nest: it enters, and the other 5 is played; opposite faces do not count.
        """
        state = thrown(SELCHOW_RIGHTER, "20,30,N,H", 5, 5)

        assert state.numbers == (5, 5)
        assert ends(SELCHOW_RIGHTER, state) == {"25,30,5,H", "20,35,5,H", "20,30,10,H"}

    def test_never_leaves_the_five_free(self) -> None:
        """
        Any use of a five is as good as another.
        """
        assert legal(RACKET, thrown(RACKET, "20,N,H,H", 5, 1)) == {"0:5>25", "0:1>21", "1:5>5"}

    def test_when_possible_uses_the_five_to_enter(self) -> None:
        """
        What could enter is not used otherwise, one of a five by sum neither.
        """
        assert legal(WINNING_MOVES, thrown(WINNING_MOVES, "20,N,H,H", 5, 1)) == {"1:5>5", "0:1>21"}
        assert legal(WINNING_MOVES, thrown(WINNING_MOVES, "20,N,H,H", 2, 3)) == {"1:23>5"}


class TestUse:
    def test_maximal_uses_the_most_and_greedy_what_is_left(self) -> None:
        """
        Where 30 takes the 2, nobody can take the 3 any more.
        """
        text = "L6,30,H,H/35,35,N,N"

        assert legal(WINNING_MOVES, thrown(WINNING_MOVES, text, 2, 3)) == {"0:2>99", "1:3>33"}
        assert legal(RACKET, thrown(RACKET, text, 2, 3)) == {"0:2>99", "1:3>33", "1:2>32"}


class TestSingleNumber:
    def test_a_win_with_the_smaller_is_kept(self) -> None:
        """
        Rule 7 never drops a sequence that ends the game.
        """
        ruleset = variation(RACKET, capture_bonus=19, single_number=SingleNumber.LARGER)
        text = "55,H,H,H/57,63,N,N"

        assert legal(ruleset, thrown(ruleset, text, 2, 6)) == {"0:2>57", "0:6>61"}
        assert legal(ruleset, thrown(ruleset, text.replace("57", "N"), 2, 6)) == {"0:6>61"}

    def test_has_no_effect_if_both_can_be_used(self) -> None:
        """
        Which comes first is free then.
        """
        assert legal(PRESSMAN, thrown(PRESSMAN, "30,H,H,H", 5, 2)) == {"0:5>35", "0:2>32"}

        ruleset = variation(RACKET, single_number=SingleNumber.LARGER)
        state = thrown(ruleset, "L6,30,H,H/35,35,N,N", 2, 3)
        assert legal(ruleset, state) == {"0:2>99", "1:3>33", "1:2>32"}


class TestTurns:
    """Section 6."""

    def test_extra_throw_if_something_was_played(self) -> None:
        """
        A doublet with which nothing could be moved gives no other.
        """
        checker = checker_of(PAHRCHEESI)
        stuck = thrown(PAHRCHEESI, "N,N,N,N", 3, 3)
        moving = thrown(PAHRCHEESI, "20,N,N,N", 3, 3)

        assert checker.play_over(stuck).seat == 2
        assert checker.play_over(after(PAHRCHEESI, moving, "0:3>23")).repeats == 1

    def test_extra_throw_if_all_numbers_were_used(self) -> None:
        """
        All four, or both.
        """
        state = thrown(HASBRO, "20,N,N,N", 2, 2)
        once = after(HASBRO, state, "0:2>22")

        assert checker_of(HASBRO).play_over(once).seat == 2
        assert checker_of(HASBRO).play_over(after(HASBRO, once, "0:2>24")).repeats == 1

    def test_extra_throw_for_a_six(self) -> None:
        """
        A six is a six where it counts seven, and the third of a turn is not played.
        """
        checker = checker_of(CASUAL_CLASSIC)
        over = checker.play_over(after(CASUAL_CLASSIC, thrown(CASUAL_CLASSIC, "20,H,H,H", 6), "0:7>27"))

        assert (over.seat, over.repeats, over.last_moved) == (0, 1, 0)
        third = checker.throw(over._replace(repeats=2), (6,))
        assert third == State(position_from(checker.board, f"N,H,H,H/-/{NESTS}/-"), 2)
        assert checker.throw(over._replace(repeats=2), (5,)).dice == (5,)

    def test_no_third_throw_rule(self) -> None:
        """
        Doublets go on.
        """
        assert thrown(HASBRO, "20,N,N,N", 2, 2, repeats=2).numbers == (2, 2)

    def test_nearest_home_goes_by_the_way_home(self) -> None:
        """
        On a second lap a pawn before its entry has farther to go than one on it; equals go by number.
        """
        ruleset = variation(HASBRO, third_throw=ThirdThrow.NEAREST_HOME)

        for text, expected in (("3,5,H,N", "3,N,H,N"), ("3,3,H,N", "3,N,H,N"), ("H,N,N,N", "H,N,N,N")):
            over = thrown(ruleset, text, 2, 2, repeats=2)
            assert text_of(ruleset.board, over.position).split("/")[0] == expected

    def test_turns_against_the_direction_of_travel(self) -> None:
        """
        The seat with the next lower number that is present.
        """
        state = thrown(PRESSMAN, f"20,N,N,N/{NESTS}/{NESTS}/-", 3, 4)

        assert checker_of(PRESSMAN).play_over(state).seat == 2
        assert checker_of(WINNING_MOVES).play_over(state).seat == 1

    @named(("out", "expected", "arrived"), [(0, "N,N,N,N", 0), (1, "5,N,N,N", 0), (2, "5,5,N,N", 0b10)])
    def test_pawns_begin_on_the_entry(self, out: int, expected: str, arrived: int) -> None:
        """
        Of two the higher number came last.
        """
        ruleset = variation(CASUAL_SUPER_START, pawns_out_at_start=out)
        start = checker_of(ruleset).start((0, 2), 0)

        assert text_of(ruleset.board, start.position).split("/")[0] == expected
        assert start.arrived & 0b1111 == arrived

    def test_loses_the_mark_with_a_lost_seat(self) -> None:
        """
        The pawn that is left alone did not come last of two.
        """
        state = state_of(CASUAL_SUPER, f"5+,N,N,N/5,N,N,N/{NESTS}")
        assert state.arrived == 1

        assert checker_of(CASUAL_SUPER).lose_seat(state, 1).arrived == 0


class TestTeams:
    FOUR = f"{NESTS}/10,20,30,40/{NESTS}"

    def test_one_member_wins_for_the_team(self) -> None:
        """
        The game ends when one has four home.
        """
        state = thrown(PRESSMAN_TEAMS, f"L7,H,H,H/{self.FOUR}", 1, 2)

        assert checker_of(PRESSMAN_TEAMS).apply(state, Step(0, 1, 99)).won

    def test_a_seat_finishes_and_the_game_goes_on(self) -> None:
        """
        Its numbers and bonuses are void, and its next throw begins with nothing moved.
        """
        state = thrown(PRESSMAN_FINISHERS, f"L7,H,H,H/{self.FOUR}", 1, 2)

        done = checker_of(PRESSMAN_FINISHERS).apply(state, Step(0, 1, 99))

        assert not done.won
        assert (done.state.numbers, done.state.bonuses, done.state.last_moved) == ((), (), None)
        assert legal(PRESSMAN_FINISHERS, done.state) == set()

    @named(
        ("partner", "dice", "numbers", "expected"),
        [
            ("10,20,30,40", (2, 2), (2, 2, 5, 5), {"0:2>12", "0:5>15"}),
            ("10,N,H,H", (2, 2), (2, 2), {"0:2>12"}),
            ("10,N,H,H", (5, 1), (1, 5), {"0:1>11", "1:5>39"}),
        ],
    )
    def test_a_seat_that_has_finished_plays_with_its_partners_pawns(
        self, partner: str, dice: tuple[int, int], numbers: tuple[int, ...], expected: set[str]
    ) -> None:
        """
        The partner's nest and entry count.
        """
        state = thrown(PRESSMAN_FINISHERS, f"H,H,H,H/{NESTS}/{partner}/{NESTS}", *dice)

        assert (state.seat, state.numbers) == (0, numbers)
        found = legal(PRESSMAN_FINISHERS, state)
        assert {step for step in found if step[0] in {word[0] for word in expected}} == expected

    def test_both_members_win(self) -> None:
        """
        The game ends when the partner's fourth pawn is home.
        """
        state = thrown(PRESSMAN_FINISHERS, f"H,H,H,H/{NESTS}/L7,H,H,H/{NESTS}", 1, 2)

        assert checker_of(PRESSMAN_FINISHERS).apply(state, Step(0, 1, 99)).won

    def test_a_penalty_hits_the_partners_pawns(self) -> None:
        """
        A third doublet of a seat that has finished costs its partner a pawn.
        """
        over = thrown(PRESSMAN_FINISHERS, f"H,H,H,H/{NESTS}/10,L3,N,N/{NESTS}", 2, 2, repeats=2)

        assert text_of(PRESSMAN_FINISHERS.board, over.position) == f"H,H,H,H/{NESTS}/10,N,N,N/{NESTS}"

    @named(
        ("text", "winner", "lost", "expected"),
        [
            pytest.param(f"H,H,H,H/{FOUR}", 0, (), {0: 1, 2: 1, 1: 2, 3: 2}, id="a winner"),
            pytest.param(
                f"H,H,H,H/H,H,H,N/{NESTS}/H,H,H,N", 2, (), {0: 1, 2: 1, 1: 2, 3: 2}, id="whatever others have"
            ),
            pytest.param(f"H,N,N,N/{FOUR}", None, (), {0: 1, 2: 1, 1: 2, 3: 2}, id="pawns at home"),
            pytest.param(
                f"20,N,N,N/{NESTS}/{NESTS}/20,N,N,N", None, (), {0: 2, 2: 2, 1: 1, 3: 1}, id="to go"
            ),
            pytest.param(
                f"{NESTS}/{NESTS}/{NESTS}/{NESTS}", None, (), dict.fromkeys(range(4), 1), id="equal"
            ),
            pytest.param(
                f"H,N,N,N/-/{NESTS}/{NESTS}", None, (1,), {0: 1, 2: 1, 3: 2, 1: 4}, id="a lost seat"
            ),
        ],
    )
    def test_share_their_place(
        self, text: str, winner: int | None, lost: tuple[int, ...], expected: dict[int, int]
    ) -> None:
        """
        Members stand together; lost seats are last.
        """
        board = PRESSMAN_TEAMS.board

        assert checker_of(PRESSMAN_TEAMS).places(position_from(board, text), winner, lost) == expected


def test_squares_to_go_count_on_a_second_lap() -> None:
    """
    A pawn one square before its entry has as far to go as one in the nest.
    """
    places = checker_of(HASBRO).places(position_from(HASBRO.board, f"4,N,N,N/-/{NESTS}/-"), None, ())

    assert places == {0: 1, 2: 1}


@named("name", [name for name in SHEETS if name in RULESETS])
def test_registered_ruleset_is_that_of_the_table(name: str) -> None:
    """
    Two copies of the rule book's table agree.
    """
    assert RULESETS[name].as_text() == SHEETS[name].as_text()


@named(
    "ruleset",
    [
        variation(WINNING_MOVES, six_counts_seven=True),
        variation(WINNING_MOVES, must_open=MustOpen.ON_SIX),
        variation(WINNING_MOVES, extra_throw=ExtraThrow.SIX),
        variation(WINNING_MOVES, dice=1),
        variation(PAHRCHEESI, entry_capture=EntryCapture.NONE),
        variation(CASUAL_SUPER, square_limit=SquareLimit.TWO_OF_A_COLOUR),
    ],
    ids=lambda ruleset: ruleset.name,
)
def test_what_cannot_be_played_is_refused(ruleset: Ruleset) -> None:
    """
    The checker gives no answer where the rule book has none.
    """
    with pytest.raises(ValueError, match="needs"):
        Checker(ruleset)


def test_all_sheets_can_be_played() -> None:
    """
    No named ruleset is refused.
    """
    assert not any(map(why_unplayable, SHEETS.values()))


def test_partners_are_opponents_where_they_capture() -> None:
    """
    `partner = capture`: a pair is of one colour, and a partner does not open an entry.
    """
    ruleset = variation(PRESSMAN_TEAMS, partner=Partner.CAPTURE)
    state = thrown(ruleset, f"N,H,H,H/{NESTS}/5,N,N,N/{NESTS}", 5, 6)

    assert captures(ruleset, state, "0:5>5") == {(2, 0): (20,)}


def test_mixed_pairs_are_on_safe_squares_only_with_one_die_too() -> None:
    """
    Casual Arena's mixed pairs, at the table with one die.
    """
    assert possible(CASUAL_CLASSIC_MIXED, thrown(CASUAL_CLASSIC_MIXED, "10,12,H,H/12,N,N,N", 3)) == {"1:3>15"}
