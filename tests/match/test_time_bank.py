"""A seat's thinking time: what is free, what it costs beyond, and where it ends; to the microsecond."""

from dataclasses import fields
from datetime import timedelta

import pytest

from referee.errors import ConfigError
from referee.match.events import By, Stepped
from referee.match.match import Match
from referee.match.time_bank import LONGEST, Clock, Prices, TimeBank, duration, micros
from tests.fakes import a_setup, rules_of


def ms(count: float) -> timedelta:
    return timedelta(milliseconds=count)


CLOCK = Clock(per_move=ms(1000), bank=ms(500), increment=ms(30), grace=ms(20), grace_times=2)
PRICES = Prices.of(CLOCK)
FULL = TimeBank.full(CLOCK)


class TestDeadline:
    @pytest.mark.parametrize(
        ("left", "deadline"),
        [
            pytest.param(TimeBank(500_000, 2), 1_520_000, id="limit, bank and grace"),
            pytest.param(TimeBank(500_000, 0), 1_500_000, id="no grace left"),
            pytest.param(TimeBank(0, 1), 1_020_000, id="no bank left"),
            pytest.param(TimeBank(0, 0), 1_000_000, id="the limit alone"),
        ],
    )
    def test_is_all_that_is_left(self, left: TimeBank, deadline: int) -> None:
        """
        A seat is late when limit, bank and a grace are all used up.
        """
        assert PRICES.deadline(left) == deadline


class TestPaid:
    @pytest.mark.parametrize(
        ("elapsed", "left"),
        [
            pytest.param(0, TimeBank(530_000, 2), id="at once"),
            pytest.param(1_000_000, TimeBank(530_000, 2), id="exactly the limit is free"),
            pytest.param(1_000_001, TimeBank(529_999, 2), id="one microsecond beyond comes out of the bank"),
            pytest.param(1_500_000, TimeBank(30_000, 2), id="exactly the bank uses no grace"),
            pytest.param(1_500_001, TimeBank(30_000, 1), id="one microsecond beyond uses a grace"),
            pytest.param(1_520_000, TimeBank(30_000, 1), id="exactly the grace is in time"),
        ],
    )
    def test_goes_from_the_limit_to_the_bank_to_the_grace(self, elapsed: int, left: TimeBank) -> None:
        """
        What exceeds the limit comes out of the bank, what exceeds that uses a grace.
        """
        assert elapsed <= PRICES.deadline(FULL)

        assert PRICES.paid(FULL, elapsed) == left

    def test_uses_each_grace_once(self) -> None:
        """
        Grace is forgiven so many times a game, and then no more.
        """
        prices = Prices.of(Clock(per_move=ms(1000), grace=ms(20), grace_times=2))
        left = TimeBank(0, 2)

        left = prices.paid(left, 1_020_000)
        left = prices.paid(left, 1_000_001)

        assert left == TimeBank(0, 0)
        assert prices.deadline(left) == 1_000_000

    def test_lets_the_increment_be_saved_up(self) -> None:
        """
        Quick answers fill the bank beyond what it began with.
        """
        left = FULL
        for _ in range(10):
            left = PRICES.paid(left, 10)

        assert left == TimeBank(800_000, 2)

    def test_changes_nothing_without_increment_and_in_time(self) -> None:
        """
        The usual answer costs nothing.
        """
        prices = Prices.of(Clock())
        left = TimeBank.full(Clock())

        assert prices.paid(left, 999_999) is left

    def test_is_what_the_event_of_the_step_tells(self) -> None:
        """
        The record has the bank after each answer.
        """
        match = Match(a_setup("racket", clock=CLOCK), rules_of("racket"))
        match.thrown((5, 1))
        match.ask()

        match.step(match.legal[0], By.BOT, 1, 1_100_000, 7)

        event = match.events[-1]
        assert isinstance(event, Stepped)
        assert (event.elapsed, event.lag, event.bank) == (1_100_000, 7, 430_000)
        assert match.banks == {0: TimeBank(430_000, 2), 2: FULL}

    def test_is_not_for_steps_that_were_not_asked_for(self) -> None:
        """
        A forced step costs no time and brings no increment.
        """
        match = Match(a_setup("racket", clock=CLOCK), rules_of("racket"))
        match.thrown((5, 1))
        match.step(match.legal[0], By.BOT, 1, 10, 0)
        before = match.banks[0]

        match.step(match.legal[0], By.FORCED)

        assert match.banks[0] == before
        event = match.events[-1]
        assert isinstance(event, Stepped)
        assert (event.elapsed, event.lag, event.bank) == (None, None, None)


class TestFull:
    def test_has_the_bank_and_all_graces(self) -> None:
        """
        A seat begins with the clock's bank and graces.
        """
        assert TimeBank(500_000, 2) == FULL

    def test_has_no_graces_where_grace_is_no_time(self) -> None:
        """
        To forgive nothing three times is not to forgive.
        """
        assert TimeBank.full(Clock(grace=ms(0), grace_times=3)) == TimeBank(0, 0)


class TestClock:
    TIMES = ("startup", "ready", "per_move", "bank", "increment", "grace")

    def test_has_these_times(self) -> None:
        """
        Every time of a clock is one of those tested below.
        """
        assert {field.name for field in fields(Clock)} == {*self.TIMES, "grace_times"}

    @pytest.mark.parametrize("name", TIMES)
    def test_refuses_a_negative_time(self, name: str) -> None:
        """
        No time is less than none.
        """
        with pytest.raises(ConfigError, match=f"time {name} must not be negative"):
            Clock(**{name: ms(-1)})  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", ["startup", "ready", "per_move"])
    def test_refuses_no_time_at_all(self, name: str) -> None:
        """
        Nobody can start, accept or answer in no time.
        """
        with pytest.raises(ConfigError, match=f"time {name} must be more than 0"):
            Clock(**{name: ms(0)})  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", ["bank", "increment", "grace"])
    def test_allows_none_of_the_rest(self, name: str) -> None:
        """
        Bank, increment and grace may be left out.
        """
        Clock(**{name: ms(0)})  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", TIMES)
    @pytest.mark.parametrize("time", [ms(0.5), ms(0.001), ms(1000.001)], ids=str)
    def test_refuses_a_time_finer_than_a_millisecond(self, name: str, time: timedelta) -> None:
        """
        Bots are told whole milliseconds: what is finer would reach them as another time, or as none.
        """
        with pytest.raises(ConfigError, match=f"time {name} is finer than a millisecond"):
            Clock(**{name: time})  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", TIMES)
    def test_refuses_a_time_beyond_a_day(self, name: str) -> None:
        """
        It would be a mistake in the unit.
        """
        Clock(**{name: LONGEST})  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=f"time {name} must be a day at most"):
            Clock(**{name: LONGEST + ms(1)})  # type: ignore[arg-type]

    def test_refuses_negative_graces(self) -> None:
        """
        Nothing is forgiven less than never.
        """
        with pytest.raises(ConfigError, match="grace_times must not be negative"):
            Clock(grace_times=-1)


@pytest.mark.parametrize(
    ("text", "time"),
    [("1ms", ms(1)), ("0.001", ms(1)), ("0.0015s", None), ("0.5ms", None), ("1.0ms", ms(1)), ("0ms", ms(0))],
)
def test_durations_are_whole_milliseconds(text: str, time: timedelta | None) -> None:
    """
    A part of a millisecond is refused where it is written.
    """
    if time is None:
        with pytest.raises(ConfigError, match=f"is finer than a millisecond: '{text}'"):
            duration(text)
    else:
        assert duration(text) == time


@pytest.mark.parametrize(
    ("time", "count"),
    [
        (timedelta(seconds=1), 1_000_000),
        (timedelta(milliseconds=20), 20_000),
        (timedelta(days=1), 86_400_000_000),
        (ms(0.001), 1),
    ],
)
def test_micros_counts_whole_microseconds(time: timedelta, count: int) -> None:
    """
    Times in records and messages are whole microseconds, without rounding.
    """
    assert micros(time) == count
