"""
The settings of a plan, one function each: the value, or one sentence on what is wrong with it.

Knows: which keys there are, what each may be, and which have no effect beside others.
Does not know: the order in which they are read, files, bots.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.files.rulesets import ENDING, extended, ruleset_called
from referee.files.source import Section, Source
from referee.match import faults
from referee.match.faults import ALWAYS_THE_SEAT, TOURNAMENT, Cost, FaultKind, Penalties
from referee.match.time_bank import Clock
from referee.rules.ruleset import Ruleset
from tournaments.formats import tournament_format
from tournaments.formats.port import Format

KEYS: Final = (
    "name",
    "format",
    "ruleset",
    "seats",
    "rounds",
    "jobs",
    "workers",
    "penalties",
    "max_throws",
    "ask_forced",
    "same_dice",
    "seed",
    "listen",
    "time",
    "entrants",
)
TIMES: Final = ("startup", "ready", "per_move", "bank", "increment", "grace")
SEED_DIGITS: Final = 64
REMOTE: Final = "remote:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBot:
    """An entrant as the plan names it. `bot` is a folder, `builtin:…`, `exec:…` or `remote:…`."""

    name: str
    bot: str
    token: str | None = None


@contextmanager
def _told_of(section: Section, key: str) -> Iterator[None]:
    """Tell of an error that has no place in the file yet as one of *key*."""
    try:
        yield
    except ConfigError as error:
        raise section.wrong(key, f": {error}") from None


def name(section: Section, default: str | None = None) -> str:
    """Return what a plan, an entrant or a ruleset is called."""
    text = section.text("name", default)
    if not text.strip() or not text.isprintable() or len(text) > 64:
        raise section.wrong(
            "name", " must be 1 to 64 characters, none of them a line feed or another control"
        )
    return text


def event_format(top: Section) -> Format:
    """Return the format of the tournament."""
    text = top.text("format", "round_robin")
    with _told_of(top, "format"):
        return tournament_format(text)


def ruleset(source: Source, top: Section, base: Path, kept: Ruleset | None) -> Ruleset:
    """
    Return a ruleset by its name, or one of the organiser's own, which is a table or a file.

    Files are looked for from *base*. What came of them when the tournament began may be *kept*; it stands.
    """
    own = isinstance(top.raw("ruleset"), dict)
    section, key = (source.table(("ruleset",)), "extends") if own else (top, "ruleset")
    if kept is not None and str(section.raw(key)).endswith(ENDING):
        return kept
    if own:
        return extended(section, base, "own", elsewhere=KEYS).ruleset
    with _told_of(top, key):
        return ruleset_called(top.text(key), base)


def penalties(source: Source, top: Section) -> Penalties:
    """Return a table of penalties by its name, or one of the organiser's own, which is a table."""
    if isinstance(top.raw("penalties"), dict):
        return _own_penalties(source.table(("penalties",)))
    text = top.text("penalties", TOURNAMENT.name)
    with _told_of(top, "penalties"):
        return faults.penalties(text)


def _own_penalties(table: Section) -> Penalties:
    table.refuse_unknown(("strikes", *FaultKind), KEYS)
    costs: dict[FaultKind, Cost] = dict(TOURNAMENT.costs)
    for kind in FaultKind:
        if kind in table:
            costs[kind] = _cost(table, kind)
    if "strikes" in table and Cost.STRIKE not in costs.values():
        raise table.wrong("strikes", " has no effect: no fault costs a strike")
    return Penalties("own", costs, strikes=table.whole("strikes", TOURNAMENT.strikes, low=1, high=1_000_000))


def _cost(table: Section, kind: FaultKind) -> Cost:
    text = table.text(kind)
    if text not in [cost.value for cost in Cost]:
        raise table.wrong(kind, f" must be 'note', 'strike' or 'seat', not {text!r}")
    if kind in ALWAYS_THE_SEAT and text != Cost.SEAT:
        raise table.wrong(kind, " must be 'seat', as nobody is left to play")
    return Cost(text)


def seed(top: Section) -> bytes | None:
    """Return the secret that all dice come from, None if it is to be drawn."""
    if "seed" not in top:
        return None
    text = top.text("seed")
    if not re.fullmatch("[0-9a-fA-F]+", text) or len(text) != SEED_DIGITS:
        # The seed is not repeated: more people may read a message than the file.
        raise top.wrong("seed", f" must be {SEED_DIGITS} hexadecimal digits, and is {len(text)} characters")
    return bytes.fromhex(text)


def listen(top: Section, entrants: tuple[PlannedBot, ...]) -> str | None:
    """Return the address at which remote bots dial in, None if there are none."""
    remote = [entrant.name for entrant in entrants if entrant.bot.startswith(REMOTE)]
    if "listen" not in top:
        if remote:
            where = "the plan must say where, such as listen = '0.0.0.0:50051'"
            raise top.wrong("entrants", f": {remote[0]!r} dials in, so {where}")
        return None
    address = top.text("listen")
    if not remote:
        raise top.wrong("listen", " has no effect: no entrant is a remote: bot")
    port = re.fullmatch(r"\S+:(\d{1,5})", address)
    if not port or not 1 <= int(port[1]) <= 65535:
        raise top.wrong("listen", f" must be an address and a port, such as '0.0.0.0:50051', not {address!r}")
    return address


def clock(source: Source, top: Section) -> Clock:
    """Return the time settings."""
    if "time" not in top:
        return Clock()
    if not isinstance(top.raw("time"), dict):
        raise top.wrong("time", " must be a table: write [time], and below it per_move = '1s' and its like")
    time = source.table(("time",))
    time.refuse_unknown((*TIMES, "grace_times"), KEYS)
    usual = Clock()
    times = {key: time.duration(key, getattr(usual, key)) for key in TIMES}
    grace_times = time.whole("grace_times", usual.grace_times, low=0, high=1_000_000)
    for key in ("startup", "ready", "per_move"):
        if not times[key]:
            raise time.wrong(key, " must be more than 0")
    if "grace_times" in time and grace_times and not times["grace"]:
        raise time.wrong("grace_times", " has no effect: grace is 0")
    if "grace" in time and times["grace"] and not grace_times:
        raise time.wrong("grace", " has no effect: grace_times is 0")
    return Clock(**times, grace_times=grace_times)


def entrants(source: Source, top: Section) -> tuple[PlannedBot, ...]:
    """Return who takes part, in the order of the file."""
    listed = top.raw("entrants")
    each = "write [[entrants]] with name and bot for each"
    if "entrants" not in top:
        raise ConfigError(f"{source.name}: there are no entrants: {each}")
    if not isinstance(listed, list) or not all(isinstance(entrant, dict) for entrant in listed):
        raise top.wrong("entrants", f" must be tables: {each}")
    found: dict[str, PlannedBot] = {}
    for index in range(len(listed)):
        table = source.table(("entrants", index))
        one = _entrant(table)
        if one.name in found:
            first = list(found).index(one.name) + 1
            raise table.wrong(
                "name", f" {one.name!r} is that of entrants[{first}] already: each needs its own"
            )
        found[one.name] = one
    return tuple(found.values())


def _entrant(table: Section) -> PlannedBot:
    table.refuse_unknown(("name", "bot", "token"), KEYS)
    bot = table.text("bot")
    token = table.text("token") if "token" in table else None
    remote = bot.startswith(REMOTE)
    if not bot.strip():
        raise table.wrong("bot", " must be a folder, builtin:NAME, exec:COMMAND or remote:NAME")
    if token is not None and not remote:
        raise table.wrong("token", " has no effect: only a remote: bot shows a token")
    if token is not None and not re.fullmatch(r"[!-~]{8,256}", token):
        raise table.wrong("token", " must be 8 to 256 printable characters without spaces")
    if remote and token is None:
        raise table.wrong("bot", ": a remote: bot shows a token, so write token = '...' below it")
    return PlannedBot(name=name(table), bot=bot, token=token)
