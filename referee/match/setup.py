"""What a game is, before its first throw: who plays, by which rules, clock and penalties."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.errors import ConfigError
from referee.match.faults import Penalties
from referee.match.time_bank import Clock
from referee.rules.ruleset import Ruleset

SEATS_OF: Final[Mapping[int, tuple[int, ...]]] = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""The seats that are taken in a game of two, three and four: two sit opposite each other."""

MOST_THROWS: Final = 1_000_000_000
"""The highest limit of throws that can be set: far beyond any game, and within what messages carry."""


def require_printable(text: str) -> None:
    """
    Refuse a text that cannot be shown as it is.

    Raises:
        ConfigError: It holds a control, a line feed, or a space that is none of the usual.
    """
    if not text.isprintable():
        raise ConfigError(f"{text[:64]!r} holds characters that cannot be printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """Who sits at one seat. All texts are for people and tables; `name` is the organiser's."""

    seat: int
    name: str
    bot: str = ""
    version: str = ""
    author: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        """Refuse what a terminal would obey: these texts are shown in many."""
        for text in (self.name, self.bot, self.version, self.author, self.language):
            require_printable(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """
    A game before its first throw.

    `number` is the game's number in messages, `game` its name in records. `seats` ascend.
    `commitment` is SHA-256 of the dice's seed. `max_throws` 0 means no limit; at the limit the game
    ends without a winner.
    """

    number: int
    game: str
    ruleset: Ruleset
    seats: tuple[Seated, ...]
    clock: Clock
    penalties: Penalties
    commitment: bytes
    ask_forced: bool = False
    max_throws: int = 0

    def __post_init__(self) -> None:
        """Refuse a name that a terminal would obey."""
        require_printable(self.game)
