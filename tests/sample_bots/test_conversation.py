"""The sample bots as processes on a real stream, opposite a gateway that a test speaks for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from parcheesi.v1 import board_pb2, bot_gateway_pb2 as pb

from referee.match.ask import Ask
from referee.seats.strategies import strategy
from tests.fakes import rules_of
from tests.sample_bots.asks import asks_of_games, on_wire, ruleset_of
from tests.sample_bots.bots import BOTS, built, last_words, manifest, running, strategy_of
from tests.sample_bots.gateway import FakeGateway, gateway

RULES = "winning_moves"
UNKNOWN = b"\xc0\x3e\x07\xc2\x3e\x03abc"
"""A number in field 1000 and a text in the same: no message of the contract has such fields."""
UNKNOWN_FAULT = b"\x12\x01\x63\x1a\x01\x62"
"""A list of penalties with kind 99 at cost 98."""
UNKNOWN_VERDICT = b"\x18\x63\x28\x62"
"""A verdict with kind 99 at cost 98."""
UNKNOWN_ENDING = b"\x10\x60\x2a\x01\x61"
"""A game that is over in way 96, for reason 97."""

Process = asyncio.subprocess.Process


@pytest.fixture(params=BOTS, ids=lambda folder: folder.name)
def bot(request: pytest.FixtureRequest) -> Path:
    """One sample bot after the other, ready to run."""
    folder: Path = request.param
    built(folder)
    return folder


@asynccontextmanager
async def greeted(bot: Path) -> AsyncIterator[tuple[FakeGateway, Process, pb.Hello]]:
    """Run *bot* until it has said hello."""
    async with gateway() as referee, running(bot, referee.address, "a-token") as process:
        first = await referee.hear()
        assert [field.name for field, _ in first.ListFields()] == ["hello"]
        yield referee, process, first.hello


def offers(*numbers: int) -> pb.PlayResponse:
    """Return one message with the offers of games *numbers*."""
    message = pb.PlayResponse()
    for number in numbers:
        offer = message.offers.add(game=number, game_id=f"g{number}", seats=[0, 2], names=["ann", "ben"])
        offer.ruleset.CopyFrom(ruleset_of(RULES))
    return message


def several_games(asks: Sequence[Ask], games: int, hello: pb.Hello) -> list[Ask]:
    """Return *asks* dealt out to *games* games, with plays only if *hello* wished for them."""
    wished = pb.WISH_PLAYS in hello.wishes
    return [
        ask._replace(game=1 + index % games, number=1 + index // games, plays=ask.plays if wished else None)
        for index, ask in enumerate(asks)
    ]


def answered(answers: Iterable[pb.Answer]) -> dict[tuple[int, int], list[int]]:
    """Return the steps of each answer by game and ask."""
    return {(answer.game, answer.ask): list(answer.steps) for answer in answers}


def expected(bot: Path, asks: Iterable[Ask]) -> dict[tuple[int, int], list[int]]:
    """Return what the built-in player of the same strategy answers."""
    choose = strategy(strategy_of(bot))
    return {(ask.game, ask.number): [step.code for step in choose(rules_of(RULES), ask)] for ask in asks}


def strange(message: Message) -> None:
    """Add fields that are not in the contract to *message* and to all messages in it."""
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in [value] if isinstance(value, Message) else value:
            strange(part)
    message.MergeFromString(UNKNOWN)


class TestConversation:
    async def test_introduces_itself(self, bot: Path) -> None:
        """
        The token goes along, and hello says what bot.toml says.
        """
        async with greeted(bot) as (referee, _, hello):
            assert referee.authorization == ["Bearer a-token"]
            assert (hello.name, hello.version) == (bot.name, manifest(bot)["version"])
            assert hello.language in ("", manifest(bot)["language"])
            assert hello.games_at_once >= 8

    async def test_plays_several_games_at_once(self, bot: Path) -> None:
        """
        Every offer is accepted, every ask of a list answered, as the built-in player answers it.
        """
        async with greeted(bot) as (referee, process, hello):
            referee.say(pb.PlayResponse(welcome=pb.Welcome(session="s", games_at_once=8)))
            referee.say(offers(1, 2, 3, 4, 5))
            referee.say(offers(6))
            readies = await referee.hear_all(6, lambda said: said.readies)
            assert [ready.game for ready in readies] == [1, 2, 3, 4, 5, 6]

            asks = several_games(asks_of_games(RULES)[:240], 6, hello)
            for begin in range(0, len(asks), 12):
                referee.say(on_wire(rules_of(RULES).ruleset, *asks[begin : begin + 12]))
            answers = await referee.hear_all(len(asks), lambda said: said.answers)
            assert answered(answers) == expected(bot, asks)
            assert len(answers) == len(asks)

            referee.end()
            assert await last_words(process) == (0, "")

    async def test_goes_on_to_the_next_game(self, bot: Path) -> None:
        """
        When a game is over the others go on, and a new one may begin.
        """
        async with greeted(bot) as (referee, _, hello):
            asks = several_games(asks_of_games(RULES)[200:206], 3, hello)
            referee.say(offers(1, 2))
            await referee.hear_all(2, lambda said: said.readies)
            over = pb.GameOver(game=1, ending=pb.ENDING_FINISHED, seats=[0, 2], places=[1, 2])
            referee.say(pb.PlayResponse(game_overs=[over]))
            referee.say(offers(3))
            assert [ready.game for ready in (await referee.hear()).readies] == [3]

            still = [ask for ask in asks if ask.game != 1]
            referee.say(on_wire(rules_of(RULES).ruleset, *still))
            assert answered(await referee.hear_all(4, lambda said: said.answers)) == expected(bot, still)

    async def test_survives_what_it_does_not_know(self, bot: Path) -> None:
        """
        A newer referee may send fields, kinds and reasons that this bot has never heard of.
        """
        async with greeted(bot) as (referee, process, hello):
            (ask,) = several_games(asks_of_games(RULES)[100:101], 1, hello)
            message = offers(1)
            message.offers[0].penalties.MergeFromString(UNKNOWN_FAULT)
            message.MergeFrom(on_wire(rules_of(RULES).ruleset, ask))
            message.verdicts.add(game=1, ask=77, detail="a fault of the future").MergeFromString(
                UNKNOWN_VERDICT
            )
            message.game_overs.add(game=9).MergeFromString(UNKNOWN_ENDING)
            message.events.add(game=1, json="{}")
            message.drain.detail = "soon"
            strange(message)
            assert message.offers[0].penalties.kinds[-1] == message.verdicts[0].fault == 99
            assert message.game_overs[0].ending == 96
            assert message.game_overs[0].reasons == [97]

            referee.say(message)
            said = [await referee.hear()]
            if not said[0].answers:
                said.append(await referee.hear())

            assert [ready.game for message in said for ready in message.readies] == [1]
            assert answered(a for message in said for a in message.answers) == expected(bot, [ask])
            referee.end()
            code, error = await last_words(process)
            assert code == 0
            assert len(error.splitlines()) <= 1

    async def test_speaks_only_when_asked(self, bot: Path) -> None:
        """
        A welcome, a verdict, an event or an empty message wants no answer: what answers nothing is a flood.
        """
        async with greeted(bot) as (referee, _, hello):
            (ask,) = several_games(asks_of_games(RULES)[:1], 1, hello)
            for message in (
                pb.PlayResponse(welcome=pb.Welcome(session="s")),
                pb.PlayResponse(),
                pb.PlayResponse(
                    verdicts=[pb.Verdict(game=1, ask=3, fault=board_pb2.FAULT_KIND_LATE, detail="too late")]
                ),
                pb.PlayResponse(events=[pb.Event(game=1, json="{}")]),
                offers(1),
                on_wire(rules_of(RULES).ruleset, ask),
            ):
                referee.say(message)

            assert [ready.game for ready in (await referee.hear()).readies] == [1]
            assert len((await referee.hear()).answers) == 1
            assert referee.silent


class TestEnd:
    async def test_tells_in_one_line_why_the_stream_broke(self, bot: Path) -> None:
        """
        An author reads the status and its reason, not a traceback.
        """
        async with greeted(bot) as (referee, process, _):
            referee.end(grpc.StatusCode.UNAUTHENTICATED)

            code, error = await last_words(process)

            assert code == 1
            assert error.splitlines() == ["the stream ended: UNAUTHENTICATED: a reason in words"]

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
    async def test_stops_quietly_when_told(self, bot: Path, number: signal.Signals) -> None:
        """
        Whoever stops a bot sees nothing of it any more.
        """
        async with greeted(bot) as (_, process, _):
            process.send_signal(number)

            code, error = await last_words(process)

            assert error == ""
            assert code in (0, -number)
