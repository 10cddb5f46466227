"""
Instant bots: the cheap ones of `_bots.cpp` where there is a C++ compiler, else grpc.aio ones.

    python -m benchmarks._bots GAMES_AT_ONCE ADDRESS TOKEN [ADDRESS TOKEN]...

runs the second kind, which does what `_bots.cpp` says at its top. The same program plays against both
sides of a comparison, whichever it is.
"""

import asyncio
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb

SOURCE: Final = Path(__file__).with_name("_bots.cpp")
BUILT: Final = Path(__file__).resolve().parent.parent / ".cache" / "benchmarks"

_PLAY: Final = "/parcheesi.v1.BotGateway/Play"


def program() -> tuple[str, list[str]]:
    """Return what the bots are written in, and the command that runs them; build them if need be."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return "grpc.aio in Python, as there is no C++ compiler", [sys.executable, "-m", "benchmarks._bots"]
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    bots = BUILT / f"bots-{digest}"
    if not bots.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        making = bots.with_suffix(".making")
        subprocess.run([compiler, "-O2", "-std=c++17", "-o", making, SOURCE], check=True)
        making.rename(bots)
    return "C++ without a library", [str(bots)]


class Bots:
    """Many bots in one process, one stream each."""

    def __init__(self) -> None:
        self.answered = 0
        self.ended = 0
        self._chance = Random(1)

    async def play(self, address: str, token: str, games_at_once: int) -> None:
        # A connection of its own for each bot, not one that all of them share.
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            stream: Any = channel.stream_stream(
                _PLAY,
                request_serializer=pb.PlayRequest.SerializeToString,
                response_deserializer=pb.PlayResponse.FromString,
            )(metadata=(("authorization", f"Bearer {token}"),))
            try:
                hello = pb.Hello(name="instant", language="Python", games_at_once=games_at_once)
                await stream.write(pb.PlayRequest(hello=hello))
                while (response := await stream.read()) is not grpc.aio.EOF:
                    request = self._reply(response)
                    if request.answers or request.readies:
                        await stream.write(request)
            except (grpc.RpcError, asyncio.InvalidStateError):
                pass
        self.ended += 1

    def _reply(self, response: pb.PlayResponse) -> pb.PlayRequest:
        request = pb.PlayRequest()
        for offer in response.offers:
            request.readies.add(game=offer.game)
        for ask in response.asks:
            request.answers.add(game=ask.game, ask=ask.ask, steps=[self._chance.choice(ask.steps)])
        self.answered += len(response.asks)
        return request


async def _main(games_at_once: str, *places: str) -> None:
    bots = Bots()
    playing = [
        asyncio.create_task(bots.play(address, token, int(games_at_once)))
        for address, token in zip(places[::2], places[1::2], strict=True)
    ]
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while await reader.readline():
        print(bots.answered, bots.ended, flush=True)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def command(games_at_once: int, places: Iterable[tuple[str, str]]) -> list[str]:
    """Return the command line that starts a bot for each of *places*: where it dials, with which token."""
    return [*program()[1], str(games_at_once), *chain.from_iterable(places)]


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
