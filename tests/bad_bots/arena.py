"""
One bad bot on show: a game with it, a fair game beside it in the same house, and what came of both.

All bots are real processes, and all their streams are real.
"""

import asyncio
import os
import resource
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import structlog

from referee.host.outcome import Outcome
from referee.host.verify import verify
from referee.match.events import By, Faulted, Stepped
from referee.match.faults import STRICT, FaultKind, Penalties
from referee.match.time_bank import Clock, micros
from referee.record.replay import Replayed
from referee.rules.engine import Rules
from referee.seats import warden
from referee.seats.specs import Builtin, Local
from referee.server import hall
from referee.server.hall import Entrant
from referee.server.house import GameOrder, House
from tests.bad_bots.cases import BadBot
from tests.fakes import SEED, rules_of

ROOT = Path(__file__).resolve().parents[2]
BAD_SEAT = 0
FAIR_SEAT = 2
FAIR_CLOCK = Clock(per_move=timedelta(milliseconds=250), grace=timedelta(0))


def rules() -> Rules:
    return rules_of("winning_moves")


def program(name: str, scratch: Path) -> Local:
    """Return the bot in `bots/NAME.py`, which may leave notes in *scratch*."""
    return Local(name, ROOT, ("python", "-m", f"tests.bad_bots.bots.{name}", str(scratch)))


@dataclass(frozen=True, slots=True)
class Show:
    """
    What came of a bad bot. Records have been verified.

    `judged` is the time from the question (an ask, an offer, the start of the process) to the
    verdict on the first fault, `allowed` what the clock gave for it, both in microseconds. `grown`
    is the growth of this process at its peak, in bytes; `left` the processes that outlived the house.
    """

    bad: BadBot
    outcome: Outcome
    record: Replayed
    judged: int
    allowed: int
    grown: int
    left: list[int]
    fair: list[Replayed]

    @property
    def faults(self) -> list[Faulted]:
        """Return the bad bot's faults."""
        return [e for e in self.record.events if isinstance(e, Faulted) and e.seat == BAD_SEAT]

    @property
    def others(self) -> list[Faulted]:
        """Return all faults of all others, in both games."""
        beside = [e for record in self.fair for e in record.events if isinstance(e, Faulted)]
        return beside + [e for e in self.record.events if isinstance(e, Faulted) and e.seat != BAD_SEAT]

    @property
    def delays(self) -> list[int]:
        """Return the time of each answer of the fair bot, ascending, in microseconds."""
        return sorted(
            e.elapsed
            for record in self.fair
            for e in record.events
            if isinstance(e, Stepped) and e.seat == FAIR_SEAT and e.by is By.BOT and e.elapsed is not None
        )


async def show(bad: BadBot, folder: Path, penalties: Penalties = STRICT) -> Show:
    """Let *bad* play against two of ours while a fair bot plays beside it; keep all files in *folder*."""
    entrants = [
        Entrant("bad", program(bad.name, folder)),
        Entrant("fair", program("behaves", folder)),
        Entrant("racer", Builtin("racer")),
        Entrant("careful", Builtin("careful")),
    ]
    pids: list[int] = []
    patience = hall.GOODBYE if bad.kind is None else 0.1
    with listening() as heard, peak() as grown, patch.object(hall, "GOODBYE", patience):
        async with House(entrants, clock=bad.clock, instances=1) as house:
            beside = FairGames(house, folder)
            if bad.loud:
                await beside.going.wait()
            outcome = await house.play(
                GameOrder(
                    number=1,
                    game="bad",
                    rules=rules(),
                    seats={0: "bad", 1: "racer", 2: "careful"},
                    seed=SEED,
                    clock=bad.clock,
                    penalties=penalties,
                    record=folder / "bad.jsonl",
                )
            )
            fair = await beside.finish()
            mark = house._keeper._mark
        pids = [entry["pid"] for _, entry in heard if entry["event"] == "launched"]
    record = verify(folder / "bad.jsonl", rules())
    faults = [e for e in record.events if isinstance(e, Faulted) and e.seat == BAD_SEAT]
    judged, allowed = waited(faults[0], bad.clock, heard) if faults else (0, 0)
    pids += notes(folder)
    left = sorted({pid for pid in [*warden.marked(mark), *pids] if running(pid)})
    return Show(bad, outcome, record, judged, allowed, grown[0], left, fair)


def notes(folder: Path) -> list[int]:
    """Return the processes that bots have left a note of."""
    return [int(note.read_text()) for note in folder.glob("*.pid")]


class FairGames:
    """Games of a fair bot against one of ours, one after the other, at least one."""

    def __init__(self, house: House, folder: Path) -> None:
        """Begin to play."""
        self.going = asyncio.Event()
        """Set when one game is over and the next begins."""
        self._over = asyncio.Event()
        self._task = asyncio.create_task(self._play(house, folder))

    async def finish(self) -> list[Replayed]:
        """Let the last game end, and return all."""
        self._over.set()
        return [verify(record, rules()) for record in await self._task]

    async def _play(self, house: House, folder: Path) -> list[Path]:
        records: list[Path] = []
        while not records or not self._over.is_set():
            number = 100 + len(records)
            records.append(folder / f"fair-{number}.jsonl")
            await house.play(
                GameOrder(
                    number=number,
                    game=f"fair-{number}",
                    rules=rules(),
                    seats={0: "racer", FAIR_SEAT: "fair"},
                    seed=SEED[::-1],
                    clock=FAIR_CLOCK,
                    penalties=STRICT,
                    record=records[-1],
                )
            )
            self.going.set()
        return records


def waited(fault: Faulted, clock: Clock, heard: "Heard") -> tuple[int, int]:
    """Return how long it took to judge *fault* and how long the clock gave, in microseconds."""
    if fault.kind is not FaultKind.NO_SHOW:
        grace = clock.grace if clock.grace_times else timedelta(0)
        return fault.elapsed or 0, micros(clock.per_move + clock.bank + grace)
    if any(entry["event"] == "did not join" for _, entry in heard):
        begin = next(at for at, e in heard if e["event"] == "launched" and e["bot"] == "bad")
        end = next(at for at, e in heard if e["event"] == "did not join")
        return micros(timedelta(seconds=end - begin)), micros(clock.startup)
    begin = next(at for at, e in heard if e["event"] == "offered" and e["game"] == "bad")
    end = next(at for at, e in heard if e["event"] == "no show")
    return micros(timedelta(seconds=end - begin)), micros(clock.ready)


Heard = list[tuple[float, Mapping[str, Any]]]
"""Log entries with the time of each, in seconds of the monotonic clock."""


@contextmanager
def listening() -> Iterator[Heard]:
    """Gather what is logged, at all levels."""
    heard: Heard = []

    def gather(_: object, level: str, entry: MutableMapping[str, Any]) -> Mapping[str, Any]:
        heard.append((time.monotonic(), {"level": level, **entry}))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[gather], wrapper_class=structlog.make_filtering_bound_logger(0))
    try:
        yield heard
    finally:
        structlog.configure(**before)


@contextmanager
def peak() -> Iterator[list[int]]:
    """Measure by how many bytes this process grew at its peak; the list holds it afterwards."""
    grown = [0]
    with suppress(OSError):  # where it cannot be done, the peak since the process began must do
        Path("/proc/self/clear_refs").write_text("5")  # the peak is now what there is
    before = _highest()
    try:
        yield grown
    finally:
        grown[0] = _highest() - before


def _highest() -> int:
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def running(pid: int) -> bool:
    """Tell whether a process is there, and more than a name that nobody has taken note of yet."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, PermissionError):
        return False
    except OSError:
        return True
    return state not in "ZX"
