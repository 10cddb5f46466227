"""Players who go in the middle of a game, by their own choice or not."""

import asyncio

import pytest

from referee.match.events import Reason
from referee.match.faults import ALWAYS_THE_SEAT, Cost, FaultKind
from referee.match.verdict import Ending
from referee.rules.state import Step
from tests.fakes import FakeClock, FakePlayer, ScriptedDice, a_setup, first_step
from tests.host.desk import ENTERS, Desk, answer

GOING = sorted(ALWAYS_THE_SEAT - {FaultKind.NO_SHOW})
ENTER = Step(0, 5, 5)


def a_desk(clock: FakeClock, players: int = 3) -> tuple[Desk, list[FakePlayer]]:
    """Return a started game in which seat 0 has just been asked; none of its players answer by themselves."""
    seated = [FakePlayer(name) for name in ("ann", "ben", "cleo", "dan")[:players]]
    setup = a_setup("racket", {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[players])
    desk = Desk(clock, *seated, setup=setup, dice=ScriptedDice([ENTERS] * 8))
    desk.start()
    seated[0].chair.sent(1, clock.now)
    return desk, seated


class TestWhileAsked:
    @pytest.mark.parametrize("kind", GOING)
    async def test_loses_the_seat_and_the_others_play_on(self, clock: FakeClock, kind: FaultKind) -> None:
        """
        The next seat throws; nobody waits for who has gone.
        """
        desk, (ann, ben, _) = a_desk(clock)
        desk.go(0.25)

        ann.chair.fault(kind, "the process ended with exit code 3", raw="ff", stderr="last words")

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["kind"], fault["cost"], fault["ask"]) == (0, kind, "seat", 1)
        assert fault["elapsed_us"] == 250_000
        assert (fault["detail"], fault["raw"], fault["stderr"]) == (
            "the process ended with exit code 3",
            "ff",
            "last words",
        )
        assert desk.lines("seat_lost") == [{"type": "seat_lost", "seat": 0, "kind": kind}]
        assert len(ben.asks) == 1
        assert ann.verdicts[0].kind is kind
        assert ann.verdicts[0].cost is Cost.SEAT

    async def test_is_told_that_it_is_over_before_the_others(self, clock: FakeClock) -> None:
        """
        Who loses the seat hears so at once, and of the places when there are any.
        """
        desk, (ann, ben, cleo) = a_desk(clock)

        ann.chair.fault(FaultKind.RESIGNED, "gave up the seat")
        (lost,) = ann.overs
        assert (lost.ending, lost.ended, lost.seed) == (Ending.SEAT_LOST, None, None)
        ben.chair.fault(FaultKind.GONE, "gone")
        outcome = await desk.over()

        assert [over.ending for over in ann.overs] == [Ending.SEAT_LOST, Ending.FINISHED]
        assert [over.ended for over in ann.overs] == [None, outcome.ended]
        assert [over.ended for over in cleo.overs] == [outcome.ended]
        assert all(player.overs[-1].seed is not None for player in (ann, ben, cleo))

    async def test_is_told_of_the_end_that_the_game_has_without_it(self, clock: FakeClock) -> None:
        """
        Whether the others come to an end, are stopped or are void: who has left is told it too.
        """
        desk, (ann, ben, _) = a_desk(clock)
        ann.chair.fault(FaultKind.RESIGNED, "gave up the seat")

        desk.game.adjourn("the referee stops")
        await desk.over()

        assert [over.ending for over in ann.overs] == [Ending.SEAT_LOST, Ending.ADJOURNED]
        assert [over.ending for over in ben.overs] == [Ending.ADJOURNED]

    async def test_stops_its_clock_until_the_reason_is_known(self, clock: FakeClock) -> None:
        """
        A broken stream is looked into before it is charged; meanwhile it is not charged as late.
        """
        desk, (ann, *_) = a_desk(clock)
        desk.go(0.25)

        ann.chair.hold()
        desk.go(5.0)
        desk.sweep()
        desk.sweep()
        assert desk.lines("faulted") == []
        ann.chair.fault(FaultKind.GONE, "the process was ended by signal 9")

        (fault,) = desk.lines("faulted")
        assert (fault["kind"], fault["elapsed_us"]) == ("gone", 250_000)

    async def test_may_have_answered_before(self, clock: FakeClock) -> None:
        """
        What was read before the stream broke is played.
        """
        desk, (ann, *_) = a_desk(clock)
        ann.chair.hold()

        assert answer(ann, ENTER, now=desk.go(0.25))

        assert desk.lines("stepped")[0]["by"] == "bot"
        assert desk.lines("faulted") == []

    async def test_of_two_ends_the_game(self, clock: FakeClock) -> None:
        """
        Who is left alone has won.
        """
        desk, (ann, ben) = a_desk(clock, 2)

        ann.chair.fault(FaultKind.GONE, "gone")
        outcome = await desk.over()

        assert outcome.ended is not None
        assert outcome.ended.reasons == (Reason.FAULT, Reason.LAST_STANDING)
        assert [over.ending for over in (*ann.overs, *ben.overs)] == [Ending.FINISHED] * 2


class TestWhileNotAsked:
    @pytest.mark.parametrize("kind", GOING)
    async def test_loses_the_seat_and_the_ask_stays_open(self, clock: FakeClock, kind: FaultKind) -> None:
        """
        The seat that is thinking goes on thinking, and its time goes on too.
        """
        desk, (ann, ben, _) = a_desk(clock)
        desk.go(0.25)

        ben.chair.fault(kind, "gone")

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["ask"], fault["elapsed_us"]) == (1, 0, None)
        assert len(ann.asks) == 1
        assert answer(ann, ENTER, now=desk.go(0.25))
        assert desk.lines("stepped")[0]["elapsed_us"] == 500_000

    async def test_is_skipped_from_then_on(self, clock: FakeClock) -> None:
        """
        The turn of a seat that is lost passes to the next.
        """
        desk, (ann, ben, cleo) = a_desk(clock)

        ben.chair.fault(FaultKind.GONE, "gone")
        answer(ann, ENTER, now=desk.go(0.25))

        assert ben.asks == []
        assert len(cleo.asks) == 1
        assert {line["seat"] for line in desk.lines("thrown")} == {0, 2}

    async def test_ends_the_game_where_one_is_left(self, clock: FakeClock) -> None:
        """
        When the opponent goes, the one who was thinking has won and need not answer.
        """
        desk, (ann, ben) = a_desk(clock, 2)

        ben.chair.fault(FaultKind.GONE, "gone")
        outcome = await desk.over()

        assert outcome.ended is not None
        assert outcome.ended.places == (1, 2)
        assert desk.game.deadline is None
        assert not answer(ann, ENTER, now=desk.go(0.25))
        assert ann.faults == []

    async def test_is_charged_once(self, clock: FakeClock) -> None:
        """
        A seat is lost once, whatever comes in behind.
        """
        desk, (_, ben, _) = a_desk(clock)

        for kind in GOING:
            ben.chair.fault(kind, "gone")
        ben.chair.answered(1, [5], clock.now)

        assert len(desk.lines("faulted")) == 1

    async def test_of_two_in_one_moment_is_charged_to_both(self, clock: FakeClock) -> None:
        """
        One after the other they lose their seats, and whoever was first is last.
        """
        desk, (_, ben, cleo, _) = a_desk(clock, 4)

        cleo.chair.fault(FaultKind.GONE, "gone")
        ben.chair.fault(FaultKind.GONE, "gone")

        assert desk.match.lost == [(2,), (1,)]


class Partial(ScriptedDice):
    """Dice that give no five to the seats in `shut`."""

    def __init__(self, *shut: int) -> None:
        super().__init__()
        self.shut = set(shut)

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        return (1, 2) if seat in self.shut else super().throw(seat, number, count)


class TestBetweenAsks:
    async def test_of_many_answers_at_once_the_game_goes_on_once(self, clock: FakeClock) -> None:
        """
        A fault that comes in while the loop has its turn brings the game on; nobody is asked twice.
        """
        ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
        cleo, dan = FakePlayer("cleo"), FakePlayer("dan")
        dice = Partial(2, 3)
        setup = a_setup("racket", (0, 1, 2, 3))
        desk = Desk(clock, ann, ben, cleo, dan, setup=setup, dice=dice)
        desk.start()
        assert len(ann.asks) + len(ben.asks) >= 32  # the loop has its turn
        assert cleo.asks == dan.asks == []

        dice.shut.clear()
        cleo.chair.fault(FaultKind.GONE, "gone")
        assert len(dan.asks) == 1
        await asyncio.sleep(0)

        assert len(dan.asks) == 1
        numbers = [ask.number for player in (ann, ben, dan) for ask in player.asks]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert answer(dan, now=desk.go(0.25))
        assert dan.faults == []

    async def test_of_many_answers_at_once_it_may_be_adjourned(self, clock: FakeClock) -> None:
        """
        A game that is stopped while the loop has its turn is not brought on any more.
        """
        ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben, dice=ScriptedDice())
        desk.start()
        asked = len(ann.asks) + len(ben.asks)
        assert asked >= 32

        desk.game.adjourn("the referee stops")
        outcome = await desk.over()
        await asyncio.sleep(0)

        assert outcome.adjourned
        assert len(ann.asks) + len(ben.asks) == asked
