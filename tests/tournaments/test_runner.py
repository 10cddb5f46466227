"""The order in which things happen while games are played, and what stops them."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from referee.errors import RecordError, RefereeError, StoreError
from referee.host.outcome import Outcome
from referee.server.house import GameOrder
from tests.tournaments.cases import plan, plan_text
from tests.tournaments.fakes import FakeHouse, play, session, told
from tournaments.results import Result
from tournaments.runner.folder import Begun, Folder
from tournaments.runner.ledger import results
from tournaments.runner.play import game_seed
from tournaments.runner.progress import Silence
from tournaments.runner.share import Share
from tournaments.scoring.standings import Scores


class Remarks(Silence):
    """Remembers what was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def remark(self, sentence: str) -> None:
        self.told.append(sentence)


class FailingHouse(FakeHouse):
    """Raises an error instead of playing some games."""

    def __init__(self, error: Callable[[str], Exception], *games: str) -> None:
        super().__init__()
        self.error, self.games = error, games

    async def play(self, order: GameOrder) -> Outcome:
        if order.game in self.games:
            raise self.error(f"{order.game} is spoilt")
        return await super().play(order)


class TestOrder:
    def test_result_is_on_disk_before_the_scores_learn_of_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """
        Whatever is told of a game can be found in the ledger.
        """
        folder = Folder(tmp_path)
        add = Scores.add

        def checked(self: Scores, result: Result) -> None:
            assert result in list(results(folder.results))
            add(self, result)

        monkeypatch.setattr(Scores, "add", checked)

        assert play(FakeHouse(), folder, plan(), jobs=3).complete

    def test_results_that_come_together_are_all_kept(self, tmp_path: Path) -> None:
        """
        Many games that end in the same moment are written in few writes, each once.
        """
        big = plan(plan_text("abcdefgh", rounds=4))
        house = FakeHouse()

        ending = play(house, Folder(tmp_path), big, jobs=32)

        assert (ending.done, ending.total) == (224, 224)
        assert [result.number for result in told(Folder(tmp_path))] == list(range(1, 225))

    @pytest.mark.parametrize("jobs", [1, 2, 5, 100])
    def test_no_more_games_at_once_than_asked_for(self, tmp_path: Path, jobs: int) -> None:
        house = FakeHouse()

        play(house, Folder(tmp_path), plan(), jobs=jobs)

        assert house.most == min(jobs, 6)

    def test_games_are_ordered_as_planned(self, tmp_path: Path) -> None:
        """
        The house is told everything that the plan says of a game.
        """
        cup = plan(plan_text(more="max_throws = 900\nask_forced = true\npenalties = 'strict'"))
        house = FakeHouse()
        folder = Folder(tmp_path)

        play(house, folder, cup)

        order = house.orders[0]
        assert (order.number, order.game, dict(order.seats)) == (1, "r001-g0001-s1", {0: "anna", 2: "bert"})
        assert (order.max_throws, order.ask_forced, order.penalties.name) == (900, True, "strict")
        assert order.rules.ruleset == cup.ruleset
        assert order.record == folder.record("r001-g0001-s1")


class TestDice:
    SEED = "11" * 32

    def seeds(self, tmp_path: Path, more: str, void: dict[str, int] | None = None) -> list[tuple[str, bytes]]:
        house = FakeHouse(void=void)
        play(house, Folder(tmp_path), plan(plan_text(rounds=2, more=f"seed = '{self.SEED}'\n{more}")))
        return [(order.game, order.seed) for order in house.orders]

    def test_are_shared_by_a_block(self, tmp_path: Path) -> None:
        """
        Both seatings of a pair see the same dice; other pairs and other rounds do not.
        """
        seeds = Counter(seed for _, seed in self.seeds(tmp_path, ""))

        assert len(seeds) == 6
        assert set(seeds.values()) == {2}

    def test_are_each_games_own_if_asked_for(self, tmp_path: Path) -> None:
        seeds = Counter(seed for _, seed in self.seeds(tmp_path, "same_dice = false"))

        assert set(seeds.values()) == {1}

    def test_stay_in_the_block_when_a_game_did_not_count(self, tmp_path: Path) -> None:
        seeds = self.seeds(tmp_path, "", {"r001-g0001-s2": 1})

        assert len({seed for game, seed in seeds if game.startswith("r001-g0001")}) == 1

    def test_are_new_when_a_game_did_not_count_and_shares_them_with_none(self, tmp_path: Path) -> None:
        """
        A game that did not count has told its seed.
        """
        seeds = self.seeds(tmp_path, "same_dice = false", {"r001-g0001-s2": 2})
        again = [seed for game, seed in seeds if game == "r001-g0001-s2"]

        assert len(again) == len(set(again)) == 3

    def test_are_what_the_manual_says(self) -> None:
        """
        HMAC-SHA256 with the secret as key, over a label and the name of the block.
        """
        assert game_seed(bytes(32), "r001-g0001").hex() == (
            "627a07acde235d330e3f8fff5b44d4bf6aefa7531d7431176a47220555f77132"
        )


class TestVoid:
    def test_game_is_kept_aside_and_played_again(self, tmp_path: Path) -> None:
        """
        Trouble that is no bot's fault costs nobody anything.
        """
        folder, watch = Folder(tmp_path), Remarks()

        ending = play(FakeHouse(void={"r001-g0001-s2": 2}), folder, plan(), watch=watch)

        assert ending.complete
        assert [path.name for path in sorted(folder.games.glob("r001-g0001-s2*"))] == [
            "r001-g0001-s2.jsonl",
            "r001-g0001-s2.void1.jsonl",
            "r001-g0001-s2.void2.jsonl",
        ]
        assert len([told for told in watch.told if "does not count: the referee hiccuped" in told]) == 2

    def test_game_is_given_up_after_three_times_and_the_others_are_played(self, tmp_path: Path) -> None:
        """
        One game that cannot be played does not stop the others, and the next session tries it again.
        """
        folder, house = Folder(tmp_path), FakeHouse(void={"r001-g0001-s1": 4})

        ending = play(house, folder, plan())

        assert (ending.done, ending.complete, ending.trouble) == (5, False, None)
        assert ending.unplayed == [
            ("r001-g0001-s1", "it did not count 3 times, last because: the referee hiccuped")
        ]
        assert play(house, folder, plan()).complete

    def test_games_without_end_stop_the_session(self, tmp_path: Path) -> None:
        """
        Ten games in a row that cannot be played are trouble of another kind.
        """
        big = plan(plan_text(rounds=10))
        void = {table.game: 99 for table in big.format.tables(big.field)}
        house = FakeHouse(void=void)

        ending = play(house, Folder(tmp_path), big)

        assert ending.trouble == "10 games one after the other could not be played"
        assert len(house.orders) == 30


class TestTrouble:
    def test_with_one_record_leaves_the_others_be(self, tmp_path: Path) -> None:
        ending = play(FailingHouse(RecordError, "r001-g0002-s1"), Folder(tmp_path), plan())

        assert ending.done == 5
        assert ending.unplayed == [("r001-g0002-s1", "r001-g0002-s1 is spoilt")]

    @pytest.mark.parametrize("error", [StoreError, RefereeError])
    def test_with_the_machine_stops_the_session(self, tmp_path: Path, error: type[RefereeError]) -> None:
        """
        What was played until then is kept.
        """
        folder = Folder(tmp_path)

        ending = play(FailingHouse(error, "r001-g0002-s1"), folder, plan())

        assert (ending.trouble, ending.done) == ("r001-g0002-s1 is spoilt", 2)
        assert play(FakeHouse(), folder, plan()).complete

    def test_that_adjourns_a_game_stops_the_session(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)

        ending = play(FakeHouse(trouble=["r001-g0001-s2"]), folder, plan())

        assert (ending.trouble, ending.done) == ("the disk is full", 1)
        assert play(FakeHouse(), folder, plan()).complete

    def test_at_the_last_writing_of_the_standings_is_told_and_costs_no_game(self, tmp_path: Path) -> None:
        publish = Mock(side_effect=StoreError("standings.json cannot be written: No space left on device"))
        one = replace(session(FakeHouse()), publish=publish)
        ending = asyncio.run(one.run(plan(plan_text()), Folder(tmp_path)))

        assert ending.complete
        assert ending.trouble == "standings.json cannot be written: No space left on device"


def at_line(number: int, act: Callable[[], None]) -> Callable[[GameOrder], None]:
    """Return what does *act* before the house writes line *number* of the session."""
    count = 0

    def before(order: GameOrder) -> None:
        nonlocal count
        count += 1
        if count == number:
            act()

    return before


def signalled(number: int) -> Callable[[], None]:
    return lambda: os.kill(os.getpid(), number)


class TestSignals:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_first_drains_and_the_next_session_goes_on(self, tmp_path: Path, number: int) -> None:
        """
        Games in progress stop where they are, and are gone on with from there.
        """
        folder, watch = Folder(tmp_path), Remarks()

        ending = play(FakeHouse(before=at_line(9, signalled(number))), folder, plan(), jobs=2, watch=watch)

        assert (ending.signal, ending.complete) == (number, False)
        assert 0 < ending.done < 6
        assert any("stopping" in told for told in watch.told)
        assert play(FakeHouse(), folder, plan()).complete

    def test_second_makes_haste(self, tmp_path: Path) -> None:
        """
        A house that does not drain is left behind at once.
        """

        class Stubborn(FakeHouse):
            def drain(self) -> None:
                os.kill(os.getpid(), signal.SIGINT)

            async def _written(self, order: GameOrder, lines: list[str]) -> list[str]:
                if order.number == 3:
                    os.kill(os.getpid(), signal.SIGINT)
                    await asyncio.Event().wait()
                return await super()._written(order, lines)

        folder = Folder(tmp_path)

        ending = play(Stubborn(), folder, plan())

        assert (ending.signal, ending.done) == (signal.SIGINT, 2)
        assert play(FakeHouse(), folder, plan()).complete

    def test_before_the_first_game_ends_at_once(self, tmp_path: Path) -> None:
        """
        During a build nothing has begun, so nothing is left behind.
        """

        class Building(FakeHouse):
            async def prepare(self) -> None:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.Event().wait()

        ending = play(Building(), Folder(tmp_path / "cup"), plan())

        assert (ending.signal, ending.done) == (signal.SIGINT, 0)
        assert not (tmp_path / "cup").exists()

    def test_handlers_are_put_back(self, tmp_path: Path) -> None:
        before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

        play(FakeHouse(), Folder(tmp_path), plan())

        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


class TestWatch:
    def test_is_told_what_begins(self, tmp_path: Path) -> None:
        """
        A watch sees scores grow, those of earlier sessions included.
        """
        seen: list[tuple[int, int]] = []

        class Began(Silence):
            def began(self, begun: Begun, scores: Scores, share: Share) -> None:
                seen.append((scores.games, share.jobs))

        folder = Folder(tmp_path)
        play(FakeHouse(before=at_line(7, signalled(signal.SIGTERM))), folder, plan(), watch=Began())
        done = len(told(folder))
        asyncio.run(session(FakeHouse(), jobs=4, watch=Began()).resume(folder))

        assert seen == [(0, 1), (done, 4)]
