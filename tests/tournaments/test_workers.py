"""
Tournaments in several processes: what they come to, how they are stopped, and when there are several.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.errors import ConfigError
from referee.record.replay import replay
from referee.seats.specs import Builtin, Local, Remote, token_digest
from referee.server.hall import Entrant
from tests.bad_bots.arena import ROOT, listening, running
from tests.server.test_stopping import STAY_ALIVE, gone_within
from tests.tournaments.cases import plan, plan_text
from tests.tournaments.fakes import FakeHouse, play
from tests.tournaments.test_kill_and_resume import PATIENCE, results
from tournaments.cli import publish
from tournaments.plan import Plan
from tournaments.runner import folder as folder_module, share as share_module
from tournaments.runner.folder import Folder, Lock
from tournaments.runner.progress import Silence
from tournaments.runner.session import Session
from tournaments.runner.share import Share, shared_out, usual_workers

OURS = Entrant("ours", Builtin("random"))
LOCAL = Entrant("local", Local("local", Path(), ("true",)))
REMOTE = Entrant("remote", Remote("remote", token_digest("a token")))
BOTS = ("careful", "racer", "random")


def cup_text(rounds: int, more: str = "") -> str:
    """Return a plan for short games between strategies of ours, two at a time."""
    entrants = "".join(f'[[entrants]]\nname = "{bot}"\nbot = "builtin:{bot}"\n' for bot in BOTS)
    settings = f"seats = 2\nrounds = {rounds}\njobs = 4\nmax_throws = 60\nseed = '{'5e' * 32}'\n{more}\n"
    return f'name = "cup"\nruleset = "winning_moves"\n{settings}{entrants}'


class TestShare:
    @pytest.mark.parametrize(
        ("entrants", "jobs", "games", "workers"),
        [
            pytest.param([OURS], 1, 1000, 1, id="no more than games at once"),
            pytest.param([OURS], 5, 1000, 5, id="one for each game"),
            pytest.param([OURS], 64, 1000, 8, id="no more than cores"),
            pytest.param([OURS], 64, 149, 2, id="fifty games each"),
            pytest.param([OURS], 64, 1, 1, id="one game"),
            pytest.param([OURS, LOCAL], 1, 1000, 1, id="a bot of its own: one game"),
            pytest.param([OURS, LOCAL], 31, 1000, 1, id="a bot of its own: all games together"),
            pytest.param([OURS, LOCAL], 32, 1000, 2, id="a bot of its own: sixteen games each"),
            pytest.param([OURS, LOCAL], 1000, 1000, 8, id="a bot of its own: no more than cores"),
            pytest.param([OURS, REMOTE], 1000, 1000, 1, id="a bot that dials in: it has one address"),
        ],
    )
    def test_depends_on_jobs_games_cores_and_bots(
        self, entrants: list[Entrant], jobs: int, games: int, workers: int
    ) -> None:
        assert usual_workers(entrants, jobs, games, cores=8) == workers

    @pytest.mark.parametrize(
        ("more", "jobs", "workers", "share"),
        [
            pytest.param("jobs = 6", None, None, Share(6, 4), id="as many as cores"),
            pytest.param("jobs = 6\nworkers = 2", None, None, Share(6, 2), id="as the plan says"),
            pytest.param("jobs = 6\nworkers = 2", None, 5, Share(6, 5), id="as the operator says"),
            pytest.param("jobs = 6\nworkers = 5", 3, None, Share(3, 3), id="never more than jobs"),
            pytest.param("", None, 8, Share(1, 1), id="one job: one"),
        ],
    )
    def test_is_what_plan_and_operator_say(
        self, monkeypatch: pytest.MonkeyPatch, more: str, jobs: int | None, workers: int | None, share: Share
    ) -> None:
        monkeypatch.setattr(share_module, "cores", lambda: 4)

        assert shared_out(plan(plan_text(more=more)), [OURS], 1000, jobs, workers) == share

    def test_is_noted_with_each_session(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)

        play(FakeHouse(), folder, plan(plan_text(more="jobs = 6\nworkers = 3")))

        assert json.loads(folder.sessions.read_text())["workers"] == 3


class TestTournament:
    def played(self, the_plan: Plan, folder: Folder, workers: int) -> int:
        """Play in so many processes; return how many were started."""
        session = Session(jobs=None, workers=workers, watch=Silence(), publish=publish)
        with listening() as heard:
            assert asyncio.run(session.run(the_plan, folder)).complete
        return sum(entry["event"] == "worker opened" for _, entry in heard)

    def test_comes_to_the_same_in_any_number_of_processes(self, tmp_path: Path) -> None:
        """
        The same games, each once, with the same results, and so the same standings.
        """
        one, three = Folder(tmp_path / "one"), Folder(tmp_path / "three")

        assert self.played(plan(cup_text(4)), one, 1) == 0
        assert self.played(plan(cup_text(4)), three, 3) == 3

        assert sorted(results(one.root)) == list(range(1, 25))
        assert results(one.root) == results(three.root)
        tables = [(each.root / "standings.csv").read_text().splitlines() for each in (one, three)]
        times = tables[0][0].split(",").index("mean_us")
        assert [row.split(",")[:times] for row in tables[0]] == [row.split(",")[:times] for row in tables[1]]
        assert [record.name for record in sorted(one.games.iterdir())] == [
            record.name for record in sorted(three.games.iterdir())
        ]


class Started:
    """A tournament of two workers in a process of its own, which leads a group."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.workers: list[int] = []

    def hear(self, event: str, times: int) -> None:
        """Read the log until *event* came so many times; note the workers."""
        assert self.process.stderr is not None
        while times:
            line = self.process.stderr.readline()
            assert line, f"the tournament ended before it logged {event!r}"
            if not line.startswith("{"):
                continue
            entry = json.loads(line)
            if entry["event"] == "worker opened":
                self.workers.append(entry["pid"])
            times -= entry["event"] == event


@contextmanager
def started(*words: object, workers: int = 2, before: Sequence[str] = ()) -> Iterator[Started]:
    command = [*before, sys.executable, "-m", "tournaments", *map(str, words)]
    with subprocess.Popen(
        [*command, "--workers", str(workers), "--log", "json", "--log-level", "info"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield Started(process)
        finally:
            process.kill()


def resumed(out: Path) -> dict[str, Any]:
    """Go on in two processes to the end; return what was told."""
    done = subprocess.run(
        [sys.executable, "-m", "tournaments", "resume", str(out), "--workers", "2", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


class TestStopped:
    ROUNDS = 30
    GAMES = 180

    @pytest.fixture
    def cup(self, tmp_path: Path) -> Path:
        """Return a plan that takes a few seconds."""
        path = tmp_path / "cup.toml"
        path.write_text(cup_text(self.ROUNDS))
        return path

    def test_ctrl_c_keeps_what_was_played_and_the_rest_is_played_later(
        self, tmp_path: Path, cup: Path
    ) -> None:
        """
        The terminal tells the whole group. Games stop where they are, nobody is left, and nothing is lost.
        """
        out = tmp_path / "out"
        with started("run", cup, "--out", out) as tournament:
            tournament.hear("worker opened", times=2)
            tournament.hear("ended", times=10)
            os.killpg(tournament.process.pid, signal.SIGINT)
            _, error = tournament.process.communicate(timeout=PATIENCE)
            left = [pid for pid in tournament.workers if running(pid)]
        done = len(results(out))
        torn = [record.name for record in (out / "games").iterdir() if replay(record).torn]

        assert tournament.process.returncode == 128 + signal.SIGINT
        assert f"tournament: stopped after {done} of {self.GAMES} games; go on with" in error
        assert len(tournament.workers) == 2
        assert left == []
        assert torn == []
        assert 10 <= done < self.GAMES
        assert resumed(out)["complete"]
        assert sorted(results(out)) == list(range(1, self.GAMES + 1))

    def test_kill_ends_all_and_the_next_session_goes_on_at_once(self, tmp_path: Path, cup: Path) -> None:
        """
        Workers end with the process that gives the orders, and nobody need wait for them to begin again.
        """
        out = tmp_path / "out"
        with started("run", cup, "--out", out) as tournament:
            tournament.hear("worker opened", times=2)
            tournament.hear("ended", times=10)
            tournament.process.kill()
            tournament.process.wait()
            told = resumed(out)
            left = gone_within(STAY_ALIVE, tournament.workers)

        assert len(tournament.workers) == 2
        assert left == []
        assert told["complete"]
        assert sorted(results(out)) == list(range(1, self.GAMES + 1))

    @pytest.mark.parametrize("workers", [1, 2])
    def test_a_folder_that_was_moved_away_is_not_made_anew(
        self, tmp_path: Path, cup: Path, workers: int
    ) -> None:
        """
        Games whose records would lie elsewhere than their results are not begun.
        """
        out, moved = tmp_path / "out", tmp_path / "moved"
        with started("run", cup, "--out", out, workers=workers) as tournament:
            tournament.hear("ended", times=10)
            out.rename(moved)
            _, error = tournament.process.communicate(timeout=PATIENCE)

        assert tournament.process.returncode == 1
        assert ": No such file or directory; go on with" in error
        assert not out.exists()
        assert resumed(moved)["complete"]
        assert sorted(results(moved)) == list(range(1, self.GAMES + 1))

    def test_a_terminal_that_closes_stops_nothing_under_nohup(self, tmp_path: Path) -> None:
        cup, out = tmp_path / "cup.toml", tmp_path / "out"
        cup.write_text(cup_text(10))
        with started(
            "run", cup, "--out", out, before=("sh", "-c", 'trap "" HUP; exec "$@"', "sh")
        ) as tournament:
            tournament.hear("ended", times=5)
            os.killpg(tournament.process.pid, signal.SIGHUP)
            tournament.process.communicate(timeout=PATIENCE)

        assert tournament.process.returncode == 0
        assert len(results(out)) == 60

    def test_folder_is_not_free_before_the_last_worker_has_ended(
        self, tmp_path: Path, cup: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        A worker that has not noticed yet that it is alone could still write.
        """
        folder = Folder(tmp_path / "out")
        with started("run", cup, "--out", folder.root) as tournament:
            tournament.hear("worker opened", times=2)
            for pid in tournament.workers:
                os.kill(pid, signal.SIGSTOP)
            tournament.process.kill()
            tournament.process.wait()
            with monkeypatch.context() as patch:
                patch.setattr(folder_module, "ORPHANS", 0.0)
                with pytest.raises(ConfigError, match=rf"another one \({tournament.process.pid}\)"):
                    Lock(folder)
            for pid in tournament.workers:
                os.kill(pid, signal.SIGCONT)
            with Lock(folder):
                left = [pid for pid in tournament.workers if running(pid)]

        assert left == []
