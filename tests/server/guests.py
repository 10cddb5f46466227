"""
A bot that a test plays by itself, on a real stream, and a house for it to dial.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Self

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.faults import TOURNAMENT, Penalties
from referee.match.time_bank import Clock
from referee.seats.specs import Builtin, Remote, token_digest
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House
from tests.fakes import SEED, rules_of

METHOD: Final = "/parcheesi.v1.BotGateway/Play"
PATIENCE: Final = 20.0
"""Seconds after which a test gives up what it waits for."""

CLOCK: Final = Clock(startup=timedelta(seconds=5), ready=timedelta(seconds=5), per_move=timedelta(seconds=5))

SLOW: Final = replace(CLOCK, per_move=timedelta(seconds=60))
"""For games that are to be stopped before anybody is late."""


def remote(name: str) -> Entrant:
    """Return an entrant whose token is its name with `-token` behind it."""
    return Entrant(name, Remote(name, token_digest(f"{name}-token")))


def builtin(strategy: str = "racer", name: str | None = None) -> Entrant:
    return Entrant(name or strategy, Builtin(strategy))


def a_house(*entrants: Entrant, clock: Clock = CLOCK, **more: Any) -> House:
    return House(entrants, clock=clock, instances=1, **more)


def order(
    number: int,
    seats: Sequence[str],
    *,
    clock: Clock = CLOCK,
    penalties: Penalties = TOURNAMENT,
    folder: Path | None = None,
    max_throws: int = 0,
    seed: bytes = SEED,
) -> GameOrder:
    """Return the order of a game of two to four."""
    places = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[len(seats)]
    return GameOrder(
        number=number,
        game=f"game-{number}",
        rules=rules_of("winning_moves"),
        seats=dict(zip(places, seats, strict=True)),
        seed=seed,
        clock=clock,
        penalties=penalties,
        max_throws=max_throws,
        record=folder / f"game-{number}.jsonl" if folder else None,
    )


class Line:
    """One `Play` stream, to be used as an asynchronous context manager."""

    def __init__(self, address: str, *metadata: tuple[str, str], method: str = METHOD) -> None:
        """Dial *address* with *metadata*."""
        self._channel = grpc.aio.insecure_channel(address)
        play: Any = self._channel.stream_stream(method)
        self._call = play(metadata=metadata)
        self.raw: list[bytes] = []
        """All messages that came, as they came."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._call.cancel()
        await self._channel.close()

    async def say(self, request: pb.PlayRequest | bytes) -> None:
        """Send a message, or bytes that are none."""
        async with asyncio.timeout(PATIENCE):
            data = request if isinstance(request, bytes) else request.SerializeToString()
            await self._call.write(data)

    async def hear(self) -> pb.PlayResponse | None:
        """Return the next message, None when the stream has ended."""
        async with asyncio.timeout(PATIENCE):
            try:
                data = await self._call.read()
            except grpc.aio.AioRpcError:
                return None
        if data is grpc.aio.EOF:
            return None
        self.raw.append(data)
        return pb.PlayResponse.FromString(data)

    async def close_side(self) -> None:
        """Say that nothing more will be said."""
        await self._call.done_writing()

    async def end(self) -> tuple[grpc.StatusCode, str]:
        """Return with what status the stream ended, and the words that came with it."""
        async with asyncio.timeout(PATIENCE):
            while await self.hear() is not None:
                pass
            return await self._call.code(), await self._call.details()


def bearer(token: str) -> tuple[str, str]:
    return ("authorization", f"Bearer {token}")


def first_step(ask: pb.Ask) -> list[int]:
    return [ask.steps[0]]


def after(asks: int, act: Callable[[], object]) -> Callable[[pb.Ask], Iterable[int]]:
    """Return a choice of steps that does *act* when so many asks have come, and goes on."""
    left = iter(range(asks))

    def choose(ask: pb.Ask) -> Iterable[int]:
        if next(left, None) is None:
            act()
        return first_step(ask)

    return choose


class Guest:
    """Plays the games it is offered until its stream ends."""

    def __init__(
        self,
        line: Line,
        hello: pb.Hello | None = None,
        choose: Callable[[pb.Ask], Iterable[int]] = first_step,
    ) -> None:
        """Say *hello* on *line*, and answer asks with the steps that *choose* returns."""
        self.line = line
        self.heard: list[pb.PlayResponse] = []
        self.overs: list[pb.GameOver] = []
        self.welcomed = asyncio.Event()
        self.playing: set[int] = set()
        self.most = 0
        """The most games that were open at one time."""
        self._changed = asyncio.Condition()
        self._hello = hello or pb.Hello(name="guest", version="1", games_at_once=1)
        self._choose = choose

    async def play(self) -> None:
        """Play until the stream ends."""
        await self.line.say(pb.PlayRequest(hello=self._hello))
        while (message := await self.line.hear()) is not None:
            self.heard.append(message)
            await self._note(message)
            reply = pb.PlayRequest(
                readies=[pb.Ready(game=offer.game) for offer in message.offers],
                answers=[
                    pb.Answer(game=ask.game, ask=ask.ask, steps=self._choose(ask)) for ask in message.asks
                ],
            )
            if reply.ByteSize():
                try:
                    await self.line.say(reply)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    break

    async def over(self, games: int = 1) -> None:
        """Wait until so many games are over for this bot."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: len(self.overs) >= games)

    async def _note(self, message: pb.PlayResponse) -> None:
        if message.HasField("welcome"):
            self.welcomed.set()
        self.playing |= {offer.game for offer in message.offers}
        self.most = max(self.most, len(self.playing))
        self.playing -= {over.game for over in message.game_overs}
        self.overs += message.game_overs
        async with self._changed:
            self._changed.notify_all()


@asynccontextmanager
async def seated(
    house: House,
    name: str,
    hello: pb.Hello | None = None,
    choose: Callable[[pb.Ask], Iterable[int]] = first_step,
) -> AsyncIterator[Guest]:
    """Let a guest play as *name* in *house*."""
    async with Line(house.address, bearer(f"{name}-token")) as line:
        guest = Guest(line, hello, choose)
        playing = asyncio.create_task(guest.play())
        try:
            async with asyncio.timeout(PATIENCE):
                await guest.welcomed.wait()
            yield guest
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
