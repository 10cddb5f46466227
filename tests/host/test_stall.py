"""The referee's own delay: measured, kept apart, and never charged to a bot."""

from datetime import timedelta

import pytest

from referee.host.pulse import BEAT, BOUND, Pulse
from referee.match.faults import FaultKind
from referee.match.time_bank import Clock
from referee.rules.state import Step
from tests.fakes import FakeClock, FakePlayer, ScriptedDice, a_setup, first_step
from tests.host.desk import ENTERS, Desk, answer

SECOND = Clock(per_move=timedelta(seconds=1), grace=timedelta(0))
ENTER = Step(0, 5, 5)


def a_desk(clock: FakeClock) -> tuple[Desk, FakePlayer]:
    """Return a started game in which the first player was sent its ask; the other answers at once."""
    ann = FakePlayer("ann")
    desk = Desk(
        clock,
        ann,
        FakePlayer("ben", first_step),
        setup=a_setup("racket", clock=SECOND),
        dice=ScriptedDice([ENTERS, (1, 1), (1, 2), ENTERS]),
    )
    desk.start()
    ann.chair.sent(1, clock.now)
    return desk, ann


class TestPulse:
    def test_of_a_quiet_loop_counts_nothing(self) -> None:
        """
        Beats that come on time are no stall, nor are those a little late.
        """
        pulse = Pulse(0.0)

        for beat in range(1, 100):
            pulse.beat(beat * (BEAT + BOUND * 0.9))

        assert pulse.stalled(100 * (BEAT + BOUND * 0.9)) == 0

    def test_counts_what_comes_later_than_the_bound(self) -> None:
        """
        A beat that is late by more than the bound counts with all of its lateness.
        """
        pulse = Pulse(0.0)

        pulse.beat(BEAT + BOUND)
        assert pulse.stalled(BEAT + BOUND) == 0
        pulse.beat(2 * BEAT + BOUND + 0.050)

        assert pulse.stalled(2 * BEAT + BOUND + 0.050) == pytest.approx(0.050)

    def test_counts_a_stall_that_is_still_going_on(self) -> None:
        """
        What is read in the middle of a stall knows of it already; the beat counts it once.
        """
        pulse = Pulse(0.0)

        assert pulse.stalled(BEAT + 0.100) == pytest.approx(0.100)
        pulse.beat(BEAT + 0.100)

        assert pulse.stalled(BEAT + 0.100) == pytest.approx(0.100)

    def test_counts_a_loop_that_is_busy_all_the_time(self) -> None:
        """
        Where every beat waits its turn behind the work for other games, so did every answer.
        """
        pulse = Pulse(0.0)

        for beat in range(1, 11):
            pulse.beat(beat * (BEAT + 0.008))

        assert pulse.stalled(10 * (BEAT + 0.008)) == pytest.approx(0.080)

    def test_adds_stalls_up(self) -> None:
        """
        Stalls are added up over the life of a process.
        """
        pulse = Pulse(0.0)
        now = 0.0
        for stall in (0.020, 0.300, 0.040):
            now += BEAT + stall
            pulse.beat(now)

        assert pulse.stalled(now) == pytest.approx(0.360)

    def test_does_not_count_a_rest(self) -> None:
        """
        While no game is played nothing beats, and nothing is a stall.
        """
        pulse = Pulse(0.0)

        pulse.rest(3600.0)
        pulse.beat(3600.0 + BEAT)

        assert pulse.stalled(3600.0 + BEAT) == 0

    def test_never_goes_back(self) -> None:
        """
        What was counted stays counted, whatever is asked in between.
        """
        pulse = Pulse(0.0)
        now, before = 0.0, 0.0
        for step in (0.004, 0.012, 0.018, 0.001, 0.050, 0.009, 0.016) * 20:
            now += step
            assert pulse.stalled(now) >= before
            before = pulse.stalled(now)
            if step < 0.017:
                pulse.beat(now)
                assert pulse.stalled(now) >= before


class TestAnswer:
    async def test_in_a_stall_has_its_own_time_only(self, clock: FakeClock) -> None:
        """
        The record keeps apart what the bot took and what the referee did.
        """
        desk, ann = a_desk(clock)
        desk.go(0.25)
        desk.stall(0.5)

        answer(ann, ENTER, now=clock.now)

        step = desk.lines("stepped")[0]
        assert step["lag_us"] == pytest.approx(500_000, abs=BEAT * 1e6 + 1)
        assert step["elapsed_us"] + step["lag_us"] == pytest.approx(750_000, abs=1)

    async def test_beyond_the_limit_by_a_stall_is_in_time(self, clock: FakeClock) -> None:
        """
        A bot that took 0.9 seconds of its one is in time, though the referee slept for another half.
        """
        desk, ann = a_desk(clock)
        desk.go(0.25)
        desk.stall(0.5)
        desk.go(0.65)

        answer(ann, ENTER, now=clock.now)

        assert ann.faults == []
        assert desk.lines("stepped")[0]["elapsed_us"] == pytest.approx(900_000, abs=BEAT * 1e6 + 1)

    async def test_beyond_the_limit_by_itself_is_late_all_the_same(self, clock: FakeClock) -> None:
        """
        A stall does not excuse a bot that took too long besides.
        """
        desk, ann = a_desk(clock)
        desk.go(0.25)
        desk.stall(0.5)
        desk.go(0.85)

        answer(ann, ENTER, now=clock.now)

        assert ann.faults == [FaultKind.LATE]

    async def test_is_not_excused_by_a_stall_before_it_was_asked(self, clock: FakeClock) -> None:
        """
        Only what stalls while the ask is open counts.
        """
        desk, ann = a_desk(clock)
        desk.stall(3.0)
        desk.pulse.beat(clock.now)
        ann.chair.sent(1, clock.now)
        desk.go(1.25)

        answer(ann, ENTER, now=clock.now)

        assert ann.faults == [FaultKind.LATE]

    async def test_is_in_the_figures_with_its_lag(self, clock: FakeClock) -> None:
        """
        The figures of a seat keep both times apart too.
        """
        desk, ann = a_desk(clock)
        desk.go(0.25)
        desk.stall(0.5)

        answer(ann, ENTER, now=clock.now)
        desk.game.flush()

        tally = desk.game.tally.seats[0]
        assert tally.answers == 1
        assert tally.elapsed + tally.lag == pytest.approx(750_000, abs=1)


class TestTimeout:
    def stalled(self, desk: Desk) -> None:
        """Let the deadline pass with a stall in between, and look twice."""
        desk.go(0.5)
        desk.stall(1.0)
        desk.sweep()
        desk.go(BEAT)
        desk.sweep()

    async def test_in_a_stall_is_void_and_the_ask_is_sent_again(self, clock: FakeClock) -> None:
        """
        The bot is asked the same again, with all its time, and charged with nothing.
        """
        desk, ann = a_desk(clock)

        self.stalled(desk)

        assert ann.faults == []
        assert [ask.number for ask in ann.asks] == [1, 1]
        assert ann.asks[0] == ann.asks[1]
        assert desk.lines("faulted") == []

    async def test_is_void_once(self, clock: FakeClock) -> None:
        """
        An ask that was sent again is not sent a third time; what stalls then is given back.
        """
        desk, ann = a_desk(clock)
        self.stalled(desk)
        ann.chair.sent(1, clock.now)

        self.stalled(desk)
        assert ann.faults == []
        assert len(ann.asks) == 2
        for _ in range(4):
            desk.go(0.25)
            desk.sweep()

        assert ann.faults == [FaultKind.LATE]
        assert {ask.number for ask in ann.asks[:2]} == {1}
        assert 1_000_000 < desk.lines("faulted")[0]["elapsed_us"] < 1_500_000

    async def test_gives_back_what_was_stalled_and_no_more(self, clock: FakeClock) -> None:
        """
        After a second stall a bot has what is left of its own time, to the end of it.
        """
        desk, ann = a_desk(clock)
        self.stalled(desk)
        ann.chair.sent(1, clock.now)
        self.stalled(desk)  # half of its second is used up

        answer(ann, ENTER, now=desk.go(0.45))

        assert ann.faults == []
        assert desk.lines("stepped")[0]["elapsed_us"] == pytest.approx(955_000, abs=2 * BEAT * 1e6)

    async def test_is_void_once_an_ask(self, clock: FakeClock) -> None:
        """
        The next ask may be sent again too.
        """
        desk, ann = a_desk(clock)
        self.stalled(desk)
        answer(ann, ENTER, now=clock.now)
        assert ann.asks[-1].number == 2
        ann.chair.sent(2, clock.now)

        self.stalled(desk)

        assert ann.faults == []
        assert [ask.number for ask in ann.asks] == [1, 1, 2, 2]

    async def test_without_a_stall_is_charged(self, clock: FakeClock) -> None:
        """
        Where the referee was awake the whole time the bot is late.
        """
        desk, ann = a_desk(clock)
        desk.go(1.25)

        desk.sweep()
        desk.go(BEAT)
        desk.sweep()

        assert ann.faults == [FaultKind.LATE]
        assert len([ask for ask in ann.asks if ask.number == 1]) == 1

    async def test_of_50_ms_is_not_mistaken_for_a_late_bot(self, clock: FakeClock) -> None:
        """
        A stall of 50 ms at the worst moment, just before the deadline, makes nobody late.
        """
        desk, ann = a_desk(clock)
        desk.go(0.990)
        read = clock.now
        desk.stall(0.050)
        desk.sweep()

        answer(ann, ENTER, now=read)

        assert ann.faults == []

    async def test_gives_plays_again_to_those_who_wish_for_them(self, clock: FakeClock) -> None:
        """
        The second copy of an ask is as whole as the first.
        """
        ann = FakePlayer(wants_plays=True)
        desk = Desk(clock, ann, FakePlayer(choose=first_step), setup=a_setup("racket", clock=SECOND))
        desk.start()
        ann.chair.sent(1, clock.now)

        self.stalled(desk)

        assert ann.asks[0].plays is not None
        assert ann.asks[0] == ann.asks[1]


class TestAnswerToBoth:
    async def test_copies_is_no_fault(self, clock: FakeClock) -> None:
        """
        A bot that answers both copies of an ask does what it was asked to.
        """
        desk, ann = a_desk(clock)
        TestTimeout().stalled(desk)

        assert answer(ann, ENTER, now=desk.go(0.125), ask=1)
        assert answer(ann, ENTER, now=desk.go(0.125), ask=1)

        assert ann.faults == []
        assert len([step for step in desk.lines("stepped") if step["ask"] == 1]) == 1

    async def test_copies_and_once_more_is_a_fault(self, clock: FakeClock) -> None:
        """
        Two copies want two answers, not three.
        """
        desk, ann = a_desk(clock)
        TestTimeout().stalled(desk)

        for _ in range(2):
            answer(ann, ENTER, now=desk.go(0.125), ask=1)
        assert not answer(ann, ENTER, now=desk.go(0.125), ask=1)

        assert ann.faults == [FaultKind.STALE]

    async def test_copies_may_come_after_it_was_replaced(self, clock: FakeClock) -> None:
        """
        A bot that is late for both copies is late once, and its answers are for nothing.
        """
        desk, ann = a_desk(clock)
        TestTimeout().stalled(desk)
        ann.chair.sent(1, clock.now)
        desk.go(1.25)
        desk.sweep()
        desk.sweep()
        assert ann.faults == [FaultKind.LATE]

        assert answer(ann, ENTER, now=clock.now, ask=1)

        assert ann.faults == [FaultKind.LATE]
