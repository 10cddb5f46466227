"""
The folder in which the lobby keeps its games: their numbers, their seeds, and those left unfinished.

One process at a time has it, so that no game is played twice at once.
"""

import contextlib
import fcntl
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import structlog

from referee.dice import commitment
from referee.errors import ConfigError, RecordError, StoreError
from referee.record.replay import read, replay
from referee.record.reveal import nothing_follows
from referee.record.secret import SUFFIX, forget_seed, keep_seed, kept_seed
from referee.rules.engine import Rules
from referee.server.house import GameOrder

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.lobby")

_NUMBERED: Final = re.compile(r"game-(\d{1,9})\.jsonl")  # a number that messages can hold


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game to go on with; `waits_for` are the bots that still hold a seat in it."""

    order: GameOrder
    waits_for: frozenset[str]


class Records:
    """A folder of records. To be used as a context manager, which holds it against others."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._lock = -1
        self._made = False
        self._last = 0

    def __enter__(self) -> Self:
        """
        Hold the folder, made if need be.

        Raises:
            ConfigError: It cannot be written to, or somebody else has it.
        """
        try:
            self._made = not self._folder.exists()
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder, buffering=0) as trial:
                trial.write(b"\n")
            self._lock = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            self._unmake()
            raise ConfigError(f"records cannot be kept in {self._folder}: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.__exit__()
            raise ConfigError(
                f"records cannot be kept in {self._folder}: another referee keeps its own there; name another"
            ) from None
        except OSError as error:  # some network file systems lock no folders
            log.warning("records are not held against others", folder=str(self._folder), detail=str(error))
        numbers = (_NUMBERED.fullmatch(path.name.removesuffix(SUFFIX)) for path in self._folder.iterdir())
        self._last = max((int(found[1]) for found in numbers if found), default=0)
        return self

    def __exit__(self, *exc: object) -> None:
        """Let others have it; leave no empty folder behind that was not there before."""
        os.close(self._lock)
        self._unmake()

    def _unmake(self) -> None:
        if self._made:
            with contextlib.suppress(OSError):
                self._folder.rmdir()

    def new(self) -> tuple[int, Path]:
        """
        Return the number of the next game, above all that there are, and where its record will be.

        Raises:
            StoreError: The folder is not the one that is held any more.
        """
        held = os.fstat(self._lock)
        try:
            there = self._folder.stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(held, there):
            raise StoreError(f"{self._folder} was moved or replaced while games were kept in it")
        self._last += 1
        while os.path.exists(path := self._path(self._last)):
            self._last += 1
        return self._last, path

    def _path(self, number: int) -> Path:
        return self._folder / f"game-{number:06}.jsonl"

    def unfinished(self, names: frozenset[str]) -> list[Unfinished]:
        """
        Return the games to go on with between bots called *names*, the oldest first.

        The others are logged and left alone. Seeds of games that are over are forgotten.
        """
        found: list[Unfinished] = []
        for path in self._left():
            try:
                found.append(self._unfinished(path, names, found[-1].order.rules if found else None))
            except RecordError as error:
                log.warning("record cannot be gone on with", record=str(path), detail=str(error))
        return found

    def _left(self) -> Iterator[Path]:
        for secret in self._folder.glob(f"game-*.jsonl{SUFFIX}"):
            record = secret.with_name(secret.name.removesuffix(SUFFIX))
            if _NUMBERED.fullmatch(record.name) and (not os.path.exists(record) or nothing_follows(record)):
                forget_seed(record)
        for path in sorted(self._folder.glob("*.jsonl")):
            if not nothing_follows(path):
                yield path

    def _unfinished(self, path: Path, names: frozenset[str], rules: Rules | None) -> Unfinished:
        done = replay(path, rules)
        setup = done.setup
        numbered = _NUMBERED.fullmatch(path.name)
        if not numbered or int(numbered[1]) != setup.number or setup.game != path.stem:
            raise RecordError("it is not a game of `referee serve`, or was renamed")
        seats = {seated.seat: seated.name for seated in setup.seats}
        lost = {seat for together in done.match.lost for seat in together}
        holding = {name for seat, name in seats.items() if seat not in lost}
        waits_for = frozenset() if done.complete else frozenset(holding)
        if strangers := sorted(waits_for - names):
            raise RecordError(f"there is no token for {', '.join(strangers)}")
        if (seed := kept_seed(path)) is None:
            raise RecordError(f"its seed is not there, in {path.name}{SUFFIX}")
        if commitment(seed) != setup.commitment:
            raise RecordError(f"the seed in {path.name}{SUFFIX} is another game's")
        order = GameOrder(
            number=setup.number,
            game=setup.game,
            rules=done.match.rules,
            seats=seats,
            seed=seed,
            clock=setup.clock,
            penalties=setup.penalties,
            ask_forced=setup.ask_forced,
            max_throws=setup.max_throws,
            record=path,
        )
        return Unfinished(order, waits_for)


def keep(order: GameOrder) -> None:
    """
    Keep the seed of a game that is to begin.

    Raises:
        StoreError: It cannot be written.
    """
    assert order.record is not None
    keep_seed(order.record, order.seed)


def put_away(order: GameOrder, *, over: bool) -> bool:
    """Forget the seed of a game that is *over*, or was never begun. Return whether it can be gone on with."""
    record = order.record
    assert record is not None
    if not over and os.path.exists(record):
        with contextlib.suppress(RecordError, OSError):
            if not read(record)[0]:
                record.unlink()  # without a whole line there is no game in it
    if not over and os.path.exists(record):
        return True
    forget_seed(record)
    return False
