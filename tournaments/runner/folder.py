"""
The folder of a tournament: what lies where, who may write in it, and how it begins.

    plan.toml        the plan, byte by byte as it was (mode 0600: it may hold tokens and a seed)
    plan.json        every setting of it, where bots are looked for, digests; no secrets
    secret           32 bytes in hexadecimal, from which all dice come (mode 0600)
    results.jsonl    one line for each game that was played
    games/           the record of each game; NAME.void1.jsonl is one that did not count
    sessions.jsonl   one line for each time that somebody played on, and with which version
    standings.json, standings.csv
    lock             held by whoever plays

`plan.json` is written last. Where it is missing the tournament never began, and whatever else lies
there is a beginning that was cut short: it may be begun again, as no game was played.
"""

import fcntl
import hashlib
import json
import os
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import referee
from referee.errors import ConfigError, NotBuilt, StoreError
from referee.rules.ruleset import from_text
from tournaments.plan import Plan, read
from tournaments.runner import disk
from tournaments.runner.bots import Digests

VERSION: Final = 1
"""The version of this layout."""

_BEGINNING: Final = frozenset({"lock", "secret", "plan.toml", "plan.json.new", "games", "results.jsonl"})
"""What may lie in a folder whose tournament did not begin."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Where everything lies."""

    root: Path

    @property
    def plan_toml(self) -> Path:
        """Return the frozen plan."""
        return self.root / "plan.toml"

    @property
    def plan_json(self) -> Path:
        """Return the plan with everything spelt out."""
        return self.root / "plan.json"

    @property
    def secret(self) -> Path:
        """Return the secret of the dice."""
        return self.root / "secret"

    @property
    def results(self) -> Path:
        """Return the results."""
        return self.root / "results.jsonl"

    @property
    def games(self) -> Path:
        """Return the folder of the records."""
        return self.root / "games"

    @property
    def sessions(self) -> Path:
        """Return the list of sessions."""
        return self.root / "sessions.jsonl"

    @property
    def lock(self) -> Path:
        """Return the file that is locked by whoever plays."""
        return self.root / "lock"

    def record(self, game: str) -> Path:
        """Return the record of *game*."""
        return self.games / f"{game}.jsonl"

    def void_record(self, game: str, number: int) -> Path:
        """Return the record of the game's attempt *number* (from 1) that did not count."""
        return self.games / f"{game}.void{number}.jsonl"

    def voids(self, game: str) -> int:
        """Return how many attempts at *game* did not count."""
        number = 0
        while self.void_record(game, number + 1).exists():
            number += 1
        return number

    def put_aside(self, game: str) -> Path:
        """Keep the record of an attempt that did not count under another name, and return that."""
        aside = self.void_record(game, self.voids(game) + 1)
        if self.record(game).exists():
            disk.rename(self.record(game), aside)
        else:  # it did not even get that far; the attempt counts all the same
            disk.create(aside, b"")
        return aside

    def refuse_used(self) -> None:
        """
        Refuse a folder in which something lies already.

        Raises:
            ConfigError: It is in use; the text says what to do.
        """
        if self.plan_json.exists():
            raise ConfigError(
                f"{self.root} holds a tournament already: go on with `tournament resume {self.root}`, "
                "or name another folder"
            )
        try:
            there = {path.name: path for path in self.root.iterdir()}
        except FileNotFoundError:
            return
        except OSError as error:
            raise ConfigError(f"{self.root} cannot be used: {error.strerror}") from None
        strange = sorted(there.keys() - _BEGINNING)
        if "results.jsonl" in there and self.results.stat().st_size:
            strange.append("results.jsonl")
        if "games" in there and any(self.games.iterdir()):
            strange.append("games")
        if strange:
            raise ConfigError(f"{self.root} holds {strange[0]}: name a folder that is new or empty")


ORPHANS: Final = 5.0
"""Seconds for which the processes of a runner that has died are waited for; they leave at once."""

LOOK: Final = 0.02
"""Seconds between two looks whether they have left."""


class Lock:
    """
    Keeps a second runner out, until it is released or this process dies.

    The lock belongs to the open file `descriptor`. Processes that inherit it hold the lock too, until the
    last of them has closed it.
    """

    def __init__(self, folder: Folder) -> None:
        """
        Take the lock of *folder*, which must exist.

        Raises:
            ConfigError: Somebody else has it.
            StoreError: It cannot be written.
        """
        try:
            self.descriptor: Final = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreError(f"{folder.lock} cannot be written: {error.strerror}") from None
        try:
            self._take(folder)
        except BaseException:
            os.close(self.descriptor)
            raise

    def _take(self, folder: Folder) -> None:
        patience = ORPHANS
        while not self._taken():
            owner = os.pread(self.descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
            if (lives := _lives(owner)) or patience <= 0:
                if not lives:
                    raise ConfigError(
                        f"{folder.root} is held by a process that another one ({owner}) left behind when it "
                        "died: end that process first"
                    )
                raise ConfigError(
                    f"{folder.root} is being played by another process ({owner}): "
                    "wait for it, or stop it first"
                )
            # Its workers have not noticed yet that it has died, and may be writing still.
            patience -= LOOK
            time.sleep(LOOK)
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, f"{os.getpid()}\n".encode(), 0)

    def _taken(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Let others in."""
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        """Hold it for a block."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Release it."""
        self.release()


def _lives(owner: str) -> bool:
    """Tell whether the process *owner* is there and does something; one without a number does."""
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OverflowError, OSError):
        return True
    with suppress(OSError, IndexError):  # one that nobody has waited for yet is dead all the same
        return Path(f"/proc/{int(owner)}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


@dataclass(frozen=True, slots=True)
class Begun:
    """A tournament that has begun: its plan, its secret, and its bots as they were then."""

    plan: Plan
    secret: bytes
    digests: Mapping[str, Digests]


def begin(folder: Folder, plan: Plan, digests: Mapping[str, Digests]) -> Begun:
    """
    Freeze *plan* in *folder*, whose lock must be held. After this the tournament can be resumed.

    Raises:
        ConfigError: The folder is in use.
        StoreError: Something cannot be written.
    """
    folder.refuse_used()
    for left_over in (folder.secret, folder.plan_toml, folder.results):
        left_over.unlink(missing_ok=True)
    secret = plan.seed if plan.seed is not None else secrets.token_bytes(32)
    disk.create(folder.secret, f"{secret.hex()}\n".encode(), mode=0o600)
    disk.create(folder.plan_toml, plan.text, mode=0o600)
    disk.make_folder(folder.games)
    disk.create(folder.results, b"")
    frozen = {
        "version": VERSION,
        "engine": referee.__version__,
        **plan.resolved(),
        "base": str(plan.base),
        "plan_digest": hashlib.sha256(plan.text).hexdigest(),
        "secret_commitment": hashlib.sha256(secret).hexdigest(),
        "bots": digests,
    }
    disk.replace(folder.plan_json, json.dumps(frozen, indent=1, ensure_ascii=False).encode() + b"\n")
    return Begun(plan, secret, digests)


def reopen(folder: Folder, base: Path | None = None) -> Begun:
    """
    Return the tournament that was begun in *folder*; bots are looked for from *base* if it is given.

    Raises:
        ConfigError: There is none, or what was frozen has been changed.
    """
    frozen = read_frozen(folder)
    try:
        text = folder.plan_toml.read_bytes()
    except OSError as error:
        raise ConfigError(f"{folder.plan_toml}: cannot be read: {error.strerror}") from None
    if hashlib.sha256(text).hexdigest() != frozen["plan_digest"]:
        raise ConfigError(f"{folder.plan_toml} was changed since the tournament began: put it back as it was")
    rules = frozen["ruleset"]
    try:
        kept = from_text(rules["name"], rules["fields"])
    except NotBuilt:  # one of another version; its digest tells, below
        kept = None
    plan = read(str(folder.plan_toml), text, base or Path(frozen["base"]), frozen["name"], kept)
    if plan.ruleset.digest().hex() != rules["digest"]:
        raise ConfigError(
            f"{folder.plan_toml}: ruleset {plan.ruleset.name!r} is not what it was when the tournament "
            f"began: go on with version {frozen['engine']} of the referee"
        )
    try:
        secret = bytes.fromhex(folder.secret.read_text("ascii"))
    except (OSError, ValueError):
        secret = b""
    if hashlib.sha256(secret).hexdigest() != frozen["secret_commitment"]:
        raise ConfigError(f"{folder.secret} is not the secret with which the tournament began: put it back")
    return Begun(plan, secret, frozen["bots"])


def read_frozen(folder: Folder) -> dict[str, Any]:
    """
    Return what `plan.json` holds.

    Raises:
        ConfigError: There is no tournament in *folder*, or one of another version of this layout.
    """
    try:
        frozen = json.loads(folder.plan_json.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(
            f"there is no tournament in {folder.root}: "
            f"begin one with `tournament run FILE.toml --out {folder.root}`"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{folder.plan_json}: cannot be read: {error}") from None
    if not isinstance(frozen, dict) or frozen.get("version") != VERSION:
        raise ConfigError(
            f"{folder.plan_json}: is of another version than {VERSION}, the one this program knows"
        )
    return frozen
