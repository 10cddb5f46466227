"""
A lobby in a house of its own, for tests to bring guests to.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from referee.match.faults import TOURNAMENT
from referee.server.house import House
from referee.server.lobby import Lobby
from referee.server.records import Records
from tests.fakes import rules_of
from tests.server.guests import CLOCK, PATIENCE, a_house, remote


class Open:
    """A lobby that is open: `stop` it, or wait until it is `over` by itself."""

    def __init__(self, house: House, lobby: Lobby) -> None:
        self.house = house
        self.lobby = lobby
        self.stopped = asyncio.Event()
        self._running = asyncio.create_task(lobby.run(self.stopped))

    def stop(self) -> None:
        self.stopped.set()

    async def over(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._running


@asynccontextmanager
async def a_lobby(
    folder: Path, *names: str, rules: Sequence[str] = ("winning_moves",), seats: int = 2, **more: Any
) -> AsyncIterator[Open]:
    """Open a lobby for bots called *names*, with records in *folder*; stop it behind the block."""
    settings = {"clock": CLOCK, "penalties": TOURNAMENT, "max_throws": 20, **more}
    with Records(folder) as records:
        unfinished = records.unfinished(frozenset(names))
        async with a_house(*map(remote, names)) as house:
            lobby = Lobby(
                house,
                [rules_of(name) for name in rules],
                seats=seats,
                records=records,
                unfinished=unfinished,
                **settings,
            )
            opened = Open(house, lobby)
            try:
                yield opened
            finally:
                opened.stop()
                await opened.over()
