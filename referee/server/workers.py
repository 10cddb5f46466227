"""
Several houses, each in a process of its own, behind the door of one: as many games are judged at once.

Knows: who plays which game, and what to do when a process dies: its games are played on by the next,
from their records. Does not know: how a game is played (`house.py`, in `worker.py`), what games are for.

Processes are started with the first game, not before: what they must hold open, such as a lock, is
known by then. Bots that dial in know one address, so all their games are played by the first.
"""

import asyncio
import contextlib
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, Self, assert_never

import structlog

from referee.errors import RefereeError
from referee.host.outcome import Outcome
from referee.match.time_bank import Clock
from referee.seats.process import Keeper
from referee.seats.specs import Remote
from referee.server import logs
from referee.server.hall import Entrant, refuse_twins
from referee.server.house import ANYWHERE, GameOrder, adjourned, build, try_out
from referee.server.pipe import (
    LENGTH,
    Close,
    Done,
    Drain,
    Failed,
    Failure,
    FromWorker,
    Open,
    Opened,
    Play,
    Refused,
    ToWorker,
    packed,
    unpacked,
)

DEATHS: Final = 3
"""So many processes of a worker may die, one after the other, without having finished a game."""

FAREWELL: Final = 10.0
"""Seconds that a process gets to let its bots go and leave, before it is killed."""

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.workers")


class Workers:
    """Runs games between entrants in several processes. To be used as an asynchronous context manager."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        *,
        clock: Clock,
        jobs: int,
        workers: int,
        listen: str | None = None,
    ) -> None:
        """
        Prepare for *jobs* games at once, in so many *workers*; remote bots dial in at *listen*.

        A local bot is run in up to as many processes as there are games at once, shared out evenly; in the
        first worker in as many, if it is to play all games of remote bots.
        """
        self._entrants: Final = entrants
        self._listen: Final = listen
        self._remote: Final = {entrant.name for entrant in entrants if isinstance(entrant.bot, Remote)}
        self._keeper: Final = Keeper()
        self._draining = False
        self._held: Final[list[int]] = []
        nearby = [entrant for entrant in entrants if entrant.name not in self._remote]
        self._workers: Final = [
            _Worker(
                Open(
                    entrants=nearby if number else list(entrants),
                    clock=clock,
                    instances=jobs if self._remote and not number else -(-jobs // workers),
                    listen=ANYWHERE if number or listen is None else listen,
                    logs=dict(logs.configured),
                ),
                self._held,
                replaced=bool(number) or not self._remote,
            )
            for number in range(workers)
        ]

    async def prepare(self) -> None:
        """
        Build the local bots, one after the other, once for all processes.

        Raises:
            ConfigError: A build failed; the text holds the tail of its output.
        """
        await build(self._entrants, self._keeper)

    def hold(self, descriptor: int) -> None:
        """Let the processes that are still to be started keep *descriptor* open for as long as they live."""
        self._held.append(descriptor)

    async def __aenter__(self) -> Self:
        """
        Refuse what the first process would refuse.

        Raises:
            ConfigError: The address cannot be listened on, or two entrants cannot be told apart.
        """
        refuse_twins(self._entrants)
        if self._listen is not None:
            try_out(self._listen)
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Adjourn what is being played, and let the processes go; kill those that do not."""
        self.drain()
        try:
            await asyncio.gather(*(worker.close() for worker in self._workers))
        finally:
            for worker in self._workers:
                worker.kill()
            await asyncio.gather(*(worker.gone() for worker in self._workers))
            await self._keeper.close()

    def drain(self) -> None:
        """Stop: games in progress are adjourned, others do not begin."""
        if self._draining:
            return
        self._draining = True
        for worker in self._workers:
            worker.drain()

    async def play(self, order: GameOrder) -> Outcome:
        """
        Play one game, or go on with it where its record stops; return when its end is on disk.

        Raises:
            RecordError: The record that is there cannot be gone on from, or is another game's.
            StoreError: The record cannot be written.
            RefereeError: The process that played it died again and again, or bots had dialled into it.
        """
        if self._remote.isdisjoint(order.seats.values()):
            worker = min(self._workers, key=lambda each: each.games)
        else:
            worker = self._workers[0]
        return await worker.play(order)


class _Died(Exception):
    """A process has ended without telling what became of a game."""


class _Worker:
    """
    One of several: a process that plays games, and the next one when that dies, if it is to be *replaced*.

    Where bots dial in it is not: their next games would find them gone, through no fault of theirs.
    """

    def __init__(self, opening: Open, held: Sequence[int], *, replaced: bool) -> None:
        self._opening: Final = opening
        self._held: Final = held
        self._replaced: Final = replaced
        self._starting: Final = asyncio.Lock()
        self._process: _Process | None = None
        self._draining = False
        self._deaths = 0  # since a game was finished
        self._broken: Failure | None = None  # why no further process is started
        self.games = 0
        """How many games it has been given that are not over."""

    async def play(self, order: GameOrder) -> Outcome:
        """Play a game, in as many processes as it takes."""
        self.games += 1
        try:
            while (process := await self._running()) is not None:
                with contextlib.suppress(_Died):
                    return await process.play(order)
            return adjourned(order)
        finally:
            self.games -= 1

    async def _running(self) -> "_Process | None":
        """Return the process, started if there is none; None when no more is to be played."""
        async with self._starting:
            if self._stopping():
                return None
            if self._broken is not None:
                raise self._broken.error()
            if self._process is None or not self._process.alive:
                self._process = _Process(await self._started(), self._heard, self._died)
                self._process.say(self._opening)
            return None if self._stopping() else self._process

    def _stopping(self) -> bool:
        return self._draining

    async def _started(self) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # modules are looked for where we have found ours, not where we happen to stand
                *("-m", "referee.server.worker"),
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                pass_fds=self._held,
                start_new_session=True,  # Ctrl-C passes it by, even before it can ignore that
            )
        except OSError as error:
            raise RefereeError(f"a process that plays games could not be started: {error.strerror}") from None

    def _heard(self, message: FromWorker) -> None:
        if isinstance(message, Done):
            self._deaths = 0
        elif isinstance(message, Refused):
            self._broken = message.why

    def _died(self, process: "_Process", code: int) -> None:
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        log.warning("worker died", pid=process.pid, how=how, games=process.playing)
        self._deaths += 1
        if not self._replaced:
            text = f"the process that remote bots dial into ended {how}; they have to dial in again"
            self._broken = self._broken or Failure(RefereeError, text)
        elif self._broken is None and self._deaths == DEATHS:
            text = (
                f"a process that plays games ended {DEATHS} times without finishing one, the last time {how}"
            )
            self._broken = Failure(RefereeError, text)

    def drain(self) -> None:
        """Begin nothing more, and adjourn what is being played."""
        self._draining = True
        if self._process is not None:
            self._process.say(Drain())

    async def close(self) -> None:
        """Let the process leave, be it about to start."""
        async with self._starting:
            pass
        if self._process is not None:
            await self._process.close()

    def kill(self) -> None:
        """Kill the process, if it is there."""
        if self._process is not None:
            self._process.kill()

    async def gone(self) -> None:
        """Wait until the process has ended."""
        if self._process is not None:
            await self._process.over


class _Process:
    """One process of a worker, and the games it was told to play. `over` is done when it has ended."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        heard: Callable[[FromWorker], None],
        died: Callable[["_Process", int], None],
    ) -> None:
        self._process: Final = process
        self._heard: Final = heard
        self._died: Final = died
        self._tickets: Final = itertools.count(1)
        self._games: Final[dict[int, asyncio.Future[Outcome]]] = {}
        self._closing = False
        self.alive = True
        self.over: Final[asyncio.Task[None]] = asyncio.create_task(self._watch())

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    @property
    def playing(self) -> int:
        """Return how many games it plays."""
        return len(self._games)

    def say(self, message: ToWorker) -> None:
        """Let it read *message*. One that has died is told nothing; the watch sees to that."""
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(packed(message))

    async def play(self, order: GameOrder) -> Outcome:
        """Return what became of a game; raise `_Died` where that was not told."""
        ticket = next(self._tickets)
        over: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._games[ticket] = over
        try:
            self.say(Play(ticket, order))
            return await over
        finally:
            self._games.pop(ticket, None)

    async def _watch(self) -> None:
        """Hear what it says until it has ended."""
        try:
            while (message := await self._message()) is not None:
                self._hear(message)
        except Exception as error:  # our own bug, whatever it is: no more of it can be understood
            log.error("bug", pid=self.pid, exc_info=error)
            self.kill()
            assert self._process.stdout is not None
            with contextlib.suppress(OSError):  # what lies unread would hide its end
                await self._process.stdout.read()
        code = await self._process.wait()
        self.alive = False
        assert self._process.stdin is not None
        self._process.stdin.close()
        if not self._closing:
            self._died(self, code)
        for over in self._games.values():
            if not over.done():
                over.set_exception(_Died())

    async def _message(self) -> Any:
        """Return the next message, None behind the last."""
        assert self._process.stdout is not None
        try:
            size = int.from_bytes(await self._process.stdout.readexactly(LENGTH))
            return unpacked(await self._process.stdout.readexactly(size))
        except asyncio.IncompleteReadError:
            return None

    def _hear(self, message: FromWorker) -> None:
        self._heard(message)
        match message:
            case Opened(address):
                log.info("worker opened", pid=self.pid, address=address)
            case Refused():
                self._closing = True  # it leaves by itself
            case Done(ticket) | Failed(ticket):
                over = self._games.get(ticket)
                if over is None or over.done():
                    return  # nobody waits for it any more
                if isinstance(message, Done):
                    over.set_result(message.outcome)
                else:
                    over.set_exception(message.why.error())
            case _:
                assert_never(message)

    async def close(self) -> None:
        """Ask it to leave, and wait until it has, but not longer than `FAREWELL`."""
        self._closing = True
        self.say(Close())
        await asyncio.wait({self.over}, timeout=FAREWELL)

    def kill(self) -> None:
        """Kill it, if it is there."""
        if self.alive and self._process.returncode is None:
            log.warning("worker killed", pid=self.pid)
            self._process.kill()
