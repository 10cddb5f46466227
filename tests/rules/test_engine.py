"""
What the engine makes of one step and of one throw: sections 3, 4 and 5 of the rule book, row by row.

The worked cases of section 8 are in `test_worked_cases.py`, turns and ranking in `test_engine_turns.py`.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.errors import PositionError, RefereeBug
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, step_text
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    Use,
)
from referee.rules.rulesets import ruleset
from referee.rules.state import Applied, State, Step

WINNING_MOVES = ruleset("winning_moves")
RACKET = ruleset("racket")
FREE = replace(RACKET, name="free", same_pair=SamePair.FREE)
"""Where nothing is forbidden: what is legal is what is possible."""

_COMPILED: dict[str, Rules] = {}


def rules_of(given: Ruleset) -> Rules:
    """Return *given* compiled; each name stands for one ruleset in this file."""
    if given.name not in _COMPILED:
        _COMPILED[given.name] = Rules(given)
    return _COMPILED[given.name]


def thrown(given: Ruleset, text: str, dice: Sequence[int], seat: int = 0) -> State:
    """Return the state after *seat* threw *dice* in the position *text*."""
    rules = rules_of(given)
    before = State(position_from_text(rules.ruleset, text)[0], seat)
    rules.check(before)
    return rules.throw(before, dice).state


def legal(given: Ruleset, state: State) -> set[str]:
    """Return the legal steps as text."""
    rules = rules_of(given)
    return {step_text(rules.ruleset, state, step) for step in rules.steps(state)}


def after(given: Ruleset, state: State, *texts: str) -> State:
    """Return *state* after the steps that *texts* name, each of them legal."""
    for text in texts:
        state = applied(given, state, text).state
    return state


def applied(given: Ruleset, state: State, text: str) -> Applied:
    """Return what the legal step *text* does."""
    rules = rules_of(given)
    named = {step_text(rules.ruleset, state, step): step for step in rules.steps(state)}
    assert text in named
    return rules.apply(state, named[text])


def shown(given: Ruleset, state: State) -> str:
    """Return the position of *state* as text."""
    return position_text(given.board, state.position)


class TestThrow:
    """What a throw gives: section 3."""

    @pytest.mark.parametrize(
        ("text", "dice", "numbers"),
        [
            pytest.param("5,N,N,N/-/N,N,N,N/-", (6, 2), (2, 6), id="two different dice give two numbers"),
            pytest.param("5,N,N,N/-/N,N,N,N/-", (3, 3), (3, 3), id="a doublet with a pawn in the nest: two"),
            pytest.param("5,7,9,11/-/N,N,N,N/-", (3, 3), (3, 3, 4, 4), id="a doublet with all out: fourteen"),
            pytest.param("5,H,H,H/-/N,N,N,N/-", (6, 6), (1, 1, 6, 6), id="pawns at home count as out"),
            pytest.param(
                "L1,L1,L2,L3/-/N,N,N,N/-", (2, 2), (2, 2, 5, 5), id="pawns in the lane count as out"
            ),
        ],
    )
    def test_gives_numbers(self, text: str, dice: Sequence[int], numbers: tuple[int, ...]) -> None:
        """
        Opposite faces come with a doublet when no pawn of the seat waits in its nest.
        """
        state = thrown(WINNING_MOVES, text, dice)

        assert state.numbers == numbers
        assert state.dice == tuple(dice)
        assert state.at_throw == state.position[0]

    def test_gives_no_opposite_faces_where_only_the_top_counts(self) -> None:
        """
        `doublet_faces = "top"`: a doublet is two numbers, always.
        """
        top = replace(
            WINNING_MOVES, name="top", doublet_faces=DoubletFaces.TOP, fourteen=Fourteen.AS_POSSIBLE
        )

        assert thrown(top, "5,7,9,11/-/N,N,N,N/-", (3, 3)).numbers == (3, 3)

    @pytest.mark.parametrize("dice", [(0, 3), (7, 1), (3,), (1, 2, 3), (), ("5", 2)], ids=str)
    def test_refuses_dice_that_nobody_throws(self, dice: Sequence[int]) -> None:
        """
        Two dice of 1 to 6; anything else is refused before it touches the state.
        """
        with pytest.raises(PositionError, match="two dice of 1 to 6"):
            thrown(WINNING_MOVES, "N,N,N,N/-/N,N,N,N/-", dice)

    def test_refuses_to_throw_over_a_throw(self) -> None:
        """
        A throw that is not played to its end cannot be followed by another.
        """
        state = thrown(WINNING_MOVES, "5,N,N,N/-/N,N,N,N/-", (1, 2))

        with pytest.raises(RefereeBug):
            rules_of(WINNING_MOVES).throw(state, (1, 2))


ADVANCING = [
    pytest.param("10,N,N,N/-/N,N,N,N/-", (3, 3), {"0: 10 to 13 with 3"}, id="an open way"),
    pytest.param("10,N,N,N/-/12,12,N,N/-", (3, 3), set(), id="an opponent's pair is not passed"),
    pytest.param("10,N,N,N/-/13,13,N,N/-", (3, 3), set(), id="an opponent's pair is not landed on"),
    pytest.param(
        "10,12,12,N/-/N,N,N,N/-",
        (3, 3),
        {"1: 12 to 15 with 3", "2: 12 to 15 with 3"},
        id="an own pair is not passed",
    ),
    pytest.param(
        "10,13,13,N/-/N,N,N,N/-",
        (3, 3),
        {"1: 13 to 16 with 3", "2: 13 to 16 with 3"},
        id="an own pair takes no third pawn",
    ),
    pytest.param(
        "10,13,N,N/-/N,N,N,N/-",
        (3, 3),
        {"0: 10 to 13 with 3", "1: 13 to 16 with 3"},
        id="a lone own pawn is joined",
    ),
    pytest.param("10,N,N,N/12,N,N,N/11,N,N,N/-", (3, 3), {"0: 10 to 13 with 3"}, id="lone pawns are passed"),
    pytest.param("10,N,N,N/-/13,N,N,N/-", (3, 3), {"0: 10 to 13 with 3"}, id="a lone one is landed on"),
    pytest.param("9,N,N,N/-/12,N,N,N/-", (3, 3), set(), id="but not on a safe square"),
    pytest.param("36,N,N,N/-/39,N,N,N/-", (3, 3), set(), id="nor on its own entry, which is safe"),
    pytest.param("67,N,N,N/-/N,N,N,N/-", (3, 3), {"0: 67 to L2 with 3"}, id="into the own lane"),
    pytest.param("67,N,N,N/1,1,N,N/-/2,2,N,N", (3, 3), {"0: 67 to L2 with 3"}, id="past what is not its way"),
    pytest.param("66,N,N,N/-/68,68,N,N/-", (3, 3), set(), id="a pair on the tip blocks the lane"),
    pytest.param(
        "68,L2,L2,N/-/N,N,N,N/-",
        (3, 3),
        {"1: L2 to L5 with 3", "2: L2 to L5 with 3"},
        id="a pair in the lane blocks it",
    ),
    pytest.param("L5,N,N,N/-/N,N,N,N/-", (3, 3), {"0: L5 to H with 3"}, id="home by exact count"),
    pytest.param("L6,N,N,N/-/N,N,N,N/-", (3, 3), set(), id="a number that is too large"),
    pytest.param("L5,H,H,N/-/N,N,N,N/-", (3, 3), {"0: L5 to H with 3"}, id="home never blocks"),
    pytest.param("N,N,N,N/-/N,N,N,N/-", (3, 3), set(), id="nobody is out"),
]


class TestAdvance:
    """When a pawn can advance: section 4."""

    @pytest.mark.parametrize(("text", "dice", "steps"), ADVANCING)
    def test_is_possible(self, text: str, dice: Sequence[int], steps: set[str]) -> None:
        """
        A pawn advances by exact count, past whatever is no pair, to where it may land.
        """
        assert legal(FREE, thrown(FREE, text, dice)) == steps

    @pytest.mark.parametrize("turned", [1, 2, 3])
    @pytest.mark.parametrize(("text", "dice", "steps"), ADVANCING)
    def test_is_the_same_from_every_seat(
        self, text: str, dice: Sequence[int], steps: set[str], turned: int
    ) -> None:
        """
        The board looks alike from all four sides.
        """
        state = thrown(FREE, text, dice)
        position = state.position[-turned:] + state.position[:-turned]
        a, b, c, d = position
        rules = rules_of(FREE)

        there = rules.throw(State((a, b, c, d), turned), dice).state

        assert [(s.pawn, s.use) for s in rules.steps(there)] == [(s.pawn, s.use) for s in rules.steps(state)]
        assert len(steps) == len(rules.steps(there))

    def test_lands_with_every_number(self) -> None:
        """
        Each number is a landing of its own, also when one pawn uses both: 12 is safe and held.
        """
        state = thrown(FREE, "10,H,H,H/-/12,N,N,N/-", (2, 1))

        assert legal(FREE, state) == {"0: 10 to 11 with 1"}
        assert legal(FREE, after(FREE, state, "0: 10 to 11 with 1")) == {"0: 11 to 13 with 2"}


class TestCapture:
    def test_sends_a_lone_pawn_home_and_earns_a_bonus(self) -> None:
        """
        Landing on a plain square that holds one opponent's pawn captures it.
        """
        state = thrown(WINNING_MOVES, "10,H,H,N/-/13,N,H,N/-", (3, 1))

        done = applied(WINNING_MOVES, state, "0: 10 to 13 with 3")

        assert done.captured == ((2, 0),)
        assert done.earned == (20,)
        assert shown(WINNING_MOVES, done.state) == "13,H,H,N/-/N,N,H,N/-"
        assert done.state.numbers == (1,)
        assert done.state.bonuses == (20,)
        assert done.state.last_moved == 0
        assert not done.won

    def test_of_a_bonus_earns_a_bonus(self) -> None:
        """
        A bonus may capture, and earns bonuses itself.
        """
        state = thrown(WINNING_MOVES, "21,H,H,N/-/24,47,N,N/-", (3, 3))
        state = after(WINNING_MOVES, state, "0: 21 to 24 with 3", "0: 24 to 27 with 3")

        done = applied(WINNING_MOVES, state, "0: 27 to 47 with bonus 20")

        assert (done.captured, done.earned) == (((2, 1),), (20,))
        assert legal(WINNING_MOVES, done.state) == {"0: 47 to 67 with bonus 20"}

    def test_without_a_bonus_earns_none(self) -> None:
        """
        `capture_bonus = 0`: the pawn returns, and nothing waits.
        """
        poor = replace(WINNING_MOVES, name="poor", capture_bonus=0, home_bonus=0)
        state = thrown(poor, "10,L5,H,N/-/13,N,N,N/-", (3, 3))

        done = applied(poor, state, "0: 10 to 13 with 3")

        assert done.captured == ((2, 0),)
        assert done.earned == done.state.bonuses == ()
        assert applied(poor, done.state, "1: L5 to H with 3").earned == ()

    def test_home_earns_its_bonus(self) -> None:
        """
        A pawn that reaches home gives 10.
        """
        done = applied(
            WINNING_MOVES, thrown(WINNING_MOVES, "L5,10,N,N/-/N,N,N,N/-", (3, 1)), "0: L5 to H with 3"
        )

        assert done.earned == (10,)
        assert not done.won


ENTERING = [
    pytest.param("N,10,H,H/-/N,N,N,N/-", "5,10,H,H/-/N,N,N,N/-", id="nothing on the entry"),
    pytest.param("N,5,H,H/-/N,N,N,N/-", "5,5,H,H/-/N,N,N,N/-", id="one own pawn"),
    pytest.param("N,10,H,H/-/5,N,N,N/-", "5,10,H,H/-/N,N,N,N/-", id="one opponent's pawn: it is captured"),
    pytest.param("N,5,5,H/-/N,N,N,N/-", None, id="two own pawns"),
    pytest.param("N,10,H,H/-/5,5,N,N/-", None, id="two opponent's pawns"),
]


class TestEnter:
    """When a pawn can enter: section 4."""

    @pytest.mark.parametrize(
        ("dice", "use"),
        [
            pytest.param((5, 6), "5", id="one number 5"),
            pytest.param((1, 4), "1 and 4", id="1 and 4"),
            pytest.param((3, 2), "2 and 3", id="2 and 3"),
        ],
    )
    @pytest.mark.parametrize(("text", "then"), ENTERING)
    def test_with_a_five(self, text: str, then: str | None, dice: Sequence[int], use: str) -> None:
        """
        With a five, unless the entry holds a pair.
        """
        state = thrown(WINNING_MOVES, text, dice)
        step = f"0: N to 5 with {use}"

        if then is None:
            assert step not in legal(WINNING_MOVES, state)
        else:
            assert shown(WINNING_MOVES, after(WINNING_MOVES, state, step)) == then

    def test_with_a_five_by_sum_takes_both_numbers(self) -> None:
        """
        Two numbers that add up to 5 are used together.
        """
        state = thrown(WINNING_MOVES, "N,10,H,H/-/N,N,N,N/-", (1, 4))

        assert after(WINNING_MOVES, state, "0: N to 5 with 1 and 4").numbers == ()

    def test_does_not_take_a_bonus(self) -> None:
        """
        A bonus never enters a pawn, be it 5 squares.
        """
        five = replace(FREE, name="five", capture_bonus=5)
        state = thrown(five, "10,N,N,N/-/13,N,N,N/-", (3, 3))

        state = after(five, state, "0: 10 to 13 with 3")

        assert legal(five, state) == {"0: 13 to 16 with 3", "0: 13 to 18 with bonus 5"}

    def test_captures_for_the_bonus(self) -> None:
        """
        Entering on an opponent's pawn captures it, though the entry is safe.
        """
        state = thrown(WINNING_MOVES, "N,10,H,H/-/5,N,N,N/-", (5, 6))

        done = applied(WINNING_MOVES, state, "0: N to 5 with 5")

        assert (done.captured, done.earned) == (((2, 0),), (20,))


class TestBonusTiming:
    def test_after_numbers_waits_for_the_numbers(self) -> None:
        """
        `after_numbers`: a bonus comes in when no number is left or can be used.
        """
        state = thrown(WINNING_MOVES, "10,H,H,N/-/13,N,N,N/-", (3, 1))

        state = after(WINNING_MOVES, state, "0: 10 to 13 with 3")

        assert legal(WINNING_MOVES, state) == {"0: 13 to 14 with 1"}
        assert legal(WINNING_MOVES, after(WINNING_MOVES, state, "0: 13 to 14 with 1")) == {
            "0: 14 to 34 with bonus 20"
        }

    def test_after_numbers_voids_a_number_that_could_not_be_used(self) -> None:
        """
        Once a bonus was used, no number of that throw is used any more, though it now could be.
        """
        text = "47,11,H,H/17,N,N,N/48,50,50,12/-"
        steps = ("0: 47 to 48 with 1", "1: 11 to 31 with bonus 20")

        voided = after(WINNING_MOVES, thrown(WINNING_MOVES, text, (1, 6)), *steps)
        still_left = after(FREE, thrown(FREE, text, (1, 6)), *steps)

        assert voided.numbers == ()
        assert legal(WINNING_MOVES, voided) == set()
        assert legal(FREE, still_left) == {"1: 31 to 37 with 6"}

    def test_any_time_lets_a_bonus_go_first(self) -> None:
        """
        `any_time`: bonuses and numbers in any order, and both may still be used.
        """
        state = thrown(FREE, "10,H,H,N/-/13,N,N,N/-", (3, 1))

        state = after(FREE, state, "0: 10 to 13 with 3")

        assert legal(FREE, state) == {"0: 13 to 14 with 1", "0: 13 to 33 with bonus 20"}
        assert after(FREE, state, "0: 13 to 33 with bonus 20").numbers == (1,)

    def test_bonus_that_no_pawn_can_use_whole_is_lost(self) -> None:
        """
        A bonus is undivided: where no pawn can go so far, the play is over without it.
        """
        state = thrown(WINNING_MOVES, "L5,N,H,N/-/N,N,N,N/-", (3, 1))

        state = after(WINNING_MOVES, state, "0: L5 to H with 3")

        assert state.bonuses == (10,)
        assert legal(WINNING_MOVES, state) == set()


class TestSamePair:
    """Rule 1 of section 5."""

    def test_forbids_to_move_a_pair_as_a_pair(self) -> None:
        """
        Two pawns that stood together at the throw may not stand together again elsewhere.
        """
        state = thrown(WINNING_MOVES, "20,20,N,H/-/N,N,N,N/-", (3, 3))
        state = after(WINNING_MOVES, state, "0: 20 to 23 with 3")

        assert legal(WINNING_MOVES, state) == {"0: 23 to 26 with 3"}

    def test_leaves_a_new_pair_alone(self) -> None:
        """
        A pair of other pawns is fine.
        """
        state = thrown(WINNING_MOVES, "20,20,23,N/-/N,N,N,N/-", (3, 3))

        assert "0: 20 to 23 with 3" in legal(WINNING_MOVES, state)
        state = after(WINNING_MOVES, state, "0: 20 to 23 with 3", "2: 23 to 26 with 3")
        assert shown(WINNING_MOVES, state) == "23,20,26,N/-/N,N,N,N/-"

    def test_does_not_count_at_home(self) -> None:
        """
        Home excepted: both of a pair may go home in one throw.
        """
        state = thrown(WINNING_MOVES, "L4,L4,N,30/-/N,N,N,N/-", (4, 4))

        state = after(WINNING_MOVES, state, "0: L4 to H with 4")

        assert "1: L4 to H with 4" in legal(WINNING_MOVES, state)

    def test_makes_the_number_before_impossible_to_waste(self) -> None:
        """
        What could only be used by breaking the rule is excused: the second 6 cannot be used.
        """
        state = thrown(WINNING_MOVES, "20,20,N,H/-/32,32,N,N/-", (6, 6))

        state = after(WINNING_MOVES, state, "0: 20 to 26 with 6")

        assert legal(WINNING_MOVES, state) == set()

    def test_judges_the_end_of_the_play(self) -> None:
        """
        The pair may come together midway, when the play goes on and parts it again.
        """
        state = thrown(WINNING_MOVES, "20,20,30,H/-/N,N,N,N/-", (1, 1))
        state = after(WINNING_MOVES, state, "0: 20 to 21 with 1")

        assert "1: 20 to 21 with 1" in legal(WINNING_MOVES, state)

    def test_is_off_where_pairs_are_free(self) -> None:
        """
        `same_pair = "free"`: no effect.
        """
        state = thrown(FREE, "20,20,N,H/-/N,N,N,N/-", (3, 3))
        state = after(FREE, state, "0: 20 to 23 with 3")

        assert "1: 20 to 23 with 3" in legal(FREE, state)


class TestFourteen:
    """Rule 3 of section 5."""

    def test_is_all_or_nothing(self) -> None:
        """
        Where the four numbers cannot all be used, nothing moves.
        """
        assert legal(WINNING_MOVES, thrown(WINNING_MOVES, "L1,H,H,H/-/N,N,N,N/-", (1, 1))) == set()

    def test_drops_what_spoils_it(self) -> None:
        """
        Only steps after which the rest can be used are legal: the 1 of L6 must not be used by 30.
        """
        state = thrown(WINNING_MOVES, "30,L6,H,H/-/44,44,N,N/-", (1, 1))

        assert legal(WINNING_MOVES, state) == {
            "0: 30 to 31 with 1",
            "0: 30 to 36 with 6",
            "1: L6 to L7 with 1",
        }
        spoiling = after(WINNING_MOVES, state, "0: 30 to 31 with 1")
        assert "0: 31 to 32 with 1" not in legal(WINNING_MOVES, spoiling)

    def test_as_possible_uses_what_can_be(self) -> None:
        """
        `fourteen = "as_possible"`: what can be used is.
        """
        as_possible = replace(WINNING_MOVES, name="as possible", fourteen=Fourteen.AS_POSSIBLE)

        assert legal(as_possible, thrown(as_possible, "L1,H,H,H/-/N,N,N,N/-", (1, 1))) == {
            "0: L1 to L2 with 1",
            "0: L1 to L7 with 6",
        }


class TestEntering:
    """Rule 4 of section 5."""

    def test_takes_the_five(self) -> None:
        """
        A five that can enter a pawn is used for nothing else; the other number may come first.
        """
        state = thrown(WINNING_MOVES, "30,N,N,H/-/N,N,N,N/-", (5, 2))

        assert legal(WINNING_MOVES, state) == {
            "0: 30 to 32 with 2",
            "1: N to 5 with 5",
            "2: N to 5 with 5",
        }

    def test_takes_both_numbers_of_a_sum(self) -> None:
        """
        Neither 1 nor 4 is used otherwise at a moment when together they could enter a pawn.
        """
        state = thrown(WINNING_MOVES, "30,N,H,H/-/N,N,N,N/-", (4, 1))

        assert legal(WINNING_MOVES, state) == {"1: N to 5 with 1 and 4"}

    def test_lets_the_five_go_where_the_entry_is_shut(self) -> None:
        """
        What cannot enter may advance; once the entry is open, it must enter again.
        """
        state = thrown(WINNING_MOVES, "5,5,N,30/-/N,N,N,N/-", (5, 2))

        assert "3: 30 to 35 with 5" in legal(WINNING_MOVES, state)
        assert legal(WINNING_MOVES, after(WINNING_MOVES, state, "0: 5 to 7 with 2")) == {"2: N to 5 with 5"}

    def test_never_is_no_obligation(self) -> None:
        """
        `must_enter = "never"`: no effect.
        """
        state = thrown(RACKET, "30,N,N,H/-/N,N,N,N/-", (5, 2))

        assert "0: 30 to 35 with 5" in legal(RACKET, state)


class TestUsingTheThrow:
    """Rule 6 of section 5."""

    def test_maximal_drops_what_leaves_fewer_to_use(self) -> None:
        """
        As many numbers as possible are used: the 1 is not for L4, which alone can use the 4.
        """
        state = thrown(WINNING_MOVES, "L4,H,H,30/-/32,32,N,N/-", (4, 1))

        assert legal(WINNING_MOVES, state) == {"0: L4 to H with 4", "3: 30 to 31 with 1"}

    def test_greedy_lets_the_seat_choose_badly(self) -> None:
        """
        Greedy: what is left unused by an earlier choice is no fault.
        """
        state = thrown(RACKET, "L4,H,H,30/-/32,32,N,N/-", (4, 1))

        assert legal(RACKET, state) == {
            "0: L4 to L5 with 1",
            "0: L4 to H with 4",
            "3: 30 to 31 with 1",
        }

    def test_never_drops_the_end_of_the_game(self) -> None:
        """
        A play that ends the game is legal though it uses fewer numbers than another.
        """
        last_two = thrown(WINNING_MOVES, "L5,66,H,H/-/68,N,N,N/-", (3, 2))
        one_more = thrown(WINNING_MOVES, "L5,66,H,N/-/68,N,N,N/-", (3, 2))

        assert "0: L5 to H with 3" in legal(WINNING_MOVES, last_two)
        assert "0: L5 to H with 3" not in legal(WINNING_MOVES, one_more)

    def test_a_seat_is_not_asked_without_a_step(self) -> None:
        """
        No step is possible: the play is over at once.
        """
        assert legal(WINNING_MOVES, thrown(WINNING_MOVES, "N,N,N,N/-/N,N,N,N/-", (6, 2))) == set()


class TestTheEnd:
    def test_fourth_pawn_home_ends_the_game_at_once(self) -> None:
        """
        Numbers and bonuses that are left are void.
        """
        state = thrown(RACKET, "L5,H,H,H/-/N,N,N,N/-", (3, 1))

        done = applied(RACKET, state, "0: L5 to H with 3")

        assert done.won
        assert done.state.numbers == (1,)
        assert legal(RACKET, done.state) == set()

    def test_nobody_moves_in_a_game_that_another_seat_has_won(self) -> None:
        """
        A state of a game that is over offers nothing.
        """
        state = thrown(RACKET, "10,N,N,N/-/H,H,H,L7/-", (3, 3))
        a, b, _, d = state.position
        home = RACKET.board.home

        assert legal(RACKET, state) != set()
        assert legal(RACKET, state._replace(position=(a, b, (home, home, home, home), d))) == set()


class TestApply:
    @pytest.mark.parametrize(
        "step",
        [
            pytest.param(Step(0, 4, 14), id="a number that is not left"),
            pytest.param(Step(0, 3, 14), id="a square that is elsewhere"),
            pytest.param(Step(1, 3, 5), id="to enter without a five"),
            pytest.param(Step(2, 3, 99), id="a pawn that is home"),
            pytest.param(Step(0, 120, 30), id="a bonus that does not wait"),
            pytest.param(Step(0, 14, 24), id="a sum to advance"),
        ],
    )
    def test_refuses_nonsense(self, step: Step) -> None:
        """
        A step that cannot be is a bug of the caller, and the state stays as it is.
        """
        state = thrown(WINNING_MOVES, "10,N,H,H/-/N,N,N,N/-", (3, 1))

        with pytest.raises(RefereeBug, match="no step"):
            rules_of(WINNING_MOVES).apply(state, step)

    def test_leaves_the_state_that_it_is_given(self) -> None:
        """
        States are values: what was offered before a step is offered again after it.
        """
        rules = rules_of(WINNING_MOVES)
        state = thrown(WINNING_MOVES, "10,30,30,H/-/13,N,N,N/-", (3, 3))
        before = rules.steps(state)

        for step in before:
            rules.steps(rules.apply(state, step).state)

        assert rules.steps(state) == before
        assert rules.steps(thrown(WINNING_MOVES, "10,30,30,H/-/13,N,N,N/-", (3, 3))) == before


class TestPlays:
    def test_are_one_for_each_end(self) -> None:
        """
        One play for each position that the throw can end in, own pawns being alike.
        """
        rules = rules_of(WINNING_MOVES)
        state = thrown(WINNING_MOVES, "10,20,N,N/-/N,N,N,N/-", (1, 2))

        plays, cut = rules.plays(state)

        ends = [position_text(rules.board, play.position).split("/")[0] for play in plays]
        assert ends == ["13,20,N,N", "11,22,N,N", "12,21,N,N", "10,23,N,N"]
        assert not cut

    def test_are_complete_and_legal_all_the_way(self) -> None:
        """
        Each step of a play is legal when its turn comes, and after the last there is none.
        """
        rules = rules_of(WINNING_MOVES)
        start = thrown(WINNING_MOVES, "10,20,30,L4/-/14,24,N,N/-", (4, 4))

        plays, _ = rules.plays(start)

        assert plays
        for play in plays:
            state = start
            for step in play.steps:
                assert step in rules.steps(state)
                state = rules.apply(state, step).state
            assert rules.steps(state) == ()
            assert state.position == play.position

    def test_never_end_with_a_pair_moved_as_a_pair(self) -> None:
        """
        Rule 1 holds for whole plays, too.
        """
        rules = rules_of(WINNING_MOVES)
        state = thrown(WINNING_MOVES, "20,20,17,N/-/N,N,N,N/-", (3, 3))

        ends = {position_text(rules.board, play.position).split("/")[0] for play in rules.plays(state)[0]}

        assert ends == {"26,20,17,N", "23,20,20,N"}

    def test_are_cut_at_the_limit(self) -> None:
        """
        The first ones in canonical order, and the word that there were more.
        """
        rules = rules_of(WINNING_MOVES)
        state = thrown(WINNING_MOVES, "10,20,N,N/-/N,N,N,N/-", (1, 2))
        plays, _ = rules.plays(state)

        assert rules.plays(state, limit=3) == (plays[:3], True)
        assert rules.plays(state, limit=4) == (plays, False)

    def test_are_cut_where_the_search_would_be_endless(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """
        No question may hold up all games: after so many moments the search ends, and says so.
        """
        rules = rules_of(WINNING_MOVES)
        state = thrown(WINNING_MOVES, "10,20,N,N/-/N,N,N,N/-", (1, 2))
        plays, _ = rules.plays(state)
        monkeypatch.setattr("referee.rules.plays.MOMENTS", 2)

        some, cut = rules.plays(state)

        assert cut
        assert 0 < len(some) < len(plays)
        assert some == plays[: len(some)]

    def test_are_none_without_a_step(self) -> None:
        """
        A throw that moves nothing has no play.
        """
        rules = rules_of(WINNING_MOVES)

        assert rules.plays(thrown(WINNING_MOVES, "N,N,N,N/-/N,N,N,N/-", (6, 2))) == ([], False)


EXPLAINED = [
    pytest.param("10,N,H,H/-/12,12,N,N/-", (3, 1), Step(0, 3, 13), "pair", id="a pair in the way"),
    pytest.param("9,N,H,H/-/12,N,N,N/-", (3, 1), Step(0, 3, 12), "safe", id="a safe square that is held"),
    pytest.param("10,N,H,H/-/N,N,N,N/-", (3, 1), Step(0, 4, 14), "not left", id="a number that is not there"),
    pytest.param("L6,N,H,H/-/N,N,N,N/-", (3, 1), Step(0, 3, 99), "exact", id="a number that is too large"),
    pytest.param("10,N,H,H/-/N,N,N,N/-", (3, 1), Step(1, 3, 5), "nest", id="the nest without a five"),
    pytest.param("10,N,H,H/-/N,N,N,N/-", (3, 1), Step(2, 3, 99), "home", id="a pawn that is home"),
    pytest.param("5,5,N,H/-/N,N,N,N/-", (5, 1), Step(2, 5, 5), "shut", id="a shut entry"),
    pytest.param("30,N,N,H/-/N,N,N,N/-", (5, 2), Step(0, 5, 35), "Entering", id="rule 4"),
    pytest.param("L1,H,H,H/-/N,N,N,N/-", (1, 1), Step(0, 1, 72), "Fourteen", id="rule 3"),
    pytest.param("L4,H,H,30/-/32,32,N,N/-", (4, 1), Step(0, 1, 75), "Using the throw", id="rule 6"),
]


class TestExplain:
    @pytest.mark.parametrize(("text", "dice", "step", "word"), EXPLAINED)
    def test_names_the_obstacle_or_the_rule(
        self, text: str, dice: Sequence[int], step: Step, word: str
    ) -> None:
        """
        A bot learns in one sentence why its step was refused.
        """
        refusal = rules_of(WINNING_MOVES).explain(thrown(WINNING_MOVES, text, dice), step)

        assert refusal is not None
        assert word in refusal.why
        assert "\n" not in refusal.why
        assert refusal.rule == (word if refusal.why.startswith(f"{word}: ") else "obstacle")

    def test_names_rule_1(self) -> None:
        """
        Moving a pair as a pair is refused by its name.
        """
        state = thrown(WINNING_MOVES, "20,20,N,H/-/N,N,N,N/-", (3, 3))
        state = after(WINNING_MOVES, state, "0: 20 to 23 with 3")

        refusal = rules_of(WINNING_MOVES).explain(state, Step(1, 3, 23))

        assert refusal is not None
        assert refusal.rule == "Same pair"
        assert refusal.why.startswith("Same pair: ")

    def test_has_nothing_against_a_legal_step(self) -> None:
        """
        None is the answer to a step that is legal.
        """
        state = thrown(WINNING_MOVES, "10,N,H,H/-/N,N,N,N/-", (3, 1))

        assert [
            rules_of(WINNING_MOVES).explain(state, step) for step in rules_of(WINNING_MOVES).steps(state)
        ] == [
            None,
            None,
        ]


def test_every_step_offered_can_be_carried_out() -> None:
    """
    What `steps` offers, `apply` takes, in rulesets far from the printed ones.
    """
    odd = replace(
        WINNING_MOVES,
        name="odd",
        use=Use.MAXIMAL,
        bonus_timing=BonusTiming.ANY_TIME,
        must_enter=MustEnter.NEVER,
        capture_bonus=7,
        home_bonus=3,
    )
    rules = rules_of(odd)
    todo = [thrown(odd, "10,L5,N,30/-/13,14,N,N/-", (3, 2))]
    seen = 0
    while todo:
        state = todo.pop()
        for step in rules.steps(state):
            seen += 1
            todo.append(rules.apply(state, step).state)
    assert seen > 50
