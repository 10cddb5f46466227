"""
The `BotGateway`: one stream a bot, one reader and one writer task a stream.

Bytes are carried here, not messages: what cannot be read must be charged to the bot that sent it,
and a library that parses first would end the stream instead.
"""

import asyncio
import secrets
from collections import Counter
from time import monotonic
from typing import Any, Final, assert_never

import grpc
import structlog
from google.protobuf.message import DecodeError
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee import __version__
from referee.seats.remote import Goodbye, Limits, RemoteBot
from referee.server.hall import Hall, Pool, StreamEnd
from referee.wire.hello import introduction

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.gateway")

SERVICE: Final = "parcheesi.v1.BotGateway"

SILENT: Final = 16
"""So many streams with one token may wait for their hello at the same time."""

LAST_WORDS: Final = 1.0
"""Seconds that a bot gets to read what is still on its way when its stream ends."""


class Gateway:
    """Serves `BotGateway.Play`."""

    def __init__(self, hall: Hall, limits: Limits, startup: float) -> None:
        """Bring bots that say hello within *startup* seconds into *hall*."""
        self._hall = hall
        self._limits = limits
        self._startup = startup
        self._silent: Counter[bytes] = Counter()  # streams that have not said hello, by token

    def handlers(self) -> grpc.GenericRpcHandler:
        """Return what a server is given to serve the gateway."""
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": play})

    async def play(self, _: object, context: Any) -> None:
        """Serve one stream from its first byte to its last."""
        owner = self._owner(context)
        if owner is None:
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the metadata must hold `authorization: Bearer TOKEN` with a token that is known here",
            )
            return
        name, pool, digest = owner
        if self._silent[digest] >= SILENT:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED, f"{SILENT} streams of this bot have not said hello yet"
            )
            return
        self._silent[digest] += 1
        try:
            data = await asyncio.wait_for(context.read(), self._startup)
        except TimeoutError:
            await context.abort(
                grpc.StatusCode.DEADLINE_EXCEEDED, f"no hello within {self._startup * 1000:.0f} ms"
            )
            return
        finally:
            self._silent[digest] -= 1
            if not self._silent[digest]:
                del self._silent[digest]
        if data is not grpc.aio.EOF and len(data) > self._limits.message_bytes:
            await context.abort(
                _status(Goodbye.TOO_LARGE), f"a message may have {self._limits.message_bytes} bytes"
            )
            return
        bot, wrong = self._greeted(name, data)
        if bot is None:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, wrong)
            return
        bot.welcome(f"parcheesi-referee {__version__}")
        await pool.joined(bot, digest)
        await self._serve(bot, pool, context)

    def _owner(self, context: Any) -> tuple[str, Pool, bytes] | None:
        for key, value in context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str):
                scheme, _, token = value.partition(" ")
                return self._hall.owner(token.strip()) if scheme.lower() == "bearer" else None
        return None

    def _greeted(self, name: str, data: Any) -> tuple[RemoteBot | None, str]:
        if data is grpc.aio.EOF:
            return None, "the stream ended before hello"
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            return None, "the first message is no PlayRequest, or compressed; it must hold hello"
        if not request.HasField("hello"):
            return None, "the first message must hold hello"
        intro = introduction(request.hello, self._limits.games_at_once)
        return RemoteBot(name, intro, secrets.token_hex(8), self._limits), ""

    async def _serve(self, bot: RemoteBot, pool: Pool, context: Any) -> None:
        sessions = log.bind(bot=bot.seated.name, session=bot.session)
        sessions.info("connected", software=bot.seated.bot, peer=context.peer())
        reader = asyncio.create_task(self._read(bot, context), name=f"read {bot.session}")
        writer = asyncio.create_task(self._write(bot, context), name=f"write {bot.session}")
        ending = asyncio.create_task(bot.ended.wait(), name=f"end {bot.session}")
        end = StreamEnd.BROKEN
        try:
            await asyncio.wait({reader, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not bot.ended.is_set() and await self._still_open(context):
                end = StreamEnd.CLOSED
        finally:
            ending.cancel()
            if not bot.ended.is_set() and not context.peer():
                # The library forgets the peer of a call that its own side has cancelled. It does so
                # when it refuses a message, and never when the bot or its host goes away.
                end = StreamEnd.REFUSED
            gone = asyncio.create_task(pool.broke(bot, end))
            _BACKGROUND.add(gone)
            gone.add_done_callback(_BACKGROUND.discard)
            if bot.ended.is_set():
                # What waits for the bot, the goodbye among it, goes out before the stream ends.
                await asyncio.wait({writer}, timeout=LAST_WORDS)
            writer.cancel()
            sessions.info("disconnected", detail=bot.last_word or None)
        if bot.goodbye is not None and (status := _status(bot.goodbye)) is not grpc.StatusCode.OK:
            await context.abort(status, bot.last_word)
        # Returning ends the stream with OK; the reader that still waits is told so by the library.

    async def _read(self, bot: RemoteBot, context: Any) -> None:
        while not bot.ended.is_set():
            try:
                data = await context.read()
            except grpc.aio.BaseError:
                return  # we have ended the stream ourselves
            now = monotonic()
            if data is grpc.aio.EOF:
                return
            bot.heard(data, now)

    async def _write(self, bot: RemoteBot, context: Any) -> None:
        several = bot.intro.games_at_once > 1
        try:
            while True:
                await bot.wake.wait()
                bot.wake.clear()
                while True:
                    if several:  # what other bots' answers lead to in this turn of the loop goes along
                        await asyncio.sleep(0)
                    if (data := bot.message()) is None:
                        break
                    await context.write(data)
                if bot.ended.is_set():
                    return
        except (grpc.aio.BaseError, asyncio.CancelledError):
            return  # the bot has gone; the reader tells why

    async def _still_open(self, context: Any) -> bool:
        """Tell whether the bot only closed its own side: then the stream can still be written to."""
        try:
            await context.write(b"")
        except (grpc.aio.BaseError, asyncio.CancelledError):
            return False
        return True


_BACKGROUND: Final[set[asyncio.Task[None]]] = set()


def _status(goodbye: Goodbye) -> grpc.StatusCode:
    match goodbye:
        case Goodbye.DRAINED:
            return grpc.StatusCode.OK
        case Goodbye.SUPERSEDED:
            return grpc.StatusCode.ALREADY_EXISTS
        case Goodbye.TOO_LARGE | Goodbye.FLOOD:
            return grpc.StatusCode.RESOURCE_EXHAUSTED
        case _:
            assert_never(goodbye)
