"""
A referee whose own loop stalls: that is nobody's fault but its own.
"""

import asyncio
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from referee.host.verify import verify
from referee.match.events import Event, Faulted, Stepped
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


async def played(folder: Path, number: int) -> list[Event]:
    """Return the events of games that two bots play until the loop has stalled six times."""
    entrants = [Entrant(name, program("behaves", folder)) for name in "ab"]
    records: list[Path] = []
    async with House(entrants, clock=Clock(), instances=1) as house:
        with closing(StallingLoop()) as loop:
            while loop.stalls < 6:
                records.append(folder / f"{number}-{len(records)}.jsonl")
                await house.play(
                    GameOrder(
                        number=len(records),
                        game=records[-1].stem,
                        rules=rules(),
                        seats={0: "a", 2: "b"},
                        seed=SEED,
                        clock=CLOCK,
                        penalties=STRICT,
                        record=records[-1],
                    )
                )
    return [event for record in records for event in verify(record, rules()).events]


async def test_no_bot_is_late_because_the_loop_was(tmp_path: Path) -> None:
    """
    The loop is blocked for longer than a bot may think, again and again; no answer counts as late.

    A machine that is busy with other things can make a bot late in truth: hence three tries. Without
    the referee's account of its own delays every one of them would fail, several times over.
    """
    late: list[Event] = []
    for number in range(3):
        events = await played(tmp_path, number)
        late = [event for event in events if isinstance(event, Faulted)]
        lags = [event.lag for event in events if isinstance(event, Stepped) and event.lag]

        assert max(lags) > 20_000  # stalls did fall into the time of an answer, and were told apart
        if not late:
            break
    assert late == []
