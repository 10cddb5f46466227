"""
Real bots, real streams, real kills: a tournament that is killed ten times ends as one that was not.

Knows: the command, signals, /proc. Does not know: anything inside the runner.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.sample_bots.bots import FOLDER, built

ROOT = Path(__file__).resolve().parents[2]
BOTS = ("python_random", "python_racer", "python_careful", "node_random")
BUILTINS = ("careful", "random")
KILLS = 10
GAMES = 60  # fifteen groups of four out of six, each in four rotations
LOOK = 0.005
"""Seconds between two looks at a running process."""
PATIENCE = 60
"""Seconds after which something that should have ended has not."""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """Return a plan for copies of the sample bots, built beforehand: a kill must not spoil the originals."""
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    lines = ['name = "killed"', 'ruleset = "winning_moves"', "seats = 4", "jobs = 2", "max_throws = 60"]
    lines += [
        f'seed = "{"c0ffee" * 10}abcd"',
        "[time]",
        'startup = "60s"',
        'ready = "60s"',
        'per_move = "60s"',
    ]
    for bot in BOTS:
        built(FOLDER / bot)
        shutil.copytree(FOLDER / bot, tmp_path / "bots" / bot, symlinks=True)
        manifest = tmp_path / "bots" / bot / "bot.toml"
        kept = [line for line in manifest.read_text().splitlines() if not line.startswith("build")]
        manifest.write_text("\n".join(kept) + "\n")
        lines += ["[[entrants]]", f'name = "{bot}"', f'bot = "bots/{bot}"']
    for builtin in BUILTINS:
        lines += ["[[entrants]]", f'name = "builtin {builtin}"', f'bot = "builtin:{builtin}"']
    path = tmp_path / "killed.toml"
    path.write_text("\n".join(lines))
    return path


class Sessions:
    """Starts sessions of one tournament, whose processes all carry a mark in their environment."""

    def __init__(self, plan: Path, out: Path) -> None:
        self.out = out
        self._plan = plan
        self._mark = out.parent / f"{out.name}-temporary"
        self._mark.mkdir()

    def start(self, workers: int) -> subprocess.Popen[str]:
        """Begin the tournament, or go on with it, in so many processes that play."""
        begun = (self.out / "plan.json").exists()
        words = ["resume", self.out] if begun else ["run", self._plan, "--out", self.out]
        return subprocess.Popen(
            [sys.executable, "-m", "tournaments", *map(str, words), "--workers", str(workers), "--json"],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(self._mark)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self) -> dict[str, Any]:
        """Play to the end; return what was told."""
        out, error = self.start(workers=1).communicate(timeout=10 * PATIENCE)
        assert error == ""
        told: dict[str, Any] = json.loads(out)
        return told

    def kill_after(self, recorded: int, workers: int) -> None:
        """Start a session, and kill it when all records together have *recorded* bytes."""
        with self.start(workers) as process:
            while sum(record.stat().st_size for record in self.out.glob("games/*")) < recorded:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK)
                    pytest.fail(
                        f"ended with {process.returncode} before it was killed: {process.communicate()}"
                    )
            process.send_signal(signal.SIGKILL)

    def assert_none_left(self) -> None:
        """Wait for the processes to go, the bots and their children too."""
        clock = threading.Event()
        left: list[str] = []
        for _ in range(int(PATIENCE / LOOK)):
            left = list(self._marked())
            if not left:
                return
            clock.wait(LOOK)
        pytest.fail(f"processes were left behind: {left}")

    def _marked(self) -> Iterator[str]:
        mark = f"TMPDIR={self._mark}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    yield (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()


def results(out: Path) -> dict[int, Any]:
    """Return the results by number, without what depends on how quick the machine was."""
    found: dict[int, Any] = {}
    for line in (out / "results.jsonl").read_text().splitlines():
        result = json.loads(line)
        assert result["number"] not in found
        for seat in result["seats"]:
            for key in ("elapsed_us", "slowest_us", "lag_us"):
                del seat[key]
        found[result["number"]] = result
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to find processes")
def test_ten_kills_change_nothing(plan: Path, tmp_path: Path) -> None:
    """
    Every game is told of once and ended as it would have, its record is sound, and no process is left,
    be it that games are played in the process that is killed, or in others that it started.
    """
    seed = int.from_bytes(os.urandom(4))
    chance = random.Random(seed)
    whole = Sessions(plan, tmp_path / "whole")
    told = whole.finish()
    assert (told["complete"], told["games"], told["faults"]) == (True, GAMES, [])
    recorded = sum(record.stat().st_size for record in whole.out.glob("games/*"))
    moments = sorted(chance.randrange(recorded * 19 // 20) for _ in range(KILLS))
    print(f"seed {seed}: kills at {moments} of {recorded} bytes")

    killed = Sessions(plan, tmp_path / "killed")
    for number, moment in enumerate(moments):
        killed.kill_after(moment, workers=1 + number % 2)
        killed.assert_none_left()
    again = killed.finish()
    killed.assert_none_left()
    whole.assert_none_left()

    assert again["complete"]
    assert results(killed.out) == results(whole.out)
    assert sorted(results(killed.out)) == list(range(1, GAMES + 1))
    assert again["against"] == told["against"]
    assert again["faults"] == []
    assert {record.name for record in killed.out.glob("games/*")} == {
        record.name for record in whole.out.glob("games/*")
    }
    verified = subprocess.run(
        [sys.executable, "-m", "referee", "verify", *map(str, sorted(killed.out.glob("games/*")))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
