"""
How many games are played side by side, and in how many processes.

Knows: what the plan and the operator want, the cores of this machine. Does not know: how a process plays.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.seats.specs import Builtin, Remote
from referee.server.hall import Entrant
from tournaments.plan import Plan

TOGETHER: Final = 16
"""With so many games at once it pays that a worker starts processes of its own of each bot."""

WORTH: Final = 50
"""A process that plays fewer games takes longer to start than to play them."""


@dataclass(frozen=True, slots=True)
class Share:
    """How games are shared out: `jobs` side by side in `workers` processes, which are never more."""

    jobs: int
    workers: int


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_out(
    plan: Plan, taking_part: Sequence[Entrant], left: int, jobs: int | None, workers: int | None
) -> Share:
    """
    Return how the *left* games of *plan* are played.

    *jobs* and *workers* are what the operator says instead of the plan, or None.
    """
    jobs = jobs or plan.jobs
    workers = workers or plan.workers or usual_workers(taking_part, jobs, left, cores())
    return Share(jobs, min(workers, jobs))


def usual_workers(taking_part: Sequence[Entrant], jobs: int, games: int, cores: int) -> int:
    """
    Return in how many processes *games* are played, *jobs* at a time, where nobody says.

    Strategies of ours cost a process nothing but its start. Any other bot is started by each worker anew,
    and one that plays many games at once is quickest where it gets them together. Bots that dial in can
    dial into one process only.
    """
    if any(isinstance(entrant.bot, Remote) for entrant in taking_part):
        return 1
    if not all(isinstance(entrant.bot, Builtin) for entrant in taking_part):
        jobs //= TOGETHER
    return max(1, min(cores, jobs, games // WORTH))
