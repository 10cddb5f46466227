"""The texts of squares, positions, states and steps: section 2 of the rule book."""

from dataclasses import replace
from typing import Any

import pytest

from referee.errors import PositionError
from referee.rules.board import BOARDS, PARCHEESI68, SEATS, SQUARE_ABSENT
from referee.rules.engine import Rules
from referee.rules.notation import (
    pawns_from_text,
    position_from_text,
    position_text,
    seat_text,
    square_code,
    square_text,
    state_from_text,
    state_text,
    step_text,
    use_text,
)
from referee.rules.rulesets import RULESETS
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from referee.rules.state import BONUS, State, Step

RULES = Rules(RULESETS["winning_moves"])


@pytest.mark.parametrize(
    ("text", "code"),
    [("N", 0), ("1", 1), ("68", 68), ("L1", 71), ("L7", 77), ("H", 99)],
    ids=str,
)
def test_a_square_has_one_text_and_one_code(text: str, code: int) -> None:
    """
    Nest, ring, lane and home.
    """
    assert square_text(code) == text
    assert square_code(text) == code


def test_no_pawn_has_a_text() -> None:
    """
    The code for no pawn is shown as a dash, and is no square.
    """
    assert square_text(SQUARE_ABSENT) == "-"
    with pytest.raises(PositionError):
        square_code("-")


@pytest.mark.parametrize(
    "text", ["", "n", "0", "05", "+5", "5 ", "L", "L0", "l1", "H1", "-1", "1.0", "²", "five", "L99"]
)
def test_what_is_no_square_is_refused(text: str) -> None:
    """
    There is one way to write a square.
    """
    with pytest.raises(PositionError, match="no square"):
        square_code(text)


class TestPosition:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("5,N,N,L3/N,N,N,N/-/58,58,H,1", id="three seats"),
            pytest.param("-/-/-/-", id="nobody"),
            pytest.param("68,5,H,N/17,22,H,N/34,39,H,N/51,56,H,N", id="tips and entries"),
        ],
    )
    def test_text_comes_back_as_it_was(self, text: str) -> None:
        """
        Reading and writing undo each other.
        """
        assert position_text(PARCHEESI68, *position_from_text(WINNING_MOVES, text)) == text

    @pytest.mark.parametrize("board", BOARDS.values(), ids=lambda board: board.name)
    @pytest.mark.parametrize("seat", SEATS)
    def test_every_place_of_every_seat_has_its_own_text(self, board: Any, seat: int) -> None:
        """
        From the nest home, and round the ring once more, no two places of a seat share a text.
        """
        places = range(board.last + 1)
        laps = replace(WINNING_MOVES, board=board, second_lap=True)

        texts = [seat_text(board, seat, (place,) * 4).split(",")[0] for place in places]

        assert len(set(texts)) == len(places)
        assert [pawns_from_text(laps, seat, ",".join([text] * 4))[0] for text in texts] == list(places)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            pytest.param("N,N,N,N", "four groups", id="one group"),
            pytest.param("N,N,N,N/-/-/-/-", "four groups", id="five groups"),
            pytest.param("N,N,N,N,N/-/-/-", "seat 0.*four squares", id="five pawns in a group"),
            pytest.param("-/N,N,N/-/-", "seat 1.*four squares", id="three pawns in a group"),
            pytest.param("-//-/-", "seat 1.*four squares", id="an empty group"),
            pytest.param("-/-/N,N,69,N/-", "seat 2, pawn 2.*69.*1 to 68", id="a square past the ring"),
            pytest.param("N,L8,N,N/-/-/-", "seat 0, pawn 1.*L8.*L1 to L7", id="a square past the lane"),
            pytest.param("N,N,N,3/-/-/-", "pawn 3.*'3' lies between.*tip 68 and entry 5", id="3 for seat 0"),
            pytest.param("-/20,N,N,N/-/-", "seat 1, pawn 0.*tip 17 and entry 22", id="20 for seat 1"),
            pytest.param("5+,N,N,N/-/-/-", r"seat 0, pawn 0.*\+", id="a mark of the last to arrive"),
            pytest.param("5,N, N,N/-/-/-", "seat 0, pawn 2.*' N'", id="a blank"),
            pytest.param("0L1,N,N,N/-/-/-", "seat 0, pawn 0", id="a lane with the number of its seat"),
        ],
    )
    def test_what_is_none_is_refused(self, text: str, words: str) -> None:
        """
        The sentence names what is wrong, where, and what would be right.
        """
        with pytest.raises(PositionError, match=words):
            position_from_text(WINNING_MOVES, text)


BETWEEN: dict[str, Any] = {"position": "10,N,H,H/-/13,N,N,N/-", "seat": 0, "repeats": 1, "last_moved": 0}
IN_THROW: dict[str, Any] = {
    **BETWEEN,
    "throw": [3, 1],
    "numbers": [1, 3],
    "bonuses": [],
    "at_throw": "10,N,H,H",
}


class TestState:
    @pytest.mark.parametrize("fields", [BETWEEN, IN_THROW], ids=["between throws", "in mid-throw"])
    def test_comes_back_as_it_was(self, fields: dict[str, Any]) -> None:
        """
        Reading and writing undo each other.
        """
        assert state_text(WINNING_MOVES, state_from_text(WINNING_MOVES, fields)) == fields

    def test_in_every_moment_of_a_play_has_a_text_of_its_own(self) -> None:
        """
        Two states that offer different futures never have the same text.
        """
        state = state_from_text(WINNING_MOVES, IN_THROW)
        texts = [state_text(WINNING_MOVES, state)]
        while steps := RULES.steps(state):
            state = RULES.apply(state, steps[-1]).state
            texts.append(state_text(WINNING_MOVES, state))
            assert state_from_text(WINNING_MOVES, texts[-1]) == state

        assert len(texts) > 2
        assert all(texts.count(text) == 1 for text in texts)

    def test_that_has_been_won_is_about_the_winner(self) -> None:
        """
        Only in a game in which both members of a team must finish would it be about the partner's pawns.
        """
        rules = Rules(RULESETS["racket"])
        position, _ = position_from_text(rules.ruleset, "66,L6,H,H/-/N,N,N,N/-")
        state, won = rules.throw(State(position, 0), (2, 3)).state, False
        for pawn, use in ((1, 2), (0, BONUS + 10)):
            step = next(step for step in rules.steps(state) if (step.pawn, step.use) == (pawn, use))
            state, _, _, won = rules.apply(state, step)
        texts = state_text(rules.ruleset, state)

        assert won
        assert texts["at_throw"] == "66,L6,H,H"
        assert state_from_text(rules.ruleset, texts) == state

    def test_takes_what_may_be_missing(self) -> None:
        """
        No doublets and no pawn moved unless it is said; numbers in any order.
        """
        short = {"position": BETWEEN["position"], "seat": 0}
        state = state_from_text(WINNING_MOVES, short)
        assert (state.repeats, state.last_moved, state.dice) == (0, None, ())

        assert state_from_text(WINNING_MOVES, {**IN_THROW, "numbers": [3, 1]}).numbers == (1, 3)

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            pytest.param({"colour": 1}, "no field 'colour'", id="a field that there is not"),
            pytest.param({"seat": 4}, "seat 4", id="a seat that there is not"),
            pytest.param({"seat": "0"}, "seat is '0'", id="a seat as text"),
            pytest.param({"seat": True}, "seat is True", id="a seat as truth"),
            pytest.param({"position": 5}, "position is 5", id="a position that is no text"),
            pytest.param({"repeats": None}, "repeats", id="no count"),
            pytest.param({"last_moved": 4}, "last_moved", id="a pawn that there is not"),
            pytest.param({"throw": "31"}, "throw", id="a throw as text"),
            pytest.param({"numbers": [1, "3"]}, "numbers", id="a number as text"),
            pytest.param({"at_throw": None}, "at_throw", id="no squares at the throw"),
        ],
    )
    def test_what_is_none_is_refused(self, fields: dict[str, Any], words: str) -> None:
        """
        The sentence names the field.
        """
        with pytest.raises(PositionError, match=words):
            state_from_text(WINNING_MOVES, {**IN_THROW, **fields})


@pytest.mark.parametrize(
    ("step", "text"),
    [
        pytest.param(Step(0, 5, 15), "0: 10 to 15 with 5", id="a number"),
        pytest.param(Step(1, 14, 5), "1: N to 5 with 1 and 4", id="a five by sum"),
        pytest.param(Step(2, 110, 99), "2: L1 to H with bonus 10", id="a bonus"),
    ],
)
def test_a_step_reads_as_a_sentence(step: Step, text: str) -> None:
    """
    The pawn, where from, where to, and what it spends.
    """
    state = State(position_from_text(WINNING_MOVES, "10,N,L1,H/-/N,N,N,N/-")[0], 0)

    assert step_text(WINNING_MOVES, state, step) == text
    assert text.endswith(use_text(step.use))
