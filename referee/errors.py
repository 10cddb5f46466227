"""
Errors the referee raises.

    RefereeError
    ├── ConfigError          the operator asked for what does not exist or cannot be
    │   ├── UnknownName      a ruleset, bot, format … that nobody registered
    │   └── NotBuilt         a field value of the rule book that this version cannot play
    ├── PositionError        a text is no position, or a position that cannot be
    ├── RecordError          a record cannot be read back
    ├── StoreError           a record could not be kept
    └── RefereeBug           an invariant broke: the game is void

A bot's mistake is not in this tree. It is a `Fault`: data, in the record.
"""

from collections.abc import Iterable


class RefereeError(Exception):
    """Anything the referee raises; its text is one sentence for the operator."""


class ConfigError(RefereeError):
    """The operator asked for something that does not exist or cannot be."""


class UnknownName(ConfigError):
    """A name that nobody registered; the text lists those there are."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        told = repr(name if len(name) <= 64 else f"{name[:61]}...")
        super().__init__(f"there is no {kind} called {told}; there are: {', '.join(sorted(known))}")


class NotBuilt(ConfigError):
    """A field value of the rule book that this version cannot play."""


class PositionError(RefereeError):
    """A text that is no position, or a position that cannot be."""


class RecordError(RefereeError):
    """A record that cannot be read back, or does not hold together."""


class StoreError(RefereeError):
    """A record that could not be kept: a full disk, a read-only folder."""


class RefereeBug(RefereeError):
    """An invariant broke. The game is void, and it is nobody's fault but ours."""
