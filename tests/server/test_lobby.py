"""
Who is seated with whom, in which game, and what becomes of games that a stop left unfinished.
"""

import asyncio
import shutil
import stat
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb
from structlog.testing import capture_logs

from referee.errors import StoreError
from referee.host.verify import verify
from referee.match.faults import STRICT
from referee.match.setup import Setup
from referee.record.replay import replay
from referee.record.secret import keep_seed, secret_file
from referee.server import lobby
from referee.server.house import GameOrder
from referee.server.lobby import PATIENCE as TRIES, Lobby
from referee.server.records import Records
from referee.server.rests import Rests
from tests.fakes import SEED
from tests.server.guests import CLOCK, SLOW, Line, after, bearer, seated
from tests.server.lobbies import a_lobby


async def left_unfinished(folder: Path) -> Path:
    """Stop a lobby in the middle of a game of two; return the record."""
    settings: dict[str, Any] = {"clock": SLOW, "penalties": STRICT, "max_throws": 300}
    async with a_lobby(folder, "alice", "ben", **settings) as opened:
        house = opened.house
        async with seated(house, "alice", choose=after(5, opened.stop)), seated(house, "ben"):
            await opened.over()
    assert (opened.lobby.ended, opened.lobby.left) == (0, 1)
    return folder / "game-000001.jsonl"


def files(folder: Path, pattern: str = "*") -> list[Path]:
    """Return the files in *folder*, by name."""
    return sorted(folder.glob(pattern))


async def played(folder: Path, **settings: Any) -> Lobby:
    """Let alice and ben play as many games as the lobby's *settings* say."""
    async with a_lobby(folder, "alice", "ben", **settings) as opened:
        async with seated(opened.house, "alice"), seated(opened.house, "ben"):
            await opened.over()
        return opened.lobby


def setups(folder: Path) -> list[Setup]:
    """Return the headers of all games in *folder*, each of which must be proven."""
    return [verify(path).setup for path in files(folder, "*.jsonl")]


def started(logs: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return what was started, in order: `begins` or `goes on`, and the game."""
    return [(entry["event"], entry["game"]) for entry in logs if entry["event"] in ("begins", "goes on")]


class TestUnfinishedGames:
    async def test_go_on_under_their_own_header(self, tmp_path: Path) -> None:
        """
        A game that a stop interrupted is played to its end before new ones, as it began.
        """
        record = await left_unfinished(tmp_path)
        before = replay(record)
        assert before.seed is None
        assert stat.S_IMODE(secret_file(record).stat().st_mode) == 0o600

        lobby = await played(tmp_path, games=2, rules=("winning_moves_highest",))

        first, second = setups(tmp_path)
        assert first == before.setup
        assert (first.clock, first.penalties, first.max_throws) == (SLOW, STRICT, 300)
        assert verify(record).lines[: len(before.lines)] == before.lines
        assert (second.number, second.ruleset.name, second.clock) == (2, "winning_moves_highest", CLOCK)
        assert (lobby.ended, lobby.left) == (2, 0)
        assert [path.suffix for path in files(tmp_path)] == [".jsonl", ".jsonl"]

    async def test_wait_for_all_their_bots(self, tmp_path: Path) -> None:
        """
        Others play meanwhile; who waits for a bot that is still busy is not taken elsewhere.
        """
        await left_unfinished(tmp_path)
        names = ("alice", "ben", "carl", "dave")
        with capture_logs() as logs:
            async with a_lobby(tmp_path, *names, clock=SLOW, games=3) as opened:
                house = opened.house
                async with seated(house, "alice"), Line(house.address, bearer("carl-token")) as carl:
                    await carl.say(pb.PlayRequest(hello=pb.Hello(name="carl", version="1")))
                    while (message := await carl.hear()) is not None and not message.offers:
                        pass
                    async with seated(house, "ben"), seated(house, "dave"):
                        await carl.close_side()
                        await opened.over()

        assert started(logs)[:2] == [("begins", "game-000002"), ("goes on", "game-000001")]
        assert {seat.name for seat in setups(tmp_path)[1].seats} == {"alice", "carl"}

    @pytest.mark.parametrize("torn", ["", '{"type":"revea'], ids=["whole", "torn"])
    async def test_that_have_ended_are_told_their_seed(self, tmp_path: Path, torn: str) -> None:
        """
        Where only the seed is missing, nobody need come for it.
        """
        await played(tmp_path, games=1)
        record = tmp_path / "game-000001.jsonl"
        seed = verify(record).seed
        assert seed is not None
        keep_seed(record, seed)
        *lines, _ = record.read_text().splitlines(keepends=True)
        record.write_text("".join(lines) + torn)

        async with a_lobby(tmp_path, "alice", "ben", games=1) as opened:
            await opened.over()

        assert verify(record).seed == seed
        assert not secret_file(record).exists()

    async def test_that_are_void_stay_so(self, tmp_path: Path) -> None:
        """
        A void game has no seed to be told: what was kept of it is removed.
        """
        record = await left_unfinished(tmp_path)
        with record.open("a") as file:
            file.write('{"type":"voided","detail":"the referee broke"}\n')
        before = record.read_bytes()

        async with a_lobby(tmp_path, "alice", "ben"):
            pass

        assert record.read_bytes() == before
        assert not secret_file(record).exists()

    @pytest.mark.parametrize(
        ("harm", "words"),
        [
            pytest.param(lambda r: secret_file(r).unlink(), "its seed is not there", id="no seed"),
            pytest.param(lambda r: keep_seed(r, SEED), "is another game's", id="another seed"),
            pytest.param(lambda r: r.rename(r.with_name("old.jsonl")), "was renamed", id="renamed"),
            pytest.param(
                lambda r: r.write_text(r.read_text().replace("ben", "zoe")), "token for zoe", id="a stranger"
            ),
            pytest.param(lambda r: r.write_text(""), "empty", id="empty"),
            pytest.param(
                lambda r: r.write_text(r.read_text().replace('thrown","seat":', 'thrown","seat":1', 1)),
                "line 2: ",
                id="edited",
            ),
        ],
    )
    async def test_that_cannot_go_on_are_left_alone(
        self, tmp_path: Path, harm: Callable[[Path], object], words: str
    ) -> None:
        """
        The record is named once, with the reason; no line of it is touched, and others are played.
        """
        harm(await left_unfinished(tmp_path))
        (record,) = files(tmp_path, "*.jsonl")
        before = record.read_bytes()

        with capture_logs() as logs:
            lobby = await played(tmp_path, games=2)

        named = [entry for entry in logs if entry["event"] == "record cannot be gone on with"]
        assert [entry["record"] for entry in named] == [str(record)]
        assert words in named[0]["detail"]
        assert record.read_bytes() == before
        assert (lobby.ended, lobby.left) == (2, 0)

    async def test_keep_no_seed_where_nothing_was_begun(self, tmp_path: Path) -> None:
        """
        A game that was stopped before it had its bots is none.
        """
        async with a_lobby(tmp_path, "alice", "ben") as opened, seated(opened.house, "alice"):
            opened.stop()
            await opened.over()

        assert files(tmp_path) == []
        assert (opened.lobby.ended, opened.lobby.left) == (0, 0)


class TestRecords:
    @pytest.mark.parametrize(
        "name", ["game-000007.jsonl", "game-000007.jsonl.secret", "game-7.jsonl"], ids=str
    )
    def test_numbers_never_meet_a_file(self, tmp_path: Path, name: str) -> None:
        """
        A number is above all others, however many files there are.
        """
        (tmp_path / name).touch()

        with Records(tmp_path) as records:
            (tmp_path / "game-000008.jsonl").touch()  # by somebody else, meanwhile

            assert records.new() == (9, tmp_path / "game-000009.jsonl")
            assert records.new() == (10, tmp_path / "game-000010.jsonl")

    def test_numbers_are_small_enough_for_a_message(self, tmp_path: Path) -> None:
        """
        A file that is called after a moment is no game that can be counted on from.
        """
        (tmp_path / "game-20260131120000.jsonl").touch()

        with Records(tmp_path) as records:
            assert records.new() == (1, tmp_path / "game-000001.jsonl")

    def test_are_one_referee_s_at_a_time(self, tmp_path: Path) -> None:
        """
        Two would go on with the same games.
        """
        with Records(tmp_path), pytest.raises(Exception, match="another referee keeps its own there"):
            Records(tmp_path).__enter__()
        with Records(tmp_path):
            pass

    async def test_that_were_moved_stop_the_lobby(self, tmp_path: Path) -> None:
        """
        A lobby that cannot keep a game does not try for ever.
        """
        folder = tmp_path / "games"
        async with a_lobby(folder, "alice", "ben") as opened:
            shutil.rmtree(folder)
            folder.write_text("a file")
            async with seated(opened.house, "alice"), seated(opened.house, "ben"):
                await opened.over()

        assert opened.lobby.trouble == f"{folder} was moved or replaced while games were kept in it"

    async def test_without_room_stop_the_lobby(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """
        A disk that is full stays full: after a few tries the lobby says so and stops.
        """

        def full(order: GameOrder) -> None:
            raise StoreError("no space left on device")

        monkeypatch.setattr(lobby, "keep", full)
        async with (
            a_lobby(tmp_path, "alice", "ben") as opened,
            seated(opened.house, "alice"),
            seated(opened.house, "ben"),
        ):
            await opened.over()

        assert opened.lobby.trouble == (
            f"{TRIES} games one after the other did not count: no space left on device"
        )


class TestSeating:
    async def test_gives_every_seat_by_every_ruleset(self, tmp_path: Path) -> None:
        """
        Two bots and two rulesets: each has each seat by each ruleset equally often.
        """
        rules = ("winning_moves", "winning_moves_highest")
        await played(tmp_path, games=8, rules=rules, max_throws=2)

        met = Counter((setup.ruleset.name, setup.seats[0].name) for setup in setups(tmp_path))
        assert met == {(name, bot): 2 for name in rules for bot in ("alice", "ben")}

    async def test_ends_after_so_many_games(self, tmp_path: Path) -> None:
        """
        Four bots play two games at a time, and no game is begun that would be one too many.
        """
        names = ("alice", "ben", "carl", "dave")
        async with a_lobby(tmp_path, *names, games=3) as opened, AsyncExitStack() as guests:
            for name in names:
                await guests.enter_async_context(seated(opened.house, name))
            await opened.over()

        assert len(setups(tmp_path)) == 3
        assert (opened.lobby.ended, opened.lobby.left, opened.lobby.trouble) == (3, 0, "")


def declined(game: int) -> pb.PlayRequest:
    return pb.PlayRequest(declines=[pb.Decline(game=game, reason="not on a Monday")])


def resigned(game: int) -> pb.PlayRequest:
    return pb.PlayRequest(readies=[pb.Ready(game=game)], resigns=[pb.Resign(game=game)])


class TestRest:
    @pytest.mark.parametrize("reply", [declined, resigned])
    async def test_is_for_who_does_not_play(
        self, tmp_path: Path, reply: Callable[[int], pb.PlayRequest]
    ) -> None:
        """
        Who turns every offer down is offered games ever more rarely, but is offered some.
        """
        rests = Rests(first=0.05, longest=0.2)
        async with a_lobby(tmp_path, "alice", "ben", games=5, rests=rests) as opened:
            begun = monotonic()
            async with seated(opened.house, "alice"), Line(opened.house.address, bearer("ben-token")) as ben:
                playing = asyncio.create_task(_replies(ben, reply))
                await opened.over()
                took = monotonic() - begun
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)

        assert took >= 0.05 + 0.1 + 0.2 + 0.2
        assert len(setups(tmp_path)) == 5


async def _replies(line: Line, reply: Callable[[int], pb.PlayRequest]) -> None:
    await line.say(pb.PlayRequest(hello=pb.Hello(name="ben", version="1")))
    while (message := await line.hear()) is not None:
        for offer in message.offers:
            await line.say(reply(offer.game))
