"""
A tournament file, checked: what will be played, by whom, under which rules and times.

Knows: the whole of a plan, and what one takes in its text. `docs/tournaments.md` tells organisers.
Does not know: whether the bots exist (`runner`), how games are played.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.files.source import Source, read_file
from referee.match.faults import Penalties
from referee.match.setup import MOST_THROWS
from referee.match.time_bank import Clock
from referee.rules.combinations import require_seats
from referee.rules.ruleset import Ruleset
from tournaments.formats.port import Format
from tournaments.plan import settings
from tournaments.plan.settings import KEYS, PlannedBot
from tournaments.results import Field

MOST_BYTES: Final = 1 << 20
"""So long may a plan be: room for ten thousand entrants."""

MOST_GAMES: Final = 2**31 - 1
"""A game's number travels in messages as 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """
    A tournament before it begins. `text` is the file, byte by byte; `base` is where relative bot
    folders are looked for. `seed` is None when the secret of the dice is to be drawn, `workers` when their
    number depends on jobs, cores and bots.
    """

    source: Source
    text: bytes
    base: Path
    name: str
    format: Format
    ruleset: Ruleset
    seats: int
    rounds: int
    jobs: int
    workers: int | None
    penalties: Penalties
    max_throws: int
    ask_forced: bool
    same_dice: bool
    seed: bytes | None
    listen: str | None
    clock: Clock
    entrants: tuple[PlannedBot, ...]

    @property
    def field(self) -> Field:
        """Return what the format needs."""
        names = tuple(entrant.name for entrant in self.entrants)
        return Field(names=names, seats=self.seats, rounds=self.rounds, same_dice=self.same_dice)

    @property
    def games(self) -> int:
        """Return how many games there are."""
        return self.format.count(self.field)

    def wrong_bot(self, entrant: int, sentence: str) -> ConfigError:
        """Return the error that *sentence* is true of the bot of an entrant, counted from 0."""
        return self.source.wrong(("entrants", entrant, "bot"), f": {sentence}")

    def resolved(self) -> dict[str, object]:
        """Return every setting, defaults too, for people to read; no seed and no token is among them."""
        times: dict[str, object] = {key: getattr(self.clock, key).total_seconds() for key in settings.TIMES}
        costs = {kind.value: cost.value for kind, cost in self.penalties.costs.items()}
        return {
            "name": self.name,
            "format": self.format.name,
            "ruleset": {
                "name": self.ruleset.name,
                "digest": self.ruleset.digest().hex(),
                "fields": self.ruleset.as_text(),
            },
            "seats": self.seats,
            "rounds": self.rounds,
            "games": self.games,
            "penalties": {"name": self.penalties.name, "strikes": self.penalties.strikes, "costs": costs},
            "max_throws": self.max_throws,
            "ask_forced": self.ask_forced,
            "same_dice": self.same_dice,
            "time_s": {**times, "grace_times": self.clock.grace_times},
            "entrants": [{"name": entrant.name, "bot": entrant.bot} for entrant in self.entrants],
        }


def load(path: Path, base: Path | None = None) -> Plan:
    """
    Return the plan in the file *path*; bots are looked for from *base*, its own folder if None.

    Raises:
        ConfigError: The file cannot be read, or anything in it is wrong; one sentence with file, line
            and key.
    """
    text = read_file(path, MOST_BYTES, "a plan")
    return read(str(path), text, base or path.resolve().parent, path.stem)


def read(name: str, text: bytes, base: Path, title: str = "tournament", kept: Ruleset | None = None) -> Plan:
    """
    Return the plan that *text* holds. Messages call it *name*; *title* is its own name by default.

    Where the plan names a file with a ruleset, *kept* is what that file held when the tournament began.

    Raises:
        ConfigError: Anything in it is wrong; one sentence with file, line and key.
    """
    source = Source(name, text, "a plan")
    top = source.table()
    top.refuse_unknown(KEYS)
    entrants = settings.entrants(source, top)
    plan = Plan(
        source=source,
        text=text,
        base=base,
        name=settings.name(top, title),
        format=settings.event_format(top),
        ruleset=settings.ruleset(source, top, base, kept),
        seats=top.whole("seats", low=2, high=4),
        rounds=top.whole("rounds", 1, low=1, high=1_000_000_000),
        jobs=top.whole("jobs", 1, low=1, high=10_000),
        workers=top.whole("workers", low=1, high=10_000) if "workers" in top else None,
        penalties=settings.penalties(source, top),
        max_throws=top.whole("max_throws", 0, low=0, high=MOST_THROWS),
        ask_forced=top.flag("ask_forced", default=False),
        same_dice=top.flag("same_dice", default=True),
        seed=settings.seed(top),
        listen=settings.listen(top, entrants),
        clock=settings.clock(source, top),
        entrants=entrants,
    )
    try:
        require_seats(plan.ruleset, plan.seats)
    except ConfigError as error:
        raise top.wrong("seats", f": {error}") from None
    try:
        plan.format.check(plan.field)
    except ConfigError as error:
        raise top.wrong("entrants", f": {error}") from None
    if plan.games > MOST_GAMES:
        raise top.wrong("rounds", f" makes {plan.games} games of it, and {MOST_GAMES} is the most")
    return plan
