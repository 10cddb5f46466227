"""
How contenders are compared: in turns, by the time that the processor spent, in medians of ratios.

A machine that is busy with other things slows all contenders down alike for a while. So they take
short turns, the ratio is taken within each round, and only the median of the rounds is told.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import NamedTuple

Contender = Callable[[], int]
"""Does a piece of work of its own choosing, and returns how many units it was."""


class Measured(NamedTuple):
    """Units per second of processor time: the median of the rounds, and of the ratios to the yardstick."""

    rate: float
    ratio: float | None


def rate(contender: Contender, seconds: float) -> float:
    """Return how many units a second *contender* did, called until *seconds* of processor time were spent."""
    done, begun = 0, process_time()
    while True:
        done += contender()
        spent = process_time() - begun
        if spent >= seconds:
            return done / spent


def compare(
    contenders: Mapping[str, Contender], seconds: float, rounds: int, yardstick: str | None = None
) -> dict[str, Measured]:
    """
    Return how fast each of *contenders* is, and how fast beside *yardstick*, one of them.

    *seconds* of processor time are spent on each in all, in so many *rounds*, after one round to warm up.
    """
    for contender in contenders.values():
        contender()
    found: list[dict[str, float]] = [
        {name: rate(contender, seconds / rounds) for name, contender in contenders.items()}
        for _ in range(rounds)
    ]
    return {
        name: Measured(
            median(rates[name] for rates in found),
            median(rates[name] / rates[yardstick] for rates in found) if yardstick else None,
        )
        for name in contenders
    }


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return *rows* under *head* as text: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
