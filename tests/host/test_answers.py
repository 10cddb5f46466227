"""What becomes of an answer: in time, late, wrong, old, twice, never."""

from datetime import timedelta

import pytest

from referee.match.events import By
from referee.match.faults import STRICT, TOURNAMENT, Cost, FaultKind
from referee.match.match import Match
from referee.match.time_bank import Clock
from referee.rules.state import State, Step
from tests.fakes import FakeClock, FakePlayer, ScriptedDice, a_setup, first_step, rules_of
from tests.host.desk import ENTERS, Desk, answer

GRACE = 1 / 8
"""Seconds of grace; a number that a clock can show without rounding, as are all times here."""

TIMES = Clock(
    per_move=timedelta(seconds=1),
    bank=timedelta(seconds=2),
    increment=timedelta(seconds=0.25),
    grace=timedelta(seconds=GRACE),
    grace_times=1,
)
PLAIN = Clock(per_move=timedelta(seconds=1), grace=timedelta(seconds=GRACE), grace_times=1)
MOMENT = 1 / 1024

ENTER = Step(0, 5, 5)


def a_desk(clock: FakeClock, /, **setup: object) -> tuple[Desk, FakePlayer, FakePlayer]:
    """Return a started game in which the first player has just been asked; the other never answers."""
    ann, ben = FakePlayer("ann"), FakePlayer("ben")
    desk = Desk(clock, ann, ben, setup=a_setup("racket", **({"clock": PLAIN} | setup)))  # type: ignore[arg-type]
    desk.start()
    ann.chair.sent(ann.asks[0].number, clock.now)
    return desk, ann, ben


class TestInTime:
    async def test_is_played(self, clock: FakeClock) -> None:
        """
        The step stands, forced ones follow, and the game goes on to the next question.
        """
        desk, ann, ben = a_desk(clock)

        assert answer(ann, ENTER, now=desk.go(0.25))

        steps = desk.lines("stepped")
        assert [(s["by"], s["ask"], s.get("elapsed_us"), s.get("lag_us")) for s in steps[:2]] == [
            ("bot", 1, 250_000, 0),
            ("forced", 0, None, None),
        ]
        assert ann.verdicts == []
        assert len(ann.asks) + len(ben.asks) == 2

    async def test_counts_from_when_it_was_sent(self, clock: FakeClock) -> None:
        """
        The time in which an ask waits for the transport is not the bot's.
        """
        desk, ann, _ = a_desk(clock)
        ann.chair.sent(1, desk.go(0.03125))

        answer(ann, ENTER, now=desk.go(0.125))

        assert desk.lines("stepped")[0]["elapsed_us"] == 125_000

    async def test_counts_from_the_question_where_nobody_tells(self, clock: FakeClock) -> None:
        """
        A transport that never says when it sent the ask costs the bot a little, and the game nothing.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben)
        desk.start()

        answer(ann, ENTER, now=desk.go(0.125))

        assert desk.lines("stepped")[0]["elapsed_us"] == 125_000

    async def test_is_judged_by_when_it_was_read(self, clock: FakeClock) -> None:
        """
        An answer that was read in time is in time, however long the referee took to look at it.
        """
        desk, ann, _ = a_desk(clock)
        read = desk.go(1.0)
        desk.stall(5.0)

        answer(ann, ENTER, now=read)

        assert ann.faults == []
        assert desk.lines("stepped")[0]["elapsed_us"] == 1_000_000

    async def test_tells_the_next_ask_how_long_it_took(self, clock: FakeClock) -> None:
        """
        A bot learns its measured time with the next question.
        """
        ann, ben = FakePlayer(), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben, dice=ScriptedDice([ENTERS, (1, 1), (1, 2), ENTERS]))
        desk.start()

        answer(ann, ENTER, now=desk.go(0.125))

        assert [ask.last for ask in ann.asks] == [0, 125_000]

    async def test_is_confirmed_to_those_who_wish_for_it(self, clock: FakeClock) -> None:
        """
        A confirmation says what was measured, and that nothing was wrong.
        """
        ann, ben = FakePlayer(wants_confirmations=True), FakePlayer()
        desk = Desk(clock, ann, ben)
        desk.start()

        answer(ann, ENTER, now=desk.go(0.125))

        (verdict,) = ann.verdicts
        assert (verdict.ask, verdict.kind, verdict.cost, verdict.elapsed) == (1, None, None, 125_000)
        assert (verdict.played, verdict.strikes_left) == ((), 3)


class TestTheClock:
    @pytest.mark.parametrize(
        ("seconds", "late"),
        [
            pytest.param(1.0, False, id="exactly the limit"),
            pytest.param(1.0 + GRACE, False, id="exactly limit and grace"),
            pytest.param(1.0 + GRACE + MOMENT, True, id="a moment beyond both"),
        ],
    )
    async def test_ends_with_limit_and_grace(self, clock: FakeClock, seconds: float, late: bool) -> None:
        """
        An answer is late when limit and grace are over, not before.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, ENTER, now=desk.go(seconds))

        assert ann.faults == ([FaultKind.LATE] if late else [])

    @pytest.mark.parametrize(
        ("seconds", "bank", "grace"),
        [
            pytest.param(0.5, 2_250_000, 1, id="within the limit: the increment is added"),
            pytest.param(1.5, 1_750_000, 1, id="beyond it: out of the bank"),
            pytest.param(3.0, 250_000, 1, id="exactly limit and bank"),
            pytest.param(3.0 + GRACE, 250_000, 0, id="limit, bank and grace"),
        ],
    )
    async def test_pays_from_the_bank_and_then_with_grace(
        self, clock: FakeClock, seconds: float, bank: int, grace: int
    ) -> None:
        """
        What exceeds the limit comes out of the bank; grace is used only when that is empty.
        """
        desk, ann, _ = a_desk(clock, clock=TIMES)
        assert (ann.asks[0].limit, ann.asks[0].bank) == (1_000_000, 2_000_000)

        answer(ann, ENTER, now=desk.go(seconds))

        assert ann.faults == []
        assert desk.lines("stepped")[0]["bank_us"] == bank
        assert desk.match.banks[0] == (bank, grace)

    async def test_forgives_so_often_and_no_more(self, clock: FakeClock) -> None:
        """
        The second time the grace is used up: the same time is late.
        """
        ann, ben = FakePlayer(), FakePlayer()
        dice = ScriptedDice([ENTERS, (1, 1), (1, 2), ENTERS])
        desk = Desk(clock, ann, ben, setup=a_setup("racket", clock=PLAIN), dice=dice)
        desk.start()

        answer(ann, ENTER, now=desk.go(1.0 + GRACE))
        answer(ann, now=desk.go(1.0 + GRACE))

        assert ann.faults == [FaultKind.LATE]
        assert ann.verdicts[0].elapsed == 1_125_000

    async def test_of_a_late_answer_empties_the_bank(self, clock: FakeClock) -> None:
        """
        Who is late has used up all there was.
        """
        desk, ann, _ = a_desk(clock, clock=TIMES)

        answer(ann, ENTER, now=desk.go(3.5))

        assert ann.faults == [FaultKind.LATE]
        assert ann.verdicts[0].bank == 0
        assert desk.match.banks[0].bank == 0


class TestLate:
    async def test_answer_is_replaced(self, clock: FakeClock) -> None:
        """
        The first legal step is played, the bot is told at once, and the game goes on.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, Step(3, 5, 5), now=desk.go(1.25))

        (fault,) = desk.lines("faulted")
        assert (fault["kind"], fault["cost"], fault["ask"], fault["elapsed_us"], fault["strikes"]) == (
            "late",
            "strike",
            1,
            1_250_000,
            1,
        )
        assert fault["detail"] == "no answer within 1125 ms (limit 1000, bank and grace 125): 1250 ms"
        step = desk.lines("stepped")[0]
        assert (step["pawn"], step["by"], step["ask"], "elapsed_us" in step) == (0, "substitute", 1, False)
        (verdict,) = ann.verdicts
        assert (verdict.ask, verdict.kind, verdict.cost, verdict.elapsed) == (
            1,
            FaultKind.LATE,
            Cost.STRIKE,
            1_250_000,
        )
        assert (verdict.played, verdict.strikes_left) == ((ENTER,), 2)

    async def test_answer_loses_the_seat_under_the_strict_table(self, clock: FakeClock) -> None:
        """
        No substitute is played for a seat that is lost.
        """
        desk, ann, _ = a_desk(clock, penalties=STRICT)

        answer(ann, ENTER, now=desk.go(1.25))
        outcome = await desk.over()

        assert desk.lines("stepped") == []
        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)
        assert ann.verdicts[0].cost is Cost.SEAT
        assert ann.verdicts[0].strikes_left == 0


class TestNever:
    async def test_is_found_in_the_second_look(self, clock: FakeClock) -> None:
        """
        The first look at a deadline that has passed marks it only: an answer may be waiting to be read.
        """
        desk, ann, _ = a_desk(clock)
        desk.go(1.0 + GRACE)
        desk.sweep()
        desk.sweep()
        assert ann.faults == []

        desk.go(0.005)
        desk.sweep()
        assert ann.faults == []
        desk.go(0.005)
        desk.sweep()

        assert ann.faults == [FaultKind.LATE]
        assert desk.lines("faulted")[0]["elapsed_us"] == 1_135_000

    async def test_is_not_found_when_the_answer_comes_between_the_looks(self, clock: FakeClock) -> None:
        """
        What was read in time is judged by its time, though the deadline was looked at before.
        """
        desk, ann, _ = a_desk(clock)
        read = desk.go(1.0)
        desk.go(0.25)
        desk.sweep()

        answer(ann, ENTER, now=read)
        desk.sweep()

        assert ann.faults == []

    async def test_is_found_though_nobody_told_that_it_was_sent(self, clock: FakeClock) -> None:
        """
        An ask that the transport never takes does not stop the game for ever.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, setup=a_setup("racket", clock=PLAIN))
        desk.start()

        desk.go(1.0 + GRACE + 0.04 + MOMENT)
        desk.sweep()
        desk.sweep()

        assert ann.faults == [FaultKind.LATE]

    async def test_begins_anew_when_the_ask_is_sent_after_all(self, clock: FakeClock) -> None:
        """
        An ask that is sent late has its whole time, and both looks, from then on.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, setup=a_setup("racket", clock=PLAIN))
        desk.start()
        desk.go(1.0 + GRACE + 0.04 + MOMENT)
        desk.sweep()

        ann.chair.sent(1, clock.now)
        desk.go(1.0 + GRACE + MOMENT)
        desk.sweep()
        assert ann.faults == []
        desk.sweep()

        assert ann.faults == [FaultKind.LATE]

    async def test_may_be_answered_afterwards_for_nothing(self, clock: FakeClock) -> None:
        """
        An answer that comes when it has been replaced already is no second fault, the first time.
        """
        desk, ann, _ = a_desk(clock)
        desk.go(1.25)
        desk.sweep()
        desk.sweep()
        assert ann.faults == [FaultKind.LATE]

        assert answer(ann, ENTER, now=desk.go(0.125), ask=1)
        assert ann.faults == [FaultKind.LATE]
        assert not answer(ann, ENTER, now=desk.go(0.125), ask=1)

        assert ann.faults == [FaultKind.LATE, FaultKind.STALE]

    async def test_three_times_loses_the_seat(self, clock: FakeClock) -> None:
        """
        A bot that hangs is out after three strikes, and the others play on.
        """
        ann, ben = FakePlayer(), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", clock=PLAIN))
        desk.start()

        for _ in range(3):
            desk.go(1.25)
            desk.sweep()
            desk.sweep()
        outcome = await desk.over()

        assert ann.faults == [FaultKind.LATE] * 3
        assert [verdict.strikes_left for verdict in ann.verdicts] == [2, 1, 0]
        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)
        assert outcome.tally.seats[0].faults == {FaultKind.LATE: 3}


class TestIllegal:
    async def test_answer_is_told_why_and_replaced(self, clock: FakeClock) -> None:
        """
        The fault names the step and the reason; the record keeps the answer as it came.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, Step(0, 1, 6), now=desk.go(0.25))

        (fault,) = desk.lines("faulted")
        assert (fault["kind"], fault["cost"], fault["ask"], fault["elapsed_us"]) == (
            "illegal",
            "strike",
            1,
            250_000,
        )
        assert fault["detail"].startswith("step 1 of the answer, ")
        assert fault["raw"] == f"steps [{Step(0, 1, 6).code}]"
        assert desk.lines("stepped")[0]["by"] == "substitute"
        assert ann.verdicts[0].detail == fault["detail"]
        assert ann.verdicts[0].played == (ENTER,)

    async def test_answer_is_cut_in_the_record(self, clock: FakeClock) -> None:
        """
        An answer of thousands of steps does not fill the disk.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, *[Step(0, 1, 6)] * 5000, now=desk.go(0.25))

        assert len(desk.lines("faulted")[0]["raw"]) < 400


class TestMalformed:
    @pytest.mark.parametrize(
        ("codes", "detail"),
        [
            pytest.param([], "the answer holds no step", id="no step"),
            pytest.param([0], "0 is not the number of a step", id="0"),
            pytest.param([2**32 - 1], f"{2**32 - 1} is not the number of a step", id="the largest number"),
            pytest.param([4 << 16 | 5 << 8 | 5], "263429 is not the number of a step", id="a fifth pawn"),
        ],
    )
    async def test_answer_is_no_step_at_all(self, clock: FakeClock, codes: list[int], detail: str) -> None:
        """
        What is no step cannot be illegal; it is malformed, and replaced.
        """
        desk, ann, _ = a_desk(clock)

        assert ann.chair.answered(1, codes, desk.go(0.25))

        (fault,) = desk.lines("faulted")
        assert (fault["kind"], fault["detail"], fault["raw"]) == ("malformed", detail, f"steps {codes}")
        assert desk.lines("stepped")[0]["by"] == "substitute"

    async def test_message_spends_the_ask(self, clock: FakeClock) -> None:
        """
        Bytes that cannot be read are charged to the open ask; the answer that follows is for nothing.
        """
        desk, ann, _ = a_desk(clock)
        desk.go(0.25)

        ann.chair.fault(FaultKind.MALFORMED, "the bytes are no PlayRequest", raw="ff00")

        (fault,) = desk.lines("faulted")
        assert (fault["ask"], fault["elapsed_us"], fault["raw"]) == (1, 250_000, "ff00")
        assert desk.lines("stepped")[0]["by"] == "substitute"
        assert answer(ann, ENTER, now=desk.go(0.25), ask=1)
        assert ann.faults == [FaultKind.MALFORMED]


class TestStale:
    @pytest.mark.parametrize("ask", [2, 99, 2**31])
    async def test_answer_is_to_an_ask_that_was_never_put(self, clock: FakeClock, ask: int) -> None:
        """
        An answer to no question is a fault; the question that is open stays open.
        """
        desk, ann, _ = a_desk(clock)

        assert not answer(ann, ENTER, now=desk.go(0.25), ask=ask)

        (fault,) = desk.lines("faulted")
        assert (fault["kind"], fault["ask"], fault["raw"]) == ("stale", 1, f"ask {ask}")
        assert fault["detail"] == f"ask {ask} is not open; ask 1 is"
        assert desk.lines("stepped") == []
        assert answer(ann, ENTER, now=desk.go(0.25))
        assert desk.lines("stepped")[0]["elapsed_us"] == 500_000

    async def test_answer_is_given_twice(self, clock: FakeClock) -> None:
        """
        An answer counts once; its copy is a fault.
        """
        desk, ann, _ = a_desk(clock)

        assert answer(ann, ENTER, now=desk.go(0.25))
        assert not answer(ann, ENTER, now=desk.go(0.25), ask=1)

        assert ann.faults == [FaultKind.STALE]
        assert len([line for line in desk.lines("stepped") if line["by"] == "bot"]) == 1

    async def test_answer_comes_from_a_seat_that_was_not_asked(self, clock: FakeClock) -> None:
        """
        Nobody answers for another.
        """
        desk, ann, ben = a_desk(clock)

        assert not ben.chair.answered(1, [ENTER.code], desk.go(0.25))

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["kind"], fault["ask"], fault["elapsed_us"]) == (2, "stale", 0, None)
        assert fault["detail"] == "ask 1 is not open"
        assert ann.faults == []
        assert answer(ann, ENTER, now=desk.go(0.25))

    async def test_answer_loses_the_seat_under_the_strict_table(self, clock: FakeClock) -> None:
        """
        Where any fault costs the seat this one does too, and the game does not wait any more.
        """
        desk, ann, _ = a_desk(clock, penalties=STRICT)

        answer(ann, ENTER, now=desk.go(0.25), ask=9)
        outcome = await desk.over()

        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)

    async def test_answer_after_the_end_is_nothing(self, clock: FakeClock) -> None:
        """
        When the game is over, what is still on its way does no harm.
        """
        desk, ann, ben = a_desk(clock, penalties=STRICT)
        ben.chair.fault(FaultKind.GONE, "gone")
        await desk.over()
        before = desk.record()

        assert not answer(ann, ENTER, now=desk.go(0.25))
        ann.chair.fault(FaultKind.FLOOD, "too much")
        ann.chair.hold()
        ann.chair.absent("late")
        assert not ann.chair.ready()

        assert ann.faults == []
        assert desk.record() == before


class TestSeveralSteps:
    async def test_are_played_as_if_each_had_been_asked_for(self, clock: FakeClock) -> None:
        """
        The first step has the time of the answer; those behind it have the same ask and no time.
        """
        dice = ScriptedDice([(5, 5), (1, 2)])
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, dice=dice)
        desk.start()

        answer(ann, Step(2, 5, 5), Step(2, 5, 10), now=desk.go(0.25))

        steps = desk.lines("stepped")
        assert [(s["pawn"], s["to"], s["by"], s["ask"], s.get("elapsed_us")) for s in steps[:2]] == [
            (2, "5", "bot", 1, 250_000),
            (2, "10", "bot", 1, None),
        ]

    async def test_may_leave_out_what_is_forced(self, clock: FakeClock) -> None:
        """
        A step that is the only one is played, whether the answer names it or not.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, ENTER, Step(0, 1, 6), now=desk.go(0.25))

        assert [s["by"] for s in desk.lines("stepped")[:2]] == ["bot", "bot"]
        assert ann.faults == []

    async def test_may_skip_a_forced_step_in_between(self, clock: FakeClock) -> None:
        """
        Between two steps of an answer the referee plays what is forced.
        """
        match = Match(a_setup("racket"), rules_of("racket"))
        match.state = State(((72, 72, 4, 72), None, (16, 8, 42, 0), None), 0)
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, match=match, dice=ScriptedDice([(2, 2), (1, 2)]))
        desk.start()

        answer(ann, Step(2, 2, 10), Step(2, 5, 20), now=desk.go(0.25))

        assert ann.faults == []
        assert [(s["to"], s["by"], s["ask"]) for s in desk.lines("stepped")[:4]] == [
            ("10", "bot", 1),
            ("15", "forced", 0),
            ("20", "bot", 1),
            ("22", "forced", 0),
        ]

    async def test_behind_the_end_of_the_throw_are_left_alone(self, clock: FakeClock) -> None:
        """
        When the throw is played, the rest of the answer is nothing, and no fault.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, ENTER, Step(0, 1, 6), Step(0, 6, 12), Step(3, 7, 99), now=desk.go(0.25))

        assert ann.faults == []
        assert [s["to"] for s in desk.lines("stepped")[:2]] == ["5", "6"]

    async def test_are_stopped_by_one_that_is_illegal(self, clock: FakeClock) -> None:
        """
        The steps before it stand; it is replaced, and what is behind it is dropped.
        """
        dice = ScriptedDice([(5, 5), (1, 2)])
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, dice=dice)
        desk.start()

        answer(ann, Step(2, 5, 5), Step(1, 5, 10), Step(0, 5, 5), now=desk.go(0.25))

        (fault,) = desk.lines("faulted")
        assert fault["detail"].startswith("step 2 of the answer, ")
        assert (fault["ask"], fault["elapsed_us"]) == (1, None)
        steps = desk.lines("stepped")
        assert [(s["pawn"], s["by"]) for s in steps[:2]] == [(2, "bot"), (0, "substitute")]
        assert ann.verdicts[0].played == (Step(0, 5, 5),)

    async def test_are_stopped_by_one_that_is_no_step(self, clock: FakeClock) -> None:
        """
        A number that is no step is malformed wherever it stands.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = Desk(clock, ann, ben, dice=ScriptedDice([(5, 5), (1, 2)]))
        desk.start()

        ann.chair.answered(1, [ENTER.code, 0], desk.go(0.25))

        assert ann.faults == [FaultKind.MALFORMED]

    async def test_must_name_forced_steps_where_those_are_asked(self, clock: FakeClock) -> None:
        """
        With `ask_forced` every step is the bot's own: leaving one out is a fault.
        """
        desk, ann, _ = a_desk(clock, ask_forced=True)

        answer(ann, ENTER, Step(3, 7, 99), now=desk.go(0.25))

        assert ann.faults == [FaultKind.ILLEGAL]


class TestForced:
    async def test_step_is_not_asked(self, clock: FakeClock) -> None:
        """
        A seat with one legal step is not asked.
        """
        desk, ann, _ = a_desk(clock)

        answer(ann, ENTER, now=desk.go(0.25))

        assert desk.lines("stepped")[1]["by"] == "forced"
        assert len(ann.asks) <= 2
        assert all(len(ask.steps) > 1 for ask in ann.asks)

    async def test_step_is_asked_where_that_is_wanted(self, clock: FakeClock) -> None:
        """
        With `ask_forced` a seat is asked though it has no choice.
        """
        desk, ann, _ = a_desk(clock, ask_forced=True)

        answer(ann, ENTER, now=desk.go(0.25))

        assert [ask.steps for ask in ann.asks][1] == (Step(0, 1, 6),)


class TestAtOnce:
    async def test_answers_have_no_time(self, clock: FakeClock) -> None:
        """
        A player inside this process is not measured: it did not wait for a transport.
        """
        ann, ben = FakePlayer(choose=first_step), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9))
        desk.start()
        await desk.over()

        answered = [s for s in desk.lines("stepped") if s["by"] == By.BOT and "elapsed_us" in s]
        assert answered
        assert {s["elapsed_us"] for s in answered} == {0}

    async def test_wrong_answers_are_faults_too(self, clock: FakeClock) -> None:
        """
        Whoever answers is judged in the same way.
        """
        ann, ben = FakePlayer(choose=lambda ask: (Step(3, 7, 99),)), FakePlayer(choose=lambda ask: ())
        desk = Desk(clock, ann, ben)
        desk.start()
        await desk.over()

        assert set(ann.faults) == {FaultKind.ILLEGAL}
        assert set(ben.faults) <= {FaultKind.MALFORMED}
        assert len(ann.faults) == TOURNAMENT.strikes or len(ben.faults) == TOURNAMENT.strikes


class TestPlays:
    async def test_are_in_the_ask_of_those_who_wish_for_them(self, clock: FakeClock) -> None:
        """
        Who wishes for it gets every play with its final position; others do not.
        """
        ann, ben = FakePlayer(wants_plays=True), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben)
        desk.start()

        (ask,) = ann.asks
        assert ask.plays is not None
        assert not ask.cut
        assert {play.steps[0] for play in ask.plays} <= set(ask.steps)
        assert (ask.plays, ask.cut) == desk.match.rules.plays(ask.state)
        answer(ann, *ask.plays[0].steps, now=desk.go(0.25))
        assert ann.faults == []
        assert all(ask.plays is None for ask in ben.asks)
