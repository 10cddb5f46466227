"""All games of one process: side by side, swept, written out, stopped."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from referee.dice import SeededDice
from referee.host.host import Host
from referee.host.outcome import Outcome
from referee.match.ask import Ask
from referee.match.faults import STRICT, TOURNAMENT, FaultKind
from referee.match.match import Match
from referee.match.setup import Setup
from referee.match.time_bank import Clock
from referee.record.lines import header
from referee.record.replay import replay_lines
from referee.record.stores.memory import MemoryStore
from referee.rules.state import Step
from referee.seats.player import Player
from tests.fakes import NAMES, SEED, FakePlayer, a_setup, first_step, rules_of

MILLISECOND = Clock(
    per_move=timedelta(milliseconds=1), ready=timedelta(milliseconds=1), grace=timedelta(0), grace_times=0
)


class Notice(MemoryStore):
    """A store that tells when it has a line."""

    def __init__(self) -> None:
        super().__init__()
        self.written = asyncio.Event()

    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.written.set()


class Soon(FakePlayer):
    """Answers when the loop has had its turn, with the first step."""

    def ask(self, ask: Ask) -> Sequence[Step] | None:
        super().ask(ask)
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: self.chair.answered(ask.number, [ask.steps[0].code], loop.time()))
        return None


async def play(host: Host, setup: Setup, *players: Player, store: MemoryStore | None = None) -> Outcome:
    """Play one game to its end."""
    match = Match(setup, rules_of(setup.ruleset.name))
    seated = dict(zip(match.seats, players, strict=True))
    return await host.play(match, seated, SeededDice(SEED), SEED, store or MemoryStore())


class TestPlay:
    async def test_plays_many_games_side_by_side(self) -> None:
        """
        Games do not wait for each other, and each has its own record.
        """
        setup = a_setup("racket", max_throws=30)
        stores = [MemoryStore() for _ in range(16)]
        async with Host() as host:
            games = [
                asyncio.ensure_future(play(host, setup, Soon("ann"), Soon("ben"), store=store))
                for store in stores
            ]
            await asyncio.sleep(0)
            assert host.playing == 16
            outcomes = await asyncio.gather(*games)
            assert host.playing == 0

        assert all(outcome.ended is not None for outcome in outcomes)
        whole = {tuple(line for line in store.lines if '"stepped"' not in line) for store in stores}
        assert len(whole) == 1  # the same dice and the same players: the same game, but for its times

    async def test_finds_who_never_answers(self) -> None:
        """
        The sweep sees a deadline pass without anybody telling it.
        """
        ann, ben = FakePlayer("ann"), Soon("ben")
        async with Host() as host:
            outcome = await play(host, a_setup("racket", clock=MILLISECOND, penalties=STRICT), ann, ben)

        assert ann.faults == [FaultKind.LATE]
        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)

    async def test_finds_who_is_never_ready(self) -> None:
        """
        An offer does not stand for ever.
        """
        ann, ben = FakePlayer("ann", accepts=False), Soon("ben")
        async with Host() as host:
            outcome = await play(host, a_setup("racket", clock=MILLISECOND), ann, ben)

        assert outcome.ended is not None
        assert outcome.ended.places == (2, 1)
        assert outcome.tally.seats[0].faults == {FaultKind.NO_SHOW: 1}

    async def test_can_be_done_again_after_a_rest(self) -> None:
        """
        Between two games nothing is swept and nothing is measured; the second is like the first.
        """
        async with Host() as host:
            for _ in range(3):
                stalls = host.pulse.stalled(asyncio.get_running_loop().time())
                outcome = await play(host, a_setup("racket", max_throws=10), Soon("ann"), Soon("ben"))

                assert outcome.ended is not None
                assert stalls >= 0

    @pytest.mark.parametrize("rules", ["winning_moves", "racket"])
    @pytest.mark.parametrize("table", [STRICT, TOURNAMENT], ids=lambda table: table.name)
    async def test_of_four_where_one_never_answers(self, rules: str, table: object) -> None:
        """
        A bot that hangs costs the others nothing but its time.
        """
        setup = a_setup(rules, (0, 1, 2, 3), clock=MILLISECOND, penalties=table)  # type: ignore[arg-type]
        players = [FakePlayer(NAMES[seat], first_step) for seat in range(4)]
        players[2].choose = None
        store = MemoryStore()
        async with Host() as host:
            outcome = await play(host, setup, *players, store=store)

        assert outcome.ended is not None
        assert outcome.ended.places[2] == 4
        assert set(players[2].faults) == {FaultKind.LATE}
        assert replay_lines([header(setup), *store.lines]).finished


class TestRecord:
    async def test_is_written_while_the_game_is_played(self) -> None:
        """
        What has happened is in the record a moment later, not only at the end.
        """
        ann, ben = FakePlayer("ann"), FakePlayer("ben")
        store = Notice()
        async with Host() as host:
            game = asyncio.ensure_future(play(host, a_setup("racket"), ann, ben, store=store))
            async with asyncio.timeout(30):
                await store.written.wait()
            assert any('"thrown"' in line for line in store.lines)
            assert not game.done()

        assert (await game).adjourned


class TestStopping:
    async def test_adjourns_what_is_being_played(self) -> None:
        """
        When the host stops, its games stop where they can be gone on with, and all are told.
        """
        players = [FakePlayer("ann"), FakePlayer("ben")]
        setup = a_setup("racket")
        store = MemoryStore()
        async with Host() as host:
            game = asyncio.ensure_future(play(host, setup, *players, store=store))
            await asyncio.sleep(0)

        outcome = await game
        assert outcome.adjourned
        assert outcome.trouble is None
        assert [len(player.overs) for player in players] == [1, 1]
        assert not replay_lines([header(setup), *store.lines]).finished
        assert host.playing == 0

    async def test_can_be_asked_for_in_the_middle(self) -> None:
        """
        Every game stops at once; those that are asked are not waited for.
        """
        setup = a_setup("racket")
        async with Host() as host:
            games = [
                asyncio.ensure_future(play(host, setup, FakePlayer("ann"), FakePlayer("ben")))
                for _ in range(5)
            ]
            await asyncio.sleep(0)
            host.adjourn("the operator wants to go home")

            outcomes = await asyncio.gather(*games)

        assert all(outcome.adjourned for outcome in outcomes)
