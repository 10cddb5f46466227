"""
A gateway that says what a test tells it to, to one bot, and remembers what it hears.

Knows: the stream. Does not know: games, rules, time limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb, bot_gateway_pb2_grpc

T = TypeVar("T")


class FakeGateway(bot_gateway_pb2_grpc.BotGatewayServicer):
    """Serves one stream by hand."""

    def __init__(self) -> None:
        self.address = ""
        self.authorization: list[str | bytes] = []
        self._heard: asyncio.Queue[pb.PlayRequest] = asyncio.Queue()
        self._to_say: asyncio.Queue[pb.PlayResponse | grpc.StatusCode] = asyncio.Queue()

    async def Play(self, request_iterator: AsyncIterator[pb.PlayRequest], context: Any) -> None:  # noqa: N802
        self.authorization = [value for key, value in context.invocation_metadata() if key == "authorization"]
        listening = asyncio.create_task(self._listen(request_iterator))
        try:
            while isinstance(said := await self._to_say.get(), pb.PlayResponse):
                await context.write(said)
        finally:
            listening.cancel()
        if said is not grpc.StatusCode.OK:
            await context.abort(said, "a reason in words")

    async def _listen(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            self._heard.put_nowait(request)

    def say(self, message: pb.PlayResponse) -> None:
        """Send *message* to the bot."""
        self._to_say.put_nowait(message)

    def end(self, status: grpc.StatusCode = grpc.StatusCode.OK) -> None:
        """End the stream with *status*."""
        self._to_say.put_nowait(status)

    async def hear(self) -> pb.PlayRequest:
        """Return the next message of the bot."""
        async with asyncio.timeout(30):
            return await self._heard.get()

    async def hear_all(self, count: int, part: Callable[[pb.PlayRequest], Iterable[T]]) -> list[T]:
        """Return *count* items of that *part* of the bot's messages, in however many they come."""
        items: list[T] = []
        while len(items) < count:
            items += part(await self.hear())
        return items

    @property
    def silent(self) -> bool:
        """Tell whether nothing is left that the bot said."""
        return self._heard.empty()


@asynccontextmanager
async def gateway() -> AsyncIterator[FakeGateway]:
    """Serve a fake gateway on a free port."""
    fake = FakeGateway()
    server = grpc.aio.server()
    bot_gateway_pb2_grpc.add_BotGatewayServicer_to_server(fake, server)
    fake.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield fake
    finally:
        await server.stop(0)
