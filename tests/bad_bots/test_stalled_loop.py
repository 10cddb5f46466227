"""
A referee whose own loop stalls: that is nobody's fault but its own.
"""

import asyncio
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from referee.host.verify import verify
from referee.match.events import Faulted, Stepped
from referee.match.faults import STRICT
from referee.match.time_bank import Clock
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House
from tests.bad_bots.arena import program, rules
from tests.fakes import SEED

STALL = 0.050
EVERY = 0.500
CLOCK = Clock(per_move=timedelta(milliseconds=30), grace=timedelta(0))


class StallingLoop:
    """Blocks the running loop for 50 ms every half second, on purpose, until it is closed."""

    def __init__(self) -> None:
        self.stalls = 0
        self._later()

    def _later(self) -> None:
        self._handle = asyncio.get_running_loop().call_later(EVERY - STALL, self._stall)

    def _stall(self) -> None:
        time.sleep(STALL)
        self.stalls += 1
        self._later()

    def close(self) -> None:
        self._handle.cancel()


async def test_no_bot_is_late_because_the_loop_was(tmp_path: Path) -> None:
    """
    The loop is blocked for longer than a bot may think, again and again; no answer counts as late.
    """
    entrants = [Entrant(name, program("behaves", tmp_path)) for name in "ab"]
    records: list[Path] = []
    async with House(entrants, clock=Clock(), instances=1) as house:
        with closing(StallingLoop()) as loop:
            while loop.stalls < 6:
                records.append(tmp_path / f"{len(records)}.jsonl")
                await house.play(
                    GameOrder(
                        number=len(records),
                        game=f"game {len(records)}",
                        rules=rules(),
                        seats={0: "a", 2: "b"},
                        seed=SEED,
                        clock=CLOCK,
                        penalties=STRICT,
                        record=records[-1],
                    )
                )
    events = [event for record in records for event in verify(record, rules()).events]
    lags = [e.lag for e in events if isinstance(e, Stepped) and e.lag]

    assert [e for e in events if isinstance(e, Faulted)] == []
    assert max(lags) > 20_000  # stalls did fall into the time of an answer, and were told apart
