"""
Who is let in at the gateway, and with what words the others are sent away.
"""

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path

import grpc
import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.host.verify import verify
from referee.match.events import Faulted
from referee.match.faults import FaultKind
from referee.record.replay import replay
from referee.seats.remote import Limits
from tests.server.guests import CLOCK, METHOD, Line, a_house, bearer, builtin, order, remote, seated

HELLO = pb.PlayRequest(hello=pb.Hello(name="guest"))


def unknown_field(number: int) -> bytes:
    """Return a field of bytes that no message of ours has."""
    return bytes([(number << 3 | 2) & 0x7F | 0x80, (number << 3) >> 7, 3]) + b"new"


class TestToken:
    @pytest.mark.parametrize(
        "metadata",
        [
            pytest.param([], id="no metadata"),
            pytest.param([("authorization", "")], id="nothing in it"),
            pytest.param([bearer("")], id="an empty token"),
            pytest.param([bearer("alice-tokem")], id="a token that nobody has"),
            pytest.param([("authorization", "alice-token")], id="no scheme"),
            pytest.param([("authorization", "Basic alice-token")], id="another scheme"),
            pytest.param([("x-token", "alice-token")], id="under another name"),
        ],
    )
    async def test_is_asked_for(self, metadata: list[tuple[str, str]]) -> None:
        """
        Without a token that is known here, nobody comes in; the answer says where it belongs.
        """
        async with a_house(remote("alice")) as house, Line(house.address, *metadata) as line:
            code, details = await line.end()

        assert code is grpc.StatusCode.UNAUTHENTICATED
        assert "authorization: Bearer" in details
        assert "alice" not in details

    @pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
    async def test_lets_its_bot_in(self, scheme: str) -> None:
        """
        The scheme's case does not matter, as in HTTP.
        """
        async with (
            a_house(remote("alice")) as house,
            Line(house.address, ("authorization", f"{scheme} alice-token")) as line,
        ):
            await line.say(HELLO)
            message = await line.hear()

        assert message is not None
        assert message.welcome.session


class TestHello:
    @pytest.mark.parametrize(
        "first",
        [
            pytest.param(pb.PlayRequest(), id="an empty message"),
            pytest.param(pb.PlayRequest(readies=[pb.Ready(game=1)]), id="a ready"),
            pytest.param(b"\xff\xff\xff", id="bytes that are no message"),
        ],
    )
    async def test_comes_first(self, first: pb.PlayRequest | bytes) -> None:
        """
        Whoever begins with something else is told so, and sent away.
        """
        async with a_house(remote("alice")) as house, Line(house.address, bearer("alice-token")) as line:
            await line.say(first)
            code, details = await line.end()

        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert "message" in details

    @pytest.mark.parametrize(
        "size",
        [
            pytest.param(64 * 1024 + 1, id="by one byte"),
            pytest.param(5_000_000, id="for the transport"),
        ],
    )
    async def test_may_be_too_large(self, size: int) -> None:
        """
        Its first message is held to the limit like any other, and ends with the status of one.
        """
        async with a_house(remote("alice")) as house, Line(house.address, bearer("alice-token")) as line:
            await line.say(b"\0" * size)
            code, _ = await line.end()

        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED

    async def test_is_for_one_major_version(self) -> None:
        """
        Another version is another service, which is not here.
        """
        method = METHOD.replace("v1", "v2")
        async with (
            a_house(remote("alice")) as house,
            Line(house.address, bearer("alice-token"), method=method) as line,
        ):
            code, _ = await line.end()

        assert code is grpc.StatusCode.UNIMPLEMENTED

    async def test_is_not_waited_for_without_end(self) -> None:
        """
        A stream on which nothing is said is ended after the time for the start.
        """
        clock = replace(CLOCK, startup=timedelta(milliseconds=50))
        async with (
            a_house(remote("alice"), clock=clock) as house,
            Line(house.address, bearer("alice-token")) as line,
        ):
            code, details = await line.end()

        assert code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert "no hello within 50 ms" in details

    async def test_is_waited_for_on_a_few_streams_only(self) -> None:
        """
        One bot cannot hold all streams of the house open by saying nothing on them.
        """
        async with a_house(remote("alice"), remote("ben")) as house:
            lines = [Line(house.address, bearer("alice-token")) for _ in range(20)]
            ends = [asyncio.create_task(line.end()) for line in lines]
            turned_away = [await end for end in islice(asyncio.as_completed(ends), 4)]
            async with Line(house.address, bearer("ben-token")) as ben:
                await ben.say(HELLO)
                welcomed = await ben.hear()
            for line in lines:
                await line.__aexit__()
            await asyncio.gather(*ends, return_exceptions=True)

        assert {code for code, _ in turned_away} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert welcomed is not None

    async def test_a_second_one_changes_nothing(self) -> None:
        """
        It counts as a message that answers nothing: a few are borne, many are a flood.
        """
        async with (
            a_house(remote("alice"), limits=Limits(unsolicited=3)) as house,
            Line(house.address, bearer("alice-token")) as line,
        ):
            for _ in range(5):
                await line.say(HELLO)
            first = await line.hear()
            code, details = await line.end()

        assert first is not None
        assert len(line.raw) == 1
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details == "more than 3 messages, or entries in one, that answer nothing"

    async def test_is_answered_with_the_limits(self) -> None:
        """
        A bot learns what it may send, and the lower of the two protocol versions.
        """
        limits = Limits(message_bytes=1000, unsolicited=7, games_at_once=5)
        async with a_house(remote("alice"), limits=limits) as house:
            hello = pb.Hello(name="a", games_at_once=9, protocol_minor=9)
            async with seated(house, "alice", hello) as guest:
                welcome = guest.heard[0].welcome

        assert welcome.referee.startswith("parcheesi-referee ")
        assert (welcome.max_message_bytes, welcome.max_unsolicited, welcome.games_at_once) == (1000, 7, 5)
        assert welcome.protocol_minor == 0

    async def test_may_come_from_the_future(self) -> None:
        """
        Fields and wishes that are not known here are passed over.
        """
        hello = pb.Hello(name="later", wishes=[pb.WISH_CONFIRMATIONS]).SerializeToString()
        hello += bytes([0x3A, 2, 0xC8, 1]) + unknown_field(99)  # the wish 200, and a field 99
        request = bytes([0x0A, len(hello)]) + hello + unknown_field(77)
        async with (
            a_house(remote("alice"), builtin()) as house,
            Line(house.address, bearer("alice-token")) as line,
        ):
            await line.say(request)
            welcome = await line.hear()
            game = asyncio.create_task(house.play(order(1, ["alice", "racer"], max_throws=1)))
            offer = await line.hear()
            await line.say(
                pb.PlayRequest(declines=[pb.Decline(game=1)]).SerializeToString() + unknown_field(50)
            )
            outcome = await game

        assert welcome is not None
        assert offer is not None
        assert offer.offers[0].names == ["alice", "racer"]
        assert outcome.tally.seats[0].faults == {FaultKind.NO_SHOW: 1}

    async def test_texts_are_cut_and_cleaned(self, tmp_path: Path) -> None:
        """
        What a bot says of itself goes into records and tables: no line of it is broken or endless.
        """
        long = "x" * 5000
        hello = pb.Hello(name="two\nlines\x1b[31m", version=long, author="\u202eevil", language="ü" * 200)
        async with a_house(remote("alice"), builtin()) as house, seated(house, "alice", hello):
            await house.play(order(1, ["alice", "racer"], max_throws=1, folder=tmp_path))
        alice = replay(tmp_path / "game-1.jsonl").setup.seats[0]

        assert alice.name == "alice"
        assert alice.bot == "two lines [31m"
        assert alice.version == "x" * 100
        assert alice.author == " evil"
        assert alice.language == "ü" * 100


class TestNewerStream:
    async def test_supersedes_the_older(self, tmp_path: Path) -> None:
        """
        The older stream hears of the newer one before it ends; its games are lost, new ones are not.
        """
        async with (
            a_house(remote("alice"), builtin()) as house,
            Line(house.address, bearer("alice-token")) as old,
        ):
            await old.say(HELLO)
            await old.hear()
            first = asyncio.create_task(house.play(order(1, ["alice", "racer"], folder=tmp_path)))
            offered = await old.hear()
            await old.say(pb.PlayRequest(readies=[pb.Ready(game=1)]))
            asked = await old.hear()
            async with seated(house, "alice") as new:
                code, details = await old.end()
                await first
                second = await house.play(order(2, ["alice", "racer"], folder=tmp_path))
                session = new.heard[0].welcome.session
        told = [pb.PlayResponse.FromString(data) for data in old.raw]
        faults = [e for e in verify(tmp_path / "game-1.jsonl").events if isinstance(e, Faulted)]

        assert offered is not None
        assert asked is not None
        assert code is grpc.StatusCode.ALREADY_EXISTS
        assert "superseded" in details
        assert session in [message.superseded.session for message in told]
        assert [fault.kind for fault in faults] == [FaultKind.GONE]
        assert session in faults[0].detail
        assert second.tally.seats[0].faults == {}


class TestGoodbye:
    async def test_is_said_before_the_house_closes(self) -> None:
        """
        A bot that waits is told that the referee stops.
        """
        async with a_house(remote("alice")) as house:
            line = Line(house.address, bearer("alice-token"))
            await line.say(HELLO)
            await line.hear()
            ending = asyncio.create_task(line.hear())
        drained = await ending
        await line.__aexit__()

        assert drained is not None
        assert drained.drain.detail == "the referee stops"

    async def test_of_a_bot_that_closes_its_side_is_heard(self, tmp_path: Path) -> None:
        """
        A remote bot that half-closes will never answer again: its seat is lost at once.
        """
        async with (
            a_house(remote("alice"), builtin()) as house,
            Line(house.address, bearer("alice-token")) as line,
        ):
            await line.say(HELLO)
            await line.hear()
            game = asyncio.create_task(house.play(order(1, ["alice", "racer"], folder=tmp_path)))
            await line.hear()
            await line.say(pb.PlayRequest(readies=[pb.Ready(game=1)]))
            await line.hear()
            await line.close_side()
            await game
        faults = [e for e in verify(tmp_path / "game-1.jsonl").events if isinstance(e, Faulted)]

        assert [(fault.kind, fault.detail) for fault in faults] == [
            (FaultKind.GONE, "it closed its side of the stream")
        ]

    async def test_after_a_message_too_large_tells_it_apart_from_a_hang_up(self, tmp_path: Path) -> None:
        """
        The transport refuses what is over its limit; the record says that, not that the bot has gone.
        """
        async with (
            a_house(remote("alice"), builtin()) as house,
            Line(house.address, bearer("alice-token")) as line,
        ):
            await line.say(HELLO)
            await line.hear()
            game = asyncio.create_task(house.play(order(1, ["alice", "racer"], folder=tmp_path)))
            await line.hear()
            await line.say(pb.PlayRequest(readies=[pb.Ready(game=1)]))
            await line.hear()
            await line.say(b"\0" * 5_000_000)
            code, _ = await line.end()
            await game
        faults = [e for e in verify(tmp_path / "game-1.jsonl").events if isinstance(e, Faulted)]

        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert [fault.kind for fault in faults] == [FaultKind.TOO_LARGE]
        assert "over 4 MiB" in faults[0].detail
