"""A bot behind a stream: what it is told, in messages, and how its stream ends."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from time import monotonic

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.faults import FaultKind
from referee.match.verdict import Ending, Over
from referee.seats.remote import Goodbye, Limits, RemoteBot
from referee.wire.hello import introduction
from tests.fakes import a_setup

SETUP = a_setup()


class FakeChair:
    """A chair in a game that only remembers what the seat was charged with."""

    seat = 0

    def __init__(self, asked_at: float = inf) -> None:
        self.faults: list[FaultKind] = []
        self._asked_at = asked_at

    def ready(self) -> bool:
        return True

    def absent(self, detail: str, stderr: str = "") -> None:
        pass

    def sent(self, ask: int, now: float) -> None:
        pass

    def answered(self, ask: int, codes: Sequence[int], now: float) -> bool:
        return True

    def asked_at(self) -> float:
        return self._asked_at

    def hold(self) -> None:
        pass

    def fault(self, kind: FaultKind, detail: str, raw: str = "", stderr: str = "") -> None:
        self.faults.append(kind)


def a_bot(limits: Limits | None = None) -> RemoteBot:
    limits = limits or Limits()
    return RemoteBot("ann", introduction(pb.Hello(name="a"), limits.games_at_once), "session", limits)


def told(bot: RemoteBot) -> pb.PlayResponse:
    """Return what waits for *bot*."""
    return pb.PlayResponse.FromString(bot.message() or b"")


def over(ending: Ending, game: int = SETUP.number) -> Over:
    return Over(game, ending, None, None, "a sentence")


class TestLists:
    def test_of_readies_for_games_that_are_over_are_no_flood(self) -> None:
        """
        What a bot said of games that have just ended may have been on its way.
        """
        bot = a_bot(Limits(unsolicited=3))
        for number in range(1, 101):
            bot.offer(replace(SETUP, number=number), FakeChair(), 0)
            bot.over(over(Ending.VOID, number))
        bot.offer(replace(SETUP, number=200), FakeChair(), 0)

        late = [pb.Ready(game=number) for number in range(1, 101)]
        bot.heard(pb.PlayRequest(readies=[*late, pb.Ready(game=200)]).SerializeToString(), monotonic())

        assert bot.goodbye is None

    def test_of_nothing_but_such_readies_are_a_flood_in_the_end(self) -> None:
        """
        Message after message that answers nothing is a flood, whatever it is about.
        """
        bot = a_bot(Limits(unsolicited=3))
        bot.offer(SETUP, FakeChair(), 0)
        bot.over(over(Ending.VOID))

        for _ in range(5):
            bot.heard(pb.PlayRequest(readies=[pb.Ready(game=SETUP.number)]).SerializeToString(), monotonic())

        assert bot.goodbye is Goodbye.FLOOD


class TestGarbage:
    @pytest.mark.parametrize("times", [(3.0, 1.0, 2.0), (inf, 2.0, inf), (3.0, 2.0, 2.5)], ids=str)
    def test_is_charged_where_an_ask_has_been_open_longest(self, times: tuple[float, ...]) -> None:
        bot = a_bot()
        chairs = [FakeChair(asked_at) for asked_at in times]
        for number, chair in enumerate(chairs, 1):
            bot.offer(replace(SETUP, number=number), chair, 0)

        bot.heard(b"\xff", monotonic())

        assert [chair.faults for chair in chairs] == [[], [FaultKind.MALFORMED], []]

    def test_is_charged_to_some_game_where_no_ask_is_open(self) -> None:
        bot = a_bot()
        chair = FakeChair()
        bot.offer(SETUP, chair, 0)

        bot.heard(b"\xff", monotonic())

        assert chair.faults == [FaultKind.MALFORMED]


class TestOver:
    @pytest.mark.parametrize("end", [Ending.ADJOURNED, Ending.VOID], ids=lambda end: end.value)
    def test_is_told_after_the_seat_was_lost_too(self, end: Ending) -> None:
        """
        A bot that lost its seat learns whether the game counts, not only when it does.
        """
        bot = a_bot()
        bot.offer(SETUP, FakeChair(), 0)

        bot.over(over(Ending.SEAT_LOST))
        bot.over(over(end))

        endings = [game_over.ending for game_over in told(bot).game_overs]
        assert endings == [pb.ENDING_SEAT_LOST, getattr(pb, f"ENDING_{end.name}")]

    def test_of_a_game_that_was_not_offered_is_not_told(self) -> None:
        """
        A bot that came too late for a game hears nothing of it.
        """
        bot = a_bot()

        bot.over(over(Ending.ADJOURNED))

        assert not told(bot).game_overs


class TestOffer:
    def test_of_a_place_that_has_become_free_comes_after_the_end_that_freed_it(self) -> None:
        """
        In whatever order a bot reads the lists of a message, it never counts a game too many.
        """
        bot = a_bot()
        bot.offer(SETUP, FakeChair(), 0)
        assert told(bot).offers

        bot.over(over(Ending.FINISHED))
        bot.offer(replace(SETUP, number=SETUP.number + 1), FakeChair(), 0)

        first, second = told(bot), told(bot)
        assert [end.game for end in first.game_overs] == [SETUP.number]
        assert not first.offers
        assert [offer.game for offer in second.offers] == [SETUP.number + 1]
        assert not second.game_overs
        assert bot.message() is None


class TestGoodbye:
    def test_tells_why_the_stream_ends(self) -> None:
        """
        What ends a stream is told to the gateway as such, not only in words.
        """
        drained, superseded = a_bot(), a_bot()
        flooding, large = a_bot(Limits(unsolicited=0)), a_bot(Limits(message_bytes=1))

        drained.drain("the referee stops")
        superseded.supersede("newer")
        flooding.heard(b"", 0.0)
        large.heard(b"\0\0", 0.0)

        bots = (drained, superseded, flooding, large)
        assert all(bot.ended.is_set() for bot in bots)
        assert {bot.goodbye for bot in bots} == set(Goodbye)
        assert [bot.last_word == "" for bot in bots] == [True, False, False, False]
