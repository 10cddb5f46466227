"""
A tournament that is killed at any step on the disk ends as if nothing had happened.
"""

import asyncio
import random
from pathlib import Path

import pytest

from referee.errors import ConfigError
from tests.tournaments.cases import plan, plan_text
from tests.tournaments.fakes import FakeHouse, Killed, Mortal, play, session, told
from tournaments.plan import Plan
from tournaments.runner.folder import Folder

SEED = "seed = '" + "5e" * 32 + "'"
VOID = {"r001-g0002-s1": 2}


def cup() -> Plan:
    """Return six games, two at a time."""
    return plan(plan_text(more=f"jobs = 2\n{SEED}"))


def uninterrupted(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "whole")
    assert play(FakeHouse(void=VOID), folder, cup()).complete
    return folder


def killed(folder: Folder, at: int, when: str) -> bool:
    """Play until the process dies at a step; return whether it did."""
    with pytest.MonkeyPatch.context() as patch:
        mortal = Mortal(patch, at, when)
        try:
            play(FakeHouse(void=VOID), folder, cup())
        except BaseException as error:
            if not mortal.dead or not _is_death(error):
                raise
    return mortal.dead


def _is_death(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_is_death(inner) for inner in error.exceptions)
    return isinstance(error, Killed)


def assert_same(folder: Folder, whole: Folder) -> None:
    assert told(folder) == told(whole)
    assert [result.number for result in told(folder)] == [1, 2, 3, 4, 5, 6]
    for name in ("standings.csv", "standings.json", "secret"):
        assert (folder.root / name).read_bytes() == (whole.root / name).read_bytes()
    for record in whole.games.iterdir():
        assert (folder.games / record.name).read_bytes() == record.read_bytes()
    assert len(list(folder.games.iterdir())) == len(list(whole.games.iterdir()))


class TestKilledOnce:
    def test_at_any_step_every_game_is_told_of_once(self, tmp_path: Path) -> None:
        """
        Whatever step was the last, the next session ends with the same results, records and standings.
        """
        whole = uninterrupted(tmp_path)
        with pytest.MonkeyPatch.context() as patch:
            mortal = Mortal(patch, None)
            assert play(FakeHouse(void=VOID), Folder(tmp_path / "counted"), cup()).complete
        deaths = [(at, "before") for at in range(1, len(mortal.steps) + 1)]
        deaths += [(at, "within") for at, step in enumerate(mortal.steps, start=1) if step == "write"]
        assert len(deaths) > 120

        for at, when in deaths:
            folder = Folder(tmp_path / f"{when}-{at}")
            killed(folder, at, when)
            assert play(FakeHouse(void=VOID), folder, cup()).complete, f"killed {when} step {at}"
            assert_same(folder, whole)


class TestKilledAgainAndAgain:
    @pytest.mark.parametrize("seed", range(12))
    def test_every_game_is_told_of_once(self, tmp_path: Path, seed: int) -> None:
        """
        Sessions that all die after a few steps get there in the end.
        """
        whole = uninterrupted(tmp_path)
        chance = random.Random(seed)
        folder = Folder(tmp_path / "killed")
        sessions = 0
        while killed(folder, chance.randint(1, 40), chance.choice(["before", "within"])):
            sessions += 1
            assert sessions < 500, "no session gets any further"

        assert play(FakeHouse(void=VOID), folder, cup()).complete
        assert_same(folder, whole)


class TestAfterAStop:
    def test_nothing_is_played_twice(self, tmp_path: Path) -> None:
        """
        When all has been played, resuming opens no house and changes no result.
        """
        folder = uninterrupted(tmp_path)
        before = folder.results.read_bytes()
        house = FakeHouse()

        assert play(house, folder, cup()).complete
        assert house.orders == []
        assert folder.results.read_bytes() == before

    def test_a_finished_record_without_a_result_is_not_played(self, tmp_path: Path) -> None:
        """
        A lost line of the ledger is made again from the record, which does not change.
        """
        folder = uninterrupted(tmp_path)
        expected = told(folder)
        lines = folder.results.read_bytes().splitlines(keepends=True)
        folder.results.write_bytes(b"".join(lines[:-2]) + lines[-2][:40])
        house = FakeHouse(void=VOID, before=lambda order: pytest.fail("a line was written"))

        assert play(house, folder, cup()).complete
        assert len(house.orders) == 2
        assert told(folder) == expected

    def test_a_beginning_that_was_cut_short_may_be_begun_again(self, tmp_path: Path) -> None:
        """
        Without plan.json no game was played: `resume` says so, and `run` begins anew.
        """
        folder = Folder(tmp_path / "cup")
        folder.root.mkdir()
        folder.secret.write_text("half a sec")
        folder.plan_toml.write_text("half a plan")

        with pytest.raises(ConfigError, match=r"there is no tournament in .*: begin one with"):
            asyncio.run(session(FakeHouse()).resume(folder))
        assert play(FakeHouse(), folder, cup()).complete

    def test_results_are_not_begun_over(self, tmp_path: Path) -> None:
        """
        A folder that lost its plan.json but holds results is left alone.
        """
        folder = uninterrupted(tmp_path)
        folder.plan_json.unlink()
        for name in ("standings.json", "standings.csv", "sessions.jsonl"):
            (folder.root / name).unlink()

        with pytest.raises(ConfigError, match=r"holds results\.jsonl: name a folder that is new or empty"):
            play(FakeHouse(), folder, cup())
