"""
What a bot is offered and told while it plays, and what it is never told.
"""

import asyncio
import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.dice import commitment
from referee.errors import ConfigError
from referee.host.verify import verify
from referee.match.events import By, Stepped
from referee.match.faults import FaultKind
from referee.seats import warden
from referee.seats.remote import RemoteBot
from referee.seats.specs import Local
from referee.server.hall import Entrant
from referee.server.house import House
from tests.bad_bots.arena import ROOT, listening, program
from tests.fakes import SEED
from tests.server.guests import SLOW, Guest, Line, a_house, bearer, builtin, order, remote, seated


def asks(guest: Guest) -> list[pb.Ask]:
    return [ask for message in guest.heard for ask in message.asks]


def verdicts(guest: Guest) -> list[pb.Verdict]:
    return [verdict for message in guest.heard for verdict in message.verdicts]


def events(guest: Guest) -> list[pb.Event]:
    return [event for message in guest.heard for event in message.events]


class TestGamesAtOnce:
    @pytest.mark.parametrize(("told", "most"), [(0, 1), (1, 1), (3, 3), (1000, 12)])
    async def test_are_never_more_than_the_bot_can_play(self, told: int, most: int) -> None:
        """
        However many games there are to play, a bot gets as many as it said, and all are played.
        """
        hello = pb.Hello(name="a", games_at_once=told)
        async with a_house(remote("alice"), builtin()) as house, seated(house, "alice", hello) as guest:
            orders = [order(number, ["alice", "racer"], max_throws=20) for number in range(1, 13)]
            outcomes = await asyncio.gather(*map(house.play, orders))

        assert guest.most == most
        assert all(outcome.ended for outcome in outcomes)
        assert not any(outcome.tally.seats[0].faults for outcome in outcomes)

    async def test_are_one_for_each_process_of_a_bot_that_plays_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        The game for which a process was started gets it, whoever else waits for the bot.
        """
        places: list[int] = []
        offer = RemoteBot.offer

        def noted(bot: RemoteBot, *rest: Any) -> None:
            places.append(bot.free)
            offer(bot, *rest)

        monkeypatch.setattr(RemoteBot, "offer", noted)
        one = Entrant("one", Local("one", ROOT, ("python", "-m", "tests.server.killer", str(tmp_path), "0")))
        async with House([one, builtin()], clock=SLOW, instances=3) as house:
            orders = [order(n, ["one", "racer"], clock=SLOW, max_throws=20) for n in range(1, 7)]
            outcomes = await asyncio.gather(*map(house.play, orders))

        assert all(outcome.ended and not outcome.tally.faulted for outcome in outcomes)
        assert places == [0] * 6

    async def test_are_shared_by_all_that_wait_for_the_bot(self) -> None:
        """
        Games that need the same two bots, in either order, do not lock each other up.
        """
        hello = pb.Hello(name="a", games_at_once=1)
        async with (
            a_house(remote("alice"), remote("ben"), builtin()) as house,
            seated(house, "alice", hello) as alice,
            seated(house, "ben", hello) as ben,
        ):
            seats = [["alice", "ben"], ["ben", "alice"]] * 4
            orders = [order(number, two, max_throws=20) for number, two in enumerate(seats, 1)]
            outcomes = await asyncio.gather(*map(house.play, orders))

        assert (alice.most, ben.most) == (1, 1)
        assert all(outcome.ended for outcome in outcomes)

    async def test_leave_no_bot_two_seats_of_one_game(self) -> None:
        """
        A message names the game, not the seat: one bot cannot answer for two.
        """
        async with a_house(remote("alice")) as house:
            with pytest.raises(ConfigError, match="'alice' cannot sit at two seats of one game"):
                await house.play(order(1, ["alice", "alice"]))


class TestWish:
    async def played(self, folder: Path, *wishes: pb.Wish) -> Guest:
        hello = pb.Hello(name="a", wishes=wishes)
        async with a_house(remote("alice"), builtin()) as house, seated(house, "alice", hello) as guest:
            await house.play(order(1, ["alice", "racer"], folder=folder))
            await guest.over()
        return guest

    async def test_for_nothing_brings_the_least(self, tmp_path: Path) -> None:
        """
        A bot that wishes for nothing gets asks without plays, no events, and verdicts on faults only.
        """
        guest = await self.played(tmp_path)

        assert not any(ask.play_lengths for ask in asks(guest))
        assert events(guest) == []
        assert verdicts(guest) == []

    async def test_for_plays_brings_every_play_with_its_position(self, tmp_path: Path) -> None:
        """
        Each ask lists the plays, each begins with an offered step, and each has a position.
        """
        guest = await self.played(tmp_path, pb.WISH_PLAYS)

        assert asks(guest)
        for ask in asks(guest):
            assert sum(ask.play_lengths) == len(ask.play_steps)
            assert len(ask.play_squares) == 16 * len(ask.play_lengths)
            begins = [sum(ask.play_lengths[:i]) for i in range(len(ask.play_lengths))]
            assert {ask.play_steps[begin] for begin in begins} <= set(ask.steps)

    async def test_for_events_brings_the_record_line_by_line(self, tmp_path: Path) -> None:
        """
        What the bot hears is what the record holds, but for the header; the seed comes last.
        """
        guest = await self.played(tmp_path, pb.WISH_EVENTS)
        lines = (tmp_path / "game-1.jsonl").read_text().splitlines()

        assert [event.json for event in events(guest)] == lines[1:]
        assert json.loads(lines[-1])["type"] == "revealed"
        (offer,) = [offer for message in guest.heard for offer in message.offers]
        assert offer.record_format == json.loads(lines[0])["format"]

    async def test_for_confirmations_brings_a_verdict_for_each_answer(self, tmp_path: Path) -> None:
        """
        Accepted answers are confirmed with the time that the referee measured.
        """
        guest = await self.played(tmp_path, pb.WISH_CONFIRMATIONS)
        steps = [
            (event.ask, event.elapsed)
            for event in verify(tmp_path / "game-1.jsonl").events
            if isinstance(event, Stepped) and event.seat == 0 and event.by is By.BOT
        ]

        assert [(verdict.ask, verdict.elapsed_us) for verdict in verdicts(guest)] == steps
        assert [ask.last_answer_us for ask in asks(guest)] == [0] + [elapsed for _, elapsed in steps[:-1]]

    async def test_for_all_at_once_is_granted(self, tmp_path: Path) -> None:
        """
        Wishes do not get in each other's way.
        """
        guest = await self.played(tmp_path, pb.WISH_PLAYS, pb.WISH_EVENTS, pb.WISH_CONFIRMATIONS)

        assert all(ask.play_lengths for ask in asks(guest))
        assert events(guest)
        assert len(verdicts(guest)) == len(asks(guest))


def disguises(seed: bytes) -> list[bytes]:
    """Return the ways in which a seed might be written down."""
    ways = [seed, seed[::-1], seed.hex().encode(), base64.b64encode(seed), repr(list(seed)).encode()]
    return [*ways, repr(seed)[2:-1].encode(), str(int.from_bytes(seed)).encode()]


class TestSeed:
    async def test_is_a_secret_until_the_game_is_over(self, tmp_path: Path) -> None:
        """
        No message, log line, record, command line or environment shows the seed before the end.

        A guest looks at all of them whenever it is asked.
        """
        looked = 0

        def look(ask: pb.Ask) -> list[int]:
            nonlocal looked
            looked += 1
            seen = [*line.raw, (tmp_path / "game-1.jsonl").read_bytes(), repr(heard).encode()]
            for pid in ("self", *warden.marked(house._keeper._mark)):
                seen += [Path(f"/proc/{pid}/{name}").read_bytes() for name in ("cmdline", "environ")]
            haystack = b"\n".join(seen)
            for way in disguises(SEED):
                assert way not in haystack
            return [ask.steps[0]]

        hello = pb.Hello(name="a", wishes=[pb.WISH_PLAYS, pb.WISH_EVENTS, pb.WISH_CONFIRMATIONS])
        entrants = [remote("alice"), Entrant("ben", program("behaves", tmp_path))]
        with listening() as heard:
            async with a_house(*entrants) as house, Line(house.address, bearer("alice-token")) as line:
                guest = Guest(line, hello, look)
                playing = asyncio.create_task(guest.play())
                await guest.welcomed.wait()
                outcome = await house.play(order(1, ["alice", "ben"], folder=tmp_path))
                await guest.over()
            playing.cancel()
        offers = [offer for message in guest.heard for offer in message.offers]

        assert outcome.ended is not None
        assert looked > 20
        assert [offer.commitment for offer in offers] == [commitment(SEED)]
        assert [over.seed for over in guest.overs] == [SEED]
        assert all(way not in repr(heard).encode() for way in disguises(SEED))

    async def test_stays_a_secret_where_it_is_still_in_use(self, tmp_path: Path) -> None:
        """
        Dice that other games share are told to nobody, and not to the record, until all are over.
        """
        hello = pb.Hello(name="a", wishes=[pb.WISH_EVENTS])
        async with a_house(remote("alice"), builtin()) as house, seated(house, "alice", hello) as guest:
            await house.play(replace(order(1, ["alice", "racer"], folder=tmp_path), tell_seed=False))
            await guest.over()
        seen = b"".join([*guest.line.raw, (tmp_path / "game-1.jsonl").read_bytes()])

        assert guest.overs[0].seats
        assert not guest.overs[0].seed
        assert all(way not in seen for way in disguises(SEED))

    async def test_is_told_without_players_once_it_may_be(self, tmp_path: Path) -> None:
        """
        A game that was over before its seed could be told needs nobody to come back for it.
        """
        once = order(1, ["racer", "lost"], folder=tmp_path)
        hello = pb.Hello(name="a")
        async with a_house(builtin(), remote("lost")) as house, seated(house, "lost", hello):
            before = await house.play(replace(once, tell_seed=False))
        async with a_house(builtin(), remote("lost")) as house, asyncio.timeout(3):
            after = await house.play(once)

        assert after.ended == before.ended
        assert after.ended is not None
        assert verify(tmp_path / "game-1.jsonl").seed == SEED

    async def test_is_not_told_to_a_bot_that_lost_its_seat_while_others_play(self, tmp_path: Path) -> None:
        """
        Whoever is out early could tell those who play on: it hears the seed with them, at the end.
        """
        hello = pb.Hello(name="a", wishes=[pb.WISH_EVENTS])

        def falter(ask: pb.Ask) -> list[int]:
            return [] if ask.ask > 6 else [ask.steps[0]]

        async with (
            a_house(remote("alice"), remote("ben"), remote("cleo")) as house,
            seated(house, "alice", hello, falter) as alice,
            seated(house, "ben", hello) as ben,
            seated(house, "cleo", hello),
        ):
            outcome = await house.play(order(1, ["alice", "ben", "cleo"], folder=tmp_path))
            await ben.over()
            await alice.over(2)
        first = next(i for i, message in enumerate(alice.heard) if message.game_overs)

        assert outcome.tally.seats[0].faults == {FaultKind.MALFORMED: 3}
        assert [over.seed for over in alice.overs] == [b"", SEED]
        assert [over.ending for over in alice.overs] == [pb.ENDING_SEAT_LOST, pb.ENDING_FINISHED]
        assert "the seat is lost" in alice.overs[0].detail
        assert alice.overs[1] == ben.overs[0]
        assert not any(message.events for message in alice.heard[first + 1 :])
        assert [over.seed for over in ben.overs] == [SEED]
