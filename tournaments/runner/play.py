"""
Plays the games that are left, several side by side, and keeps their results.

Knows: the order of things that makes a stop harmless. A game's record is complete on disk before
`House.play` returns, its result is in the ledger before anybody learns of it, and everything else is
derived from those two. So it does not matter when the process dies: a game without a result is asked
for again, and its record says how far it got, be it the end.
Does not know: signals, terminals, what a result is worth.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Protocol

from referee.errors import RecordError, RefereeError
from referee.host.outcome import Outcome
from referee.record.reveal import reveal
from referee.rules.engine import Rules
from referee.server.house import GameOrder
from tournaments.results import Result, Table
from tournaments.runner.folder import Begun, Folder
from tournaments.runner.ledger import Ledger, Seen
from tournaments.runner.share import Share
from tournaments.scoring.standings import Scores

ATTEMPTS: Final = 3
"""How often a game that did not count is played before the session gives it up."""

PATIENCE: Final = 10
"""After so many games given up one after the other, the trouble will not go away by itself."""


class Plays(Protocol):
    """What plays a game: the house, or a stand-in."""

    async def play(self, order: GameOrder) -> Outcome:
        """Play one game, or go on with it where its record stops; return when its end is on disk."""

    def drain(self) -> None:
        """Stop: games in progress are adjourned, others do not begin."""


class Watch(Protocol):
    """Who is told how it goes. None of its calls wait."""

    def began(self, begun: Begun, scores: Scores, share: Share) -> None:
        """Tell that games begin or go on, shared out so; *scores* grow as they end."""

    def remark(self, sentence: str) -> None:
        """Tell something that happens seldom."""

    def tick(self) -> None:
        """Tell how it goes, if it is time to; called a few times a second."""

    def over(self) -> None:
        """Tell that no more games are played."""


@dataclass(slots=True)
class Ending:
    """
    How a session ended. `unplayed` holds the games that were given up, with the reason; `damaged` what
    is wrong with records of games that have their results. `trouble` says what stopped it all, `signal`
    which signal did; None if nothing did.
    """

    done: int
    total: int
    unplayed: list[tuple[str, str]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    trouble: str | None = None
    signal: int | None = None

    @property
    def complete(self) -> bool:
        """Tell whether every planned game has its result."""
        return self.done == self.total


def game_seed(secret: bytes, dice: str) -> bytes:
    """Return the 32 bytes from which the dice called *dice* come."""
    return hmac.digest(secret, f"parcheesi-tournament-v1|{dice}".encode(), hashlib.sha256)


def _seed(begun: Begun, folder: Folder, table: Table) -> bytes:
    """
    Return the seed of the game at *table*, as it is played now.

    Bots have seen throws of a game that did not count. Where every game has dice of its own, the next
    attempt takes others; a block that shares its dice keeps them, or it would be no block.
    """
    attempts = 0 if begun.plan.same_dice else folder.voids(table.game)
    return game_seed(begun.secret, f"{table.dice}|{attempts}" if attempts else table.dice)


@dataclass(slots=True)
class _Block:
    """Games that share their dice; `missing` counts those without a result."""

    tables: list[Table]
    missing: int


def tell_seeds(begun: Begun, folder: Folder, tables: Iterable[Table]) -> list[str]:
    """
    End the records of *tables*, whose games are all over, with the seed, where it is not there yet.

    Return what was wrong with records that were lost or damaged after their games; results stand.

    Raises:
        StoreError: A record cannot be written.
    """
    problems = []
    for table in tables:
        try:
            reveal(folder.record(table.game), begun.plan.ruleset, _seed(begun, folder, table))
        except RecordError as error:
            problems.append(str(error))
    return problems


class Runner:
    """One session of a tournament: plays on, until all is played or `stop` is called."""

    def __init__(
        self,
        begun: Begun,
        folder: Folder,
        house: Plays,
        ledger: Ledger,
        scores: Scores,
        seen: Seen,
        watch: Watch,
    ) -> None:
        """Prepare; *scores* and *seen* hold what was played before."""
        self._begun: Final = begun
        self._folder: Final = folder
        self._house: Final = house
        self._ledger: Final = ledger
        self._scores: Final = scores
        self._seen: Final = seen
        self._watch: Final = watch
        self._rules: Final = Rules(begun.plan.ruleset)
        self.ending: Final = Ending(seen.count, begun.plan.games)
        self._stopping = False
        self._given_up = 0  # in a row
        self._unwritten: list[Result] = []
        self._pen: Final = asyncio.Lock()
        self._blocks: Final[dict[str, _Block]] = {}  # those that share their dice and are not over
        self._whole: Final[list[str]] = []  # those of them that are over

    async def play(self, jobs: int) -> Ending:
        """
        Play what is left, *jobs* games at a time.

        Games that share their dice keep the seed back; when the last of a block is over, the records
        of the whole block are ended with it.
        """
        tables = self._left()
        async with asyncio.TaskGroup() as group:
            for _ in range(min(jobs, self.ending.total - self._seen.count)):
                group.create_task(self._work(tables))
        await self._reveal()
        return self.ending

    def stop(self) -> None:
        """Begin no more games, and stop those in progress where they can be gone on with."""
        if not self._stopping:
            self._stopping = True
            self._house.drain()

    def _left(self) -> Iterator[Table]:
        """Return the tables without a result, block by block; end the records of blocks that are whole."""
        plan = self._begun.plan
        for name, group in groupby(plan.format.tables(plan.field), key=lambda table: table.block):
            tables = list(group)
            left = [table for table in tables if table.number not in self._seen]
            if plan.same_dice:
                self._blocks[name] = _Block(tables, len(left))
                if not left:
                    self._whole.append(name)
            yield from left

    async def _reveal(self) -> None:
        """Tell the seeds of the blocks that are over."""
        while self._whole:
            block = self._blocks.pop(self._whole.pop())
            self.ending.damaged += await asyncio.to_thread(
                tell_seeds, self._begun, self._folder, block.tables
            )

    async def _work(self, tables: Iterator[Table]) -> None:
        """Play one game after the other; all workers share *tables*."""
        for table in tables:
            if self._stopping:
                return
            try:
                await self._table(table)
            except RecordError as error:  # one record is bad; the other games can be played
                self._give_up(table, str(error))
            except RefereeError as error:
                self._trouble(str(error))

    async def _table(self, table: Table) -> None:
        why = ""
        for _ in range(ATTEMPTS):
            outcome = await self._house.play(self._order(table))
            if outcome.ended is not None:
                self._given_up = 0
                await self._keep(Result.of(table, outcome.ended, outcome.tally, outcome.throws))
                return
            if outcome.adjourned:
                if outcome.trouble:
                    self._trouble(outcome.trouble)
                return
            why = outcome.voided or "for no reason that was told"
            aside = self._folder.put_aside(table.game)
            self._watch.remark(f"{table.game} does not count: {why}; its record is {aside}")
        self._give_up(table, f"it did not count {ATTEMPTS} times, last because: {why}")

    def _order(self, table: Table) -> GameOrder:
        plan = self._begun.plan
        return GameOrder(
            number=table.number,
            game=table.game,
            rules=self._rules,
            seats=table.seats,
            seed=_seed(self._begun, self._folder, table),
            clock=plan.clock,
            penalties=plan.penalties,
            ask_forced=plan.ask_forced,
            max_throws=plan.max_throws,
            record=self._folder.record(table.game),
            tell_seed=not plan.same_dice,
        )

    async def _keep(self, result: Result) -> None:
        """Write *result* down, and only then tell of it. Results that come together are written together."""
        self._unwritten.append(result)
        async with self._pen:
            batch, self._unwritten = self._unwritten, []
            if not batch:
                return  # whoever had the pen before wrote it too
            await asyncio.to_thread(self._ledger.append, batch)
            for kept in batch:
                self._seen.add(kept.number)
                self._scores.add(kept)
                self.ending.done += 1
                if (block := self._blocks.get(kept.block)) is not None:
                    block.missing -= 1
                    if block.missing == 0:
                        self._whole.append(kept.block)
            await self._reveal()

    def _give_up(self, table: Table, why: str) -> None:
        self.ending.unplayed.append((table.game, why))
        self._watch.remark(f"{table.game} is given up for now: {why}")
        self._given_up += 1
        if self._given_up >= PATIENCE:
            self._trouble(f"{PATIENCE} games one after the other could not be played")

    def _trouble(self, what: str) -> None:
        """Stop everything for *what*; the first trouble is the one that is told."""
        self.ending.trouble = self.ending.trouble or what
        self.stop()
