"""
How many answers a second the whole referee takes, beside a server that does nothing.

    python -m benchmarks.referee [--rounds N] [--seconds S]

Everything is measured in one run: each round measures every row once, in an order that turns round by
round, and a row's figures are the medians of its rounds. A row has a fresh server process and a fresh
process of bots. Only the ratios mean anything on another machine; on two cores the bots take part of
the rate, so the referee's processor time an answer is the steadier figure.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks import _bots
from referee.host.verify import verify

WARM_UP: Final = 0.6
GAMES: Final = (1, 8, 32, 128)
LISTS: Final = "8 bots x 16 games"
STALL_GAMES: Final = 64
STALL_LIMIT: Final = 0.030


@dataclass(frozen=True)
class Row:
    """A way to serve: the arguments of its server, and how many streams and games its bots have."""

    name: str
    server: tuple[str, ...]
    games_at_once: int = 1


@dataclass(frozen=True)
class Measured:
    """One row in one round. Processor time is in microseconds an answer, others' in cores."""

    rate: float
    cpu: float
    bots_cpu: float
    others: float


@dataclass
class Told:
    """What the referees of a run said at their ends."""

    answers: int = 0
    games: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    records: list[Path] = field(default_factory=list)


def bare(streams: int, asks: int) -> tuple[str, ...]:
    return ("bare", f"--streams={streams}", f"--asks={asks}")


def whole(games: int, bots: int, *more: str) -> tuple[str, ...]:
    return ("referee", f"--games={games}", f"--bots={bots}", *more)


ROWS: Final = (
    *(Row(f"bare, {n} streams", bare(n, 1)) for n in GAMES),
    *(Row(f"referee, {n} games", whole(n, 2 * n)) for n in GAMES),
    Row("bare, lists, 8 streams x 16", bare(8, 16)),
    # Two seats a game: 128 games keep 16 asks a bot open, as the bare server does.
    Row("referee, lists, 8 bots x 16", whole(128, 8), games_at_once=32),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.referee")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a row is measured in a round")
    parser.add_argument("--only", default="", help="measure only rows that contain this text")
    options = parser.parse_args(arguments)
    rows = [row for row in ROWS if options.only in row.name]
    written, _ = _bots.program()
    told = Told()
    measured: dict[str, list[Measured]] = {row.name: [] for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.rounds):
            for row in rows if turn % 2 == 0 else rows[::-1]:
                records = Path(folder) / f"{turn}-{rows.index(row)}"
                measured[row.name].append(measure(row, options.seconds, records, told))
        late = count_late(options.seconds * options.rounds, Path(folder) / "stalled", told)
        verified = [verify(record) for record in told.records[-1:]]
    print_table(measured, written, options)
    for done in verified:
        print(f"One record of a finished game verified: {len(done.events)} events.")
    return 0


# Measuring.


def measure(row: Row, seconds: float, records: Path, told: Told) -> Measured:
    """Run one row for *seconds* and return its figures."""
    with serving(row, records, told) as (server, bots):
        time.sleep(WARM_UP)
        before = Reading(server, bots)
        time.sleep(seconds)
        after = Reading(server, bots)
    return after.since(before)


@contextmanager
def serving(row: Row, records: Path, told: Told) -> Iterator[tuple["Process", "Process"]]:
    """Run a server and its bots; note what the server says at its end."""
    places = (f"--records={records}",) if row.server[0] == "referee" else ()
    server = Process([sys.executable, "-m", "benchmarks._serve", *row.server, *places])
    with server:
        greeting = json.loads(server.line())
        bots = Process(_bots.command(greeting["address"], row.games_at_once, greeting["tokens"]))
        with bots:
            yield server, bots
            server.close_input()
            if row.server[0] == "referee":
                note(told, json.loads(server.line()))


def note(told: Told, words: dict[str, Any]) -> None:
    """Add what a referee said at its end."""
    if words["void"]:
        raise RuntimeError(f"{words['void']} games were void: the referee has a bug")
    told.answers += words["answers"]
    told.games += words["games"]
    for kind, times in words["faults"].items():
        told.faults[kind] = told.faults.get(kind, 0) + times
    if words["record"]:
        told.records.append(Path(words["record"]))


class Process:
    """A process that is spoken to by lines; it ends when its input does."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self._process.pid

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.close_input()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()

    def ask(self) -> str:
        """Return the line with which it answers an empty one."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self.line()

    def line(self) -> str:
        """Return its next line."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a process of the benchmark has ended: {self._process.args!r}")
        return line

    def close_input(self) -> None:
        """Let it come to its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def cpu(self) -> float:
        """Return the processor time of all its threads so far, in seconds."""
        # The clock of another process, as clock_getcpuclockid(3) makes it on Linux.
        return time.clock_gettime(~self.pid << 3 | 2)


class Reading:
    """All that is read at one moment."""

    def __init__(self, server: Process, bots: Process) -> None:
        answered, ended = map(int, bots.ask().split())
        if ended:
            raise RuntimeError(f"{ended} streams ended in the middle of a measurement")
        self._answered = answered
        self._time = time.monotonic()
        self._server = server.cpu()
        self._bots = bots.cpu()
        self._machine = busy()

    def since(self, before: "Reading") -> Measured:
        """Return what happened between *before* and now."""
        answers = self._answered - before._answered
        seconds = self._time - before._time
        server, bots = self._server - before._server, self._bots - before._bots
        return Measured(
            rate=answers / seconds,
            cpu=server / answers * 1e6,
            bots_cpu=bots / answers * 1e6,
            others=max((self._machine - before._machine - server - bots) / seconds, 0.0),
        )


def busy() -> float:
    """Return the processor time that the whole machine has spent, in seconds."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + softirq) / 100


def count_late(seconds: float, records: Path, told: Told) -> tuple[int, int]:
    """Return the answers and the false timeouts with short limits and a loop that is stalled on purpose."""
    server = whole(STALL_GAMES, 2 * STALL_GAMES, f"--per-move={STALL_LIMIT}", "--stall")
    stalled = Told()
    with serving(Row("stalled", server), records, stalled):
        time.sleep(seconds)
    told.records += stalled.records
    return stalled.answers, stalled.faults.get("late", 0)


# Telling.


def print_table(measured: dict[str, list[Measured]], written: str, options: argparse.Namespace) -> None:
    print(f"Bots: {written}. Medians of {options.rounds} rounds of {options.seconds:g} s.\n")
    print("| | answers/s | CPU us | bots' CPU us | others' cores | min-max rate |")
    for name, rounds in measured.items():
        rate = median(m.rate for m in rounds)
        print(
            f"| {name} | {rate:,.0f} | {median(m.cpu for m in rounds):.1f} | "
            f"{median(m.bots_cpu for m in rounds):.1f} | {median(m.others for m in rounds):.2f} | "
            f"{min(m.rate for m in rounds) / rate:.2f}-{max(m.rate for m in rounds) / rate:.2f} |"
        )


if __name__ == "__main__":
    sys.exit(main())
