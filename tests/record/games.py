"""
Records for tests to read: whole games by chance, with dice that follow from a seed.

Knows: how a game is brought along (tests/match/driver.py) and written. Does not know: replay.
"""

import hashlib
import json
from random import Random
from typing import Any, NamedTuple

from referee.dice import SeededDice, commitment
from referee.match.events import Event, Revealed
from referee.match.match import Match
from referee.match.phases import Phase
from tests.fakes import recorded
from tests.match.driver import any_match, go_on


class Recorded(NamedTuple):
    """A finished game: the match as it ended, its events and its lines."""

    match: Match
    events: list[Event]
    lines: list[str]


def seed_of(number: int) -> bytes:
    """Return the dice's seed of game *number*."""
    return hashlib.sha256(b"record %d" % number).digest()


def a_record(number: int, trouble: float = 0.0, *, throws: int = 0) -> Recorded:
    """Return game *number*, by chance, with *trouble*'s chance at every moment; *throws* limit it further."""
    random = Random(number)
    seed = seed_of(number)
    match = any_match(random, commitment(seed), throws)
    dice = SeededDice(seed)
    while match.phase is not Phase.OVER:
        go_on(match, random, trouble, dice)
    events = [*match.events, *([Revealed(seed)] if match.ended else [])]
    return Recorded(match, events, recorded(match.setup, events))


def edited(line: str, **fields: Any) -> str:
    """Return *line* with other *fields*, written as the referee writes."""
    return json.dumps(json.loads(line) | fields, separators=(",", ":"), ensure_ascii=False)
