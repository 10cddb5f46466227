"""Offers, verdicts and endings as messages: whatever can happen in a game can be told."""

from dataclasses import replace
from datetime import timedelta

import pytest
from parcheesi.v1 import board_pb2, bot_gateway_pb2 as pb

from referee.match.events import Ended, Reason
from referee.match.faults import Cost, FaultKind
from referee.match.time_bank import LONGEST, Clock, micros
from referee.match.verdict import Ending, Over, Verdict
from referee.wire.games import add_over, add_verdict, clock

DAY = micros(timedelta(days=1))

VERDICT = Verdict(
    game=1,
    ask=2,
    kind=FaultKind.LATE,
    detail="no answer",
    cost=Cost.STRIKE,
    elapsed=1,
    bank=1000,
    played=(),
    strikes_left=2,
)


class TestVerdict:
    @pytest.mark.parametrize(
        ("elapsed", "bank"),
        [
            pytest.param(72 * 60 * 10**6, 0, id="an answer that took 72 minutes"),
            pytest.param(DAY, DAY, id="a day, and a day in the bank"),
            pytest.param(2 * DAY, 50 * DAY, id="a bank to which 49 answers added a day each"),
        ],
    )
    def test_tells_the_longest_times(self, elapsed: int, bank: int) -> None:
        """
        A clock may give a day for an answer, and increments are saved up for a whole game.
        """
        response = pb.PlayResponse()

        add_verdict(response, VERDICT._replace(elapsed=elapsed, bank=bank))

        (told,) = response.verdicts
        assert (told.elapsed_us, told.bank_ms) == (elapsed, bank // 1000)


ENDED = Ended((0, 2), (2, 1), (Reason.FAULT, Reason.LAST_STANDING), (None, None, (0, 0, 0, 0), None))


class TestOver:
    @pytest.mark.parametrize("way", Ending, ids=lambda way: way.value)
    def test_tells_each_ending_apart(self, way: Ending) -> None:
        """
        A program need not read the sentence to know whether a game counts, goes on or is lost.
        """
        response = pb.PlayResponse()

        add_over(response, Over(1, way, None, None, "a sentence"))

        (told,) = response.game_overs
        assert pb.Ending.Name(told.ending) == f"ENDING_{way.name}"
        assert [*told.seats, *told.places, *told.reasons, *told.seed] == []

    def test_tells_the_places_of_a_game_that_has_ended(self) -> None:
        """
        Seats, places and reasons go side by side.
        """
        response = pb.PlayResponse()

        add_over(response, Over(1, Ending.FINISHED, ENDED, b"s" * 32, "the game has ended"))

        (told,) = response.game_overs
        assert told == pb.GameOver(
            game=1,
            ending=pb.ENDING_FINISHED,
            seats=[0, 2],
            places=[2, 1],
            reasons=[board_pb2.REASON_FAULT, board_pb2.REASON_LAST_STANDING],
            seed=b"s" * 32,
            detail="the game has ended",
        )


class TestClock:
    @pytest.mark.parametrize("name", ["startup", "ready", "per_move", "bank", "increment", "grace"])
    def test_tells_a_day_for_each_time(self, name: str) -> None:
        """
        The longest time that can be set arrives whole.
        """
        told = clock(replace(Clock(), **{name: LONGEST}))  # type: ignore[arg-type]

        assert getattr(told, f"{name}_ms") == 86_400_000
