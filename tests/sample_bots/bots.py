"""
The sample bots as tests find them: folders, modules, processes.

Knows: `bot.toml`, what a referee gives a bot when it starts it. Does not know: what a bot answers.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_bots"


def strategy_of(bot: Path) -> str:
    """Return the strategy that a bot's folder is named after: the last word of `python_racer`."""
    return bot.name.rpartition("_")[2]


BOTS = sorted(file.parent for file in FOLDER.glob("*/bot.toml"))
PYTHON_BOTS = [bot for bot in BOTS if (bot / "bot.py").is_file()]


def module_of(bot: Path) -> ModuleType:
    """Return a Python bot as a module."""
    spec = importlib.util.spec_from_file_location(f"sample_bot_{bot.name}", bot / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(**more: str) -> dict[str, str]:
    """Return what a referee gives a bot: its own Python comes first."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | more


def manifest(bot: Path) -> dict[str, Any]:
    """Return what a bot's `bot.toml` says."""
    return tomllib.loads((bot / "bot.toml").read_text(encoding="utf-8"))


@cache
def built(bot: Path) -> list[str]:
    """Return the command that runs *bot*, which is built if it has to be."""
    command = manifest(bot)["run"]
    path = environment()["PATH"]
    program = shutil.which(command[0], path=path)
    if program is None:
        pytest.skip(f"{command[0]} is missing")
    build = manifest(bot).get("build")
    if build and not (bot / "node_modules").is_dir():
        if shutil.which(build[0], path=path) is None:
            pytest.skip(f"{build[0]} is missing")
        done = subprocess.run(build, cwd=bot, env=environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"{bot.name} cannot be built: {(done.stderr or done.stdout)[-500:]}")
    return [str(program), *command[1:]]


@asynccontextmanager
async def running(bot: Path, address: str, token: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run *bot* as a referee does, and end it with the test."""
    process = await asyncio.create_subprocess_exec(
        *built(bot),
        cwd=bot,
        env=environment(PARCHEESI_ADDRESS=address, PARCHEESI_TOKEN=token),
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def last_words(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Wait until *process* has ended; return its exit code and what it said on standard error."""
    async with asyncio.timeout(30):
        _, error = await process.communicate()
    assert process.returncode is not None
    return process.returncode, error.decode()
