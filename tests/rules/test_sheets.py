"""
The sentences of the rule book that tell of a case, each put to the engine: sections 3 to 7.

Knows: positions, throws, and what the sentences say of them, for the rulesets that have the rule.
Does not know: how the engine comes to its answers. The table of section 8 is in `test_worked_cases.py`.
"""

from dataclasses import replace

import pytest

from referee.errors import ConfigError, PositionError
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text
from referee.rules.ruleset import (
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    MustOpen,
    Ruleset,
    SamePair,
    SingleNumber,
    TeamWin,
)
from referee.rules.rulesets import ruleset
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

named = pytest.mark.parametrize

FINISHERS = replace(ruleset("pressman_teams"), name="finishers", team_win=TeamWin.BOTH_MEMBERS)
"""Teams that win when both members have finished."""

SHARING = replace(ruleset("winning_moves"), name="sharing", safe_sharing=True)
"""An organiser's own ruleset in which two colours stand on an entry that captures a lone opponent."""

SPARING = replace(ruleset("casual_super"), name="sparing", entry_capture=EntryCapture.NONE)
"""One in which two colours of opponents stand on an entry that captures nobody."""


class TestWhatAThrowGives:
    """Section 3."""

    @named(
        ("name", "text", "dice", "expected"),
        [
            pytest.param("winning_moves", "20,N,N,N", (6, 2), (2, 6), id="two different dice: both"),
            pytest.param(
                "winning_moves", "20,30,N,H", (2, 2), (2, 2), id="a doublet with a pawn in the nest"
            ),
            pytest.param("winning_moves", "20,30,40,50", (2, 2), (2, 2, 5, 5), id="opposite faces, all out"),
            pytest.param("winning_moves", "20,30,H,H", (6, 6), (1, 1, 6, 6), id="pawns at home count as out"),
            pytest.param("casual_super", "20,30,H,H", (2, 2), (2, 2), id="no opposite faces"),
            pytest.param("pahrcheesi", "20,N,N,N", (2, 2), (2, 2), id="none in pahrcheesi"),
            pytest.param("casual_classic", "20,30,40,H", (6,), (7,), id="a 6 gives 7"),
            pytest.param(
                "casual_classic", "20,30,40,N", (6,), (6,), id="a 6 gives 6 with a pawn in the nest"
            ),
            pytest.param("casual_classic", "20,30,40,50", (5,), (5,), id="no other number counts more"),
            pytest.param("pressman_one_die", "20,30,40,50", (6,), (6,), id="a 6 is a 6 elsewhere"),
            pytest.param("casual_super", "20,30,40,50", (6, 6), (6, 6), id="a 6 of two dice is a 6"),
        ],
    )
    def test_dice_give_numbers(
        self, name: str, text: str, dice: tuple[int, ...], expected: tuple[int, ...]
    ) -> None:
        """
        By the pawns in the nest at the moment of the throw.
        """
        assert thrown(name, text, *dice).numbers == expected

    @named(
        ("dice", "words"),
        [((5, 3), "5"), ((1, 4), "1 and 4"), ((4, 1), "1 and 4"), ((2, 3), "2 and 3"), ((3, 2), "2 and 3")],
    )
    @named("name", ["winning_moves", "hasbro", "pressman", "casual_super"])
    def test_a_five_is_one_number_or_two_that_add_up(
        self, name: str, dice: tuple[int, int], words: str
    ) -> None:
        """
        It enters a pawn, and both numbers are used then.
        """
        state = after(name, thrown(name, "N,H,H,H", *dice), f"0: N to 5 with {words}")

        assert len(state.numbers) == (1 if words == "5" else 0)

    def test_opposite_faces_add_up_to_no_five(self) -> None:
        """
        With a pawn in the nest there are none, and without one there is nobody to enter.
        """
        assert legal("winning_moves", "N,20,H,H", 4, 4) == {"1: 20 to 24 with 4"}

    def test_a_capture_earns_for_each_pawn(self) -> None:
        """
        A double one that captures a pair earns 20 twice.
        """
        applied = taken("hasbro", thrown("hasbro", "30,H,H,H/31,31,N,N", 1, 1), "0: 30 to 31 with 1")

        assert (applied.captured, applied.earned) == (((1, 0), (1, 1)), (20, 20))

    @named("name", ["winning_moves", "selchow_righter", "hasbro", "casual_super", "racket"])
    def test_a_pawn_that_reaches_home_earns_ten(self, name: str) -> None:
        """
        L6 is two squares from home.
        """
        assert taken(name, thrown(name, "L6,20,H,H", 2, 6), "0: L6 to H with 2").earned == (10,)

    def test_a_bonus_is_for_any_pawn_on_the_ring_or_in_the_lane(self) -> None:
        """
        The captor included, but not for one in the nest; 20 is too much for the pawn in the lane.
        """
        state = thrown("racket", "10,30,L1,N/13,N,N,N", 3, 6)

        state = after("racket", state, "0: 10 to 13 with 3", "1: 30 to 36 with 6")

        assert steps("racket", state) == {"0: 13 to 33 with bonus 20", "1: 36 to 56 with bonus 20"}

    def test_a_bonus_of_five_enters_no_pawn(self) -> None:
        """
        A bonus is not a number of the throw.
        """
        own = replace(ruleset("winning_moves"), name="fives", capture_bonus=5)
        state = after(own, thrown(own, "10,N,H,H/13,N,N,N", 3, 1), "0: 10 to 13 with 3", "0: 13 to 14 with 1")

        assert steps(own, state) == {"0: 14 to 19 with bonus 5"}

    def test_a_bonus_captures_and_earns_again(self) -> None:
        """
        20 squares past the first captured pawn stands another.
        """
        state = thrown("winning_moves", "10,H,H,H/13,35,N,N", 3, 2)
        state = after("winning_moves", state, "0: 10 to 13 with 3", "0: 13 to 15 with 2")

        applied = taken("winning_moves", state, "0: 15 to 35 with bonus 20")

        assert (applied.captured, applied.earned, applied.state.bonuses) == (((1, 1),), (20,), (20,))

    def test_a_bonus_brings_a_pawn_home(self) -> None:
        """
        The bonus of 10 for one pawn is what the other has to go.
        """
        state = thrown("racket", "66,L6,20,H", 2, 3)

        assert taken("racket", state, "1: L6 to H with 2", "0: 66 to H with bonus 10").earned == (10,)


class TestAdvancing:
    """Section 4, *Advance by n*."""

    @named(
        ("name", "text", "dice", "expected"),
        [
            pytest.param(
                "winning_moves", "L6,H,H,H", (2, 3), {"0: L6 to H with 2"}, id="home by exact count"
            ),
            pytest.param("winning_moves", "L6,H,H,H", (6, 3), set(), id="too large a number is no use"),
            pytest.param(
                "winning_moves",
                "L5,L6,L6,N",
                (1, 3),
                numbered("12", "L6 to L7 with 1"),
                id="own pair in a lane",
            ),
            pytest.param(
                "casual_super",
                "L5,L6,L6,N",
                (1, 3),
                {"0: L5 to L6 with 1", "0: L5 to H with 3", *numbered("12", "L6 to L7 with 1")},
                id="three share a lane square where pairs do not block",
            ),
            pytest.param(
                "casual_super",
                "L5,L6,L6,L6",
                (1, 3),
                {"0: L5 to L6 with 1", "0: L5 to H with 3", *numbered("123", "L6 to L7 with 1")},
                id="four do",
            ),
            pytest.param(
                "racket", "L7,L7,H,N", (1, 3), numbered("01", "L7 to H with 1"), id="home never blocks"
            ),
            pytest.param(
                "racket", "10,H,H,H/13,13,N,N", (3, 6), set(), id="a pair is neither joined nor passed"
            ),
            pytest.param(
                "winning_moves", "10,H,H,H/12,N,N,N", (2, 6), {"0: 10 to 16 with 6"}, id="a held safe square"
            ),
            pytest.param(
                "casual_super",
                "10,H,H,H/12,N,N,N",
                (2, 6),
                {"0: 10 to 12 with 2", "0: 10 to 16 with 6"},
                id="a shared safe square",
            ),
            pytest.param(
                "casual_super",
                "10,12,H,H/12,N,N,N",
                (2, 6),
                {"0: 10 to 16 with 6", "1: 12 to 14 with 2", "1: 12 to 18 with 6"},
                id="a square holds two, and two colours do not block",
            ),
            pytest.param(
                "casual_super_mixed",
                "10,12,H,H/12,N,N,N",
                (2, 6),
                {"1: 12 to 14 with 2", "1: 12 to 18 with 6"},
                id="two colours on a safe square are a pair",
            ),
            pytest.param(
                "casual_classic_mixed",
                "10,12,H,H/12,N,N,N",
                (3,),
                {"1: 12 to 15 with 3"},
                id="with one die too",
            ),
            pytest.param(
                "pressman_gentle",
                "20,H,H,H/23,N,N,N",
                (3, 4),
                {"0: 20 to 24 with 4"},
                id="nobody is captured",
            ),
            pytest.param(
                "pahrcheesi",
                "8,10,H,H/10,N,N,N",
                (2, 3),
                {
                    "0: 8 to 10 with 2",
                    "0: 8 to 11 with 3",
                    "1: 10 to 12 with 2",
                    "1: 10 to 13 with 3",
                },
                id="only two of one colour on a circle",
            ),
            pytest.param(
                "pahrcheesi", "8,H,H,H/10,10,N,N", (2, 3), set(), id="a pair blocks a circle for all"
            ),
            pytest.param(
                "winning_moves",
                "20,H,H,H/22,N,N,N",
                (2, 3),
                {"0: 20 to 23 with 3"},
                id="another seat's entry",
            ),
            pytest.param(
                "pahrcheesi",
                "14,H,H,H/16,N,N,N",
                (2, 3),
                {"0: 14 to 16 with 2", "0: 14 to 17 with 3"},
                id="another seat's entry where it is plain",
            ),
        ],
    )
    def test_offers(self, name: str, text: str, dice: tuple[int, ...], expected: set[str]) -> None:
        """
        What a number can do, where no rule of section 5 drops it.
        """
        assert legal(name, text, *dice) == expected

    def test_a_run_from_entry_to_home_is_71_squares(self) -> None:
        """
        63 to the tip, 7 in the lane, then home.
        """
        board = rules_of("winning_moves").board

        assert (board.ring_steps - 1, board.lane, board.home - 1) == (63, 7, 71)

    @named(
        ("dice", "step", "captured"),
        [
            pytest.param((4, 2), "0: 20 to 24 with 4", 2, id="all that stand alone on the way"),
            pytest.param((2, 6), "0: 20 to 22 with 2", 1, id="one that is landed on"),
            pytest.param((1, 6), "0: 20 to 21 with 1", 0, id="none before them"),
        ],
    )
    def test_captures_in_passing(self, dice: tuple[int, int], step: str, captured: int) -> None:
        """
        Number by number: the pawns on 22 and 23 stand alone on plain squares, the one on 24 on a circle.
        """
        state = thrown("pahrcheesi", "20,N,N,N/22,24,N,N/23,N,N,N", *dice)

        assert len(taken("pahrcheesi", state, step).captured) == captured

    def test_captures_in_the_order_played(self) -> None:
        """
        The 1 first, then the 6, which passes the pawn on 22.
        """
        state = after(
            "pahrcheesi", thrown("pahrcheesi", f"20,N,N,N/22,N,N,N/{NESTS}", 1, 6), "0: 20 to 21 with 1"
        )

        assert pawns_of("pahrcheesi", state, seat=1) == "22,N,N,N"
        assert taken("pahrcheesi", state, "0: 21 to 27 with 6").captured == ((1, 0),)

    @named(
        ("text", "step", "captured"),
        [
            pytest.param("30,H,H,H/31,31,N,N", "0: 30 to 31 with 1", ((1, 0), (1, 1)), id="lands on a pair"),
            pytest.param(
                "25,H,H,H/31,31,N,N", "0: 25 to 31 with 6", ((1, 0), (1, 1)), id="with a 6 of its faces"
            ),
            pytest.param("30,H,H,H/31,31,N,N", "0: 30 to 36 with 6", (), id="passes a pair"),
            pytest.param("28,H,H,H/29,29,N,N", "0: 28 to 34 with 6", (), id="passes a pair on a safe square"),
        ],
    )
    def test_a_double_one_breaks_pairs(
        self, text: str, step: str, captured: tuple[tuple[int, int], ...]
    ) -> None:
        """
        Its numbers are not stopped by opponents' pairs, and capture both pawns of one on a plain square.
        """
        assert taken("hasbro", thrown("hasbro", text, 1, 1), step).captured == captured

    @named(
        ("text", "dice", "step"),
        [
            pytest.param("28,H,H,H/29,29,N,N", (1, 1), "0: 28 to 29 with 1", id="landing on a safe square"),
            pytest.param("28,31,31,H", (1, 1), "0: 28 to 34 with 6", id="passing an own pair"),
            pytest.param("30,N,H,H/31,31,N,N", (1, 2), "0: 30 to 31 with 1", id="a 1 of another throw"),
            pytest.param("30,H,H,H/36,36,N,N", (6, 6), "0: 30 to 36 with 6", id="another doublet"),
        ],
    )
    def test_a_double_one_leaves_impossible(self, text: str, dice: tuple[int, int], step: str) -> None:
        """
        What the sentence does not name.
        """
        assert step not in legal("hasbro", text, *dice)

    def test_a_bonus_of_a_double_one_is_stopped_by_pairs(self) -> None:
        """
        After the numbers 20 is left, and a pair stands on the way.
        """
        state = thrown("hasbro", "30,N,H,H/31,31,N,N/50,50,N,N", 1, 1)
        state = after("hasbro", state, "0: 30 to 31 with 1", "0: 31 to 32 with 1")

        assert (state.bonuses, steps("hasbro", state)) == ((20, 20), set())


ENTRIES = {
    "nothing": (f"N,H,H,H/{NESTS}/{NESTS}", ("enters", "enters", "enters")),
    "one own pawn": (f"N,5,H,H/{NESTS}/{NESTS}", ("enters", "enters", "enters")),
    "one opponent's": (f"N,H,H,H/5,N,N,N/{NESTS}", ("takes 1", "enters", "enters")),
    "two own pawns": (f"N,5,5,H/{NESTS}/{NESTS}", ("", "", "")),
    "one own, one opponent's": (f"N,5,H,H/5,N,N,N/{NESTS}", ("", "takes 1", "")),
    "two opponents', one colour": (f"N,H,H,H/5,5,N,N/{NESTS}", ("", "takes 1", "")),
    "two opponents', two colours": ("N,H,H,H/5,N,N,N/5,N,N,N", ("", "takes 2", "")),
}
"""What the entry holds, and what a five does with `entry_capture` alone, when_full and none."""


class TestEntering:
    """Section 4, *Enter*."""

    @named("row", ENTRIES)
    @named(("column", "of"), [*enumerate([SHARING, ruleset("casual_super"), SPARING])])
    def test_follows_the_table(self, row: str, column: int, of: Ruleset) -> None:
        """
        Each row in each column.
        """
        text, outcomes = ENTRIES[row]
        state = thrown(of, text, 5, 6)
        entering = [step for step in rules_of(of).steps(state) if step.square == 5 and step.pawn == 0]

        if not outcomes[column]:
            assert not entering
            return
        captured = rules_of(of).apply(state, entering[0]).captured
        assert "".join(f"takes {seat}" for seat, _ in captured) == outcomes[column].replace("enters", "")

    @named(
        ("others", "enters"),
        [
            pytest.param(f"{NESTS}/5,N,N,N/{NESTS}", True, id="a partner's pawn: they share"),
            pytest.param(f"{NESTS}/5,5,N,N/{NESTS}", False, id="two of the partner's"),
            pytest.param(f"5,N,N,N/{NESTS}/5,N,N,N", False, id="two of the other team, two colours"),
        ],
    )
    def test_counts_a_partners_pawns_as_own(self, others: str, enters: bool) -> None:
        """
        `partner = "pair"`; two of the other team block an entry, whatever their colours.
        """
        assert ("0: N to 5 with 5" in legal("pressman_teams", f"N,H,H,H/{others}", 5, 6)) == enters

    def test_captures_a_partner_that_is_an_opponent(self) -> None:
        """
        `partner = "capture"`, on an entry that captures a lone opponent.
        """
        own = replace(ruleset("pressman_teams"), name="own", partner=ruleset("casual_super_couples").partner)
        state = thrown(own, f"N,H,H,H/{NESTS}/5,N,N,N/{NESTS}", 5, 6)

        assert taken(own, state, "0: N to 5 with 5").captured == ((2, 0),)


class TestBonuses:
    """Section 5, `bonus_timing`."""

    @named(
        ("name", "expected"),
        [
            ("winning_moves", {"0: 13 to 17 with 4", "1: 20 to 24 with 4"}),
            ("casual_super", {"0: 13 to 33 with bonus 20", "1: 20 to 40 with bonus 20"}),
            (
                "racket",
                {
                    "0: 13 to 17 with 4",
                    "1: 20 to 24 with 4",
                    "0: 13 to 33 with bonus 20",
                    "1: 20 to 40 with bonus 20",
                },
            ),
        ],
        ids=["after_numbers", "at_once", "any_time"],
    )
    def test_come_when_the_ruleset_says(self, name: str, expected: set[str]) -> None:
        """
        After the numbers, before the next number, or in any order.
        """
        state = after(name, thrown(name, "10,20,H,H/13,N,N,N", 3, 4), "0: 10 to 13 with 3")

        assert steps(name, state) == expected

    def test_after_numbers_comes_when_no_number_can_be_used(self) -> None:
        """
        The 4 cannot land on 17, which is safe and held; once the bonus has been used no number is.
        """
        state = after(
            "winning_moves", thrown("winning_moves", "10,H,H,H/13,17,N,N", 3, 4), "0: 10 to 13 with 3"
        )
        assert steps("winning_moves", state) == {"0: 13 to 33 with bonus 20"}

        state = after("winning_moves", state, "0: 13 to 33 with bonus 20")
        assert (state.numbers, steps("winning_moves", state)) == ((), set())

    def test_at_once_lets_a_bonus_that_cannot_be_used_go(self) -> None:
        """
        It is lost with the next number.
        """
        state = after(
            "casual_super", thrown("casual_super", "57,L1,H,H/60,N,N,N", 3, 4), "0: 57 to 60 with 3"
        )
        assert (state.bonuses, steps("casual_super", state)) == (
            (20,),
            {"0: 60 to 64 with 4", "1: L1 to L5 with 4"},
        )

        assert after("casual_super", state, "0: 60 to 64 with 4").bonuses == ()

    def test_several_are_used_in_any_order(self) -> None:
        """
        10 for a pawn home and 20 for a capture wait together.
        """
        state = thrown("racket", "10,L6,20,N/13,N,N,N", 3, 2)
        state = after("racket", state, "0: 10 to 13 with 3", "1: L6 to H with 2")

        assert state.bonuses == (10, 20)
        assert steps("racket", state) == {
            f"{pawn}: {at} to {at + bonus} with bonus {bonus}"
            for pawn, at in ((0, 13), (2, 20))
            for bonus in (10, 20)
        }

    def test_one_that_no_pawn_can_use_whole_is_lost(self) -> None:
        """
        The pawn in the lane has less than 20 to go, as has the captor.
        """
        state = after("racket", thrown("racket", "60,L1,H,H/63,N,N,N", 1, 6), "0: 60 to 61 with 1")
        assert state.bonuses == ()

        state = after(
            "racket", thrown("racket", "57,L1,H,H/60,N,N,N", 3, 6), "0: 57 to 60 with 3", "1: L1 to L7 with 6"
        )
        assert (state.bonuses, steps("racket", state)) == ((20,), set())


class TestSamePair:
    """Section 5, rule 1."""

    @named("name", ["winning_moves", "selchow_righter", "hasbro", "pressman", "racket", "pahrcheesi"])
    def test_forbidden_does_not_move_a_pair_as_a_pair(self, name: str) -> None:
        """
        After the first 2 the second is for the same pawn.
        """
        state = after(name, thrown(name, "30,30,N,H", 2, 2), "0: 30 to 32 with 2")

        assert steps(name, state) == {"0: 32 to 34 with 2"}

    def test_forbidden_does_not_mind_a_new_pair(self) -> None:
        """
        One of the pair may join a third pawn.
        """
        state = after("racket", thrown("racket", "30,30,32,N", 2, 1), "0: 30 to 32 with 2")

        assert pawns_of("racket", state) == "32,30,32,N"

    def test_forbidden_lets_a_pair_come_home(self) -> None:
        """
        Home is excepted.
        """
        assert squares("H,H,H,N") in ends("racket", "L6,L6,H,N", 2, 2)

    def test_second_stays_on_a_doublet(self) -> None:
        """
        Once one pawn of the pair has been moved, the other is not; a third pawn is.
        """
        state = after("casual_super", thrown("casual_super", "30,30,40,H", 2, 2), "0: 30 to 32 with 2")

        assert steps("casual_super", state) == {"0: 32 to 34 with 2", "2: 40 to 42 with 2"}

    def test_second_may_be_moved_by_another_throw_or_by_a_bonus(self) -> None:
        """
        The rule is about the numbers of a doublet.
        """
        state = after("casual_super", thrown("casual_super", "30,30,N,H", 2, 4), "0: 30 to 32 with 2")
        assert steps("casual_super", state) == {"0: 32 to 36 with 4", "1: 30 to 34 with 4"}

        state = after(
            "casual_super", thrown("casual_super", "30,30,N,H/32,N,N,N", 2, 2), "0: 30 to 32 with 2"
        )
        assert "1: 30 to 50 with bonus 20" in steps("casual_super", state)


class TestDoublets:
    """Section 5, rules 2 and 3."""

    @named("name", ["pressman", "pressman_gentle", "pressman_teams"])
    def test_whole_fourteen_takes_one_pawn_home(self, name: str) -> None:
        """
        62 is fourteen squares from home: alone it may take all four numbers, and 30 goes on with the 10.
        """
        assert squares("H,40,H,H") in ends(name, "62,30,H,H", 1, 1)
        assert "1: L6 to H with 2" not in legal(name, "20,L6,N,40", 2, 2)

    def test_with_fourteen_lets_a_pawn_home_if_all_four_are_used(self) -> None:
        """
        L6 takes a 2 and 30 the rest, 12, and then the bonus of 10; or 30 takes all of it.
        """
        assert ends("selchow_righter", "L6,30,H,H", 2, 2) == {squares("H,52,H,H"), squares("L6,44,H,H")}

    @named("rule", [DoubletHome.WITH_FOURTEEN, DoubletHome.WHOLE_FOURTEEN])
    def test_may_drop_a_win(self, rule: DoubletHome) -> None:
        """
        Rules 2 and 3 may drop a sequence that ends the game, where `free` keeps it.
        """
        own = replace(ruleset("racket"), name="own", doublet_home=rule)

        assert "0: L6 to H with 2" in legal("racket", "L6,H,H,H", 2, 2)
        assert legal(own, "L6,H,H,H", 2, 2) == set()

    @named(
        ("name", "expected"),
        [("winning_moves", set()), ("hasbro", {"39,H,H,H"}), ("racket", {"39,H,H,H", "40,H,H,H"})],
    )
    def test_fourteen_is_all_or_nothing_or_as_possible(self, name: str, expected: set[str]) -> None:
        """
        From 30 the pair on 41 leaves 2, 2 and 5, or, where not the most need be used, 5 and 5.
        """
        assert ends(name, "30,H,H,H/-/41,41,N,N", 2, 2) == {squares(end) for end in expected}


class TestObligations:
    """Section 5, rules 4 to 7."""

    @named(
        ("name", "expected"),
        [
            ("racket", {"0: 20 to 25 with 5", "0: 20 to 21 with 1", "1: N to 5 with 5"}),
            ("winning_moves", {"0: 20 to 21 with 1", "1: N to 5 with 5"}),
            ("selchow_righter", {"0: 20 to 21 with 1", "1: N to 5 with 5"}),
        ],
        ids=["never", "when_possible", "most"],
    )
    def test_a_five_enters(self, name: str, expected: set[str]) -> None:
        """
        Where it must, it is used for nothing else.
        """
        assert legal(name, "20,N,H,H", 5, 1) == expected

    @named(("name", "sums"), [("racket", False), ("winning_moves", True), ("selchow_righter", True)])
    def test_a_five_by_sum_enters(self, name: str, sums: bool) -> None:
        """
        Neither of its two numbers is used otherwise.
        """
        entering = {"1: N to 5 with 2 and 3"}
        others = {"0: 20 to 22 with 2", "0: 20 to 23 with 3"}

        assert legal(name, "20,N,H,H", 2, 3) == (entering if sums else entering | others)

    @named(
        ("name", "text", "dice", "expected"),
        [
            pytest.param(
                "casual_classic",
                "30,30,40,50/37,37,N,N",
                (6,),
                {"2: 40 to 47 with 7", "3: 50 to 57 with 7"},
                id="a pair that is stopped need not open",
            ),
            pytest.param(
                "casual_classic",
                "30,30,40,50",
                (4,),
                {*numbered("01", "30 to 34 with 4"), "2: 40 to 44 with 4", "3: 50 to 54 with 4"},
                id="nor at another throw",
            ),
            pytest.param(
                "casual_classic",
                "L1,L1,20,40",
                (6,),
                {*numbered("01", "L1 to H with 7"), "2: 20 to 27 with 7", "3: 40 to 47 with 7"},
                id="nor in a lane",
            ),
            pytest.param(
                "casual_super",
                "30,30,40,N",
                (3, 3),
                {*numbered("01", "30 to 33 with 3"), "2: 40 to 43 with 3"},
                id="any step of the play will do",
            ),
        ],
    )
    def test_a_pair_opens(self, name: str, text: str, dice: tuple[int, ...], expected: set[str]) -> None:
        """
        On a six, or on a doublet, if it can.
        """
        assert legal(name, text, *dice) == expected

    def test_a_pair_opens_with_the_last_number_at_the_latest(self) -> None:
        """
        Another pawn has taken the first 3.
        """
        state = after("casual_super", thrown("casual_super", "30,30,40,N", 3, 3), "2: 40 to 43 with 3")

        assert steps("casual_super", state) == numbered("01", "30 to 33 with 3")

    def test_maximal_uses_the_most_and_greedy_what_is_left(self) -> None:
        """
        Where 30 takes the 2, nobody can take the 3 any more.
        """
        text = "L6,30,H,H/35,35,N,N"

        assert legal("winning_moves", text, 2, 3) == {"0: L6 to H with 2", "1: 30 to 33 with 3"}
        assert legal("racket", text, 2, 3) == {
            "0: L6 to H with 2",
            "1: 30 to 33 with 3",
            "1: 30 to 32 with 2",
        }

    @named(
        ("name", "smaller"),
        [("hasbro", False), ("pressman", False), ("winning_moves", True), ("racket", True)],
    )
    def test_the_larger_of_two_numbers_is_used(self, name: str, smaller: bool) -> None:
        """
        From 30 either can be played, not both.
        """
        found = legal(name, "30,H,H,H/36,36,N,N", 5, 2)

        assert found == {"0: 30 to 35 with 5"} | ({"0: 30 to 32 with 2"} if smaller else set())

    def test_the_smaller_may_win(self) -> None:
        """
        Rule 7 never drops a sequence that ends the game: the bonus of 19 does that from 57.
        """
        own = replace(ruleset("racket"), name="own", capture_bonus=19, single_number=SingleNumber.LARGER)

        assert legal(own, "55,H,H,H/57,63,N,N", 2, 6) == {"0: 55 to 57 with 2", "0: 55 to 61 with 6"}
        assert legal(own, "55,H,H,H/N,63,N,N", 2, 6) == {"0: 55 to 61 with 6"}

    def test_the_fourth_pawn_home_ends_the_game(self) -> None:
        """
        The 3 and the bonus are void.
        """
        applied = taken("racket", thrown("racket", "L6,H,H,H", 2, 3), "0: L6 to H with 2")

        assert applied.won
        assert steps("racket", applied.state) == set()


class TestTurns:
    """Section 6."""

    @named(
        ("name", "text", "dice", "played", "again"),
        [
            pytest.param("winning_moves", "N,N,N,N", (3, 3), (), True, id="always, though nothing moved"),
            pytest.param("casual_classic", "N,N,N,N", (6,), (), True, id="always, after a six"),
            pytest.param(
                "casual_classic", "20,N,N,N", (5,), ("1: N to 5 with 5",), False, id="not after a five"
            ),
            pytest.param("pahrcheesi", "N,N,N,N", (3, 3), (), False, id="played: nothing moved"),
            pytest.param(
                "pahrcheesi",
                "20,N,N,N",
                (3, 3),
                ("0: 20 to 23 with 3", "0: 23 to 26 with 3"),
                True,
                id="played: something moved",
            ),
            pytest.param(
                "pahrcheesi",
                "L3,N,N,N",
                (2, 2),
                ("0: L3 to L5 with 2",),
                True,
                id="played: one number will do",
            ),
            pytest.param(
                "hasbro", "L5,N,N,N", (2, 2), ("0: L5 to L7 with 2",), False, id="all_used: one was not"
            ),
            pytest.param(
                "hasbro",
                "20,N,N,N",
                (2, 2),
                ("0: 20 to 22 with 2", "0: 22 to 24 with 2"),
                True,
                id="all_used: both were",
            ),
            pytest.param("pressman_one_die", "N,N,N,N", (6,), (), False, id="no extra throw at all"),
            pytest.param(
                "winning_moves",
                "20,N,N,N",
                (3, 4),
                ("0: 20 to 23 with 3", "0: 23 to 27 with 4"),
                False,
                id="not without a doublet",
            ),
        ],
    )
    def test_a_seat_throws_again(
        self, name: str, text: str, dice: tuple[int, ...], played: tuple[str, ...], again: bool
    ) -> None:
        """
        As `extra_throw` and `extra_throw_if` say.
        """
        state = thrown(name, text, *dice)
        state = after(name, state, *played) if played else state
        assert steps(name, state) == set()

        over = rules_of(name).play_over(state)

        assert (over.seat == 0, over.repeats) == (again, int(again))

    @named(
        ("name", "text", "last_moved", "returned"),
        [
            pytest.param("winning_moves", "20,L3,H,N", 0, 1, id="nearest home, lane included"),
            pytest.param("winning_moves", "20,30,30,N", 0, 2, id="of two at one distance the higher number"),
            pytest.param("winning_moves", "N,N,H,H", None, None, id="with no pawn out nothing returns"),
            pytest.param("casual_super", "20,30,H,N", 0, 0, id="moved last"),
            pytest.param("casual_super", "20,30,5,N", 2, 2, id="entering counts as moving"),
            pytest.param("casual_super", "20,L3,H,N", 1, None, id="not from the lane"),
            pytest.param("casual_super", "20,L3,H,N", 2, None, id="nor from home"),
            pytest.param("casual_super", "20,L3,H,N", None, None, id="nothing was moved"),
            pytest.param("casual_classic", "20,30,H,N", 0, 0, id="at a third six"),
        ],
    )
    def test_a_third_throw_ends_the_turn(
        self, name: str, text: str, last_moved: int | None, returned: int | None
    ) -> None:
        """
        It is never played, and costs a pawn.
        """
        rules = rules_of(name)

        third = rules.throw(between(name, text, 2, last_moved), (6, 6)[: rules.ruleset.dice])

        assert (third.third, third.returned, third.state.seat) == (True, returned, 2)

    @named("name", ["hasbro", "pahrcheesi"])
    def test_doublets_go_on_without_a_third_throw_rule(self, name: str) -> None:
        """
        The third is played like the first.
        """
        state = after(
            name, thrown(name, "20,N,N,N", 6, 6, repeats=2), "0: 20 to 26 with 6", "0: 26 to 32 with 6"
        )

        assert rules_of(name).play_over(state).repeats == 3

    def test_a_bonus_counts_as_moving(self) -> None:
        """
        The pawn that used the bonus was moved last.
        """
        state = thrown("casual_super", "10,20,H,H/13,N,N,N", 3, 3)

        state = after("casual_super", state, "0: 10 to 13 with 3", "1: 20 to 40 with bonus 20")

        assert state.last_moved == 1

    @named(("name", "seat"), [("winning_moves", 1), ("racket", 1), ("pressman", 3), ("hasbro", 3)])
    def test_turns_go_round(self, name: str, seat: int) -> None:
        """
        With or against the direction of travel.
        """
        state = thrown(name, f"N,N,N,N/{NESTS}/{NESTS}/{NESTS}", 1, 2)

        assert rules_of(name).play_over(state).seat == seat

    @named(("out", "pawns"), [(0, "N,N,N,N"), (1, "5,N,N,N"), (2, "5,5,N,N")])
    @named("name", ["casual_super", "casual_classic", "winning_moves"])
    def test_pawns_begin_on_the_entry(self, name: str, out: int, pawns: str) -> None:
        """
        `pawns_out_at_start`.
        """
        own = replace(ruleset(name), name="own", pawns_out_at_start=out)

        assert pawns_of(own, rules_of(own).start((0, 2), 0)) == pawns

    @named(
        ("text", "winner", "expected"),
        [
            pytest.param("H,H,H,H/H,H,H,L7/-/-", 0, {0: 1, 1: 2}, id="the winner first"),
            pytest.param("H,N,N,N/60,60,60,N/-/-", None, {0: 1, 1: 2}, id="then pawns at home"),
            pytest.param(
                "5,N,N,N/N,N,N,N/-/-", None, {0: 1, 1: 2}, id="a nest is one more to go than an entry"
            ),
            pytest.param(
                "5,N,N,N/22,N,N,N/6,N,N,N/-", None, {0: 2, 1: 2, 2: 1}, id="equal places are shared"
            ),
        ],
    )
    def test_seats_are_ranked(self, text: str, winner: int | None, expected: dict[int, int]) -> None:
        """
        By the same order where the limit of throws is reached: without a winner.
        """
        rules = rules_of("winning_moves")

        assert rules.places(position_from_text(rules.ruleset, text)[0], winner, ()) == expected


class TestTeams:
    """Section 6, *Teams*."""

    FOUR = f"{NESTS}/10,20,30,40/{NESTS}"

    @named("name", ["pressman_teams", "casual_super_couples"])
    def test_one_member_wins(self, name: str) -> None:
        """
        Both members are first, whatever the partner has; the others are second.
        """
        applied = taken(name, thrown(name, f"L7,H,H,H/{self.FOUR}", 1, 2), "0: L7 to H with 1")

        assert applied.won
        assert rules_of(name).places(applied.state.position, 0, ()) == {0: 1, 2: 1, 1: 2, 3: 2}

    def test_both_members_win(self) -> None:
        """
        One that finishes goes on with the partner's pawns in its next throw; the fourth of those wins.
        """
        applied = taken(FINISHERS, thrown(FINISHERS, f"L7,H,H,H/{self.FOUR}", 1, 2), "0: L7 to H with 1")
        assert not applied.won
        assert steps(FINISHERS, applied.state) == set()

        last = taken(
            FINISHERS, thrown(FINISHERS, f"H,H,H,H/{NESTS}/L7,H,H,H/{NESTS}", 1, 2), "0: L7 to H with 1"
        )
        assert last.won

    @named(
        ("partner", "dice", "numbers", "step"),
        [
            pytest.param("10,20,30,40", (2, 2), (2, 2, 5, 5), "0: 10 to 12 with 2", id="its nest is empty"),
            pytest.param("10,N,H,H", (2, 2), (2, 2), "0: 10 to 12 with 2", id="its nest is not"),
            pytest.param("10,N,H,H", (5, 1), (1, 5), "1: N to 39 with 5", id="its entry"),
        ],
    )
    def test_a_finished_seat_plays_with_its_partners_pawns(
        self, partner: str, dice: tuple[int, int], numbers: tuple[int, ...], step: str
    ) -> None:
        """
        The partner's nest decides on opposite faces, and the partner's entry is used.
        """
        state = thrown(FINISHERS, f"H,H,H,H/{NESTS}/{partner}/{NESTS}", *dice)

        assert state.numbers == numbers
        assert step in steps(FINISHERS, state)

    def test_a_penalty_hits_the_partners_pawns(self) -> None:
        """
        Of a seat that has finished.
        """
        third = rules_of(FINISHERS).throw(
            between(FINISHERS, f"H,H,H,H/{NESTS}/10,L3,N,N/{NESTS}", repeats=2), (2, 2)
        )

        assert pawns_of(FINISHERS, third.state, seat=2) == "10,N,N,N"

    @named(
        ("text", "expected"),
        [
            pytest.param(f"H,N,N,N/{FOUR}", {0: 1, 2: 1, 1: 2, 3: 2}, id="more pawns home"),
            pytest.param(
                f"20,N,N,N/{NESTS}/{NESTS}/20,N,N,N", {0: 2, 2: 2, 1: 1, 3: 1}, id="fewer squares to go"
            ),
            pytest.param(f"H,H,H,N/H,H,N,N/{NESTS}/H,H,N,N", {0: 2, 2: 2, 1: 1, 3: 1}, id="the sums count"),
            pytest.param(f"{NESTS}/{NESTS}/{NESTS}/{NESTS}", {0: 1, 1: 1, 2: 1, 3: 1}, id="equal"),
        ],
    )
    def test_teams_are_compared_at_the_limit_of_throws(self, text: str, expected: dict[int, int]) -> None:
        """
        By the sums of their members.
        """
        rules = rules_of("pressman_teams")

        assert rules.places(position_from_text(rules.ruleset, text)[0], None, ()) == expected

    def test_partners_share_any_square_and_make_pairs(self) -> None:
        """
        Two of one team are a pair, two of the other team too, whatever their colours.
        """
        name = "pressman_teams"

        assert legal(name, f"10,H,H,H/{NESTS}/13,N,N,N/{NESTS}", 3, 4) == {
            "0: 10 to 13 with 3",
            "0: 10 to 14 with 4",
        }
        assert legal(name, f"10,13,H,H/{NESTS}/13,N,N,N/{NESTS}", 3, 4) == {
            "1: 13 to 16 with 3",
            "1: 13 to 17 with 4",
        }
        assert legal(name, f"10,H,H,H/13,N,N,N/{NESTS}/13,N,N,N", 3, 4) == set()

    def test_partners_are_opponents_where_they_capture(self) -> None:
        """
        `partner = "capture"`.
        """
        name = "casual_super_couples"
        state = thrown(name, f"10,H,H,H/{NESTS}/13,N,N,N/{NESTS}", 3, 4)

        assert taken(name, state, "0: 10 to 13 with 3").captured == ((2, 0),)


class TestNotes:
    """The notes below the table of section 7."""

    def test_selchow_righter_opens_its_entry_to_enter(self) -> None:
        """
        It enters most pawns: the other number opens the square, then the five enters.
        """
        assert ends("selchow_righter", "5,5,N,30", 5, 2) == {squares("5,5,7,30")}
        assert ends("selchow_righter", "5,5,N,30", 6, 5) == {squares("5,5,11,30")}

    def test_selchow_righter_enters_the_last_pawn_with_one_of_two_fives(self) -> None:
        """
        The other 5 is played; opposite faces do not count, since a pawn was in the nest at the throw.
        """
        assert thrown("selchow_righter", "20,30,N,H", 5, 5).numbers == (5, 5)
        assert ends("selchow_righter", "20,30,N,H", 5, 5) == {
            squares(end) for end in ("25,30,5,H", "20,35,5,H", "20,30,10,H")
        }

    @named(
        ("text", "dice", "expected"),
        [
            pytest.param(
                "66,H,H,H",
                (3, 1),
                {"0: 66 to L1 with 3", "0: 66 to 1 with 3", "0: 66 to 67 with 1"},
                id="a pawn that comes to its tip: both ways are open",
            ),
            pytest.param(
                "68,H,H,H",
                (2, 1),
                {"0: 68 to L2 with 2", "0: 68 to 2 with 2", "0: 68 to L1 with 1", "0: 68 to 1 with 1"},
                id="one that stands on it",
            ),
            pytest.param(
                "66,H,H,H/1,1,N,N", (4, 3), {"0: 66 to L1 with 3", "0: 66 to L2 with 4"}, id="one way is shut"
            ),
            pytest.param(
                "3,H,H,H", (2, 1), {"0: 3 to 5 with 2", "0: 3 to 4 with 1"}, id="its way begins again"
            ),
        ],
    )
    def test_hasbro_goes_round_again(self, text: str, dice: tuple[int, int], expected: set[str]) -> None:
        """
        Where both ways are open they are two different steps.
        """
        assert legal("hasbro", text, *dice) == expected

    def test_hasbro_has_as_far_to_go_before_its_entry_as_in_its_nest(self) -> None:
        """
        Its way home begins again at the entry.
        """
        rules = rules_of("hasbro")

        assert rules.places(position_from_text(rules.ruleset, f"4,N,N,N/-/{NESTS}/-")[0], None, ()) == {
            0: 1,
            2: 1,
        }

    def test_nobody_else_goes_round_again(self) -> None:
        """
        A pawn between its tip and its entry is refused.
        """
        with pytest.raises(PositionError, match="between"):
            between("winning_moves", "3,H,H,H")

    def test_pahrcheesi_shares_a_circle_until_a_pair_blocks_it(self) -> None:
        """
        Two colours may share a grey circle; a pair of one colour blocks it for everyone, its owner too.
        """
        assert "0: 8 to 10 with 2" in legal("pahrcheesi", "8,H,H,H/10,N,N,N/10,N,N,N", 2, 3)
        assert legal("pahrcheesi", f"8,10,10,N/{NESTS}", 2, 3) == {
            *numbered("12", "10 to 12 with 2"),
            *numbered("12", "10 to 13 with 3"),
            "3: N to 2 with 2 and 3",
        }

    @named(
        ("name", "field", "value"),
        [
            ("winning_moves", "six_counts_seven", True),
            ("winning_moves", "must_open", MustOpen.ON_SIX),
            ("winning_moves", "extra_throw", ExtraThrow.SIX),
            ("casual_classic", "extra_throw", ExtraThrow.DOUBLET),
            ("casual_classic", "same_pair", SamePair.SECOND_STAYS),
            ("casual_classic", "doublet_home", DoubletHome.WITH_FOURTEEN),
        ],
    )
    def test_what_cannot_be_played_is_refused(self, name: str, field: str, value: object) -> None:
        """
        With a sentence that names the field.
        """
        with pytest.raises(ConfigError, match=field):
            Rules(replace(ruleset(name), **{field: value}))  # type: ignore[arg-type]

    def test_teams_with_three_seats_are_refused(self) -> None:
        """
        Two teams of two take four.
        """
        with pytest.raises(ConfigError, match="four seats"):
            rules_of("pressman_teams").start((0, 1, 2), 0)
