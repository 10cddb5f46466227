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
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.cli import tokens
from referee.errors import ConfigError
from referee.host.verify import verify
from referee.record.replay import replay
from tests.bad_bots.arena import ROOT
from tests.server.guests import PATIENCE, a_house, remote

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


class TestServe:
    async def test_plays_bots_that_dial_in_until_it_is_stopped(self, tmp_path: Path) -> None:
        """
        Two bots with tokens play game after game; what is recorded is proven, or can be gone on with.
        """
        files = ("--tokens", str(token_file(tmp_path)), "--records", str(tmp_path / "games"))
        options = (*SERVE, "--listen", "127.0.0.1:0", *files, "--log", "json", "--log-level", "info")
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
        assert f"stopped after {len(records)} games" in output.decode()
        assert len(finished) >= 4
        assert len(records) - len(finished) <= 1
        assert [setup.game for setup in setups] == [path.stem for path in finished]
        assert {setup.ruleset.name for setup in setups} == {"winning_moves", "winning_moves_highest"}
        assert {setup.seats[0].name for setup in setups} == {"alice", "ben"}

    async def test_shows_no_token_in_its_logs(self, tmp_path: Path) -> None:
        """
        What a bot is known by is kept as a digest, and nobody reads it in a log.
        """
        options = (*SERVE, "--listen", "127.0.0.1:0", "--tokens", str(token_file(tmp_path)))
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
