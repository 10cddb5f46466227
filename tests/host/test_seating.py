"""From the offer to the first throw: who accepts, who does not, and who goes again."""

from datetime import timedelta

import pytest

from referee.match.faults import STRICT, TOURNAMENT, FaultKind, Penalties
from referee.match.match import Match
from referee.match.time_bank import Clock
from referee.match.verdict import Ending
from referee.record.replay import replay_lines
from tests.fakes import FakeClock, FakePlayer, ScriptedDice, a_setup, first_step, rules_of
from tests.host.desk import Desk, answer

READY = Clock(ready=timedelta(seconds=2))


def seated(clock: FakeClock, *players: FakePlayer, **setup: object) -> Desk:
    """Return a started game of *players*."""
    seats = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[len(players)]
    desk = Desk(clock, *players, setup=a_setup("racket", seats, **({"clock": READY} | setup)))  # type: ignore[arg-type]
    desk.start()
    return desk


class TestOffer:
    async def test_tells_the_game_and_the_seat(self, clock: FakeClock) -> None:
        """
        Each player hears what is to be played, and has a chair for its seat.
        """
        players = [FakePlayer(accepts=False) for _ in range(3)]

        desk = seated(clock, *players)

        assert [player.offers for player in players] == [[(desk.setup, 0)]] * 3
        assert [player.chair.seat for player in players] == [0, 1, 2]
        assert desk.lines("thrown") == []

    async def test_is_accepted_by_all_before_anybody_throws(self, clock: FakeClock) -> None:
        """
        Play begins when the last has accepted.
        """
        players = [FakePlayer(accepts=False) for _ in range(3)]
        desk = seated(clock, *players)

        assert players[0].chair.ready()
        assert players[2].chair.ready()
        assert desk.lines("thrown") == []
        assert players[1].chair.ready()

        assert desk.lines("thrown")
        assert len(players[0].asks) == 1

    async def test_is_accepted_once(self, clock: FakeClock) -> None:
        """
        To accept again means nothing, before the beginning and after.
        """
        players = [FakePlayer(accepts=False) for _ in range(2)]
        desk = seated(clock, *players)

        assert players[0].chair.ready()
        assert not players[0].chair.ready()
        assert players[1].chair.ready()
        assert not players[1].chair.ready()

        assert len([line for line in desk.lines("thrown") if line["number"] == 1 and line["seat"] == 0]) == 1


class TestAbsent:
    async def test_seat_is_lost_as_a_no_show(self, clock: FakeClock) -> None:
        """
        Who turns the offer down has not come; the record keeps the reason and the last words.
        """
        ann, ben, cleo = FakePlayer(), FakePlayer(accepts=False), FakePlayer()
        desk = seated(clock, ann, ben, cleo)

        ben.chair.absent("declined: too tired", "last words")

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["kind"], fault["cost"]) == (1, "no_show", "seat")
        assert (fault["detail"], fault["stderr"]) == ("declined: too tired", "last words")
        assert [line["seat"] for line in desk.lines("seat_lost")] == [1]
        assert len(ann.asks) == 1
        (over,) = ben.overs
        assert (over.ending, over.ended, over.seed) == (Ending.SEAT_LOST, None, None)
        assert over.detail == "the seat is lost: declined: too tired"

    async def test_seats_are_lost_together(self, clock: FakeClock) -> None:
        """
        Whoever has not come by the beginning is lost at the same moment, whoever was missed first.
        """
        players = [FakePlayer(accepts=False) for _ in range(4)]
        desk = seated(clock, *players)

        players[3].chair.absent("not there")
        players[0].chair.ready()
        players[1].chair.absent("not there")
        assert desk.lines("faulted") == []
        players[2].chair.ready()

        assert desk.match.lost == [(1, 3)]
        assert [line["type"] for line in desk.lines()[1:5]] == [
            "faulted",
            "faulted",
            "seat_lost",
            "seat_lost",
        ]

    async def test_all_but_one_ends_the_game(self, clock: FakeClock) -> None:
        """
        Who came alone has won without a throw.
        """
        ann, ben = FakePlayer(), FakePlayer(accepts=False)
        desk = seated(clock, ann, ben)

        ben.chair.absent("not there")
        outcome = await desk.over()

        assert outcome.ended is not None
        assert outcome.ended.places == (1, 2)
        assert desk.lines("thrown") == []
        assert ann.asks == []
        assert replay_lines(desk.record()).finished

    async def test_all_end_the_game_without_a_winner(self, clock: FakeClock) -> None:
        """
        Where nobody came nobody has won, and the game is over.
        """
        players = [FakePlayer(accepts=False) for _ in range(4)]
        desk = seated(clock, *players)

        for player in players:
            player.chair.absent("not there")
        outcome = await desk.over()

        assert outcome.ended is not None
        assert set(outcome.ended.reasons) == {"fault"}
        assert replay_lines(desk.record()).finished

    async def test_is_nothing_after_the_beginning(self, clock: FakeClock) -> None:
        """
        An offer that was accepted cannot be turned down when the game is being played.
        """
        ann, ben = FakePlayer(), FakePlayer()
        desk = seated(clock, ann, ben)

        ben.chair.absent("declined: too late")

        assert desk.lines("faulted") == []
        assert len(ann.asks) == 1


class TestNotReady:
    async def test_in_time_is_a_no_show(self, clock: FakeClock) -> None:
        """
        Who has said nothing when the time for it is over has not come; the first look marks it only.
        """
        ann, ben, cleo = FakePlayer(), FakePlayer(accepts=False), FakePlayer(choose=first_step)
        desk = seated(clock, ann, ben, cleo)
        desk.go(2.0)
        desk.sweep()
        desk.sweep()
        assert desk.lines("faulted") == []

        desk.go(0.005)
        desk.sweep()
        desk.go(0.005)
        desk.sweep()

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["kind"]) == (1, "no_show")
        assert fault["detail"] == "no ready within 2000 ms of the offer"
        assert len(ann.asks) == 1

    async def test_in_time_cannot_be_made_up_for(self, clock: FakeClock) -> None:
        """
        Who accepts when the game has begun without it is told that the offer is closed.
        """
        ann, ben, cleo = FakePlayer(), FakePlayer(accepts=False), FakePlayer()
        desk = seated(clock, ann, ben, cleo)
        desk.go(2.25)
        desk.sweep()
        desk.sweep()

        assert not ben.chair.ready()

    async def test_between_the_looks_is_ready(self, clock: FakeClock) -> None:
        """
        What was waiting while the loop was busy is read before the second look.
        """
        ann, ben = FakePlayer(), FakePlayer(accepts=False)
        desk = seated(clock, ann, ben)
        desk.go(2.25)
        desk.sweep()

        assert ben.chair.ready()
        desk.sweep()

        assert desk.lines("faulted") == []


class TestGone:
    @pytest.mark.parametrize("accepted", [True, False], ids=["having accepted", "without a word"])
    @pytest.mark.parametrize("table", [STRICT, TOURNAMENT], ids=lambda table: table.name)
    @pytest.mark.parametrize(
        "kind", [FaultKind.GONE, FaultKind.FLOOD, FaultKind.TOO_LARGE, FaultKind.RESIGNED]
    )
    async def test_before_the_beginning_is_a_no_show(
        self, clock: FakeClock, kind: FaultKind, table: Penalties, accepted: bool
    ) -> None:
        """
        Who goes before the beginning is not there when it begins, accepted or not; nobody waits for it.
        """
        ann, ben = FakePlayer(accepts=False), FakePlayer(accepts=False)
        desk = seated(clock, ann, ben, penalties=table)
        if accepted:
            ann.chair.ready()

        ann.chair.fault(kind, "the process ended with exit code 3", stderr="last words")
        ben.chair.ready()
        outcome = await desk.over()

        (fault,) = desk.lines("faulted")
        assert (fault["seat"], fault["kind"]) == (0, "no_show")
        assert (fault["detail"], fault["stderr"]) == ("the process ended with exit code 3", "last words")
        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)
        assert ann.asks == []


class TestEarlyFault:
    @pytest.mark.parametrize("kind", [FaultKind.STALE, FaultKind.MALFORMED])
    async def test_is_left_alone_where_it_would_not_cost_the_seat(
        self, clock: FakeClock, kind: FaultKind
    ) -> None:
        """
        Before anything was asked an answer can only be one from before a stop.
        """
        ann, ben = FakePlayer(accepts=False), FakePlayer()
        desk = seated(clock, ann, ben)

        ann.chair.fault(kind, "too early")
        assert not ann.chair.answered(4, [5], clock.now)
        ann.chair.ready()

        assert desk.lines("faulted") == []
        assert desk.match.strikes == {0: 0, 2: 0}
        assert len(ann.asks) == 1

    async def test_is_a_no_show_under_the_strict_table(self, clock: FakeClock) -> None:
        """
        Where any fault costs the seat it is lost before the beginning too.
        """
        ann, ben = FakePlayer(accepts=False), FakePlayer()
        desk = seated(clock, ann, ben, penalties=STRICT)

        ann.chair.fault(FaultKind.MALFORMED, "the bytes are no PlayRequest")
        outcome = await desk.over()

        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)
        assert desk.lines("faulted")[0]["detail"] == "the bytes are no PlayRequest"


class TestGoingOn:
    async def test_tells_how_much_there_is(self, clock: FakeClock) -> None:
        """
        An offer of a game that was begun says how many events it has; the rest goes on from there.
        """
        ann, ben = FakePlayer(), FakePlayer(choose=first_step)
        desk = Desk(clock, ann, ben)
        desk.start()
        answer(ann, now=desk.go(0.25))
        past = desk.record()
        done = replay_lines(past)

        again, other = FakePlayer(), FakePlayer(choose=first_step)
        second = Desk(clock, again, other, match=done.match)
        second.start(done.events)

        assert again.offers == [(done.setup, len(past) - 1)]
        assert again.asks[0].number == ann.asks[-1].number
        assert again.asks[0].state == ann.asks[-1].state
        assert second.game.tally.seats[0].answers == 1

    async def test_does_not_offer_seats_that_are_lost(self, clock: FakeClock) -> None:
        """
        A seat that was lost before the stop stays lost.
        """
        players = [FakePlayer(choose=first_step) for _ in range(3)]
        match = Match(a_setup("racket", (0, 1, 2)), rules_of("racket"))
        match.fault(1, FaultKind.GONE, "gone")
        desk = Desk(clock, *players, match=match, dice=ScriptedDice())

        desk.start()
        await desk.over()

        assert [len(player.offers) for player in players] == [1, 0, 1]
        assert players[1].asks == []

    async def test_of_a_game_without_its_seed_writes_it(self, clock: FakeClock) -> None:
        """
        A game that stopped between its end and its seed needs nobody to be finished.
        """
        ann, ben = FakePlayer(choose=first_step), FakePlayer(choose=first_step)
        first = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=5))
        first.start()
        await first.over()
        whole = first.record()
        done = replay_lines(whole[:-1])
        assert not done.finished

        nobody = FakePlayer(accepts=False), FakePlayer(accepts=False)
        second = Desk(clock, *nobody, match=done.match)
        second.start(done.events)
        outcome = await second.over()

        assert second.record()[1:] == whole[-1:]
        assert outcome.ended == done.match.ended
        assert [len(player.offers) for player in nobody] == [0, 0]
