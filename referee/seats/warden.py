"""
Outlives the referee by a moment, to end the bots it left behind.

A program of its own, with the standard library only. The referee starts it before its first bot and
keeps the other end of its standard input; whatever becomes of the referee, the kernel closes that,
and the warden then kills every process group it was told of and every process that carries the
referee's mark in its environment. It sits in a session of its own, so that Ctrl-C passes it by.

Lines on standard input: `+PGID` a bot's process group was started, `-PGID` it was ended, `.` all were
and the warden may go.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "PARCHEESI_HOUSE"


def marked(mark: str) -> Iterator[int]:
    """Yield the processes that carry *mark* in their environment; none where /proc is missing."""
    wanted = f"{MARK}={mark}".encode()
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
    for group in groups:
        kill_group(group)
    # A process that was being started when the referee died may show its mark a moment later.
    for _ in range(10):
        kill_marked(mark)
        time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1])
