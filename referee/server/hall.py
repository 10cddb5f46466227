"""
Where bots are had from: one pool an entrant, each with its own way to fill a seat.

A pool promises a player before it is offered a game, never more than the bot says it can play, and
makes callers wait rather than queue games in a bot.
"""

import asyncio
import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol, assert_never

import structlog

from referee.errors import ConfigError
from referee.match.faults import FaultKind
from referee.rules.engine import Rules
from referee.seats.builtin import AbsentPlayer, BuiltinPlayer
from referee.seats.player import Player
from referee.seats.process import Child, Keeper
from referee.seats.remote import RemoteBot
from referee.seats.specs import BotSpec, Builtin, Local, Remote, token_digest

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.hall")

CUT: Final = 0.5
"""
Seconds for which a local bot's process is waited for when its stream has broken. A program that
crashes closes its streams some time before it is gone; its clock stands still meanwhile.
"""

TRANSPORT_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of a message above which the transport itself cuts the stream."""

ONE_PROGRAM: Final = "the bot is the program that `run` starts, so a script must end with `exec`"

GOODBYE: Final = 1.0
"""Seconds that a local bot gets to leave by itself when its stream has ended."""


class StreamEnd(Enum):
    """What the end of a stream was, in words."""

    CLOSED = "it closed its side of the stream"
    BROKEN = "it hung up"
    REFUSED = f"it sent a message over {TRANSPORT_LIMIT // 2**20} MiB, which the transport refused"

    @property
    def kind(self) -> FaultKind:
        """Return the fault it is in the middle of a game."""
        return FaultKind.TOO_LARGE if self is StreamEnd.REFUSED else FaultKind.GONE


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot under the name that it plays by."""

    name: str
    bot: BotSpec


def refuse_twins(entrants: Sequence[Entrant]) -> None:
    """
    Refuse entrants that could not be told apart.

    Raises:
        ConfigError: Two have one name, or one token.
    """
    names: set[str] = set()
    tokens: dict[bytes, str] = {}
    for entrant in entrants:
        if entrant.name in names:
            raise ConfigError(f"two entrants are called {entrant.name!r}; names must differ")
        names.add(entrant.name)
        if isinstance(entrant.bot, Remote):
            other = tokens.setdefault(entrant.bot.token_digest, entrant.name)
            if other != entrant.name:
                raise ConfigError(f"{other!r} and {entrant.name!r} have one token; each bot needs its own")


class Pool(Protocol):
    """One entrant's players."""

    async def take(self, rules: Rules) -> Player:
        """Return a player for one game by *rules*, promised until `give_back`. May wait."""

    async def give_back(self, player: Player) -> None:
        """Take a player back after its game."""

    def admit(self, digest: bytes) -> bool:
        """Tell whether the bot whose token has *digest* belongs here."""

    async def joined(self, bot: RemoteBot, digest: bytes) -> None:
        """Let a bot have said hello."""

    async def broke(self, bot: RemoteBot, end: StreamEnd) -> None:
        """Let a bot's stream have ended; charge it with what that was."""

    def waits(self) -> bool:
        """Tell whether a player could be had at once."""

    async def close(self) -> None:
        """Let all go."""


class BuiltinPool:
    """Our own strategies: always there."""

    def __init__(self, name: str, spec: Builtin) -> None:
        self._name = name
        self._spec = spec

    async def take(self, rules: Rules) -> Player:
        """Return a new player."""
        return BuiltinPlayer(self._name, self._spec.strategy, rules)

    async def give_back(self, player: Player) -> None:
        """Let it go."""

    def admit(self, digest: bytes) -> bool:
        """Expect nobody."""
        return False

    async def joined(self, bot: RemoteBot, digest: bytes) -> None:
        """Never happen."""

    async def broke(self, bot: RemoteBot, end: StreamEnd) -> None:
        """Never happen."""

    def waits(self) -> bool:
        """Be there."""
        return True

    async def close(self) -> None:
        """Have nothing to close."""


@dataclass(eq=False, slots=True)
class _Instance:
    """One process of a local bot: started, then connected, then gone."""

    child: Child
    digest: bytes
    bot: RemoteBot | None = None
    watch: asyncio.Task[None] | None = None
    awaited: bool = True
    """The game for which it was started has not got it yet."""


class LocalPool:
    """A program on this machine: as many processes of it as games want, up to a limit."""

    def __init__(
        self, name: str, spec: Local, keeper: Keeper, address: str, instances: int, startup: float
    ) -> None:
        self._name = name
        self._spec = spec
        self._keeper = keeper
        self._address = address
        self._most = instances
        self._startup = startup
        self._instances: list[_Instance] = []
        self._changed = asyncio.Condition()
        self._launching = False
        self._closing = False

    async def take(self, rules: Rules) -> Player:
        """Return a connected bot with room for a game; start another process where there is none."""
        async with self._changed:
            while True:
                for instance in self._instances:
                    if instance.bot is not None and instance.child.alive and instance.bot.free > 0:
                        instance.bot.reserved += 1
                        return instance.bot
                if self._closing:
                    return self._absent("the referee is stopping", "")
                if not self._launching and len(self._instances) < self._most:
                    break
                await self._changed.wait()
            self._launching = True
        try:
            return await self._launch()
        finally:
            async with self._changed:
                self._launching = False
                self._changed.notify_all()

    async def _launch(self) -> Player:
        token = secrets.token_hex(32)
        try:
            child = await self._keeper.launch(self._spec, self._address, token)
        except ConfigError as error:  # it was there when all began
            log.warning("did not start", bot=self._name, detail=str(error))
            return self._absent(str(error), "")
        instance = _Instance(child, token_digest(token))
        self._instances.append(instance)
        log.info("launched", bot=self._name, pid=child.pid)
        joined = asyncio.create_task(self._until_joined(instance))
        await asyncio.wait({joined, child.exited}, timeout=self._startup, return_when=asyncio.FIRST_COMPLETED)
        if not joined.done() and not child.alive:
            await asyncio.wait({joined}, timeout=CUT)
        if joined.done() and instance.bot is not None:
            instance.awaited = False
            instance.watch = asyncio.create_task(self._watch(instance))
            log.info("joined", bot=self._name, pid=child.pid, session=instance.bot.session)
            return instance.bot
        joined.cancel()
        if child.alive:
            detail = f"no hello within {self._startup * 1000:.0f} ms of its start; {child.how()}"
        else:
            detail = f"{child.how()} before it said hello"
        await self._drop(instance, 0.0)
        log.warning("did not join", bot=self._name, pid=child.pid, detail=detail)
        return self._absent(detail, child.stderr())

    async def _watch(self, instance: _Instance) -> None:
        """Put a process away that has ended while something that it had started holds its stream."""
        await asyncio.wait({instance.child.exited})
        await asyncio.sleep(CUT)  # nearly always the stream breaks meanwhile
        if instance in self._instances:
            if instance.bot is not None:
                detail = f"{instance.child.how()} while what it had started played on: {ONE_PROGRAM}"
                instance.bot.lost(FaultKind.GONE, detail, instance.child.stderr())
                instance.bot.drain(ONE_PROGRAM)
            await self._drop(instance, 0.0)

    async def _until_joined(self, instance: _Instance) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: instance.bot is not None)

    def _absent(self, detail: str, stderr: str) -> AbsentPlayer:
        return AbsentPlayer(self._name, self._spec.name, detail, stderr)

    async def give_back(self, player: Player) -> None:
        """Let another game have the place; put away a bot whose process has gone."""
        if isinstance(player, RemoteBot):
            player.reserved -= 1
        async with self._changed:
            self._changed.notify_all()

    def admit(self, digest: bytes) -> bool:
        """Tell whether one of our processes holds that token."""
        return self._holder(digest) is not None

    def _holder(self, digest: bytes) -> _Instance | None:
        return next((i for i in self._instances if hmac.compare_digest(i.digest, digest)), None)

    async def joined(self, bot: RemoteBot, digest: bytes) -> None:
        """Let a process have said hello. A second stream of the same process supersedes the first."""
        instance = self._holder(digest)
        if instance is None:
            bot.drain("the process that this token was given to has been put away")
            return
        if instance.bot is not None:
            instance.bot.supersede(bot.session)
        if instance.awaited:  # before anybody else hears of it
            bot.reserved = 1
        bot.printed = instance.child.stderr
        async with self._changed:
            instance.bot = bot
            self._changed.notify_all()

    async def broke(self, bot: RemoteBot, end: StreamEnd) -> None:
        """Charge its games; where the process may have ended, wait to tell how it did."""
        instance = next((i for i in self._instances if i.bot is bot), None)
        if instance is None:
            bot.lost(end.kind, end.value)
            return
        child = instance.child
        if end is not StreamEnd.REFUSED:
            bot.hold()
            await asyncio.wait({child.exited}, timeout=CUT)
        detail = end.value
        if not child.alive:
            await child.end()  # with it, all of its standard error is there
            if end is StreamEnd.BROKEN:
                detail = child.how()
            elif end is StreamEnd.CLOSED:
                detail = f"{detail}; {child.how()}"
        bot.lost(end.kind, detail, child.stderr())
        if instance.bot is not bot:
            return  # it has dialled in anew meanwhile
        await self._drop(instance, 0.0 if self._closing else GOODBYE)

    async def _drop(self, instance: _Instance, patience: float) -> None:
        if instance in self._instances:
            await instance.child.end(patience)
            async with self._changed:
                if instance in self._instances:
                    self._instances.remove(instance)
                self._changed.notify_all()

    def waits(self) -> bool:
        """Tell whether a process is there with room for a game, or could be started."""
        return any(i.bot is not None and i.bot.free > 0 for i in self._instances) or (
            len(self._instances) < self._most
        )

    async def close(self) -> None:
        """Say goodbye to all processes, then end those that stay."""
        self._closing = True
        for instance in self._instances:
            if instance.bot is not None:
                instance.bot.drain("the referee stops")
        for instance in self._instances:
            if instance.watch is not None:
                instance.watch.cancel()
        await asyncio.gather(
            *(self._drop(i, GOODBYE if i.bot is not None else 0.0) for i in list(self._instances))
        )


class RemotePool:
    """A bot that dials in by itself. The newest stream of its token is the one that counts."""

    def __init__(self, name: str, spec: Remote, startup: float, changed: Callable[[], None]) -> None:
        self._name = name
        self._spec = spec
        self._startup = startup
        self._tell_hall = changed
        self._bot: RemoteBot | None = None
        self._changed = asyncio.Condition()

    async def take(self, rules: Rules) -> Player:
        """Wait for the bot to be there with room for a game; without it for the start-up time, give up."""
        async with self._changed:
            try:
                async with asyncio.timeout(self._startup):
                    await self._changed.wait_for(lambda: self._bot is not None)
            except TimeoutError:
                detail = f"it did not dial in within {self._startup * 1000:.0f} ms"
                return AbsentPlayer(self._name, f"remote:{self._spec.name}", detail, "")
            await self._changed.wait_for(lambda: self._bot is None or self._bot.free > 0)
            if self._bot is None:
                return AbsentPlayer(self._name, f"remote:{self._spec.name}", "its stream has ended", "")
            self._bot.reserved += 1
            return self._bot

    async def give_back(self, player: Player) -> None:
        """Let another game have the place."""
        if isinstance(player, RemoteBot):
            player.reserved -= 1
        async with self._changed:
            self._changed.notify_all()
        self._tell_hall()

    def admit(self, digest: bytes) -> bool:
        """Tell whether this is the entrant's token."""
        return hmac.compare_digest(self._spec.token_digest, digest)

    async def joined(self, bot: RemoteBot, digest: bytes) -> None:
        """Let the bot have said hello."""
        if self._bot is not None:
            self._bot.supersede(bot.session)
        async with self._changed:
            self._bot = bot
            self._changed.notify_all()
        self._tell_hall()

    async def broke(self, bot: RemoteBot, end: StreamEnd) -> None:
        """Charge its games: there is nobody to answer for them."""
        bot.lost(end.kind, end.value)
        async with self._changed:
            if self._bot is bot:
                self._bot = None
            self._changed.notify_all()
        self._tell_hall()

    def waits(self) -> bool:
        """Tell whether the bot is there with room for a game."""
        return self._bot is not None and self._bot.free > 0

    async def close(self) -> None:
        """Tell the bot that the referee stops."""
        if self._bot is not None:
            self._bot.drain("the referee stops")


class Hall:
    """All pools, by the entrants' names."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        keeper: Keeper,
        *,
        address: str,
        instances: int,
        startup: float,
    ) -> None:
        """
        Make a pool for each entrant; local bots will be told to dial *address*.

        Raises:
            ConfigError: Two entrants have one name, or one token.
        """
        self.changed: Final = asyncio.Event()
        """Set when a remote bot came, went, or got room for a game."""
        refuse_twins(entrants)
        self._pools: Final[dict[str, Pool]] = {
            entrant.name: self._pool(entrant, keeper, address, instances, startup) for entrant in entrants
        }

    def _pool(self, entrant: Entrant, keeper: Keeper, address: str, instances: int, startup: float) -> Pool:
        bot = entrant.bot
        match bot:
            case Builtin():
                return BuiltinPool(entrant.name, bot)
            case Local():
                return LocalPool(entrant.name, bot, keeper, address, instances, startup)
            case Remote():
                return RemotePool(entrant.name, bot, startup, self.changed.set)
            case _:
                assert_never(bot)

    async def take(self, seats: Mapping[int, str], rules: Rules) -> dict[int, Player]:
        """
        Return a player for each seat. Pools are asked in one order, so that no two games lock up.

        Raises:
            ConfigError: A bot is to sit at two seats; it could not tell which is asked.
        """
        names = list(seats.values())
        for name, pool in self._pools.items():
            if names.count(name) > 1 and not isinstance(pool, BuiltinPool):
                raise ConfigError(f"{name!r} cannot sit at two seats of one game: enter it under two names")
        players: dict[int, Player] = {}
        try:
            for seat, name in sorted(seats.items(), key=lambda item: (item[1], item[0])):
                players[seat] = await self._pools[name].take(rules)
        except BaseException:
            await self.give_back({seat: seats[seat] for seat in players}, players)
            raise
        return players

    async def give_back(self, seats: Mapping[int, str], players: Mapping[int, Player]) -> None:
        """Take the players of a game back."""
        for seat, player in players.items():
            await self._pools[seats[seat]].give_back(player)

    def owner(self, token: str) -> tuple[str, Pool, bytes] | None:
        """Return whose *token* is: name, pool and the token's digest; None if nobody's."""
        digest = token_digest(token)
        found = None
        for name, pool in self._pools.items():
            if pool.admit(digest):
                found = (name, pool, digest)
        return found

    def waiting(self) -> list[str]:
        """Return the entrants that could be offered a game right now."""
        return [name for name, pool in self._pools.items() if pool.waits()]

    async def close(self) -> None:
        """Let all bots go."""
        await asyncio.gather(*(pool.close() for pool in self._pools.values()))
