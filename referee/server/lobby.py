"""
The lobby of a long-running gateway: bots that dial in wait here, are seated, and play on and on.

Those who have played least are seated first; a game begins as soon as enough of them are free.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from referee.dice import new_seed
from referee.errors import RefereeError
from referee.host.outcome import Outcome
from referee.match.faults import Penalties
from referee.match.setup import SEATS_OF
from referee.match.time_bank import Clock
from referee.rules.engine import Rules
from referee.server.house import GameOrder, House

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.lobby")

PATIENCE: Final = 10
"""After so many games in a row that did not count, the trouble will not go away by itself."""


class Lobby:
    """Seats waiting bots, one game after the other."""

    def __init__(
        self,
        house: House,
        rules: Sequence[Rules],
        *,
        seats: int,
        clock: Clock,
        penalties: Penalties,
        max_throws: int,
        records: Path,
    ) -> None:
        """Play games of *seats* bots by *rules* in turn, with records in the folder *records*."""
        self._house = house
        self._rules = rules
        self._seats = SEATS_OF[seats]
        self._clock = clock
        self._penalties = penalties
        self._max_throws = max_throws
        self._records = records
        self._failed = 0  # in a row
        self.trouble = ""
        """Why the lobby stopped by itself; empty as long as it did not."""
        self._played: Counter[str] = Counter()
        self._chosen: set[str] = set()  # for a game that has not got its players yet
        self._number = sum(1 for _ in records.glob("*.jsonl")) if records.is_dir() else 0
        self._games: set[asyncio.Task[None]] = set()

    async def run(self, stopped: asyncio.Event) -> int:
        """Seat bots until *stopped*; return how many games were begun."""
        begun = 0
        changed = self._house.bots_changed
        stopping = asyncio.create_task(stopped.wait())
        try:
            while not stopped.is_set() and not self.trouble:
                changed.clear()
                waiting = [name for name in self._house.waiting_bots() if name not in self._chosen]
                if len(waiting) >= len(self._seats):
                    chosen = sorted(waiting, key=lambda name: (self._played[name], name))[: len(self._seats)]
                    self._begin(chosen)
                    begun += 1
                else:
                    looking = asyncio.create_task(changed.wait())
                    await asyncio.wait({looking, stopping}, return_when=asyncio.FIRST_COMPLETED)
                    looking.cancel()
        finally:
            stopping.cancel()
            self._house.drain()
            if self._games:
                await asyncio.wait(self._games)
        return begun

    def _begin(self, names: Sequence[str]) -> None:
        self._number += 1
        number = self._number
        self._played.update(names)
        self._chosen.update(names)
        turn = number % len(names)
        rules = self._rules[number % len(self._rules)]
        order = GameOrder(
            number=number,
            game=f"game-{number:06}",
            rules=rules,
            seats=dict(zip(self._seats, (*names[turn:], *names[:turn]), strict=True)),
            seed=new_seed(),
            clock=self._clock,
            penalties=self._penalties,
            max_throws=self._max_throws,
            record=self._records / f"game-{number:06}.jsonl",
        )
        task = asyncio.create_task(self._play(order), name=order.game)
        self._games.add(task)
        task.add_done_callback(self._games.discard)

    async def _play(self, order: GameOrder) -> None:
        def seated() -> None:
            self._chosen.difference_update(order.seats.values())
            self._house.bots_changed.set()

        try:
            outcome: Outcome = await self._house.play(order, seated)
        except RefereeError as error:
            log.error("game not played", game=order.game, detail=str(error))
            return
        finally:
            seated()
        if outcome.trouble is not None:
            log.error("game stopped", game=order.game, detail=outcome.trouble)
        why = outcome.voided or outcome.trouble
        self._failed = self._failed + 1 if why else 0
        if self._failed >= PATIENCE:
            self.trouble = f"{PATIENCE} games one after the other did not count: {why}"
            self._house.bots_changed.set()
