"""
One worker: a house in a process of its own, for as long as the process that started it lives.

Knows: orders come in on standard input, what became of them goes out on standard output, see `pipe.py`.
When the input ends, whoever gave the orders is dead: nothing more may be written then, since the next
session may have the records already. The warden ends the bots.
Does not know: who else plays, which game is whose, when to stop.
"""

import asyncio
import os
import signal
import sys
import threading
from typing import Final

import structlog

from referee.errors import ConfigError, RefereeError
from referee.server import logs
from referee.server.house import House
from referee.server.pipe import (
    LENGTH,
    Close,
    Done,
    Drain,
    Failed,
    Open,
    Opened,
    Play,
    Refused,
    failure,
    packed,
    unpacked,
)

ORPHANED: Final = 3
"""The exit code of a worker whose orders have ended."""

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.worker")


class Worker:
    """Does what it is told on the file *reading*, and tells on the file *writing* what became of it."""

    def __init__(self, reading: int, writing: int) -> None:
        """Prepare."""
        self._reading: Final = reading
        self._writing: Final = writing
        self._pen: Final = threading.Lock()
        self._inbox: Final[asyncio.Queue[Play | Drain | Close]] = asyncio.Queue()

    async def run(self) -> None:
        """Open the house, play, and close it when told to."""
        opening = unpacked(await asyncio.to_thread(self._message))
        assert isinstance(opening, Open)
        if opening.logs:
            logs.configure(**opening.logs)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
        try:
            async with House(
                opening.entrants, clock=opening.clock, instances=opening.instances, listen=opening.listen
            ) as house:
                await self._say(packed(Opened(house.address)))
                await self._serve(house)
        except Exception as error:
            if not isinstance(error, ConfigError):
                log.error("bug", exc_info=error)
            await self._say(packed(Refused(failure(error))))

    async def _serve(self, house: House) -> None:
        async with asyncio.TaskGroup() as games:
            while True:
                match await self._inbox.get():
                    case Play(ticket, order):
                        games.create_task(self._play(house, Play(ticket, order)))
                    case Drain():
                        house.drain()
                    case Close():
                        house.drain()
                        return

    async def _play(self, house: House, told: Play) -> None:
        try:
            said = packed(Done(told.ticket, await house.play(told.order)))
        except RefereeError as error:
            said = packed(Failed(told.ticket, failure(error)))
        except Exception as error:
            log.error("bug", game=told.order.game, exc_info=error)
            said = packed(Failed(told.ticket, failure(error)))
        await self._say(said)

    async def _say(self, frame: bytes) -> None:
        """Write *frame* where a reader that is slow holds up no game."""
        await asyncio.to_thread(self._write, frame)

    def _write(self, frame: bytes) -> None:
        with self._pen:
            rest = memoryview(frame)
            try:
                while rest:
                    rest = rest[os.write(self._writing, rest) :]
            except OSError:
                os._exit(ORPHANED)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what comes in, in a thread of its own: the end must be heard however busy the loop is."""
        try:
            while True:
                loop.call_soon_threadsafe(self._inbox.put_nowait, unpacked(self._message()))
        except Exception as error:
            log.error("bug", exc_info=error)
            os._exit(ORPHANED)

    def _message(self) -> bytes:
        """Return the next message; end the process where there is none."""
        return self._exactly(int.from_bytes(self._exactly(LENGTH)))

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = os.read(self._reading, size - len(data))
            if not more:
                os._exit(ORPHANED)
            data += more
        return data


def _own_pipes() -> tuple[int, int]:
    """Return our ends of the two pipes, where nothing that prints or reads can find them."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reading, writing


def main() -> None:
    """Run a worker."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever started us is told too, and tells us. Ignoring them for good would be handed on to bots.
        signal.signal(number, lambda *_: None)
    reading, writing = _own_pipes()
    sys.stderr = logs.Remarks(sys.stderr)
    asyncio.run(Worker(reading, writing).run())


if __name__ == "__main__":
    main()
