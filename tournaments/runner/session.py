"""
A session: from a plan, or a folder, to games being played, and safely out again.

Knows: what is done first, so that a mistake is told before anything starts; signals.
Does not know: how a game is played (`play.py`), how anything looks on a terminal.
"""

import asyncio
import json
import os
import platform
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

import referee
from referee.errors import ConfigError, StoreError
from referee.rules.ruleset import Teams
from referee.server.hall import Entrant
from referee.server.house import ANYWHERE, House
from referee.server.workers import Workers
from tournaments.plan import Plan
from tournaments.runner import disk
from tournaments.runner.bots import digests, entrants, first_difference, together, unchanged
from tournaments.runner.folder import Begun, Folder, Lock, begin, reopen
from tournaments.runner.ledger import Ledger, Seen, results
from tournaments.runner.play import Ending, Plays, Runner, Watch, tell_seeds
from tournaments.runner.share import Share, cores, shared_out
from tournaments.scoring.standings import Scores

TICK: Final = 0.2
"""Seconds between two looks of the watch at the clock."""

PUBLISH: Final = 5.0
"""Seconds between two writings of the standings."""

STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Hosting(Plays, Protocol):
    """A house that can build its bots."""

    async def prepare(self) -> None:
        """Build the local bots."""

    def hold(self, descriptor: int) -> None:
        """Let processes that play games keep *descriptor* open for as long as they live."""


Opens = Callable[[Plan, Sequence[Entrant], Share], AbstractAsyncContextManager[Hosting]]
Publishes = Callable[[Begun, Folder, Scores], Mapping[Path, bytes]]
"""Returns the files that tell the standings."""


def open_house(plan: Plan, taking_part: Sequence[Entrant], share: Share) -> House | Workers:
    """Return the house in which a tournament is played; with one worker that is this process."""
    if share.workers > 1:
        return Workers(
            taking_part, clock=plan.clock, jobs=share.jobs, workers=share.workers, listen=plan.listen
        )
    return House(
        taking_part,
        clock=plan.clock,
        rulesets=[plan.ruleset],
        instances=share.jobs,
        listen=plan.listen or ANYWHERE,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """
    How to play: *jobs* games side by side in *workers* processes (None: as the plan says), whom to tell,
    what to publish.
    """

    jobs: int | None
    workers: int | None
    watch: Watch
    publish: Publishes
    opens: Opens = open_house

    async def run(self, plan: Plan, folder: Folder) -> Ending:
        """
        Begin the tournament *plan* in *folder* and play it.

        Raises:
            ConfigError: The folder is in use, a bot is missing or cannot be built.
            StoreError: The folder cannot be written.
        """
        folder.refuse_used()
        taking_part = entrants(plan)
        with _Stopper(self.watch) as stopper:
            return await stopper.guard(self._run(plan, folder, taking_part, stopper), plan.games)

    async def resume(self, folder: Folder, base: Path | None = None, *, changed_bots: bool = False) -> Ending:
        """
        Go on with the tournament in *folder*; relative bot folders are looked for from *base*.

        Raises:
            ConfigError: There is no tournament, somebody else plays it, it was tampered with, or a bot
                has changed and *changed_bots* does not allow it.
            StoreError: The folder cannot be written.
        """
        frozen = reopen(folder, base)
        with Lock(folder) as lock, _Stopper(self.watch) as stopper:
            going_on = self._resume(folder, frozen, lock, changed_bots, stopper)
            return await stopper.guard(going_on, frozen.plan.games)

    async def _run(
        self, plan: Plan, folder: Folder, taking_part: list[Entrant], stopper: "_Stopper"
    ) -> Ending:
        share = shared_out(plan, taking_part, plan.games, self.jobs, self.workers)
        async with self.opens(plan, taking_part, share) as house:
            before = await asyncio.to_thread(digests, taking_part)
            await house.prepare()
            known = unchanged(before, await asyncio.to_thread(digests, taking_part))
            disk.make_folder(folder.root)
            with Lock(folder) as lock:
                house.hold(lock.descriptor)
                begun = begin(folder, plan, known)
                with _books(begun, folder, self.watch) as books:
                    _note(folder, share, known)
                    return await self._play(begun, folder, house, share, stopper, books)

    async def _resume(
        self, folder: Folder, begun: Begun, lock: Lock, changed_bots: bool, stopper: "_Stopper"
    ) -> Ending:
        plan = begun.plan
        with _books(begun, folder, self.watch) as books:
            if books.seen.count == plan.games:
                # No bot is needed any more. Only seeds and standings may not have been written.
                damaged = await asyncio.to_thread(tell_seeds, begun, folder, plan.format.tables(plan.field))
                await asyncio.to_thread(_write, self.publish(begun, folder, books.scores))
                return Ending(plan.games, plan.games, damaged=damaged)
            taking_part = entrants(plan)
            now = await asyncio.to_thread(digests, taking_part)
            if (changed := first_difference(begun.digests, now)) and not changed_bots:
                raise ConfigError(
                    f"bot {changed[0]!r} is not as it was when the tournament began: {changed[1]} has "
                    "changed; put it back, or allow it with --changed-bots"
                )
            share = shared_out(plan, taking_part, plan.games - books.seen.count, self.jobs, self.workers)
            async with self.opens(plan, taking_part, share) as house:
                house.hold(lock.descriptor)
                await house.prepare()
                _note(folder, share, now)
                return await self._play(begun, folder, house, share, stopper, books)

    async def _play(
        self, begun: Begun, folder: Folder, house: Plays, share: Share, stopper: "_Stopper", books: "_Books"
    ) -> Ending:
        runner = Runner(begun, folder, house, books.ledger, books.scores, books.seen, self.watch)
        stopper.runner = runner
        self.watch.began(begun, books.scores, share)
        ticking = asyncio.create_task(self._tick(begun, folder, books.scores))
        try:
            ending = await runner.play(share.jobs)
        finally:
            ticking.cancel()
            self.watch.over()
        try:
            await asyncio.to_thread(_write, self.publish(begun, folder, books.scores))
        except StoreError as error:  # the games are on disk all the same
            ending.trouble = ending.trouble or str(error)
        return ending

    async def _tick(self, begun: Begun, folder: Folder, scores: Scores) -> None:
        """Keep the watch and the published standings up to date."""
        published, ticks = scores.games, 0
        while True:
            await asyncio.sleep(TICK)
            self.watch.tick()
            ticks += 1
            if ticks * TICK >= PUBLISH and scores.games != published:
                published, ticks = scores.games, 0
                with suppress(StoreError):  # told at the end, if it still is so then
                    await asyncio.to_thread(_write, self.publish(begun, folder, scores))


class _Stopper:
    """
    Turns signals into an orderly end: the first drains, the next makes haste.

    Before the first game there is nothing to drain, and the first signal ends the session at once.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._task: asyncio.Task[Ending] | None = None
        self.runner: Runner | None = None
        self.signal: int | None = None

    def __enter__(self) -> "_Stopper":
        loop = asyncio.get_running_loop()
        for number in STOPS:
            # Under nohup(1) a terminal that closes stops nothing.
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, self._signalled, number)
        return self

    def __exit__(self, *exc: object) -> None:
        loop = asyncio.get_running_loop()
        for number in STOPS:
            loop.remove_signal_handler(number)

    async def guard(self, session: Awaitable[Ending], total: int) -> Ending:
        """Return how *session* ends, be it by a signal."""
        self._task = asyncio.ensure_future(session)
        try:
            ending = await self._task
        except asyncio.CancelledError:
            if self.signal is None:
                raise
            ending = self.runner.ending if self.runner else Ending(0, total)
        ending.signal = self.signal
        return ending

    def _signalled(self, number: int) -> None:
        first = self.signal is None
        self.signal = self.signal or number
        if first and self.runner is not None:
            self._watch.remark(
                "stopping: games in progress are kept as far as they have come; once more: at once"
            )
            self.runner.stop()
        elif self._task is not None:
            self._task.cancel()


@dataclass(frozen=True, slots=True)
class _Books:
    """The ledger, and what the results in it add up to."""

    ledger: Ledger
    scores: Scores
    seen: Seen


@contextmanager
def _books(begun: Begun, folder: Folder, watch: Watch) -> Iterator[_Books]:
    """Open the books of a tournament whose lock is held."""
    plan = begun.plan
    ledger = Ledger(folder.results)
    try:
        if ledger.torn:
            watch.remark(f"{folder.results}: a last line that was not written whole was cut off")
        teams = plan.ruleset.teams is not Teams.NONE
        scores = Scores(plan.field.names, plan.seats, plan.format.block(plan.field), teams=teams)
        seen = Seen()
        for result in results(folder.results):
            scores.add(result)
            seen.add(result.number)
        yield _Books(ledger, scores, seen)
    finally:
        ledger.close()


def _note(folder: Folder, share: Share, bots: Mapping[str, Mapping[str, str]]) -> None:
    """Note that a session begins: when, where, with which version and which bots."""
    line = {
        "began": datetime.now(UTC).isoformat(timespec="seconds"),
        "engine": referee.__version__,
        "python": platform.python_version(),
        "cores": cores(),
        "jobs": share.jobs,
        "workers": share.workers,
        "bots": {name: together(files) for name, files in bots.items()},
    }
    number = os.open(folder.sessions, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        disk.mend(number)
        disk.append(number, (json.dumps(line, ensure_ascii=False) + "\n").encode(), folder.sessions)
    finally:
        os.close(number)


def _write(files: Mapping[Path, bytes]) -> None:
    for path, data in files.items():
        disk.replace(path, data)
