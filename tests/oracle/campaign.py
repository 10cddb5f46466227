"""
The big comparison of engine and checker: `make oracle`, or `python -m tests.oracle --positions 500`.

Knows: how many positions of which kind are compared, and how the work is shared out among the cores.
Does not know: how they are compared (`judging.py`).

Half of the positions are made on purpose, the same number by each family, half are met in random games. A
position of which the checker would have to list too many sequences is left out, and another is asked in
its place. `ORACLE_SEQUENCES=50000` lets it list more.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from math import ceil
from multiprocessing import get_context
from typing import NamedTuple

from tests.oracle.judging import ALL, RANDOM, Referee, played_alike
from tests.rules.positions import FAMILIES

POSITIONS = 20_000
"""So many positions of every ruleset are compared at least."""

TOLD = 5
"""So many differences are told of one task; each line says how to ask again."""

BREAK_OFF = 4
"""A task ends after so many times the questions that it should compare, were too many left out."""


class Task(NamedTuple):
    """To compare *positions* of one *family*, beginning with the seed *first*."""

    ruleset: str
    family: str
    first: int
    positions: int


class Done(NamedTuple):
    """What came of a task: how much was compared, and where the two differ."""

    counts: Counter[str]
    differences: list[str]


@cache
def referee_of(name: str) -> Referee:
    """Return the referee of a ruleset, made once in each process."""
    return Referee(ALL[name])


def compare(task: Task) -> Done:
    """Compare what *task* says, and go on where the two differ."""
    referee = referee_of(task.ruleset)
    referee.counts.clear()
    differences = []
    for seed in range(task.first, task.first + BREAK_OFF * task.positions):
        if compared(referee.counts) == task.positions:
            break
        try:
            referee.judge(task.family, seed)
        except Exception as problem:  # noqa: BLE001 - whatever it is, the others are to be compared too
            referee.counts["questions"] += 1
            referee.counts["differences"] += 1
            differences.append("\n".join([f"{type(problem).__name__}: {problem}", *problem.__notes__]))
    return Done(Counter(referee.counts), differences[:TOLD])


def compared(counts: Counter[str]) -> int:
    """Return how many positions were compared to the end, or to a difference."""
    return counts["questions"] - counts["left out"]


def tasks(names: Sequence[str], positions: int, first: int) -> Iterator[Task]:
    """Yield the tasks that make up the comparison, ruleset by ruleset."""
    each = ceil(positions / 2 / len(FAMILIES))
    for name in names:
        for number, family in enumerate(FAMILIES):
            yield Task(name, family, first, each)
            # Apart from each other, so that a task that asks more than its share meets no other's games.
            yield Task(name, RANDOM, first + number * BREAK_OFF * each, each)


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line asks for."""
    names = [ruleset.name for ruleset in played_alike()]
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description="Compare engine and checker.")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each ruleset, at least")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many work at a time")
    parser.add_argument(
        "--rulesets", nargs="+", default=names, choices=ALL, metavar="NAME", help="which ones"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print a line for each ruleset, and return 1 if there is a difference."""
    asked = options(arguments)
    total = 0
    print(f"{'ruleset':24}{'positions':>10}{'states':>10}{'left out':>10}{'differences':>13}{'seconds':>9}")
    with get_context("spawn").Pool(asked.processes) as pool:
        todo = list(tasks(asked.rulesets, asked.positions, asked.first))
        began = time.monotonic()
        results = zip(todo, pool.imap(compare, todo), strict=True)
        for name, of_ruleset in groupby(results, key=lambda result: result[0].ruleset):
            counts: Counter[str] = Counter()
            differences: list[str] = []
            for _, done in of_ruleset:
                counts += done.counts
                differences += done.differences
            seconds, began = time.monotonic() - began, time.monotonic()
            total += counts["differences"]
            print(
                f"{name:24}{compared(counts):10}{counts['states']:10}{counts['left out']:10}"
                f"{counts['differences']:13}{seconds:9.0f}",
                flush=True,
            )
            for difference in differences:
                print(difference, flush=True)
    return 1 if total else 0
