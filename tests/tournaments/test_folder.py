"""How a tournament lies on the disk, and who may touch it."""

import asyncio
import fcntl
import json
import os
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from referee.errors import ConfigError
from tests.tournaments.cases import HEAD, plan, plan_text
from tests.tournaments.fakes import FakeHouse, play, session
from tournaments.plan import Plan, load
from tournaments.runner.folder import Folder, Lock


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return the folder of a tournament that has been played."""
    folder = Folder(tmp_path / "cup")
    assert play(FakeHouse(), folder, plan()).complete
    return folder


def resumed(folder: Folder, *, changed_bots: bool = False) -> None:
    asyncio.run(session(FakeHouse()).resume(folder, changed_bots=changed_bots))


def unfinish(folder: Folder) -> None:
    """Take the last result away, so that there is something to play."""
    lines = folder.results.read_bytes().splitlines(keepends=True)
    folder.results.write_bytes(b"".join(lines[:-1]))


class TestBeginning:
    def test_freezes_the_plan(self, folder: Folder) -> None:
        """
        The plan is kept byte by byte, and spelt out with every default.
        """
        frozen = json.loads(folder.plan_json.read_text())

        assert folder.plan_toml.read_bytes() == plan().text
        assert frozen["ruleset"]["fields"]["capture_bonus"] == "20"
        assert frozen["time_s"]["per_move"] == 1.0
        assert frozen["games"] == 6

    def test_keeps_secrets_from_others(self, tmp_path: Path) -> None:
        """
        Only the owner can read what dice and tokens are made of.
        """
        folder = Folder(tmp_path / "cup")
        secret = "5e" * 32
        play(
            FakeHouse(before=lambda order: _all_closed(folder, secret)),
            folder,
            plan(plan_text(more=f"seed = '{secret}'")),
        )

    @pytest.mark.parametrize(
        "make",
        [
            pytest.param(lambda root: (root / "notes.txt").touch(), id="a file of somebody's"),
            pytest.param(lambda root: (root / "results.jsonl").write_text("x\n"), id="results"),
            pytest.param(
                lambda root: (root / "games").mkdir() or (root / "games/a.jsonl").touch(), id="records"
            ),
        ],
    )
    def test_refuses_a_folder_that_is_in_use(self, tmp_path: Path, make: object) -> None:
        assert callable(make)
        folder = Folder(tmp_path / "cup")
        folder.root.mkdir()
        make(folder.root)
        before = sorted(folder.root.rglob("*"))

        with pytest.raises(ConfigError, match="name a folder that is new or empty"):
            play(FakeHouse(), folder, plan())
        assert sorted(folder.root.rglob("*")) == before

    def test_says_how_to_go_on_where_a_tournament_is(self, folder: Folder) -> None:
        with pytest.raises(ConfigError, match="holds a tournament already: go on with `tournament resume"):
            asyncio.run(session(FakeHouse()).run(plan(), folder))

    def test_takes_an_empty_folder(self, tmp_path: Path) -> None:
        assert play(FakeHouse(), Folder(tmp_path), plan()).complete

    def test_leaves_nothing_behind_when_a_bot_is_missing(self, tmp_path: Path) -> None:
        """
        A mistake is told, with its line, before anything is written.
        """
        wrong = plan(plan_text().replace("builtin:random", "no/such/folder", 1), tmp_path)

        with pytest.raises(
            ConfigError, match=r"^cup\.toml:8: entrants\[1\]\.bot: bot 'no/such/folder': there is no"
        ):
            play(FakeHouse(), Folder(tmp_path / "cup"), wrong)
        assert not (tmp_path / "cup").exists()

    def test_leaves_nothing_behind_when_a_build_fails(self, tmp_path: Path) -> None:
        def fail() -> None:
            raise ConfigError("bot 'x': the build failed")

        with pytest.raises(ConfigError, match="the build failed"):
            play(FakeHouse(prepare=fail), Folder(tmp_path / "cup"), plan())
        assert not (tmp_path / "cup").exists()

    def test_notes_each_session(self, folder: Folder) -> None:
        """
        Who wants to know which version played on finds it.
        """
        unfinish(folder)
        play(FakeHouse(), folder, plan(), jobs=3)

        lines = [json.loads(line) for line in folder.sessions.read_text().splitlines()]
        assert [line["jobs"] for line in lines] == [1, 3]
        assert all(line["engine"] and line["began"] for line in lines)


def _all_closed(folder: Folder, secret: str) -> None:
    """Check that no file but those of the owner tells *secret*, while games are played."""
    for path in (folder.secret, folder.plan_toml):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for path in folder.root.glob("*"):
        if path.is_file() and path not in (folder.secret, folder.plan_toml):
            assert secret not in path.read_text()


class TestRulesFromFile:
    @pytest.mark.parametrize(
        "rules",
        [
            pytest.param("ruleset = 'house.toml'\n", id="named"),
            pytest.param("ruleset = { extends = 'house.toml', capture_bonus = 6 }\n", id="extended"),
        ],
    )
    def test_are_kept_with_the_tournament(self, tmp_path: Path, rules: str) -> None:
        """
        Whatever becomes of the file, the tournament goes on by what it held.
        """
        house, folder = tmp_path / "house.toml", Folder(tmp_path / "cup")
        house.write_text("extends = 'winning_moves'\nhome_bonus = 5\n", encoding="utf-8")
        text = plan_text().replace('ruleset = "winning_moves"\n', rules)
        assert play(FakeHouse(), folder, plan(text, tmp_path)).complete
        for gone in (False, True):
            unfinish(folder)
            house.unlink() if gone else house.write_text("extends = 'racket'\n", encoding="utf-8")
            orders = FakeHouse()

            asyncio.run(session(orders).resume(folder))

            assert [order.rules.ruleset.home_bonus for order in orders.orders] == [5]


class TestTampering:
    def test_with_the_plan_is_refused(self, folder: Folder) -> None:
        folder.plan_toml.write_bytes(folder.plan_toml.read_bytes() + b"# one comment more\n")

        with pytest.raises(ConfigError, match=r"plan\.toml was changed since the tournament began"):
            resumed(folder)

    def test_with_the_secret_is_refused(self, folder: Folder) -> None:
        folder.secret.write_text("00" * 32)

        with pytest.raises(ConfigError, match="is not the secret with which the tournament began"):
            resumed(folder)

    def test_with_the_rules_is_refused(self, folder: Folder) -> None:
        """
        A ruleset that changed with the program would make two tournaments of one.
        """
        frozen = json.loads(folder.plan_json.read_text())
        frozen["ruleset"]["digest"] = "00" * 32
        folder.plan_json.write_text(json.dumps(frozen))

        with pytest.raises(ConfigError, match="ruleset 'winning_moves' is not what it was"):
            resumed(folder)

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', "\x00"])
    def test_with_the_frozen_plan_is_told(self, folder: Folder, text: str) -> None:
        folder.plan_json.write_text(text)

        with pytest.raises(ConfigError, match=r"plan\.json"):
            resumed(folder)


class TestLock:
    def test_keeps_a_second_runner_out(self, folder: Folder) -> None:
        """
        The message names the process that plays.
        """
        unfinish(folder)
        with Lock(folder), pytest.raises(ConfigError, match=rf"played by another process \({os.getpid()}\)"):
            resumed(folder)

        resumed(folder)

    @pytest.fixture
    def held(self, folder: Folder) -> Iterator[TextIO]:
        """Return a hold on the lock, by whatever process the file will be told to name."""
        with folder.lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file

    def test_waits_for_what_a_dead_runner_has_left(
        self, folder: Folder, held: TextIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        Its workers hold the lock for a moment longer.
        """
        folder.lock.write_text(f"{dead()}\n")
        looks = []

        def sleep(seconds: float) -> None:
            looks.append(seconds)
            if len(looks) == 3:
                held.close()

        monkeypatch.setattr(time, "sleep", sleep)
        with Lock(folder):
            assert folder.lock.read_text() == f"{os.getpid()}\n"

        assert len(looks) == 3

    def test_waits_where_nobody_has_waited_for_the_dead_runner(
        self, folder: Folder, held: TextIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        A zombie has a number, and does nothing.
        """
        with subprocess.Popen(["true"]) as process:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            folder.lock.write_text(f"{process.pid}\n")
            monkeypatch.setattr(time, "sleep", lambda _: held.close())
            with Lock(folder):
                assert folder.lock.read_text() == f"{os.getpid()}\n"

    def test_does_not_wait_for_ever(
        self, folder: Folder, held: TextIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder.lock.write_text(f"{(owner := dead())}\n")
        looks: list[float] = []
        monkeypatch.setattr(time, "sleep", looks.append)

        with pytest.raises(ConfigError, match=rf"a process that another one \({owner}\) left behind"):
            Lock(folder)

        assert sum(looks) == pytest.approx(5, abs=0.1)

    @pytest.mark.parametrize("owner", [str(os.getpid()), "1", "", "nobody", "99999999999999999999"])
    def test_waits_for_nobody_who_lives(
        self, folder: Folder, held: TextIO, monkeypatch: pytest.MonkeyPatch, owner: str
    ) -> None:
        """
        Whoever plays may go on for hours; and so may one whose number cannot be read.
        """
        folder.lock.write_text(owner)
        monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it waits"))

        with pytest.raises(ConfigError, match=rf"process \({owner or 'unknown'}\)"):
            Lock(folder)

    def test_lets_readers_in(self, folder: Folder) -> None:
        from tournaments.reports.summary import summary

        with Lock(folder):
            assert summary(folder).complete


def dead() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen(["true"]) as process:
        return process.pid


class TestBots:
    @pytest.fixture
    def bot(self, tmp_path: Path) -> Path:
        """Return the folder of a bot with one source, one file that its build makes, and one it writes."""
        bot = tmp_path / "bot"
        bot.mkdir()
        (bot / "bot.toml").write_text('run = ["python3", "bot.py"]\n')
        (bot / "bot.py").write_text("pass\n")
        (bot / "made").write_text("old")
        return bot

    @pytest.fixture
    def cup(self, bot: Path) -> Plan:
        """Return a plan with the bot, called anna, and another."""
        text = f'{HEAD}seats = 2\n[[entrants]]\nname = "anna"\nbot = "bot"\n'
        file = bot.parent / "cup.toml"
        file.write_text(f'{text}[[entrants]]\nname = "bert"\nbot = "builtin:random"\n')
        return load(file)

    @pytest.fixture
    def stopped(self, bot: Path, cup: Plan, tmp_path: Path) -> Folder:
        """Return a tournament of which a game is left; the build changed a file and made another."""

        def build() -> None:
            (bot / "made").write_text("new")
            (bot / "made too").write_text("new")

        folder = Folder(tmp_path / "cup")
        play(FakeHouse(prepare=build), folder, cup)
        unfinish(folder)
        return folder

    def test_may_build_again(self, stopped: Folder, bot: Path) -> None:
        """
        What a build makes may come out otherwise the next time.
        """
        (bot / "made").write_text("newer")
        (bot / "made too").unlink()
        (bot / "log.txt").write_text("played well")

        resumed(stopped)

    def test_may_not_change_in_between(self, stopped: Folder, bot: Path) -> None:
        """
        Another program under the same name would make two tournaments of one.
        """
        (bot / "bot.py").write_text("raise SystemExit\n")

        with pytest.raises(
            ConfigError, match=r"bot 'anna' is not as it was .*: bot\.py has changed; put it back"
        ):
            resumed(stopped)
        resumed(stopped, changed_bots=True)

    def test_may_not_lose_a_file(self, stopped: Folder, bot: Path) -> None:
        (bot / "bot.py").unlink()

        with pytest.raises(ConfigError, match=r"bot\.py has changed"):
            resumed(stopped)

    def test_are_found_where_they_have_moved_to(self, stopped: Folder, bot: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        bot.rename(elsewhere / "bot")

        with pytest.raises(
            ConfigError, match=r"plan\.toml:6: entrants\[1\]\.bot: bot 'bot': there is no such folder"
        ):
            resumed(stopped)
        asyncio.run(session(FakeHouse()).resume(stopped, elsewhere))
