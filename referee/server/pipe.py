"""
What `Workers` and its processes say to each other, and how it travels: a length, then a pickle.

Knows: the messages, and how each becomes bytes. `Rules` travel as their ruleset and are compiled where
they arrive, once for each ruleset. Does not know: who answers what.

Pickles run code of whoever made them. Here that is our own program at both ends of a pipe that no other
process has.
"""

import io
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from referee.errors import RefereeError
from referee.host.outcome import Outcome
from referee.match.time_bank import Clock
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset
from referee.server.hall import Entrant
from referee.server.house import GameOrder

LENGTH: Final = 4
"""So many bytes, the most significant first, tell how long the pickle behind them is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Open a house; the first message. `logs` holds what `logs.configure` is called with, if it is."""

    entrants: Sequence[Entrant]
    clock: Clock
    instances: int
    listen: str
    logs: dict[str, str]


@dataclass(frozen=True, slots=True)
class Play:
    """Play a game, and tell what became of it under the same ticket."""

    ticket: int
    order: GameOrder


@dataclass(frozen=True, slots=True)
class Drain:
    """Adjourn what is being played, and begin nothing."""


@dataclass(frozen=True, slots=True)
class Close:
    """Drain, close the house, and leave; the last message."""


ToWorker = Open | Play | Drain | Close


@dataclass(frozen=True, slots=True)
class Opened:
    """The house is open, at this address."""

    address: str


@dataclass(frozen=True, slots=True)
class Done:
    """A game was played, or adjourned."""

    ticket: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, with its text."""

    kind: type[Exception]
    text: str

    def error(self) -> Exception:
        """Return the error as it was raised. What it makes its text of is not there any more, nor needed."""
        return self.kind.__new__(self.kind, self.text)


def failure(error: Exception) -> Failure:
    """Return *error* as it travels. One that we do not raise on purpose is a bug there as it is here."""
    if isinstance(error, RefereeError):
        return Failure(type(error), str(error))
    return Failure(RuntimeError, f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class Refused:
    """The house could not be opened; this process leaves."""

    why: Failure


@dataclass(frozen=True, slots=True)
class Failed:
    """A game could not be played."""

    ticket: int
    why: Failure


FromWorker = Opened | Refused | Done | Failed


def packed(message: ToWorker | FromWorker) -> bytes:
    """Return *message* as it travels."""
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(message)
    data = file.getvalue()
    return len(data).to_bytes(LENGTH) + data


def unpacked(data: bytes) -> Any:
    """Return the message whose pickle is *data*, without its length."""
    return _Unpickler(io.BytesIO(data)).load()


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Ruleset | None:
        return obj.ruleset if isinstance(obj, Rules) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Rules:
        return _compiled(pid)


@cache
def _compiled(ruleset: Ruleset) -> Rules:
    return Rules(ruleset)
