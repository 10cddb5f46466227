"""
A house without bots, and a process that can die at any moment.

The stand-in house keeps the promise that matters here: a game's record grows on disk, its end is there
before `play` returns, and a record that is there is gone on from.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from referee.host.outcome import Outcome
from referee.match.events import Ended, Reason
from referee.match.tally import Tally
from referee.server.hall import Entrant
from referee.server.house import GameOrder
from tournaments.cli import publish
from tournaments.plan import Plan
from tournaments.results import Result
from tournaments.runner.folder import Folder
from tournaments.runner.ledger import results
from tournaments.runner.play import Ending
from tournaments.runner.progress import Silence
from tournaments.runner.session import Session
from tournaments.runner.share import Share

STEPS = 2
"""So many lines a stand-in game writes before its end."""


class Killed(BaseException):
    """The process died. Nobody catches this but the test."""


class Mortal:
    """
    Ends the process before its *at*-th step on the disk, or within it if that is a write.

    Every call that changes a file counts as a step; `steps` holds their names. Once dead, no step has
    an effect. The pages of a process that dies are kept by the kernel, so nothing need reach the disk.
    """

    def __init__(self, patch: pytest.MonkeyPatch, at: int | None, when: str = "before") -> None:
        self.steps: list[str] = []
        self.dead = False
        self._at = at
        self._when = when
        for name in ("write", "replace", "rename", "ftruncate", "mkdir", "unlink"):
            patch.setattr(os, name, self._mortal(name, getattr(os, name)))
        patch.setattr(os, "fsync", self._mortal("fsync", lambda number: None))
        patch.setattr(os, "open", self._mortal("open", os.open, self._changes))

    @staticmethod
    def _changes(path: object, flags: int, *_: object) -> bool:
        return bool(flags & os.O_CREAT)

    def _mortal(
        self, name: str, call: Callable[..., Any], counts: Callable[..., bool] = lambda *_: True
    ) -> Callable[..., Any]:
        def act(*arguments: Any, **more: Any) -> Any:
            if not counts(*arguments):
                return call(*arguments, **more)
            if self.dead:
                raise Killed
            self.steps.append(name)
            if len(self.steps) != self._at:
                return call(*arguments, **more)
            self.dead = True
            if self._when == "within" and name == "write":
                call(*arguments[:-1], arguments[-1][: len(arguments[-1]) // 2])
            raise Killed

        return act


class FakeHouse:
    """
    Plays games whose outcome depends on the seed and the names alone.

    `void` holds, for a game, how often it does not count; `before` is called before each line that a
    game writes; `trouble` holds the games at which the machine fails.
    """

    def __init__(
        self,
        *,
        void: dict[str, int] | None = None,
        before: Callable[[GameOrder], None] = lambda order: None,
        trouble: Iterable[str] = (),
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.orders: list[GameOrder] = []
        self.most = self.playing = 0
        self._void = void or {}
        self._before = before
        self._trouble = set(trouble)
        self._prepare = prepare
        self._draining = False

    def __call__(self, plan: Plan, entrants: Sequence[Entrant], share: Share) -> Self:
        """Stand in for the house that a session opens."""
        self._draining = False
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def prepare(self) -> None:
        self._prepare()

    def hold(self, descriptor: int) -> None:
        pass

    def drain(self) -> None:
        self._draining = True

    async def play(self, order: GameOrder) -> Outcome:
        self.orders.append(order)
        self.playing += 1
        self.most = max(self.most, self.playing)
        try:
            return await self._play(order)
        finally:
            self.playing -= 1

    async def _play(self, order: GameOrder) -> Outcome:
        assert order.record is not None
        lines = _whole_lines(order.record)
        if not lines or lines[-1] not in ("end", "void"):
            lines = await self._written(order, lines)
        if lines[-1] == "end":
            return _ended(order)
        stopped = lines[-1] != "void"
        return Outcome(
            game=order.game,
            ended=None,
            voided=None if stopped else "the referee hiccuped",
            adjourned=stopped,
            tally=Tally(order.seats),
            throws=0,
            trouble="the disk is full" if stopped and order.game in self._trouble else None,
        )

    async def _written(self, order: GameOrder, lines: list[str]) -> list[str]:
        """Write the record on, to its end or until the house is drained."""
        assert order.record is not None
        number = os.open(order.record, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            os.ftruncate(number, sum(len(line) + 1 for line in lines))
            void = len(list(order.record.parent.glob(f"{order.game}.void*"))) < self._void.get(order.game, 0)
            steps = [order.seed.hex(), *(f"step {step}" for step in range(STEPS)), "void" if void else "end"]
            assert lines == steps[: len(lines)], "the record is of another game"
            for line in steps[len(lines) :]:
                await asyncio.sleep(0)
                self._before(order)
                if self._draining or (order.game in self._trouble and line == "end"):
                    return lines or [""]
                os.write(number, f"{line}\n".encode())
                lines.append(line)
            os.fsync(number)
            return lines
        finally:
            os.close(number)


def _whole_lines(record: Path) -> list[str]:
    return record.read_text().split("\n")[:-1] if record.exists() else []


def _ended(order: GameOrder) -> Outcome:
    """Return the outcome that *order* always has."""
    by_luck = sorted(order.seats, key=lambda s: hashlib.sha256(order.seed + order.seats[s].encode()).digest())
    tally = Tally(order.seats)
    for seat in order.seats:
        tally.seats[seat].steps = 10 + seat
    seats = tuple(sorted(order.seats))
    places = tuple(by_luck.index(seat) + 1 for seat in seats)
    reasons = tuple(Reason.WON if place == 1 else Reason.RACED for place in places)
    return Outcome(
        game=order.game,
        ended=Ended(seats, places, reasons, (None, None, None, None)),
        voided=None,
        adjourned=False,
        tally=tally,
        throws=42,
    )


def session(house: FakeHouse, *, jobs: int | None = None, watch: Silence | None = None) -> Session:
    return Session(jobs=jobs, workers=None, watch=watch or Silence(), publish=publish, opens=house)


def play(house: FakeHouse, folder: Folder, plan: Plan, **more: Any) -> Ending:
    """Begin the tournament in *folder*, or go on with it, as an operator would."""
    one = session(house, **more)
    return asyncio.run(one.resume(folder) if folder.plan_json.exists() else one.run(plan, folder))


def told(folder: Folder) -> list[Result]:
    """Return the results by their numbers."""
    return sorted(results(folder.results), key=lambda result: result.number)
