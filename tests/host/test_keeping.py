"""A result is on disk before anybody learns of it, and what cannot be kept stops the game."""

import asyncio
import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from referee.errors import StoreError
from referee.host.host import Host
from referee.host.outcome import Outcome
from referee.match.faults import FaultKind
from referee.match.match import Match
from referee.match.verdict import Ending
from referee.record.replay import replay_lines
from referee.record.stores.file import FileStore
from referee.record.stores.memory import MemoryStore
from tests.fakes import SEED, BrokenStore, FakeClock, FakePlayer, ScriptedDice, a_setup, first_step, rules_of
from tests.host.desk import Desk, answer

Logs = list[MutableMapping[str, Any]]


class Watched(MemoryStore):
    """A store that remembers what the players knew when it was sealed."""

    def __init__(self, *players: FakePlayer) -> None:
        super().__init__()
        self.players = players
        self.known: list[list[str]] = []
        self.overs = -1

    def seal(self) -> None:
        self.known = [list(player.lines) for player in self.players]
        self.overs = sum(len(player.overs) for player in self.players)
        super().seal()


class TestEnd:
    async def test_is_kept_before_it_is_told(self, clock: FakeClock) -> None:
        """
        When the record is sealed nobody knows the end yet, not even who hears of everything that happens.
        """
        ann = FakePlayer("ann", first_step, wants_events=True)
        ben = FakePlayer("ben", first_step, wants_events=True)
        store = Watched(ann, ben)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9), store=store)

        desk.start()
        await desk.over()

        assert store.overs == 0
        for player, known in zip((ann, ben), store.known, strict=True):
            assert known
            assert not any('"type":"ended"' in line or '"type":"revealed"' in line for line in known)
            assert player.lines == store.lines  # and in the end they have heard everything
        assert [json.loads(line)["type"] for line in store.lines[-2:]] == ["ended", "revealed"]

    async def test_is_told_with_the_seed(self, clock: FakeClock) -> None:
        """
        Both learn the places and the seed when all is kept.
        """
        ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9))

        desk.start()
        outcome = await desk.over()

        for player in (ann, ben):
            (over,) = player.overs
            assert (over.ending, over.ended, over.seed) == (Ending.FINISHED, outcome.ended, SEED)
        assert (outcome.voided, outcome.adjourned, outcome.trouble) == (None, False, None)
        assert outcome.throws == 9

    async def test_may_keep_the_seed_back(self, clock: FakeClock) -> None:
        """
        Where other games have the same dice, the seed is told to nobody and not yet written.
        """
        ann, ben = FakePlayer("ann", first_step, wants_events=True), FakePlayer("ben", first_step)
        store = MemoryStore()
        match = Match(a_setup("racket", max_throws=9), rules_of("racket"))
        async with Host() as host:
            outcome = await host.play(match, {0: ann, 2: ben}, ScriptedDice(), None, store)

        assert outcome.ended is not None
        assert [player.overs[-1].seed for player in (ann, ben)] == [None, None]
        assert SEED.hex() not in "".join([*store.lines, *ann.lines])
        assert '"type":"ended"' in store.lines[-1]


def assert_nobody_learns(desk: Desk, outcome: Outcome, trouble: str) -> None:
    """Check that a game was stopped by *trouble*, and that nobody was told a result or a seed."""
    assert outcome.adjourned
    assert outcome.ended is None
    assert outcome.voided is None
    assert outcome.trouble is not None
    assert trouble in outcome.trouble
    for player in desk.players.values():
        assert isinstance(player, FakePlayer)
        (over,) = player.overs
        assert (over.ending, over.ended, over.seed) == (Ending.ADJOURNED, None, None)
        assert over.detail.startswith("the game is adjourned: ")
        assert not any('"ended"' in line or '"revealed"' in line for line in player.lines)


class TestBrokenDisk:
    async def test_stops_the_game_where_it_is(self, clock: FakeClock, logs: Logs) -> None:
        """
        When lines cannot be written the game is adjourned, with the reason, and the store is closed.
        """
        ann, ben = FakePlayer("ann", wants_events=True), FakePlayer("ben", first_step)
        store = BrokenStore(append=2)
        desk = Desk(clock, ann, ben, store=store)
        desk.start()
        desk.game.flush()
        before = list(store.lines)

        answer(ann, now=desk.go(0.25))
        desk.game.flush()
        outcome = await desk.over()

        assert_nobody_learns(desk, outcome, "No space left on device")
        assert store.lines == before
        assert store.closed == 1
        assert any(entry["log_level"] == "error" and "No space left" in entry["detail"] for entry in logs)

    async def test_leaves_a_record_that_can_be_gone_on_with(self, clock: FakeClock) -> None:
        """
        What was kept before is a record: the game can go on when there is room again.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben", first_step)
        store = BrokenStore(append=2)
        desk = Desk(clock, ann, ben, store=store)
        desk.start()
        desk.game.flush()
        answer(ann, now=desk.go(0.25))
        desk.game.flush()
        await desk.over()

        done = replay_lines([desk.record_header, *store.lines])

        assert done.match.ended is None
        assert not done.finished

    async def test_asks_nobody_any_more(self, clock: FakeClock) -> None:
        """
        A game without a record is not played on.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben")
        desk = Desk(clock, ann, ben, store=BrokenStore(append=1))
        desk.start()

        desk.game.flush()
        asked = len(ann.asks) + len(ben.asks)
        assert not answer(ann, now=desk.go(0.25))
        desk.sweep()
        desk.sweep()

        assert desk.game.deadline is None
        assert len(ann.asks) + len(ben.asks) == asked
        assert ann.faults == []

    @pytest.mark.parametrize("store", [BrokenStore(append=1), BrokenStore(seal=True)], ids=["append", "seal"])
    async def test_at_the_end_tells_no_result(self, clock: FakeClock, logs: Logs, store: BrokenStore) -> None:
        """
        A game that is over but could not be kept has no result: nobody is told one.
        """
        ann = FakePlayer("ann", first_step, wants_events=True)
        ben = FakePlayer("ben", first_step, wants_events=True)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9), store=store)

        desk.start()
        outcome = await desk.over()

        assert_nobody_learns(desk, outcome, "cannot be")
        assert store.closed == 1
        assert any("cannot be" in str(entry.get("detail", "")) for entry in logs)

    async def test_is_found_at_every_append(self, clock: FakeClock) -> None:
        """
        Wherever it breaks, the game is adjourned, and what is there is a beginning of the whole.
        """
        whole = await self.played(clock, BrokenStore())
        assert whole.outcome.ended is not None
        for append in range(1, whole.appends + 1):
            broken = await self.played(clock, BrokenStore(append=append))

            assert broken.outcome.adjourned
            assert broken.outcome.trouble
            assert broken.lines == whole.lines[: len(broken.lines)]
            replay_lines([broken.header, *broken.lines])

    class Played:
        """A game that was played, its store flushed after each answer."""

        def __init__(self, desk: Desk, outcome: Outcome, store: BrokenStore, appends: int) -> None:
            self.header = desk.record_header
            self.outcome = outcome
            self.lines = store.lines
            self.appends = appends

    async def played(self, clock: FakeClock, store: BrokenStore) -> Played:
        """Play a short game to its end, or until it breaks."""
        ann, ben = FakePlayer("ann"), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=12), store=store)
        desk.start()
        desk.game.flush()
        while desk.game.deadline is not None:
            answer(ann, now=desk.go(0.125))
            desk.game.flush()
        return self.Played(desk, await desk.over(), store, store.appends)


class TestAdjourn:
    async def test_stops_with_everything_written(self, clock: FakeClock) -> None:
        """
        A game that is stopped can be gone on with, from the question that was open.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben)
        desk.start()
        answer(ann, now=desk.go(0.25))
        asked = ann.asks[-1]

        desk.game.adjourn("the referee stops")
        outcome = await desk.over()

        assert (outcome.adjourned, outcome.trouble, outcome.ended) == (True, None, None)
        assert ann.overs[0].detail == "the game is adjourned: the referee stops"
        again = replay_lines(desk.record()).match.ask(asked.last)
        assert again == asked

    async def test_is_nothing_when_the_game_is_over(self, clock: FakeClock) -> None:
        """
        A game that has ended while its record is being sealed has ended.
        """
        ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=5))
        desk.start()

        desk.game.adjourn("the referee stops")
        outcome = await desk.over()
        desk.game.adjourn("the referee stops")

        assert outcome.ended is not None
        assert not outcome.adjourned
        assert len(ann.overs) == 1

    async def test_before_the_beginning_is_possible(self, clock: FakeClock) -> None:
        """
        A game whose seats are still being offered can be stopped; who accepts then is told it is closed.
        """
        ann, ben = FakePlayer("ann", accepts=False), FakePlayer("ben", accepts=False)
        desk = Desk(clock, ann, ben)
        desk.start()
        ann.chair.ready()

        desk.game.adjourn("the referee stops")
        outcome = await desk.over()
        ben.chair.ready()
        desk.sweep()

        assert outcome.adjourned
        assert desk.match.played_throws == 0
        assert ann.asks == ben.asks == []

    async def test_on_a_broken_disk_says_so(self, clock: FakeClock) -> None:
        """
        A game that is stopped and cannot be written is told with its trouble.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben")
        desk = Desk(clock, ann, ben, store=BrokenStore(append=1))
        desk.start()

        desk.game.adjourn("the referee stops")

        assert_nobody_learns(desk, await desk.over(), "No space left on device")


class TestFileStore:
    def test_has_every_line_when_append_returns(self, tmp_path: Path) -> None:
        """
        What was appended is in the file, for whoever reads it then.
        """
        file = tmp_path / "game.jsonl"
        store = FileStore(file)

        store.append(["one", "zwei ü"])
        assert file.read_text(encoding="utf-8") == "one\nzwei ü\n"
        store.append(["three"])

        assert file.read_text(encoding="utf-8") == "one\nzwei ü\nthree\n"
        store.seal()
        store.close()
        store.close()

    def test_cuts_a_torn_line_off(self, tmp_path: Path) -> None:
        """
        A record that is gone on with begins behind its last whole line.
        """
        file = tmp_path / "game.jsonl"
        file.write_text("one\ntw")

        store = FileStore(file, keep=4)
        store.append(["two"])
        store.close()

        assert file.read_text() == "one\ntwo\n"

    @pytest.mark.parametrize("where", ["file/game.jsonl", ""], ids=["below a file", "a folder"])
    def test_that_cannot_be_opened_says_where(self, tmp_path: Path, where: str) -> None:
        """
        A place that cannot be written is named.
        """
        (tmp_path / "file").write_text("")

        with pytest.raises(StoreError, match="cannot be written"):
            FileStore(tmp_path / where)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no /dev/full")
    def test_on_a_full_disk_says_so(self) -> None:
        """
        A full disk is told as what it is.
        """
        store = FileStore(Path("/dev/full"))

        with pytest.raises(StoreError, match="No space left on device"):
            store.append(["one"])
        store.close()

    async def test_of_a_finished_game_is_complete(self, tmp_path: Path) -> None:
        """
        When a game's outcome is told its file is whole, and can be opened by anybody.
        """
        file = tmp_path / "game.jsonl"
        store = FileStore(file)
        setup = a_setup("racket", max_throws=9)
        match = Match(setup, rules_of("racket"))
        players = {seat: FakePlayer(choose=first_step) for seat in (0, 2)}
        async with Host() as host:
            outcome = await host.play(match, players, ScriptedDice(), SEED, store)

            lines = file.read_text(encoding="utf-8").splitlines()

        assert outcome.ended is not None
        assert json.loads(lines[-1]) == {"type": "revealed", "seed": SEED.hex()}


async def test_a_fault_after_the_end_changes_nothing(clock: FakeClock) -> None:
    """
    While the end is being brought to disk the game is over already.
    """
    ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
    desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=5))
    desk.start()

    ben.chair.fault(FaultKind.GONE, "gone")
    await asyncio.sleep(0)
    outcome = await desk.over()

    assert outcome.ended is not None
    assert "fault" not in outcome.ended.reasons
