"""
All games of one process: starts them, sweeps their deadlines, writes their records out.

One task does both, every few milliseconds; it costs one comparison a game.
"""

import asyncio
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Final, Self

from referee.dice import Dice
from referee.host.game import Game
from referee.host.outcome import Outcome
from referee.host.pulse import BEAT, Pulse
from referee.match.events import Event
from referee.match.match import Match
from referee.record.stores.store import RecordStore
from referee.seats.player import Player

FLUSH: Final = 0.050
"""Seconds between two writings of what has happened to the records."""


class Host:
    """Runs games side by side. To be used as an asynchronous context manager."""

    def __init__(self) -> None:
        """Prepare; the sweep begins with `async with`."""
        self.pulse: Final = Pulse()
        self._games: dict[Game, asyncio.Future[Outcome]] = {}
        self._task: asyncio.Task[None] | None = None
        self._busy: Final = asyncio.Event()

    async def __aenter__(self) -> Self:
        """Begin to sweep."""
        self._task = asyncio.create_task(self._sweep(), name="sweep")
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Adjourn what is still being played, and stop sweeping."""
        self.adjourn("the referee stops")
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def playing(self) -> int:
        """Return how many games are being played."""
        return len(self._games)

    async def play(
        self,
        match: Match,
        players: Mapping[int, Player],
        dice: Dice,
        seed: bytes | None,
        store: RecordStore,
        past: Sequence[Event] = (),
    ) -> Outcome:
        """
        Play *match* to its end, or until it is adjourned; *past* are the events its record already has.

        *seed* is told when the game is over; None keeps it secret, for the record to be ended by `reveal`.
        """
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        game = Game(match, players, dice, seed, store, self.pulse, self._over)
        self._games[game] = done
        if not self._busy.is_set():
            self.pulse.rest(monotonic())
            self._busy.set()
        game.start(past)
        return await done

    def adjourn(self, detail: str) -> None:
        """Stop all games at a point from which their records can be gone on with."""
        for game in list(self._games):
            game.adjourn(detail)

    def _over(self, game: Game, outcome: Outcome) -> None:
        done = self._games.pop(game)
        if not done.done():
            done.set_result(outcome)
        if not self._games:
            self._busy.clear()

    async def _sweep(self) -> None:
        flushed = monotonic()
        while True:
            await self._busy.wait()
            await asyncio.sleep(BEAT)
            now = monotonic()
            self.pulse.beat(now)
            for game in list(self._games):
                deadline = game.deadline
                if deadline is not None and now > deadline:
                    game.guarded(game.overdue, now)
            if now - flushed > FLUSH:
                flushed = now
                for game in list(self._games):
                    game.guarded(game.flush)
