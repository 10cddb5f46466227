"""
What is left when the referee is stopped in the middle of games, kindly or not.
"""

import asyncio
import json
import os
import select
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from referee.host.verify import verify
from referee.record.replay import replay
from tests.bad_bots.arena import ROOT, notes, running
from tests.server.guests import PATIENCE, SLOW, Line, a_house, bearer, builtin, order, remote

STAY_ALIVE = 3.0
"""Seconds within which all bots of a referee that was killed must be gone; a second, on an idle machine."""


class Hosting:
    """A referee in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def hear(self, event: str, times: int = 1) -> list[Mapping[str, Any]]:
        """Return what was logged until *event* came for the last of so many times."""
        heard: list[Mapping[str, Any]] = []
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while sum(entry["event"] == event for entry in heard) < times:
                line = await self.process.stdout.readline()
                assert line, f"the referee ended before it logged {event!r}: {heard}"
                heard.append(json.loads(line))
        return heard


@asynccontextmanager
async def hosting(folder: Path, games: int, *bots: str) -> AsyncIterator[Hosting]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.server.hosting", str(folder), str(games), *bots),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Hosting(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def gone_within(seconds: float, pids: list[int]) -> list[int]:
    """Wait for processes to end; return those that have not after so many *seconds*."""
    deadline = monotonic() + seconds
    left = []
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        with os.fdopen(handle) as process:
            if not select.select([process], [], [], max(deadline - monotonic(), 0))[0] and running(pid):
                left.append(pid)
    return left


class TestStoppedReferee:
    async def test_adjourns_its_games_and_takes_its_bots_along(self, tmp_path: Path) -> None:
        """
        SIGTERM during many games: all stop where they are, and can be gone on with to a proven end.
        """
        async with hosting(tmp_path, 12, "python_racer", "python_random") as referee:
            heard = await referee.hear("offered", times=12)
            referee.process.send_signal(signal.SIGTERM)
            heard += await referee.hear("stopped")
            await referee.process.communicate()
        pids = [entry["pid"] for entry in heard if entry["event"] == "launched"]
        states = heard[-1]["states"]
        records = [replay(tmp_path / f"game-{number}.jsonl") for number in range(1, 13)]

        assert referee.process.returncode == 0
        assert len(pids) == 2
        assert not any(map(running, pids))
        assert "adjourned" in states
        assert [record.finished for record in records] == [state == "ended" for state in states]
        assert not any(record.torn for record in records)

        number = states.index("adjourned") + 1
        names = ["python_racer", "python_random"]
        async with a_house(*(builtin("racer", name) for name in names), clock=SLOW) as house:
            again = await house.play(order(number, names, clock=SLOW, folder=tmp_path))
        done = verify(tmp_path / f"game-{number}.jsonl")

        assert again.ended is not None
        assert done.lines[: len(records[number - 1].lines)] == records[number - 1].lines

    async def test_does_not_wait_for_a_bot_that_is_starting(self, tmp_path: Path) -> None:
        """
        SIGTERM before the first hello: the game was not begun, and the bot is ended.
        """
        async with hosting(tmp_path, 1, "says_no_hello", "behaves") as referee:
            heard = await referee.hear("launched", times=2)
            referee.process.send_signal(signal.SIGTERM)
            heard += await referee.hear("stopped")
            await referee.process.communicate()
        pids = [entry["pid"] for entry in heard if entry["event"] == "launched"]

        assert heard[-1]["states"] == ["adjourned"]
        assert not any(map(running, pids))
        assert not (tmp_path / "game-1.jsonl").exists()

    @pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs a system with pidfd_open")
    async def test_that_is_killed_leaves_no_bot_alive(self, tmp_path: Path) -> None:
        """
        SIGKILL: the warden ends bots that stand still, that ignore signals, and that hide their children.
        """
        bots = ["behaves", "stays", "leaves_a_child_apart", "freezes"]
        async with hosting(tmp_path, 1, *bots) as referee:
            heard = await referee.hear("offered")
            pids = [entry["pid"] for entry in heard if entry["event"] == "launched"]
            pids += notes(tmp_path)
            assert len(pids) == 5
            assert all(map(running, pids))
            referee.process.kill()
            left = await asyncio.to_thread(gone_within, STAY_ALIVE, pids)
        record = replay(tmp_path / "game-1.jsonl")

        assert left == []
        assert not record.finished


class TestClosedHouse:
    async def test_leaves_no_task_of_a_stream_behind(self) -> None:
        """
        A loop that ends before the library's tasks cancels them, and the library prints a traceback for each.
        """
        async with AsyncExitStack() as guests:
            async with a_house(remote("alice")) as house:
                for _ in range(8):  # they never say hello
                    await guests.enter_async_context(Line(house.address, bearer("alice-token")))
                async with asyncio.timeout(PATIENCE):
                    while stream_tasks() < 8:  # noqa: ASYNC110 - no event tells of it
                        await asyncio.sleep(0)
            left = stream_tasks()

        assert left == 0


def stream_tasks() -> int:
    """Return how many tasks of the library for streams there are."""
    return sum(task.get_name() == "rpc_task" for task in asyncio.all_tasks())
