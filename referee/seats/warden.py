"""
Outlives the referee by a moment, to end the bots it left behind.

A program of its own, with the standard library only. The referee starts it before its first bot and
keeps the other end of its standard input; whatever becomes of the referee, the kernel closes that,
and the warden then kills every process group it was told of, what those started elsewhere, and every
process that carries the referee's mark in its environment. It sits in a session of its own, so that
Ctrl-C passes it by.

Lines on standard input: `+PGID` a bot's process group was started, `-PGID` it was ended, `.` all were
and the warden may go.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

MARK = "PARCHEESI_HOUSE"
"""The variable with the referee's mark, which all its bots carry."""

OWN_MARK = "PARCHEESI_PROCESS"
"""The variable with the mark that what one process starts carries, and nothing else."""


def marked(mark: str, name: str = MARK) -> Iterator[int]:
    """Yield the processes whose environment has *mark* under *name*; none where /proc is missing."""
    wanted = f"{name}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)
        except (OSError, ValueError):
            continue


def kill_group(group: int) -> None:
    """Kill a process group; one that has gone is no matter."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def family(root: int) -> dict[int, int]:
    """
    Return what *root* started, and what that started, wherever it sits now: by process, when it was born.

    None where /proc is missing. What a process started that has gone itself is not found.
    """
    born: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):  # it has just gone
            pid = int(entry.name)
            parent, born[pid] = _origin(pid)
            children.setdefault(parent, []).append(pid)
    found: dict[int, int] = {}
    todo = [root]
    while todo:
        for pid in children.get(todo.pop(), ()):
            found[pid] = born[pid]
            todo.append(pid)
    return found


def born(pids: Iterable[int]) -> dict[int, int]:
    """Return when each of *pids* was born, as far as they are there."""
    found = {}
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            found[pid] = _origin(pid)[1]
    return found


def _origin(pid: int) -> tuple[int, int]:
    """Return the parent of a process, and when it was born, in ticks since the machine was."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), int(fields[19])


def kill_family(kin: Mapping[int, int]) -> None:
    """Kill the processes that `family` found, unless another has got their number meanwhile."""
    for pid, born in kin.items():
        with contextlib.suppress(OSError, ValueError, IndexError):
            if _origin(pid)[1] == born:
                os.kill(pid, signal.SIGKILL)


def kill_marked(mark: str, *, but: int = 0) -> int:
    """Kill all processes with *mark* except *but*; return how many there were."""
    count = 0
    for pid in marked(mark):
        if pid in (but, os.getpid()):
            continue
        try:
            os.kill(pid, signal.SIGKILL)
            count += 1
        except (ProcessLookupError, PermissionError):
            pass
    return count


def main(mark: str) -> None:
    """Wait for the end of standard input, then end what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        sign, number_text = line[0], line[1:].strip()
        if sign == ".":
            return
        if sign == "+":
            groups.add(int(number_text))
        else:
            groups.discard(int(number_text))
    kin = [family(group) for group in groups]
    for group in groups:
        kill_group(group)
    for each in kin:
        kill_family(each)
    # A process that was being started when the referee died may show its mark a moment later.
    for _ in range(10):
        kill_marked(mark)
        time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1])
