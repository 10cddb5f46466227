"""
What becomes of bad bots, of those who play against them, and of those who play beside them.
"""

import asyncio
import re

import pytest

from referee.match.events import By, Reason, SeatLost, Stepped
from referee.match.faults import ENDS_THE_ASK, STRICT, TOURNAMENT, Cost, FaultKind
from tests.bad_bots.arena import BAD_SEAT, ROOT, Show, show
from tests.bad_bots.cases import BAD_BOTS, BadBot

DELAY = 50_000
"""Microseconds by which a verdict may come later than the clock allows."""

START_DELAY = 300_000
"""The same for a bot that does not come to the table: its process is ended first."""

MEMORY = 64 * 2**20
"""Bytes by which a bad bot may make the referee grow."""

STRUCK = [bad for bad in BAD_BOTS if bad.struck]
"""Bots that are shown where a fault costs a strike, too."""


@pytest.fixture(scope="module", params=BAD_BOTS, ids=lambda bad: bad.name)
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Show:
    """Show one bad bot where the first fault costs the seat."""
    return asyncio.run(show(request.param, tmp_path_factory.mktemp("strict"), STRICT))


@pytest.fixture(scope="module", params=STRUCK, ids=lambda bad: bad.name)
def struck(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Show:
    """Show one bad bot where a fault costs a strike, and the third the seat."""
    return asyncio.run(show(request.param, tmp_path_factory.mktemp("tournament"), TOURNAMENT))


class TestBadBot:
    def test_is_charged_with_its_fault_and_told_why(self, shown: Show) -> None:
        """
        The record names the one thing that was wrong, in words that help to mend it.
        """
        bad = shown.bad

        assert [fault.kind for fault in shown.faults] == ([bad.kind] if bad.kind else [])
        for fault in shown.faults:
            assert re.search(bad.says, fault.detail)
            assert re.search(bad.stderr, fault.stderr)

    def test_loses_its_seat_and_comes_last(self, shown: Show) -> None:
        """
        Under strict penalties the first fault is the last.
        """
        ended = shown.outcome.ended

        assert ended is not None
        assert (ended.reasons[0] is Reason.FAULT) == (shown.bad.kind is not None)
        if shown.bad.kind:
            assert SeatLost(BAD_SEAT, shown.bad.kind) in shown.record.events
            assert ended.places[0] == 3

    def test_is_judged_in_time(self, shown: Show) -> None:
        """
        No bot makes the others wait for longer than its clock allows.
        """
        delay = START_DELAY if shown.bad.kind is FaultKind.NO_SHOW else DELAY

        assert shown.judged <= shown.allowed + delay

    def test_does_not_stop_the_others(self, shown: Show) -> None:
        """
        The game goes on to an end, and nobody else is charged with anything.
        """
        assert shown.outcome.ended is not None
        assert Reason.WON in shown.outcome.ended.reasons
        assert shown.others == []

    def test_does_not_delay_a_game_beside_it(self, shown: Show) -> None:
        """
        A fair bot in the same house is answered for within its own, much shorter limit.
        """
        assert len(shown.delays) > 50
        assert shown.delays[-1] <= 250_000

    def test_does_not_make_the_referee_grow(self, shown: Show) -> None:
        """
        Whatever a bot sends or prints, the referee does not keep it.
        """
        assert shown.grown < MEMORY

    def test_leaves_no_process_behind(self, shown: Show) -> None:
        """
        When the house is closed, every bot is gone, with all that it started.
        """
        assert shown.left == []


class TestStruckBot:
    def test_is_charged_with_each_of_its_faults(self, struck: Show) -> None:
        """
        Where faults cost strikes, each is charged once; the third costs the seat.
        """
        bad = struck.bad
        lost = bad.struck >= TOURNAMENT.strikes

        assert [fault.kind for fault in struck.faults] == [bad.kind] * bad.struck
        assert [fault.strikes for fault in struck.faults] == list(range(1, bad.struck + 1))
        assert [fault.cost for fault in struck.faults] == [Cost.STRIKE, Cost.STRIKE, Cost.SEAT][: bad.struck]
        assert (SeatLost(BAD_SEAT, struck.faults[-1].kind) in struck.record.events) == lost

    def test_has_a_step_played_for_it_where_its_ask_was_spent(self, struck: Show) -> None:
        """
        A strike that spends the ask is followed by a substitute step, so that play goes on.
        """
        spent = [f for f in struck.faults if f.kind in ENDS_THE_ASK and f.cost is Cost.STRIKE]
        substitutes = [e for e in struck.record.events if isinstance(e, Stepped) and e.by is By.SUBSTITUTE]

        assert [step.ask for step in substitutes] == [fault.ask for fault in spent]
        assert {step.seat for step in substitutes} <= {BAD_SEAT}

    def test_does_not_stop_or_delay_the_others(self, struck: Show) -> None:
        """
        Three faults do no more harm than one.
        """
        assert struck.outcome.ended is not None
        assert Reason.WON in struck.outcome.ended.reasons
        assert struck.others == []
        assert struck.judged <= struck.allowed + DELAY
        assert struck.left == []


class TestRegister:
    def test_has_a_bad_bot_for_every_kind_of_fault(self) -> None:
        """
        A kind of fault that no bot commits is not tested.
        """
        assert {bad.kind for bad in BAD_BOTS} - {None} == set(FaultKind)

    def test_has_one_for_every_fault_that_costs_a_strike(self) -> None:
        """
        What does not cost the seat at once is shown where it does not.
        """
        assert {bad.kind for bad in STRUCK} == {k for k, c in TOURNAMENT.costs.items() if c is Cost.STRIKE}

    def test_lists_every_bad_bot_there_is(self) -> None:
        """
        A program that is not listed is not shown.
        """
        files = {file.stem for file in (ROOT / "tests" / "bad_bots" / "bots").glob("*.py")}

        assert files - {"__init__", "base", "by_hand", "behaves"} == {bad.name for bad in BAD_BOTS}

    @pytest.mark.parametrize("bad", BAD_BOTS, ids=lambda bad: bad.name)
    def test_says_why_for_every_fault(self, bad: BadBot) -> None:
        """
        What a bot is told about its fault is part of what is tested.
        """
        assert bool(bad.says) == (bad.kind is not None)
