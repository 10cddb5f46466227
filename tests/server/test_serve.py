"""
The long-running gateway, as an organiser starts it and as bots find it.
"""

import asyncio
import hashlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.cli.serve import tokens
from referee.errors import ConfigError
from referee.host.verify import verify
from referee.record.replay import read, replay
from tests.bad_bots.arena import ROOT
from tests.server.guests import PATIENCE, Guest, Line, a_house, after, bearer, first_step, remote

TOKENS = {"alice": "a secret of alice", "ben": "a secret of ben"}
SERVE = ("-m", "referee", "serve", "--rules", "winning_moves", "winning_moves_highest")


def token_file(folder: Path) -> Path:
    file = folder / "tokens.txt"
    lines = [f"{name} {hashlib.sha256(token.encode()).hexdigest()}" for name, token in TOKENS.items()]
    file.write_text("\n".join(["# who may play", "", *lines]) + "\n")
    return file


@asynccontextmanager
async def started(*command: str, **more: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run Python with *command*; end it, and read what it still has to say."""
    process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, **more)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line_with(stream: asyncio.StreamReader | None, words: str, times: int = 1) -> str:
    """Return the last line that was read when *words* had come so many times."""
    assert stream is not None
    line = ""
    async with asyncio.timeout(PATIENCE):
        while times:
            line = (await stream.readline()).decode()
            assert line, f"the stream ended before {words!r}"
            times -= words in line
    return line


@asynccontextmanager
async def serving(*options: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run the gateway with *options*; tell where it listens."""
    pipe = asyncio.subprocess.PIPE
    async with started(*options, stdout=pipe, stderr=pipe) as referee:
        yield referee, (await line_with(referee.stdout, "listening on ")).split()[2].rstrip(";")


@asynccontextmanager
async def dialled(
    address: str, name: str, choose: Callable[[pb.Ask], Iterable[int]] = first_step
) -> AsyncIterator[None]:
    """Let the bot called *name* play at *address*."""
    async with Line(address, bearer(TOKENS[name])) as line:
        playing = asyncio.create_task(Guest(line, choose=choose).play())
        yield
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


class TestServe:
    async def test_plays_bots_that_dial_in_until_it_is_stopped(self, tmp_path: Path) -> None:
        """
        Two bots with tokens play game after game; what is recorded is proven, or can be gone on with.
        """
        files = ("--tokens", str(token_file(tmp_path)), "--records", str(tmp_path / "games"))
        options = (*SERVE, "--listen", "127.0.0.1:0", *files, "--log", "json")
        pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
        async with started(*options, **pipes) as referee:
            address = (await line_with(referee.stdout, "listening on ")).split()[2].rstrip(";")
            bots = [
                started(
                    *("-m", "tests.bad_bots.bots.behaves"),
                    env={**os.environ, "PARCHEESI_ADDRESS": address, "PARCHEESI_TOKEN": token},
                )
                for token in TOKENS.values()
            ]
            async with bots[0] as alice, bots[1] as ben:
                await line_with(referee.stderr, '"ended"', times=4)
                referee.send_signal(signal.SIGTERM)
                output, _ = await referee.communicate()
                goodbyes = [await alice.wait(), await ben.wait()]
        records = sorted((tmp_path / "games").glob("*.jsonl"))
        finished = [path for path in records if replay(path).finished]
        setups = [verify(path).setup for path in finished]

        assert referee.returncode == 0
        assert goodbyes == [0, 0]
        left = len(records) - len(finished)
        assert len(finished) >= 4
        assert left <= 1
        assert output.decode() == (
            f"stopped: {len(finished)} games ended{', 1 will go on at the next start' * left}; "
            f"records are in {tmp_path / 'games'}\n"
        )
        assert [setup.game for setup in setups] == [path.stem for path in finished]
        assert {setup.ruleset.name for setup in setups} == {"winning_moves", "winning_moves_highest"}
        assert {setup.seats[0].name for setup in setups} == {"alice", "ben"}

    async def test_goes_on_after_it_was_killed(self, tmp_path: Path) -> None:
        """
        A referee that is killed in the middle of a game plays it to a proven end when it is started again.
        """
        files = ("--tokens", str(token_file(tmp_path)), "--records", str(tmp_path / "games"))
        options = (*SERVE, "--listen", "127.0.0.1:0", *files)
        record = tmp_path / "games" / "game-000001.jsonl"
        async with (
            serving(*options) as (referee, address),
            dialled(address, "alice", choose=after(5, referee.kill)),
            dialled(address, "ben"),
        ):
            await referee.wait()
        before = read(record)[0]
        assert before

        async with (
            serving(*options, "--games", "1") as (referee, address),
            dialled(address, "alice"),
            dialled(address, "ben"),
        ):
            output, errors = await referee.communicate()

        assert referee.returncode == 0
        assert output.decode() == f"stopped: 1 game ended; records are in {record.parent}\n"
        assert verify(record).lines[: len(before)] == before
        assert os.listdir(record.parent) == [record.name]
        for event in ("connected", "goes on", "offered", "ended", "disconnected"):
            assert f"] {event} ".encode() in errors

    async def test_says_so_where_nothing_was_played(self, tmp_path: Path) -> None:
        """
        Nobody came: there are no games to speak of.
        """
        files = ("--tokens", str(token_file(tmp_path)), "--records", str(tmp_path / "games"))
        async with serving(*SERVE, "--listen", "127.0.0.1:0", *files) as (referee, _):
            referee.send_signal(signal.SIGINT)
            output, _ = await referee.communicate()

        assert (referee.returncode, output) == (0, b"stopped: no game was played\n")
        assert os.listdir(tmp_path) == ["tokens.txt"]

    async def test_shows_no_token_in_its_logs(self, tmp_path: Path) -> None:
        """
        What a bot is known by is kept as a digest, and nobody reads it in a log.
        """
        files = ("--tokens", str(token_file(tmp_path)), "--records", str(tmp_path / "games"))
        options = (*SERVE, "--listen", "127.0.0.1:0", *files)
        pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
        async with started(*options, "--log-level", "debug", **pipes) as referee:
            address = (await line_with(referee.stdout, "listening on ")).split()[2].rstrip(";")
            for token in (TOKENS["alice"], "a wrong secret"):
                env = {**os.environ, "PARCHEESI_ADDRESS": address, "PARCHEESI_TOKEN": token}
                async with started("-m", "tests.bad_bots.bots.declines", env=env) as bot:
                    if token in TOKENS.values():
                        await line_with(referee.stderr, "connected")
                    else:
                        await bot.wait()
            referee.send_signal(signal.SIGINT)
            _, errors = await referee.communicate()

        assert referee.returncode == 0
        assert b"secret" not in errors


class TestServeRefuses:
    def test_a_port_that_is_taken(self, tmp_path: Path) -> None:
        """
        Two referees on one port would share the bots: the second one says what is wrong, and goes.
        """
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            command = [sys.executable, *SERVE, "--listen", address, "--tokens", str(token_file(tmp_path))]
            done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, timeout=PATIENCE)

        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr.decode() == f"referee: cannot listen on {address}: Address already in use\n"

    @pytest.mark.parametrize(
        "address", ["nonsense", "127.0.0.1", "127.0.0.1:99999", ":7777", "127.0.0.1:\u0663", ""]
    )
    async def test_what_is_no_address(self, address: str) -> None:
        """
        The library would listen somewhere else.
        """
        with pytest.raises(ConfigError, match=r"as 127\.0\.0\.1:7777"):
            await a_house(listen=address).__aenter__()

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            pytest.param("", "names 0 bots; at least 2", id="nobody"),
            pytest.param("alice secret\n", "line 1: should be a name, a space, and SHA-256", id="no digest"),
            pytest.param(f"\n# two\na {'0' * 64}\nb {'1' * 63}\n", "line 4: should be", id="too short"),
        ],
    )
    def test_a_token_file_that_is_wrong(self, tmp_path: Path, text: str, words: str) -> None:
        """
        The line that is wrong is named.
        """
        file = tmp_path / "tokens.txt"
        file.write_text(text)

        with pytest.raises(ConfigError, match=words):
            tokens(file)

    async def test_one_name_for_two_bots(self) -> None:
        """
        Whose game it was could not be told.
        """
        with pytest.raises(ConfigError, match="two entrants are called 'alice'"):
            await a_house(remote("alice"), remote("alice")).__aenter__()
