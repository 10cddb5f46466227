"""
A process that hosts a house, to be stopped by a test: python -m tests.server.hosting FOLDER GAMES BOT …

Each BOT is one of tests/bad_bots/bots, or a sample bot. Log lines go to standard output as JSON, the
states of all games in the last one.
"""

import asyncio
import sys
from pathlib import Path

import structlog

from referee.cli.shell import on_signals
from referee.seats.specs import BotSpec, parse_bot
from referee.server.hall import Entrant
from referee.server.house import House
from tests.bad_bots.arena import ROOT, program
from tests.server.guests import SLOW, order


def bot(name: str, folder: Path) -> BotSpec:
    if (ROOT / "sample_bots" / name).is_dir():
        return parse_bot(f"sample_bots/{name}", ROOT)
    return program(name, folder)


async def host(folder: Path, games: int, names: list[str]) -> list[str]:
    """Play all games at once; return what became of each."""
    entrants = [Entrant(name, bot(name, folder)) for name in names]
    async with House(entrants, clock=SLOW, instances=1) as house:
        on_signals(house.drain)
        orders = [order(number, names, clock=SLOW, folder=folder) for number in range(1, games + 1)]
        outcomes = await asyncio.gather(*map(house.play, orders))
    return ["adjourned" if outcome.adjourned else "ended" for outcome in outcomes]


if __name__ == "__main__":
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    states = asyncio.run(host(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
    structlog.get_logger().info("stopped", states=states)
