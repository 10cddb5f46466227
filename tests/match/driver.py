"""
A match brought along by chance, and watched event by event.

Knows: what a host may do to a match at any moment. Does not know: whether the match does right.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import NamedTuple

from referee.dice import Dice
from referee.match.events import By, Event
from referee.match.faults import ALWAYS_THE_SEAT, STRICT, TOURNAMENT, Cost, FaultKind, Penalties
from referee.match.match import Absence, Match
from referee.match.phases import NEXT, Phase
from referee.match.time_bank import Clock
from tests.fakes import RELAY, a_setup, rules_of, tables_of

TEXTS = ("", "why", 'naïve “quoted” \\ "text"', "two\nlines\ttab", "\u2028\x00\x7f", "🎲" * 40, "{}", "null")
"""What a bot may have sent, or said before it went."""

BANKED = Clock(bank=timedelta(seconds=2), increment=timedelta(milliseconds=5), grace_times=1)
"""A clock on which time is saved and spent."""

NOTES = Penalties(
    "notes",
    {kind: Cost.SEAT if kind in ALWAYS_THE_SEAT else Cost.NOTE for kind in FaultKind},
    strikes=2,
)
"""A table in which a mistake costs nothing."""


KINDS = (
    "winning_moves",
    "winning_moves_highest",
    "racket",
    "hasbro",
    "pahrcheesi",
    "casual_super",
    "casual_classic_couples",
    "pressman_teams",
    RELAY.name,
)
"""
One ruleset of each kind that a match can tell apart: who begins, by lowest, highest or seat, with one die or
two; one die and two; turns both ways; extra throws always, if played, if all was used; what a third one
costs; second laps; who came last of two; teams that win by one member and by both.
"""


class Transition(NamedTuple):
    """An event, the phase in which it happened and the phase in which it left the game."""

    before: Phase
    event: type[Event]
    after: Phase


class Log(list[Event]):
    """A match's list of events that remembers the phase in which each of them happened."""

    def __init__(self, match: Match) -> None:
        super().__init__(match.events)
        self._match = match
        self._seen: list[tuple[Phase, type[Event]]] = [(Phase.SEATING, type(event)) for event in self]
        match.events = self

    def append(self, event: Event) -> None:
        self._seen.append((self._match.phase, type(event)))
        super().append(event)

    def transitions(self) -> Iterator[Transition]:
        """Yield what happened so far."""
        after = [phase for phase, _ in self._seen[1:]] + [self._match.phase]
        for (before, event), then in zip(self._seen, after, strict=True):
            yield Transition(before, event, then)


def table() -> set[Transition]:
    """Return the table of phases, entry by entry."""
    return {
        Transition(before, event, after)
        for before, events in NEXT.items()
        for event, phases in events.items()
        for after in phases
    }


def seated(match: Match) -> list[int]:
    """Return the seats that are not lost."""
    return [seat for seat in match.seats if match.state.position[seat] is not None]


class LoadedDice:
    """Dice that fall as *random* has it, with more doublets than fall by themselves."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        random = self._random
        if random.random() < 0.4:
            return (random.randint(1, 6),) * count
        return tuple(random.randint(1, 6) for _ in range(count))


def any_match(random: Random, commitment: bytes = b"", throws: int = 0) -> Match:
    """Return a match before its first throw; with *throws* as its limit, if that is not 0."""
    rules = rules_of(random.choice(KINDS))
    setup = a_setup(
        rules,
        random.choice(list(tables_of(rules.ruleset).values())),
        clock=random.choice([Clock(), BANKED]),
        penalties=random.choice([STRICT, TOURNAMENT, NOTES]),
        max_throws=random.choice([0, 0, random.randint(1, 60)]),
        ask_forced=random.choice([False, True]),
    )
    return Match(replace(setup, commitment=commitment, max_throws=throws or setup.max_throws), rules)


def answer(match: Match, random: Random) -> None:
    """Answer one ask with one step or several, in time."""
    ask = match.ask()
    seat = match.state.seat
    elapsed = random.randint(0, match.prices.deadline(match.banks[seat]))
    match.step(random.choice(match.legal), By.BOT, ask.number, elapsed, random.randrange(50))
    while match.phase is Phase.CHOICE and random.random() < 0.5:
        match.step(random.choice(match.legal), By.BOT, ask.number)


def err(match: Match, random: Random) -> None:
    """Let a seat make a mistake."""
    seat = random.choice(seated(match))
    kind = random.choice([kind for kind in FaultKind if kind is not FaultKind.NO_SHOW])
    asked = match.phase is Phase.CHOICE and match.state.seat == seat
    if asked:
        match.ask()
    match.fault(
        seat,
        kind,
        random.choice(TEXTS),
        elapsed=random.randrange(2_000_000) if asked else None,
        raw=random.choice(TEXTS),
        stderr=random.choice(TEXTS),
    )


def go_on(match: Match, random: Random, trouble: float, dice: Dice) -> None:
    """Let one thing happen; with the chance *trouble*, one that should not."""
    if random.random() < trouble:
        seats = seated(match)
        match random.randrange(12):
            case 0:
                match.void(random.choice(TEXTS))
            case 1:
                absent = random.sample(seats, random.randint(1, len(seats)))
                match.no_show([Absence(seat, random.choice(TEXTS), random.choice(TEXTS)) for seat in absent])
            case _:
                err(match, random)
    elif match.phase is not Phase.CHOICE:
        match.thrown(dice.throw(*match.to_throw))
    elif len(match.legal) == 1 and not match.setup.ask_forced:
        match.step(match.legal[0], By.FORCED)
    else:
        answer(match, random)


def by_chance(seed: int, trouble: float) -> tuple[Match, Log]:
    """Play a game by chance to its end."""
    random = Random(seed)
    match = any_match(random)
    log = Log(match)
    dice = LoadedDice(random)
    while match.phase is not Phase.OVER:
        go_on(match, random, trouble, dice)
    return match, log
