"""
The whole house: a gRPC server, the bots, and the games they play, behind one door.

`referee play`, `referee serve` and the tournament runner all enter here.
"""

import asyncio
import contextlib
import gc
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Self

import grpc
import structlog
from grpc_health.v1 import health, health_pb2

from referee.dice import SeededDice, commitment
from referee.errors import ConfigError, RecordError
from referee.host.host import Host
from referee.host.outcome import Outcome
from referee.match.faults import Penalties
from referee.match.match import Match
from referee.match.setup import Setup
from referee.match.tally import Tally
from referee.match.time_bank import Clock
from referee.record.lines import header
from referee.record.replay import Replayed, read, replay
from referee.record.reveal import reveal
from referee.record.stores.file import FileStore
from referee.record.stores.memory import MemoryStore
from referee.record.stores.store import RecordStore
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset
from referee.seats.process import Keeper
from referee.seats.remote import Limits
from referee.seats.specs import Local
from referee.server.gateway import LAST_WORDS, Gateway
from referee.server.hall import TRANSPORT_LIMIT, Entrant, Hall
from referee.server.rules_service import RulesService
from referee.server.services import SERVICES, add_services

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.house")

PING_AFTER: Final = timedelta(seconds=5)
"""A bot from which nothing has come for so long is pinged."""

PING_PATIENCE: Final = timedelta(seconds=2)
"""Beyond what it may think, a bot has so long to let a ping be answered."""

ANYWHERE: Final = "127.0.0.1:0"
"""Where a house listens if nobody says: for bots of this machine, at a port that is free."""

GROWTH: Final = 100
"""A bank that grows is taken to be as large as after so many answers."""


def options(clocks: Sequence[Clock]) -> Sequence[tuple[str, Any]]:
    """
    Return what the gRPC server is set to.

    A peer that answers no ping is gone. But some runtimes answer pings on the thread on which the bot
    thinks, so a bot is given all the time that one of *clocks* could let it think.
    """
    longest = max(
        max(clock.startup, clock.ready, clock.per_move + clock.bank + GROWTH * clock.increment + clock.grace)
        for clock in clocks
    )
    patience = min((longest + PING_PATIENCE) // timedelta(milliseconds=1), 2**31 - 1)
    return (
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", TRANSPORT_LIMIT),
        ("grpc.keepalive_time_ms", PING_AFTER // timedelta(milliseconds=1)),
        ("grpc.keepalive_timeout_ms", patience),
        ("grpc.http2.ping_timeout_ms", patience),
        ("grpc.http2.min_ping_interval_without_data_ms", 500),
        ("grpc.http2.bdp_probe", 0),
        ("grpc.per_message_compression", 0),
        ("grpc.per_message_decompression", 0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOrder:
    """
    One game to be played.

    `seats` holds the entrant on each seat. `seed` is 32 bytes. `record` is where its record is or will
    be; None keeps none. A record that is already there is gone on from. `tell_seed` False leaves the seed
    out of the record and of what bots are told, because other games with it are still to be played; end
    the record with `record.reveal.reveal` when they are over.
    """

    number: int
    game: str
    rules: Rules
    seats: Mapping[int, str]
    seed: bytes
    clock: Clock
    penalties: Penalties
    ask_forced: bool = False
    max_throws: int = 0
    record: Path | None = None
    tell_seed: bool = True


async def build(entrants: Sequence[Entrant], keeper: Keeper) -> None:
    """
    Build the local bots among *entrants*, one after the other.

    Raises:
        ConfigError: A build failed; the text holds the tail of its output.
    """
    done: set[Path] = set()
    for entrant in entrants:
        if isinstance(entrant.bot, Local) and entrant.bot.folder not in done:
            done.add(entrant.bot.folder)
            await keeper.build(entrant.bot)


class House:
    """Runs games between entrants. To be used as an asynchronous context manager."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        *,
        clock: Clock,
        older: Sequence[Clock] = (),
        rulesets: Sequence[Ruleset] = (),
        instances: int,
        listen: str = ANYWHERE,
        limits: Limits | None = None,
    ) -> None:
        """
        Prepare for *entrants*; a local bot is run in up to *instances* processes at once.

        *clock* tells how long a bot may take to say hello. It and the *older* ones of games that are gone
        on with tell how long any game may let a bot think; each game has a clock of its own.

        *rulesets* are those of games to come: bots may ask about them before a game has begun.
        """
        self._entrants: Final = entrants
        self._clocks: Final = (clock, *older)
        self._startup: Final = clock.startup.total_seconds()
        self._instances: Final = instances
        self._listen: Final = listen
        self._limits: Final = limits or Limits()
        self._keeper: Final = Keeper()
        self._rules_service: Final = RulesService(rulesets)
        self._host: Final = Host()
        self._draining = False
        self._waiting: set[asyncio.Task[Any]] = set()
        self.address = ""

    async def prepare(self) -> None:
        """
        Build the local bots, one after the other.

        Raises:
            ConfigError: A build failed; the text holds the tail of its output.
        """
        await build(self._entrants, self._keeper)

    def hold(self, descriptor: int) -> None:
        """Do nothing: no game is played in another process, which would have to keep *descriptor* open."""

    async def __aenter__(self) -> Self:
        """
        Open the door.

        Raises:
            ConfigError: The address cannot be listened on.
        """
        try_out(self._listen)
        self._server = grpc.aio.server(options=options(self._clocks), maximum_concurrent_rpcs=10_000)
        try:
            port = self._server.add_insecure_port(self._listen)
        except RuntimeError:
            raise ConfigError(
                f"cannot listen on {self._listen}: the address is taken, or is none of this machine's"
            ) from None
        host = self._listen.rpartition(":")[0]
        self.address = f"{host}:{port}"
        self._hall = Hall(
            self._entrants,
            self._keeper,
            address=self.address,
            instances=self._instances,
            startup=self._startup,
        )
        gateway = Gateway(self._hall, self._limits, self._startup)
        self._server.add_generic_rpc_handlers((gateway.handlers(),))
        self._health: health.aio.HealthServicer = add_services(self._server, self._rules_service)
        await self._server.start()
        for service in SERVICES:
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        await self._host.__aenter__()
        # What is there now stays: no collection need walk over it during a game.
        gc.collect()
        gc.freeze()
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Adjourn what is being played, let the bots go, close the door."""
        self.drain()
        await self._health.enter_graceful_shutdown()
        with contextlib.suppress(asyncio.CancelledError):
            await self._host.__aexit__(*exc)
        await self._hall.close()
        await self._server.stop(0.5)
        # The library's tasks for the streams end a moment later. A loop that ended first would cancel
        # them, and for each the library would print a traceback.
        streams = [task for task in asyncio.all_tasks() if task.get_name() == "rpc_task"]
        if streams:
            await asyncio.wait(streams, timeout=LAST_WORDS)
        await self._keeper.close()

    def drain(self) -> None:
        """Stop: games in progress are adjourned, games that wait for bots do not begin."""
        if self._draining:
            return
        self._draining = True
        log.info("draining", playing=self._host.playing)
        self._host.adjourn("the referee stops")
        for task in self._waiting:
            task.cancel()

    def waiting_bots(self) -> list[str]:
        """Return the entrants that could be offered a game right now."""
        return self._hall.waiting()

    @property
    def bots_changed(self) -> asyncio.Event:
        """Return what is set when a remote bot comes, goes, or has room for a game."""
        return self._hall.changed

    async def play(self, order: GameOrder, seated: Callable[[], None] = lambda: None) -> Outcome:
        """
        Play one game, or go on with it where its record stops; return when its end is on disk.

        *seated* is called when the players have been promised to the game.

        Raises:
            RecordError: The record that is there cannot be gone on from, or is another game's.
            StoreError: The record cannot be written.
        """
        self._rules_service.offer(order.rules.ruleset)
        done = await asyncio.to_thread(self._recorded, order)
        if done is not None and (done.finished or done.complete):
            if not done.finished and order.tell_seed and order.record is not None:
                await asyncio.to_thread(reveal, order.record, order.rules.ruleset, order.seed)
            return _outcome(done)
        if self._stopping():
            return adjourned(order, done)
        lost = {seat for together in done.match.lost for seat in together} if done else set()
        seats = {seat: name for seat, name in order.seats.items() if seat not in lost}
        taking = asyncio.ensure_future(self._hall.take(seats, order.rules))
        self._waiting.add(taking)
        try:
            players = await taking
            seated()
        except asyncio.CancelledError:
            if not self._stopping():
                raise
            return adjourned(order, done)
        finally:
            self._waiting.discard(taking)
        try:
            setup = done.setup if done else self._setup(order, {s: p.seated for s, p in players.items()})
            store, match = self._opened(order, setup, done)
            if self._stopping():
                store.close()
                return adjourned(order, done)
            return await self._host.play(
                match,
                players,
                SeededDice(order.seed),
                order.seed if order.tell_seed else None,
                store,
                done.events if done else (),
            )
        finally:
            await self._hall.give_back(seats, players)

    def _stopping(self) -> bool:
        return self._draining

    def _recorded(self, order: GameOrder) -> Replayed | None:
        """Return the record that is there, None if none was begun."""
        if order.record is None or not order.record.exists() or not read(order.record)[0]:
            return None
        done = replay(order.record, order.rules)
        setup = done.setup
        recorded = (
            setup.game,
            setup.commitment,
            setup.ruleset.digest(),
            {seated.seat: seated.name for seated in setup.seats},
        )
        if recorded != (
            order.game,
            commitment(order.seed),
            order.rules.ruleset.digest(),
            dict(order.seats),
        ):
            raise RecordError(
                f"{order.record}: the record is of another game: its name, commitment, rules or seats differ"
            )
        if done.torn:
            log.warning("torn line dropped", record=str(order.record), bytes=len(done.torn.encode()))
        return done

    def _setup(self, order: GameOrder, seated: Mapping[int, Any]) -> Setup:
        return Setup(
            number=order.number,
            game=order.game,
            ruleset=order.rules.ruleset,
            seats=tuple(replace(seated[seat], seat=seat) for seat in sorted(order.seats)),
            clock=order.clock,
            penalties=order.penalties,
            commitment=commitment(order.seed),
            ask_forced=order.ask_forced,
            max_throws=order.max_throws,
        )

    def _opened(self, order: GameOrder, setup: Setup, done: Replayed | None) -> tuple[RecordStore, Match]:
        if order.record is None:
            store: RecordStore = MemoryStore()
        elif done is None:
            store = FileStore(order.record, keep=0)
        else:
            store = FileStore(order.record, keep=sum(len(line.encode()) + 1 for line in done.lines))
        if done is not None:
            return store, done.match
        store.append([header(setup)])
        return store, Match(setup, order.rules)


def try_out(listen: str) -> None:
    """
    Refuse an address that cannot be listened on. The library says only that it failed, and listens on
    some other port where the number is missing or too high.

    Raises:
        ConfigError: What is wrong with it.
    """
    host, _, port = listen.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ConfigError(
            f"cannot listen on {listen!r}: an address is a host, a colon and a port up to 65535, "
            "as 127.0.0.1:7777"
        )
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(where)
    except OSError as error:
        raise ConfigError(f"cannot listen on {listen}: {error.strerror or error}") from None


def _outcome(done: Replayed) -> Outcome:
    """Return what became of a game whose record is complete."""
    tally = Tally(done.match.seats)
    tally.count(done.events)
    voided = None if done.match.ended else "the record says so"
    return Outcome(
        game=done.setup.game,
        ended=done.match.ended,
        voided=voided,
        adjourned=False,
        tally=tally,
        throws=done.match.played_throws,
    )


def adjourned(order: GameOrder, done: Replayed | None = None) -> Outcome:
    """Return the outcome of a game that is not played on for now; *done* is its record, if it was read."""
    tally = Tally(order.seats)
    return Outcome(
        game=order.game,
        ended=None,
        voided=None,
        adjourned=True,
        tally=tally,
        throws=done.match.played_throws if done else 0,
    )
