"""
Games in processes of their own: real processes, which are killed, stopped, and lied to.
"""

import asyncio
import json
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.errors import ConfigError, RecordError, RefereeError, StoreError, UnknownName
from referee.host.verify import verify
from referee.rules.rulesets import RULESETS
from referee.seats import warden
from referee.seats.specs import Local
from referee.server import logs, workers as workers_module
from referee.server.hall import Entrant
from referee.server.house import GameOrder
from referee.server.pipe import Failed, Play, failure, packed, unpacked
from referee.server.workers import Workers
from tests.bad_bots.arena import ROOT, listening, notes, program, running
from tests.fakes import rules_of
from tests.server.guests import (
    CLOCK,
    PATIENCE,
    SLOW,
    Guest,
    Line,
    a_house,
    after,
    bearer,
    builtin,
    order,
    remote,
)
from tests.server.test_stopping import STAY_ALIVE, gone_within

NAMES = ["racer", "careful"]
FAIR = [builtin(name) for name in NAMES]


def some_workers(*entrants: Entrant, workers: int = 2, jobs: int = 4, **more: Any) -> Workers:
    return Workers(entrants, clock=CLOCK, jobs=jobs, workers=workers, **more)


class Crew:
    """Workers, and what was logged of them."""

    def __init__(self, workers: Workers, mark: str, heard: list[tuple[float, Any]]) -> None:
        self.workers = workers
        self._mark = mark
        self._heard = heard

    def logged(self, event: str) -> list[Any]:
        return [entry for _, entry in self._heard if entry["event"] == event]

    @property
    def pids(self) -> list[int]:
        """Return the processes that have opened a house, the dead ones too."""
        return [entry["pid"] for entry in self.logged("worker opened")]

    def started(self) -> list[int]:
        """Return the processes that are there, with their bots and wardens."""
        return list(warden.marked(self._mark, "LOGNAME"))

    async def play(self, *orders: GameOrder) -> list[Any]:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.gather(*map(self.workers.play, orders))


@asynccontextmanager
async def crew(*entrants: Entrant, **more: Any) -> AsyncIterator[Crew]:
    """Open workers; when they are closed, however that comes, nothing that they started may be left."""
    mark = secrets.token_hex(8)
    with listening() as heard, patch.dict(os.environ, LOGNAME=mark):  # it is handed on to bots, too
        one = Crew(some_workers(*entrants, **more), mark, heard)
        try:
            async with one.workers:
                yield one
        finally:
            assert not any(map(running, one.pids))
            assert await asyncio.to_thread(gone_within, STAY_ALIVE, one.started()) == []


def killer(folder: Path, deaths: int) -> Entrant:
    """Return a bot that kills so many of the processes that start it."""
    command = ("python", "-m", "tests.server.killer", str(folder), str(deaths))
    return Entrant("killer", Local("killer", ROOT, command))


def free_address() -> str:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{trial.getsockname()[1]}"


class TestMessages:
    @pytest.mark.parametrize("name", RULESETS)
    def test_rules_are_compiled_where_they_arrive(self, name: str) -> None:
        """
        An order travels with its ruleset alone, and two orders by one ruleset share what it is compiled to.
        """
        told = replace(order(1, NAMES), rules=rules_of(name))

        first, second = (unpacked(packed(Play(7, told))[4:]).order for _ in range(2))

        assert len(packed(Play(7, told))) < 3000
        assert first.rules.ruleset == told.rules.ruleset
        assert first.rules is second.rules
        assert replace(first, rules=told.rules) == told

    @pytest.mark.parametrize(
        "error", [RecordError("bad"), StoreError("full"), UnknownName("ruleset", "no", ["yes"])], ids=repr
    )
    def test_an_error_keeps_its_kind_and_its_text(self, error: RefereeError) -> None:
        arrived = unpacked(packed(Failed(7, failure(error)))[4:]).why.error()

        assert (type(arrived), str(arrived)) == (type(error), str(error))


class TestWorkers:
    async def test_share_the_games_evenly(self, tmp_path: Path) -> None:
        """
        As many processes as were asked for play, and what they tell is what a house tells.
        """
        orders = [order(number, NAMES, folder=tmp_path, seed=bytes([number]) * 32) for number in range(1, 7)]
        async with crew(*FAIR, workers=3, jobs=6) as three:
            outcomes = await three.play(*orders)
            opened = len(three.pids)
        async with a_house(*FAIR) as house:
            again = [await house.play(replace(told, record=None)) for told in orders]

        assert opened == 3
        assert [outcome.ended for outcome in outcomes] == [outcome.ended for outcome in again]
        assert all(verify(tmp_path / f"game-{number}.jsonl").finished for number in range(1, 7))

    async def test_start_no_process_before_the_first_game(self) -> None:
        """
        What they must hold open is not known before; and who plays nothing needs none.
        """
        async with crew(*FAIR) as two:
            assert two.pids == []
            await two.play(order(1, NAMES))
            assert len(two.pids) == 1

    async def test_hold_open_what_they_are_told_to(self) -> None:
        """
        A file is not closed before the last of the processes has ended.
        """
        reading, writing = os.pipe()
        async with crew(*FAIR) as two:
            two.workers.hold(writing)
            await two.play(order(1, NAMES))
            os.close(writing)
            os.set_blocking(reading, False)
            with pytest.raises(BlockingIOError):
                os.read(reading, 1)
        os.set_blocking(reading, True)
        async with asyncio.timeout(PATIENCE):
            assert await asyncio.to_thread(os.read, reading, 1) == b""
        os.close(reading)

    async def test_log_as_this_process_does(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(logs.configured, "style", "json")
        monkeypatch.setitem(logs.configured, "level", "info")

        async with crew(*FAIR) as two:
            await two.play(order(1, NAMES))
        told = [json.loads(line) for line in capfd.readouterr().err.splitlines()]

        assert {"offered", "ended"} <= {entry["event"] for entry in told if entry.get("game") == "game-1"}

    async def test_play_all_games_of_remote_bots_in_the_first(self) -> None:
        """
        A bot that dials in has one address, and whoever has that plays all its games.
        """
        address = free_address()
        hello = pb.Hello(name="alice", version="1", games_at_once=4)
        async with crew(remote("alice"), *FAIR, listen=address) as two:
            await two.play(order(1, NAMES))
            async with Line(address, bearer("alice-token")) as line:
                playing = asyncio.create_task(Guest(line, hello).play())
                outcomes = await two.play(
                    *(order(number, ["alice", "racer"], max_throws=20) for number in (2, 3, 4))
                )
                opened = [entry["address"] for entry in two.logged("worker opened")]
                await two.play(order(5, NAMES), order(6, NAMES))
                then = len(two.pids)
                playing.cancel()

        assert all(outcome.ended and not outcome.tally.faulted for outcome in outcomes)
        assert opened == [address]
        assert then == 2

    async def test_do_not_begin_at_an_address_that_is_taken(self) -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            address = f"127.0.0.1:{other.getsockname()[1]}"
            with pytest.raises(ConfigError, match=f"cannot listen on {address}: Address already in use"):
                async with some_workers(remote("alice"), listen=address):
                    pass

    async def test_tell_that_a_house_cannot_be_opened(self) -> None:
        """
        The address may have been taken meanwhile: that is no death, and is told as what it is.
        """
        address = free_address()
        with socket.socket() as other:
            async with crew(remote("alice"), *FAIR, listen=address) as two:
                host, _, port = address.partition(":")
                other.bind((host, int(port)))
                other.listen()
                with pytest.raises(ConfigError, match=f"cannot listen on {address}"):
                    await two.play(order(1, NAMES))
                assert two.logged("worker died") == []


class TestErrors:
    @pytest.fixture
    def other_game(self, tmp_path: Path) -> GameOrder:
        """Return an order whose record is another game's."""
        (tmp_path / "game-1.jsonl").write_text("not a record\n")
        return order(1, NAMES, folder=tmp_path)

    @pytest.mark.parametrize(
        ("kind", "change"),
        [
            pytest.param(RecordError, lambda told: told, id="a spoilt record"),
            pytest.param(
                StoreError,
                lambda told: replace(told, record=Path("/dev/null/game.jsonl")),
                id="nowhere to write",
            ),
            pytest.param(
                ConfigError,
                lambda told: replace(told, record=None, seats={0: "behaves", 2: "behaves"}),
                id="one bot on two seats",
            ),
        ],
    )
    async def test_are_those_of_a_house(
        self,
        tmp_path: Path,
        other_game: GameOrder,
        kind: type[RefereeError],
        change: Callable[[GameOrder], GameOrder],
    ) -> None:
        """
        Who plays need not know in which process.
        """
        told = change(other_game)
        entrants = [*FAIR, Entrant("behaves", program("behaves", tmp_path))]
        async with a_house(*entrants) as house:
            with pytest.raises(kind) as there:
                await house.play(told)

        async with crew(*entrants) as two:
            with pytest.raises(kind) as here:
                await two.play(told)
            assert (await two.play(order(2, NAMES)))[0].ended

        assert (type(here.value), str(here.value)) == (type(there.value), str(there.value))

    async def test_of_our_own_are_told_as_such(self) -> None:
        async with crew(*FAIR) as two:
            with pytest.raises(RuntimeError, match="KeyError: 'nobody'"):
                await two.play(order(1, ["racer", "nobody"]))
            assert (await two.play(order(2, NAMES)))[0].ended


class TestKilledWorker:
    async def test_has_its_games_played_on_by_the_next(self, tmp_path: Path) -> None:
        """
        None is lost, none is played twice, and the bots of the dead go too.
        """
        killed = order(1, ["killer", "racer"], folder=tmp_path)
        others = [order(number, NAMES, folder=tmp_path) for number in range(2, 6)]
        async with crew(killer(tmp_path, 1), *FAIR) as two:
            outcomes = await two.play(killed, *others)
            died = two.logged("worker died")
            left = await asyncio.to_thread(gone_within, STAY_ALIVE, notes(tmp_path))
            pids = two.pids

        assert [outcome.game for outcome in outcomes] == [f"game-{number}" for number in range(1, 6)]
        assert all(outcome.ended for outcome in outcomes)
        assert [(entry["level"], entry["how"]) for entry in died] == [("warning", "by signal 9")]
        assert died[0]["pid"] in pids
        assert len(pids) == 3
        assert len(notes(tmp_path)) == 1
        assert left == []
        for outcome in outcomes:
            record = verify(tmp_path / f"{outcome.game}.jsonl")
            assert record.match.ended == outcome.ended

    async def test_is_not_replaced_for_ever(self, tmp_path: Path) -> None:
        """
        Three that die without having finished a game: the fourth would, too.
        """
        async with crew(killer(tmp_path, 99), *FAIR, workers=2) as two:
            with pytest.raises(RefereeError, match=r"^a process that plays games ended 3 times") as told:
                await two.play(order(1, ["killer", "racer"], folder=tmp_path))
            assert len(two.logged("worker died")) == 3
            with pytest.raises(RefereeError, match="ended 3 times"):
                await two.play(order(2, NAMES), order(3, NAMES))
        left = await asyncio.to_thread(gone_within, STAY_ALIVE, notes(tmp_path))

        assert str(told.value).endswith("without finishing one, the last time by signal 9")
        assert len(notes(tmp_path)) == 3
        assert left == []

    async def test_that_has_finished_games_is_replaced_again(self, tmp_path: Path) -> None:
        """
        Deaths are counted from the last game that was finished.
        """
        async with crew(*FAIR, workers=2, jobs=2) as two:
            for number in range(1, 6):
                assert (await two.play(order(number, NAMES)))[0].ended
                os.kill(two.pids[-1], signal.SIGKILL)
                left = await asyncio.to_thread(gone_within, STAY_ALIVE, two.pids)
                assert left == []
            assert len(two.logged("worker died")) >= 4

    async def test_is_not_replaced_where_bots_had_dialled_in(self) -> None:
        """
        The next would find them gone, and charge them with what was no fault of theirs.
        """
        address = free_address()
        async with crew(remote("alice"), *FAIR, listen=address) as two:
            await two.play(order(1, NAMES))
            waiting = asyncio.create_task(two.play(order(2, ["alice", "racer"])))
            await asyncio.sleep(0)  # it has been handed over
            os.kill(two.pids[0], signal.SIGKILL)
            for play in (waiting, two.play(order(3, ["alice", "racer"]))):
                with pytest.raises(RefereeError, match="remote bots dial into ended by signal 9"):
                    await play
            opened = len(two.pids)

        assert opened == 1


class TestStoppedWorkers:
    async def test_begin_nothing_if_they_were_drained_while_they_started(self, tmp_path: Path) -> None:
        async with crew(*FAIR) as two:
            playing = asyncio.create_task(two.play(order(1, NAMES, folder=tmp_path)))
            await asyncio.sleep(0)
            two.workers.drain()
            (outcome,) = await playing
            recorded = await asyncio.to_thread(os.listdir, tmp_path)

        assert outcome.adjourned
        assert recorded == []

    async def test_pass_signals_by(self) -> None:
        """
        Whoever stops a group of processes stops the one that gives the orders, which stops the others.
        """
        async with crew(*FAIR) as two:
            await two.play(order(1, NAMES), order(2, NAMES))
            for pid in two.pids:
                assert os.getpgid(pid) != os.getpgid(0)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    os.kill(pid, number)
            outcomes = await two.play(order(3, NAMES), order(4, NAMES))

            assert all(outcome.ended for outcome in outcomes)
            assert len(two.pids) == 2

    async def test_adjourn_their_games(self, tmp_path: Path) -> None:
        """
        Games that are drained stop where they are, wherever they are, and others do not begin.
        """
        orders = [order(number, ["alice", "racer"], clock=SLOW, folder=tmp_path) for number in (1, 2)]
        async with crew(remote("alice"), *FAIR, listen=(address := free_address())) as two:
            await two.play(order(3, NAMES))
            async with Line(address, bearer("alice-token")) as line:
                guest = Guest(
                    line, pb.Hello(name="alice", games_at_once=2), choose=after(3, two.workers.drain)
                )
                playing = asyncio.create_task(guest.play())
                outcomes = await two.play(*orders)
                late = await two.play(order(4, NAMES))
                playing.cancel()

        assert [outcome.adjourned for outcome in (*outcomes, *late)] == [True, True, True]
        async with a_house(builtin("racer", "alice"), *FAIR, clock=SLOW) as house:
            again = [await house.play(told) for told in orders]
        assert all(outcome.ended for outcome in again)

    async def test_leave_nothing_behind_when_the_task_is_cancelled(self, tmp_path: Path) -> None:
        """
        Neither a process that plays, nor its bots, which stand still.
        """
        frozen = Entrant("freezes", program("freezes", tmp_path))

        stands_still = order(1, ["freezes", "racer"], clock=SLOW, folder=tmp_path)

        async def play(begun: asyncio.Future[Crew]) -> None:
            async with crew(frozen, *FAIR) as two:
                playing = asyncio.gather(two.workers.play(stands_still), two.play(order(2, NAMES)))
                while len(two.pids) < 2 or not (tmp_path / "game-1.jsonl").exists():  # noqa: ASYNC110
                    await asyncio.sleep(0)  # no event tells of it
                begun.set_result(two)
                await playing

        async with asyncio.timeout(PATIENCE):
            begun = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(play(begun))
            two = await begun
            assert len(two.started()) == 4  # two that play, a warden, a bot
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        assert len(two.pids) == 2

    async def test_are_killed_if_they_do_not_leave(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """
        A process that stands still is not waited for for ever.
        """
        monkeypatch.setattr(workers_module, "FAREWELL", 0.01)
        async with crew(*FAIR) as two:
            await two.play(order(1, NAMES))
            os.kill(two.pids[0], signal.SIGSTOP)

        assert [entry["pid"] for entry in two.logged("worker killed")] == two.pids
