"""Turns, extra throws, lost seats, ranking, and states that cannot be: sections 2 and 6 of the rule book."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.errors import ConfigError, PositionError, RefereeBug
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text
from referee.rules.ruleset import ExtraThrow, ThirdThrow
from referee.rules.rulesets import ruleset
from referee.rules.state import State

RULES = Rules(ruleset("winning_moves"))
EMPTY = "N,N,N,N"


def between(text: str, seat: int = 0, repeats: int = 0, last_moved: int | None = None) -> State:
    """Return the state in which *seat* is to throw."""
    return State(position_from_text(RULES.ruleset, text)[0], seat, repeats, last_moved)


class TestStart:
    @pytest.mark.parametrize(
        ("seats", "text"),
        [
            pytest.param((0, 2), f"{EMPTY}/-/{EMPTY}/-", id="two sit opposite"),
            pytest.param((0, 1, 2), f"{EMPTY}/{EMPTY}/{EMPTY}/-", id="three"),
            pytest.param((0, 1, 2, 3), f"{EMPTY}/{EMPTY}/{EMPTY}/{EMPTY}", id="four"),
        ],
    )
    def test_puts_all_pawns_in_their_nests(self, seats: Sequence[int], text: str) -> None:
        """
        A game begins with all pawns of the seats that play in their nests.
        """
        assert RULES.start(seats, seats[-1]) == between(text, seat=seats[-1])

    @pytest.mark.parametrize(
        ("seats", "first"),
        [
            pytest.param((0,), 0, id="one alone"),
            pytest.param((0, 1), 0, id="two side by side"),
            pytest.param((0, 0, 2), 0, id="a seat twice"),
            pytest.param((0, 4), 0, id="a seat that does not exist"),
            pytest.param((0, 2), 1, id="a first player who does not play"),
        ],
    )
    def test_refuses_seats_that_cannot_play(self, seats: Sequence[int], first: int) -> None:
        """
        The organiser is told which seats can play.
        """
        with pytest.raises(ConfigError):
            RULES.start(seats, first)


class TestPlayOver:
    def test_passes_to_the_next_seat_that_plays(self) -> None:
        """
        Turns go in the direction of travel; absent seats are skipped; the next seat begins afresh.
        """
        state = RULES.throw(between(f"{EMPTY}/-/{EMPTY}/{EMPTY}", repeats=1, last_moved=2), (1, 2)).state

        assert RULES.play_over(state) == between(f"{EMPTY}/-/{EMPTY}/{EMPTY}", seat=2)

    def test_gives_another_throw_after_a_doublet(self) -> None:
        """
        Also when nothing could be played; the doublet is counted, the pawn moved last remembered.
        """
        state = RULES.throw(between(f"{EMPTY}/-/{EMPTY}/-", repeats=1, last_moved=2), (3, 3)).state

        assert RULES.play_over(state) == between(f"{EMPTY}/-/{EMPTY}/-", repeats=2, last_moved=2)

    def test_gives_none_where_there_is_none(self) -> None:
        """
        `extra_throw = "none"`: a doublet ends the turn like any throw.
        """
        rules = Rules(replace(RULES.ruleset, extra_throw=ExtraThrow.NONE, third_throw=ThirdThrow.NONE))
        state = rules.throw(between(f"{EMPTY}/-/{EMPTY}/-"), (3, 3)).state

        assert rules.play_over(state).seat == 2

    def test_needs_a_throw(self) -> None:
        """
        A play that never began cannot be over.
        """
        with pytest.raises(RefereeBug):
            RULES.play_over(between(f"{EMPTY}/-/{EMPTY}/-"))


class TestThirdDoublet:
    @pytest.mark.parametrize(
        ("before", "after", "returned"),
        [
            pytest.param("20,30,N,H", "20,N,N,H", 1, id="the pawn nearest home returns"),
            pytest.param("20,L3,H,N", "20,N,H,N", 1, id="lane included, home not"),
            pytest.param("30,20,30,N", "30,20,N,N", 2, id="of two on one square the higher number"),
            pytest.param("N,N,H,H", "N,N,H,H", None, id="nobody out, nobody returns"),
        ],
    )
    def test_is_not_played_and_ends_the_turn(self, before: str, after: str, returned: int | None) -> None:
        """
        The third doublet of a turn sends the pawn nearest home to its nest.
        """
        thrown = RULES.throw(between(f"{before}/-/{EMPTY}/-", repeats=2, last_moved=0), (3, 3))

        assert thrown.third
        assert thrown.returned == returned
        assert thrown.state == between(f"{after}/-/{EMPTY}/-", seat=2)

    def test_needs_two_before_it(self) -> None:
        """
        The second doublet is played, and so is a third throw that is none.
        """
        assert not RULES.throw(between(f"20,N,N,N/-/{EMPTY}/-", repeats=1), (3, 3)).third
        assert not RULES.throw(between(f"20,N,N,N/-/{EMPTY}/-", repeats=2), (3, 4)).third

    def test_is_one_of_many_where_no_rule_ends_them(self) -> None:
        """
        `third_throw = "none"`: doublets go on.
        """
        rules = Rules(replace(RULES.ruleset, third_throw=ThirdThrow.NONE))
        thrown = rules.throw(between(f"20,N,N,N/-/{EMPTY}/-", repeats=5), (3, 3))

        assert not thrown.third
        assert rules.play_over(thrown.state).repeats == 6


class TestLoseSeat:
    def test_takes_the_pawns_from_the_board(self) -> None:
        """
        The seat to move plays on; what stood in its way may be gone.
        """
        state = RULES.throw(between(f"20,N,N,N/{EMPTY}/22,22,N,N/-"), (3, 4)).state
        assert RULES.steps(state) == ()

        state = RULES.lose_seat(state, 2)

        assert position_text(RULES.board, state.position) == f"20,N,N,N/{EMPTY}/-/-"
        assert len(RULES.steps(state)) == 2

    def test_ends_the_turn_of_that_seat(self) -> None:
        """
        Lost in mid-throw or between throws, the next seat that is left throws.
        """
        before = between(f"20,N,N,N/-/{EMPTY}/{EMPTY}", repeats=1)

        for state in (before, RULES.throw(before, (3, 3)).state):
            assert RULES.lose_seat(state, 0) == between(f"-/-/{EMPTY}/{EMPTY}", seat=2)

    def test_leaves_the_last_seat_alone(self) -> None:
        """
        The last seat follows itself; when it is lost too, nobody is left.
        """
        alone = RULES.lose_seat(between(f"{EMPTY}/-/{EMPTY}/-"), 0)
        assert alone == between(f"-/-/{EMPTY}/-", seat=2)

        assert RULES.lose_seat(alone, 2).position == (None, None, None, None)


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "winner", "lost", "places"),
        [
            pytest.param(
                f"H,H,H,H/{EMPTY}/H,H,H,L7/H,5,N,N",
                0,
                [],
                {0: 1, 2: 2, 3: 3, 1: 4},
                id="the winner, then pawns at home",
            ),
            pytest.param(
                "L7,L7,L7,L7/H,N,N,N/-/-", None, [], {1: 1, 0: 2}, id="a pawn at home outweighs the way gone"
            ),
            pytest.param(
                f"{EMPTY}/22,N,N,N/40,N,N,N/-",
                None,
                [],
                {2: 1, 1: 2, 0: 3},
                id="then squares left to go, counted on each seat's own way",
            ),
            pytest.param(
                f"6,N,N,N/{EMPTY}/40,N,N,N/58,N,N,N",
                None,
                [],
                {3: 1, 0: 2, 2: 2, 1: 4},
                id="equal places are shared",
            ),
            pytest.param(
                f"-/{EMPTY}/-/60,N,N,N",
                None,
                [2, 0],
                {3: 1, 1: 2, 0: 3, 2: 4},
                id="lost seats come last, the first lost at the very end",
            ),
            pytest.param(f"-/{EMPTY}/-/-", 1, [0], {1: 1, 0: 2}, id="the last one standing wins"),
        ],
    )
    def test_follow_the_race(
        self, text: str, winner: int | None, lost: Sequence[int], places: dict[int, int]
    ) -> None:
        """
        The winner first, then pawns at home, then fewer squares left to go in all.
        """
        assert RULES.places(position_from_text(RULES.ruleset, text)[0], winner, lost) == places


MID_THROW: dict[str, Any] = {"dice": (3, 1), "numbers": (1,), "at_throw": (3, 0, 0, 0)}


class TestCheck:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            pytest.param(f"10,10,10,N/-/{EMPTY}/-", "seat 0 has 3 pawns on 10", id="three on a ring square"),
            pytest.param(f"L2,L2,L2,N/-/{EMPTY}/-", "seat 0 has 3 pawns on L2", id="three on a lane square"),
            pytest.param("10,N,N,N/-/10,N,N,N/-", "stand on 10", id="two colours on a plain square"),
            pytest.param("12,N,N,N/-/12,N,N,N/-", "stand on 12", id="two colours on a safe square"),
            pytest.param(f"-/-/{EMPTY}/-", "seat 0 is to move but absent", id="an absent seat to move"),
        ],
    )
    def test_refuses_positions_that_cannot_be(self, text: str, words: str) -> None:
        """
        The sentence names what is wrong and where.
        """
        with pytest.raises(PositionError, match=words):
            RULES.check(between(text))

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            pytest.param({"repeats": -1}, "repeats", id="doublets below 0"),
            pytest.param({"last_moved": 4}, "last_moved", id="a pawn that does not exist"),
            pytest.param({"numbers": (3,)}, "without the throw", id="numbers without a throw"),
            pytest.param({**MID_THROW, "dice": (3, 7)}, "no throw", id="a die of 7"),
            pytest.param({**MID_THROW, "dice": (3,)}, "no throw", id="one die"),
            pytest.param({**MID_THROW, "numbers": (3, 3)}, "not left", id="numbers that were not thrown"),
            pytest.param(
                {**MID_THROW, "numbers": (3, 1), "at_throw": (6, 0, 0, 0)},
                "ascend",
                id="numbers out of order",
            ),
            pytest.param(
                {**MID_THROW, "numbers": (1, 3)}, "yet pawns have moved", id="a step that used nothing"
            ),
            pytest.param({**MID_THROW, "at_throw": (7, 0, 0, 0)}, "behind", id="a pawn that went back"),
            pytest.param({**MID_THROW, "at_throw": ()}, "at_throw is missing", id="no squares at the throw"),
            pytest.param({**MID_THROW, "bonuses": (15,)}, "15 is not given", id="a bonus that nobody gives"),
            pytest.param({**MID_THROW, "bonuses": (10,) * 5}, "too many", id="more bonuses than pawns"),
            pytest.param(
                {"dice": (3, 3), "numbers": (3, 3), "at_throw": (6, 0, 0, 0), "repeats": 2},
                "third doublet",
                id="a third doublet, which is never played",
            ),
        ],
    )
    def test_refuses_states_that_cannot_be(self, fields: dict[str, Any], words: str) -> None:
        """
        What is left of a throw is part of what it gave.
        """
        state = between(f"10,N,N,N/-/{EMPTY}/-")

        with pytest.raises(PositionError, match=words):
            RULES.check(state._replace(**fields))

    def test_accepts_what_no_game_reaches_in_other_ways(self) -> None:
        """
        A made position is judged like any other.
        """
        RULES.check(between("L7,L7,5,5/-/H,H,H,L7/68,N,N,N", repeats=2, last_moved=3))
        RULES.check(between(f"10,N,N,N/-/{EMPTY}/-")._replace(**MID_THROW, bonuses=(10, 20, 20)))
