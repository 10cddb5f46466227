"""The seed of dice that games share is told when the last of these games is over, not before."""

import asyncio
import json
from pathlib import Path

import pytest

from referee.host.outcome import Outcome
from referee.host.verify import verify
from referee.match.tally import Tally
from referee.server.house import GameOrder, House
from tests.tournaments.cases import plan, plan_text
from tournaments.plan import Plan
from tournaments.runner.folder import Folder
from tournaments.runner.ledger import results
from tournaments.runner.progress import Silence
from tournaments.runner.session import Session, open_house

PLAN = plan_text("ab", rounds=2)


def end_of(record: Path) -> str:
    return str(json.loads(record.read_text().splitlines()[-1])["type"])


def session() -> Session:
    return Session(jobs=1, workers=None, watch=Silence(), publish=lambda *_: {}, opens=open_house)


def run(the_plan: Plan, folder: Folder) -> None:
    assert asyncio.run(session().run(the_plan, folder)).complete


def test_shared_seed_is_told_when_the_block_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    After the first of two games its record ends without the seed; after the second both have it.
    """
    folder = Folder(tmp_path)
    ends: list[list[str]] = []
    play = House.play

    async def watched(self: House, order: GameOrder) -> Outcome:
        outcome = await play(self, order)
        ends.append([end_of(folder.record(result.game)) for result in results(folder.results)])
        assert end_of(folder.record(order.game)) == "ended"
        return outcome

    monkeypatch.setattr(House, "play", watched)
    run(plan(PLAN), folder)

    assert ends == [[], ["ended"], ["revealed"] * 2, ["revealed"] * 2 + ["ended"]]
    assert all(verify(record).seed for record in folder.games.iterdir())


def test_games_with_dice_of_their_own_tell_the_seed_at_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path)

    run(plan(plan_text("ab", more="same_dice = false")), folder)

    seeds = {verify(record).seed for record in folder.games.iterdir()}
    assert len(seeds) == 2


def test_stop_before_the_seed_was_told_is_made_good(tmp_path: Path) -> None:
    """
    A process that dies between the last result of a block and the seed leaves that to the next session.
    """
    folder = Folder(tmp_path)
    run(plan(PLAN), folder)
    whole = {record: record.read_text() for record in folder.games.iterdir()}
    for record, text in whole.items():
        record.write_text("".join(text.splitlines(keepends=True)[:-1]))
    last = max(whole)

    assert asyncio.run(session().resume(folder)).complete
    assert {record: record.read_text() for record in whole} == whole

    # The same where games are left to be played.
    lines = folder.results.read_text().splitlines(keepends=True)
    folder.results.write_text("".join(line for line in lines if last.stem not in line))
    for record, text in whole.items():
        record.write_text("".join(text.splitlines(keepends=True)[:-1]))

    assert asyncio.run(session().resume(folder)).complete
    assert {record: record.read_text() for record in whole} == whole


def test_made_good_is_the_seed_of_the_attempt_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A game that was void once had other dice than the attempt whose record lost its last line.
    """
    folder = Folder(tmp_path)
    play = House.play
    void: list[str] = []

    async def void_once(self: House, order: GameOrder) -> Outcome:
        if void:
            return await play(self, order)
        void.append(order.game)
        assert order.record is not None
        order.record.write_text("void\n")
        return Outcome(
            game=order.game, ended=None, voided="a bug", adjourned=False, tally=Tally((0, 2)), throws=0
        )

    monkeypatch.setattr(House, "play", void_once)
    run(plan(plan_text("ab", more="same_dice = false")), folder)
    record = folder.record(void[0])
    whole = record.read_text()
    record.write_text("".join(whole.splitlines(keepends=True)[:-1]))

    assert asyncio.run(session().resume(folder)).complete

    assert record.read_text() == whole
