"""
How many answers a second the whole referee takes, beside a server that does nothing.

    python -m benchmarks.referee [--rounds N] [--seconds S]

Bots that answer at once play whole games of two over gRPC: asked, judged, timed, recorded to files. The
bare server sends the same asks and reads the same answers, without a game behind them. Every ask that
is open in a game of the one has a stream of its own in the other, or a place in a stream's lists.

Everything is measured in one run: each round measures every row once, and rounds go forwards and
backwards in turn. A ratio is taken within a round, and the median of the rounds is told. A row has a
fresh server process and a fresh process of bots. Only ratios mean anything on another machine, and
beside other work the processor time an answer is steadier than the rate.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks import _bots
from benchmarks._timing import table
from referee.host.verify import verify

WARM_UP: Final = 0.6
GAMES: Final = (1, 8, 32, 128)
STALL_GAMES: Final = 64
STALL_LIMIT: Final = 0.030


@dataclass(frozen=True)
class Row:
    """A way to serve: the arguments of each of its servers, and the games that one bot plays at once."""

    name: str
    server: tuple[str, ...]
    games_at_once: int = 1
    processes: int = 1


@dataclass(frozen=True)
class Measured:
    """One row in one round. Processor time is in microseconds an answer, that of others in cores."""

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


BARE: Final = {n: Row(f"bare, {n}", bare(n, 1)) for n in GAMES}
RULES: Final = {n: Row(f"bare with rules, {n}", (*bare(n, 1), "--rules")) for n in GAMES}
ONE: Final = {n: Row(f"one process, {n}", whole(n, 2 * n)) for n in GAMES}
# A game is played in one process, so one game has no use for two.
TWO: Final = {n: Row(f"two processes, {n}", whole(n // 2, n), processes=2) for n in GAMES if n > 1}
BARE_LISTS: Final = Row("bare, lists", bare(8, 16))
# A game has two seats: 128 games keep 16 asks a bot open, as the bare server does.
ONE_LISTS: Final = Row("one process, lists", whole(128, 8), games_at_once=32)
TWO_LISTS: Final = Row("two processes, lists", whole(64, 4), games_at_once=32, processes=2)
LISTS: Final = (BARE_LISTS, ONE_LISTS, TWO_LISTS)
ROWS: Final = (*BARE.values(), *RULES.values(), *ONE.values(), *TWO.values(), *LISTS)

Rounds = Mapping[Row, Sequence[Measured]]

Pair = tuple[Row, Row]
"""What is compared: a row, and its yardstick."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.referee",
        description="Measure answers a second through the whole referee, beside a bare gRPC server.",
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each row is measured (default 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long, each time (default 2)")
    options = parser.parse_args(arguments)
    written, _ = _bots.program()
    told = Told()
    rounds: dict[Row, list[Measured]] = {row: [] for row in ROWS}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.rounds):
            for number, row in list(enumerate(ROWS))[:: 1 if turn % 2 == 0 else -1]:
                records = Path(folder) / f"{turn}-{number}"
                rounds[row].append(measure(row, options.seconds, records, told))
        stalled = stall(options.seconds * options.rounds, Path(folder) / "stalled")
        verified = verify(told.records[-1])
    print(
        f"Answers of instant bots ({written}), through the whole referee and a bare grpc.aio server.",
        f"Medians of {options.rounds} rounds of {options.seconds:g} s; CPU in microseconds an answer.\n",
        table(HEAD, rows(rounds)) + "\n",
        table(("target", "wanted", "one process", "two", "one, by CPU"), targets(rounds, stalled)) + "\n",
        f"{told.games} games were finished: {told.answers:,} answers, {faults(told)}. The record of one was",
        f"verified, {len(verified.events)} events. The stalled loop took {stalled.answers:,} answers.",
        sep="\n",
    )
    return 0


def faults(told: Told) -> str:
    return ", ".join(f"{times} {kind}" for kind, times in told.faults.items()) or "no fault"


# Measuring.


def measure(row: Row, seconds: float, records: Path, told: Told) -> Measured:
    """Run one row for *seconds* and return its figures."""
    with serving(row, records, told) as (servers, bots):
        time.sleep(WARM_UP)
        before = Reading(servers, bots)
        time.sleep(seconds)
        after = Reading(servers, bots)
    return after.since(before)


@contextmanager
def serving(row: Row, records: Path, told: Told) -> Iterator[tuple[list["Process"], "Process"]]:
    """Run servers and their bots; note what the servers say at their ends."""
    referee = row.server[0] == "referee"
    with ExitStack() as stack:
        servers = []
        for number in range(row.processes):
            places = (f"--records={records / str(number)}",) if referee else ()
            command = [sys.executable, "-m", "benchmarks._serve", *row.server, *places]
            servers.append(stack.enter_context(Process(command)))
        greetings = [json.loads(server.line()) for server in servers]
        seats = [(greeting["address"], token) for greeting in greetings for token in greeting["tokens"]]
        bots = stack.enter_context(Process(_bots.command(row.games_at_once, seats)))
        yield servers, bots
        for server in servers:
            server.close_input()
            if referee:
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

    def __init__(self, servers: Sequence[Process], bots: Process) -> None:
        answered, ended = map(int, bots.ask().split())
        if ended:
            raise RuntimeError(f"{ended} streams ended in the middle of a measurement")
        self._answered = answered
        self._time = time.monotonic()
        self._servers = sum(server.cpu() for server in servers)
        self._bots = bots.cpu()
        self._machine = busy()

    def since(self, before: "Reading") -> Measured:
        """Return what happened between *before* and now."""
        answers = self._answered - before._answered
        seconds = self._time - before._time
        servers, bots = self._servers - before._servers, self._bots - before._bots
        return Measured(
            rate=answers / seconds,
            cpu=servers / answers * 1e6,
            bots_cpu=bots / answers * 1e6,
            others=max((self._machine - before._machine - servers - bots) / seconds, 0.0),
        )


def busy() -> float:
    """Return the processor time that the whole machine has spent, in seconds."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + irq + softirq) / 100


def stall(seconds: float, records: Path) -> Told:
    """Let a referee with short limits play for *seconds* while its loop is stalled again and again."""
    server = whole(STALL_GAMES, 2 * STALL_GAMES, f"--per-move={STALL_LIMIT}", "--stall")
    told = Told()
    with serving(Row("stalled", server), records, told):
        time.sleep(seconds)
    return told


# Telling.

HEAD: Final = (
    "an ask a message, games",
    "processes",
    "bare/s",
    "referee/s",
    "ratio",
    "min-max",
    "bare CPU",
    "referee CPU",
    "ratio",
    "bots' CPU",
    "others' cores",
)


def rows(rounds: Rounds) -> list[list[str]]:
    """Return the table: a line for each pair of rows."""
    pairs = [(f"{n}, rules alone", BARE[n], RULES[n]) for n in GAMES]
    pairs += [(str(n), BARE[n], row) for n in GAMES for row in (ONE[n], TWO.get(n)) if row is not None]
    pairs += [("lists, 8 bots x 16", BARE_LISTS, ONE_LISTS), ("lists, 8 bots x 16", BARE_LISTS, TWO_LISTS)]
    return [
        [
            name,
            str(two.processes),
            f"{middle(rounds[one], rate):,.0f}",
            f"{middle(rounds[two], rate):,.0f}",
            f"{ratio(rounds, two, one):.2f}",
            spread(rounds, two, one),
            f"{middle(rounds[one], cpu):.1f}",
            f"{middle(rounds[two], cpu):.1f}",
            f"{ratio(rounds, one, two, cpu):.2f}",
            f"{middle(rounds[one], bots_cpu):.1f} / {middle(rounds[two], bots_cpu):.1f}",
            f"{middle([*rounds[one], *rounds[two]], others):.2f}",
        ]
        for name, one, two in pairs
    ]


def targets(rounds: Rounds, stalled: Told) -> list[list[str]]:
    """Return what the project wants of itself, and what was found with one process and with two."""
    wanted: list[tuple[str, float, Pair, Pair | None]] = [
        (f"{n} games / bare", 0.75, (ONE[n], BARE[n]), (TWO[n], BARE[n]) if n in TWO else None) for n in GAMES
    ]
    wanted += [
        (f"{n} games / {fewer}", 1.0, (ONE[n], ONE[fewer]), (TWO[n], TWO.get(fewer, ONE[fewer])))
        for fewer, n in pairwise(GAMES)
    ]
    wanted += [
        ("lists / bare, an ask a message, 32", 2.0, (ONE_LISTS, BARE[32]), (TWO_LISTS, BARE[32])),
        ("lists / bare lists", 0.4, (ONE_LISTS, BARE_LISTS), (TWO_LISTS, BARE_LISTS)),
    ]
    lines = [target(rounds, *each) for each in wanted]
    late = stalled.faults.get("late", 0)
    lines.append(["late answers, 50 ms stalls, 30 ms limits", "0", f"{late} {met(late == 0)}", "", ""])
    return lines


def target(rounds: Rounds, name: str, least: float, one: Pair, two: Pair | None) -> list[str]:
    """
    Return a line: a row beside its yardstick, with one process and with two where they are of use.

    The bare server is one process in both: with two, a referee may use twice the cores.
    """
    found = [ratio(rounds, *pair) for pair in (one, two) if pair is not None]
    told = [f"{each:.2f} {met(round(each, 2) >= least)}" for each in found] + [""] * (2 - len(found))
    row, yardstick = one
    by_cpu = ratio(rounds, yardstick, row, cpu)
    return [name, f">= {least:.2f}", *told, f"{by_cpu:.2f}"]


def met(yes: bool) -> str:
    return "met" if yes else "missed"


Figure = Callable[[Measured], float]


def rate(measured: Measured) -> float:
    return measured.rate


def cpu(measured: Measured) -> float:
    return measured.cpu


def bots_cpu(measured: Measured) -> float:
    return measured.bots_cpu


def others(measured: Measured) -> float:
    return measured.others


def middle(rounds: Sequence[Measured], figure: Figure) -> float:
    return median(figure(measured) for measured in rounds)


def ratios(rounds: Rounds, row: Row, yardstick: Row, figure: Figure = rate) -> list[float]:
    return [figure(a) / figure(b) for a, b in zip(rounds[row], rounds[yardstick], strict=True)]


def ratio(rounds: Rounds, row: Row, yardstick: Row, figure: Figure = rate) -> float:
    return median(ratios(rounds, row, yardstick, figure))


def spread(rounds: Rounds, row: Row, yardstick: Row) -> str:
    found = ratios(rounds, row, yardstick)
    return f"{min(found):.2f}-{max(found):.2f}"


if __name__ == "__main__":
    sys.exit(main())
