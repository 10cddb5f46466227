"""
A bot as a child process: started in a group of its own, watched, and ended with all it started.

Knows: commands, environments, standard error. Does not know: what the bot says on its stream.
"""

import asyncio
import contextlib
import errno
import os
import secrets
import sys
from collections import deque
from pathlib import Path
from typing import Final

from referee.errors import ConfigError, RefereeError
from referee.seats import warden
from referee.seats.specs import Local, search_path, which

STDERR_TAIL: Final = 64 * 1024
"""So many bytes of a bot's standard error are kept."""

_OF_THE_PROGRAM: Final = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.E2BIG)
"""Why a program cannot be started that is not the machine's trouble."""

_BUILD_SAID: Final = 400
"""So many characters of what a build said last are told when it fails."""

_INHERITED: Final = ("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "LOGNAME")


def environment(mark: str, **more: str) -> dict[str, str]:
    """Return a bot's environment: what a program needs to run, nothing of the operator's secrets."""
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return inherited | {"PATH": search_path(os.environ.get("PATH", "")), warden.MARK: mark} | more


class Tail:
    """
    The last bytes of a pipe, read as they come so that the writer never blocks.

    The pipe is our own, not asyncio's: there a process counts as running until its pipes are closed,
    and a child that it leaves behind may hold those for ever.
    """

    def __init__(self, pipe: int, limit: int = STDERR_TAIL) -> None:
        """Begin to read *pipe*, and close it in the end."""
        self._pipe = pipe
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._limit = limit
        self._ended = asyncio.Event()
        os.set_blocking(pipe, False)
        asyncio.get_running_loop().add_reader(pipe, self._read)

    def _read(self) -> None:
        """Take what is in the pipe: all that fits in, so that a writer without end holds nobody up."""
        if self._ended.is_set():
            return
        try:
            chunk = os.read(self._pipe, STDERR_TAIL)
        except BlockingIOError:
            return
        if not chunk:
            self._close()
            return
        self._chunks.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._chunks[0]) >= self._limit:
            self._size -= len(self._chunks.popleft())

    def _close(self) -> None:
        if not self._ended.is_set():
            self._ended.set()
            asyncio.get_running_loop().remove_reader(self._pipe)
            os.close(self._pipe)

    async def finish(self, seconds: float) -> None:
        """Wait for the end of the stream, but not longer than *seconds*."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        self._close()

    def text(self, limit: int) -> str:
        """Return the last *limit* bytes as text, what is still in the pipe included."""
        self._read()
        return b"".join(self._chunks)[-limit:].decode(errors="replace")


class Child:
    """One process of a bot."""

    def __init__(self, process: asyncio.subprocess.Process, tail: Tail, keeper: "Keeper", mark: str) -> None:
        """Watch *process*, which leads a process group; what it starts carries *mark*."""
        self._process = process
        self._mark = mark
        self._tail = tail
        self._keeper = keeper
        self.exited: Final[asyncio.Task[int]] = asyncio.create_task(process.wait())

    @property
    def alive(self) -> bool:
        """Tell whether it runs."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """Return its process id, which is its group's too."""
        return self._process.pid

    def how(self) -> str:
        """Return in words how it ended, or that it runs."""
        code = self._process.returncode
        if code is None:
            return "the process is running"
        if code < 0:
            return f"the process was ended by signal {-code}"
        return f"the process ended with exit code {code}"

    def stderr(self, limit: int = 4096) -> str:
        """Return the tail of its standard error and output."""
        return self._tail.text(limit)

    def _kin(self) -> dict[int, int]:
        """Return what it has started outside its group, as far as that can be found."""
        kin = warden.family(self.pid) if self.alive else {}
        return kin | warden.born(warden.marked(self._mark, warden.OWN_MARK))

    async def end(self, patience: float = 0.0) -> None:
        """Give it *patience* seconds to leave, then kill its whole group and what it started elsewhere."""
        kin = await asyncio.to_thread(self._kin)
        if patience and self.alive:
            await asyncio.wait({self.exited}, timeout=patience)
            kin |= await asyncio.to_thread(self._kin)  # what it started meanwhile
        warden.kill_group(self.pid)
        warden.kill_family(kin)
        await self.exited
        await self._tail.finish(0.2)
        self._keeper.ended(self.pid)


class Keeper:
    """Starts bots, and makes sure that none is left behind, whatever happens to this process."""

    def __init__(self) -> None:
        """Prepare; the warden is started with the first bot."""
        self._mark: Final = secrets.token_hex(16)
        self._warden: asyncio.subprocess.Process | None = None
        self._lock: Final = asyncio.Lock()

    async def build(self, bot: Local) -> None:
        """
        Run the bot's build command, if it has one.

        Raises:
            ConfigError: It failed; the sentence ends with the tail of its output.
        """
        if not bot.build:
            return
        child = await self._start(bot, bot.build, {})
        code = await child.exited
        await child.end()
        if code != 0:
            said = " / ".join(line.strip() for line in child.stderr().splitlines() if line.strip())
            raise ConfigError(
                f"bot {bot.name!r}: the build `{' '.join(bot.build)}` failed in {bot.folder}: {child.how()}; "
                f"it said last: {said[-_BUILD_SAID:] or 'nothing'}"
            )

    async def launch(self, bot: Local, address: str, token: str) -> Child:
        """
        Start a bot that is to dial *address* with *token*.

        Raises:
            ConfigError: Its command does not exist, or is no program.
            RefereeError: This machine could not start it.
        """
        return await self._start(bot, bot.run, {"PARCHEESI_ADDRESS": address, "PARCHEESI_TOKEN": token})

    async def _start(self, bot: Local, command: tuple[str, ...], more: dict[str, str]) -> Child:
        program = which(command[0], bot.folder)
        if program is None:
            raise ConfigError(f"bot {bot.name!r}: the command {command[0]!r} was not found")
        await self._guard()
        mark = secrets.token_hex(8)
        reading, writing = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *command[1:],
                cwd=bot.folder,
                env=environment(self._mark, **{warden.OWN_MARK: mark}, **more),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except BaseException as error:
            os.close(reading)
            if isinstance(error, OSError):
                if error.errno in _OF_THE_PROGRAM:
                    raise ConfigError(
                        f"bot {bot.name!r}: {program} cannot be run: {error.strerror}"
                    ) from None
                raise RefereeError(f"bot {bot.name!r} could not be started: {error.strerror}") from None
            raise
        finally:
            os.close(writing)
        self._tell(f"+{process.pid}")
        return Child(process, Tail(reading), self, mark)

    def ended(self, group: int) -> None:
        """Note that a group was ended."""
        self._tell(f"-{group}")

    async def close(self) -> None:
        """Kill whatever still carries our mark, and let the warden go."""
        if self._warden is None:
            return
        own = self._warden.pid
        with contextlib.suppress(OSError):
            await asyncio.to_thread(warden.kill_marked, self._mark, but=own)
        self._tell(".")
        assert self._warden.stdin is not None
        self._warden.stdin.close()
        await self._warden.wait()

    async def _guard(self) -> None:
        async with self._lock:
            if self._warden is None:
                self._warden = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-I",
                    "-S",
                    str(Path(warden.__file__)),
                    self._mark,
                    stdin=asyncio.subprocess.PIPE,
                    start_new_session=True,
                )

    def _tell(self, line: str) -> None:
        if self._warden is not None and self._warden.stdin is not None:
            self._warden.stdin.write(f"{line}\n".encode())
