"""
How sure a mean is: a 95 % interval from blocks.

The games of a block share their dice, so they are not independent; blocks are. The interval is
Student's, over the sums of points of whole blocks. Bare, it fails where it matters most: when all
blocks are alike (a bot that won everything so far) it has no width, and with few blocks of a strong
bot it holds the truth in less than half of all cases instead of 95 %. So two blocks that were not
played are added, one in which nothing was won and one in which everything was, as Agresti and Coull do
for shares. In simulated events of 2 to 100 blocks the interval then held the truth in 95 % of cases or
more; it is wide while little is known, and the two hardly count once much is.

Blocks of one entrant are played against different opponents. Their differences count as scatter, so
the interval is a little wider than it would have to be.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

# Student's two-sided 95 % point for 1 to 10 degrees of freedom; beyond, a series does (error < 0.0005).
_STUDENT: Final = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
_NORMAL: Final = 1.959964


def student(freedom: int) -> float:
    """Return the factor of a 95 % interval with *freedom* degrees of freedom, at least 1."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(slots=True)
class Blocks:
    """The sums of whole blocks: how many, their total and the total of their squares, all exact."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Add a block that came to *value*."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def interval(self, most: int) -> tuple[float, float] | None:
        """
        Return the 95 % interval of a block's mean as shares of *most*, from 0 to 1.

        *most* is what a block can come to, at least 1. None without any block; with one block the
        whole range, as a single block tells nothing about scatter.
        """
        if self.count == 0:
            return None
        n = self.count + 2
        total = self.total + most
        squares = self.squares + most * most
        variance = (n * squares - total * total) / (n * (n - 1))
        half = student(n - 1) * sqrt(variance / n)
        middle = total / n
        return max(0.0, (middle - half) / most), min(1.0, (middle + half) / most)
