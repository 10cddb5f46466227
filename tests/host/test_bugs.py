"""What is our own mistake voids the game: it is nobody's fault but ours, and the others play on."""

import asyncio
from collections.abc import MutableMapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from referee.dice import SeededDice
from referee.host.game import Game
from referee.host.host import Host
from referee.host.outcome import Outcome
from referee.match.ask import Ask
from referee.match.events import Reason
from referee.match.faults import FaultKind
from referee.match.match import Match
from referee.match.setup import Setup
from referee.match.time_bank import Clock
from referee.match.verdict import Ending, Over, Verdict
from referee.record.replay import replay_lines
from referee.record.stores.memory import MemoryStore
from referee.rules.state import Step
from referee.seats.player import Chair
from tests.fakes import SEED, FakeClock, FakePlayer, ScriptedDice, a_setup, first_step, rules_of
from tests.host.desk import Desk, answer


class Bug(Exception):
    """Something that should not happen."""


class Buggy(FakePlayer):
    """A player in whose code, not in whose answers, something breaks."""

    def __init__(self, where: str) -> None:
        super().__init__("buggy", wants_events=True, wants_confirmations=True)
        self.where = where

    def _pass(self, where: str) -> None:
        if self.where == where:
            raise Bug(f"in {where}")

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        self._pass("offer")
        super().offer(setup, chair, recorded)

    def ask(self, ask: Ask) -> Sequence[Step] | None:
        self._pass("ask")
        return super().ask(ask)

    def verdict(self, verdict: Verdict) -> None:
        self._pass("verdict")
        super().verdict(verdict)

    def happened(self, game: int, lines: Sequence[str]) -> None:
        self._pass("happened")
        super().happened(game, lines)

    def over(self, over: Over) -> None:
        self._pass("over")
        super().over(over)


class BuggyDice(ScriptedDice):
    """Dice that fall off the table at their third throw."""

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        if len(self.thrown) == 2:
            raise Bug("in throw")
        return super().throw(seat, number, count)


def assert_void(desk: Desk, outcome: Outcome, where: str) -> None:
    """Check that a game is void because something broke in *where*, and that its record says so."""
    assert outcome.voided == f"the referee broke: Bug: in {where}"
    assert outcome.ended is None
    assert not outcome.adjourned
    done = replay_lines(desk.record())
    assert done.finished
    assert done.match.ended is None
    assert done.seed is None
    assert desk.lines("voided") == [{"type": "voided", "detail": outcome.voided}]


class TestBug:
    @pytest.mark.parametrize("where", ["offer", "ask", "happened"])
    async def test_in_a_player_voids_the_game(self, clock: FakeClock, where: str) -> None:
        """
        Whatever breaks in our own code: the game is void, its record says why, and all are told.
        """
        ann, ben = Buggy(where), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben)

        desk.start()

        assert_void(desk, await desk.over(), where)
        (over,) = ben.overs
        assert (over.ending, over.ended, over.seed) == (Ending.VOID, None, None)
        assert over.detail == f"the game is void: the referee broke: Bug: in {where}"
        assert desk.lines("faulted") == []

    async def test_in_a_confirmation_voids_the_game(self, clock: FakeClock) -> None:
        """
        A step that was played before it broke is left out: the record has what was whole.
        """
        ann, ben = Buggy("verdict"), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben)
        desk.start()

        assert answer(ann, now=desk.go(0.25))

        assert_void(desk, await desk.over(), "verdict")

    async def test_in_the_verdict_on_a_fault_voids_the_game(self, clock: FakeClock) -> None:
        """
        Nobody loses a seat by a fault of ours.
        """
        ann, ben = Buggy("verdict"), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben)
        desk.start()

        ann.chair.fault(FaultKind.GONE, "gone")

        assert_void(desk, await desk.over(), "verdict")

    async def test_in_a_timeout_voids_the_game(self, clock: FakeClock) -> None:
        """
        The sweep does not break with a game.
        """
        ann, ben = Buggy("verdict"), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben)
        desk.start()
        desk.go(3.0)

        desk.sweep()
        desk.sweep()

        assert_void(desk, await desk.over(), "verdict")

    @pytest.mark.parametrize("rules", ["racket", "winning_moves"])
    async def test_in_the_dice_voids_the_game(self, clock: FakeClock, rules: str) -> None:
        """
        A throw that cannot be made is nobody's.
        """
        ann, ben = FakePlayer("ann", first_step), FakePlayer("ben", first_step)
        desk = Desk(clock, ann, ben, setup=a_setup(rules), dice=BuggyDice())

        desk.start()

        assert_void(desk, await desk.over(), "throw")

    async def test_is_logged_with_its_traceback(
        self, clock: FakeClock, logs: list[MutableMapping[str, Any]]
    ) -> None:
        """
        Whoever looks after the referee finds what broke.
        """
        desk = Desk(clock, Buggy("ask"), FakePlayer("ben", first_step))

        desk.start()
        await desk.over()

        (entry,) = [entry for entry in logs if entry["event"] == "bug"]
        assert entry["log_level"] == "error"
        assert isinstance(entry["exc_info"], Bug)

    async def test_at_the_goodbye_keeps_nobody_from_the_result(
        self, clock: FakeClock, logs: list[MutableMapping[str, Any]]
    ) -> None:
        """
        A game that has ended has ended: a player in which something breaks then is passed over.
        """
        ann, ben = Buggy("over"), FakePlayer("ben", first_step)
        ann.choose = first_step
        desk = Desk(clock, ann, ben, setup=a_setup("racket", max_throws=9))

        desk.start()
        outcome = await desk.over()

        assert outcome.ended is not None
        assert ben.overs[0].ended == outcome.ended
        assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["bug at the end"]

    async def test_leaves_other_games_alone(self) -> None:
        """
        Of two games in one process the one that is whole is played to its end.
        """
        rules = rules_of("racket")
        stores = MemoryStore(), MemoryStore()
        async with Host() as host:
            outcomes = [
                await host.play(
                    Match(a_setup(rules, max_throws=20), rules),
                    {0: first, 2: FakePlayer("ben", first_step)},
                    SeededDice(SEED),
                    SEED,
                    store,
                )
                for first, store in zip((Buggy("ask"), FakePlayer("ann", first_step)), stores, strict=True)
            ]
            assert host.playing == 0

        assert [outcome.voided is None for outcome in outcomes] == [False, True]
        assert outcomes[1].ended is not None


class TestVoid:
    async def test_game_asks_nobody_any_more(self, clock: FakeClock) -> None:
        """
        When a game is void, answers that are on their way do no harm.
        """
        ann, ben = FakePlayer("ann"), Buggy("happened")
        desk = Desk(clock, ann, ben)
        desk.start()
        await desk.over()

        assert desk.game.deadline is None
        assert ann.asks == [] or not answer(ann, now=desk.go(0.25))
        desk.sweep()
        desk.sweep()

        assert ann.faults == []
        assert len(ann.overs) == 1


async def test_a_bug_in_the_sweep_voids_one_game_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Deadlines of all games are looked at by one task: what breaks for one must not end it for the others.
    """
    overdue = Game.overdue

    def breaking(game: Game, now: float) -> None:
        if game.match.setup.game == "broken":
            raise Bug("in overdue")
        overdue(game, now)

    monkeypatch.setattr(Game, "overdue", breaking)
    clock = Clock(per_move=timedelta(milliseconds=50), grace=timedelta(0))
    rules = rules_of("racket")
    async with Host() as host, asyncio.timeout(10):
        playing = [
            host.play(
                Match(replace(a_setup(rules, (0, 2)), game=name, clock=clock), rules),
                {0: FakePlayer(), 2: FakePlayer()},  # neither ever answers
                SeededDice(SEED),
                SEED,
                MemoryStore(),
            )
            for name in ("broken", "sound")
        ]
        broken, sound = await asyncio.gather(*playing)

    assert broken.voided == "the referee broke: Bug: in overdue"
    assert sound.ended is not None
    assert Reason.FAULT in sound.ended.reasons
