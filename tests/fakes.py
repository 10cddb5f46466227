"""
Stand-ins that several tests share: games, players, dice, clocks, stores, each as small as can be.

Knows: the ports of the referee. Does not know: gRPC, processes, what is to be tested.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from referee.dice import SeededDice, commitment
from referee.errors import StoreError
from referee.match.ask import Ask
from referee.match.events import By, Event
from referee.match.faults import TOURNAMENT, FaultKind, Penalties
from referee.match.match import Match
from referee.match.phases import Phase
from referee.match.setup import SEATS_OF, Seated, Setup
from referee.match.time_bank import Clock
from referee.match.verdict import Over, Verdict
from referee.record.lines import Lines, header
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset, Teams, TeamWin
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.state import Step
from referee.seats.player import Chair

SEED: Final = bytes(range(32))
"""A seed for games whose dice do not matter."""

NAMES: Final = ("ann", "ben", "cleo", "dan")


RELAY: Final = replace(ruleset("pressman_teams"), name="pressman_relay", team_win=TeamWin.BOTH_MEMBERS)
"""A ruleset of an organiser's own: a seat that has finished plays on with its partner's pawns."""


@cache
def rules_of(name: str) -> Rules:
    """Return the rules called *name*, compiled once; `RELAY` has a name too."""
    return Rules(RELAY if name == RELAY.name else ruleset(name))


def tables_of(ruleset: Ruleset) -> dict[int, tuple[int, ...]]:
    """Return the seats that *ruleset* can be played on, by how many they are: teams take all four."""
    return {n: seats for n, seats in SEATS_OF.items() if n == len(SEATS) or ruleset.teams is Teams.NONE}


TABLES: Final = [(name, seats) for name, rules in RULESETS.items() for seats in tables_of(rules).values()]
"""Every ruleset on every number of seats."""


def a_setup(
    rules: Rules | str = "winning_moves",
    seats: Sequence[int] = (0, 2),
    *,
    seed: bytes = SEED,
    clock: Clock | None = None,
    penalties: Penalties = TOURNAMENT,
    ask_forced: bool = False,
    max_throws: int = 0,
    game: str = "game",
) -> Setup:
    """Return a game before its first throw."""
    rules = rules_of(rules) if isinstance(rules, str) else rules
    return Setup(
        number=7,
        game=game,
        ruleset=rules.ruleset,
        seats=tuple(Seated(seat=seat, name=NAMES[seat], bot="fake", version="1") for seat in seats),
        clock=clock or Clock(),
        penalties=penalties,
        commitment=commitment(seed),
        ask_forced=ask_forced,
        max_throws=max_throws,
    )


class ScriptedDice:
    """Dice that fall as they are told, and go on as *seed* has it when the script is over."""

    def __init__(self, throws: Iterable[tuple[int, ...]] = (), seed: bytes = SEED) -> None:
        self._throws = list(throws)
        self._rest = SeededDice(seed)
        self.thrown: list[tuple[int, int, int]] = []

    def throw(self, seat: int, number: int, count: int) -> tuple[int, ...]:
        """Return the next throw of the script; remember who asked for which."""
        self.thrown.append((seat, number, count))
        return self._throws.pop(0) if self._throws else self._rest.throw(seat, number, count)


Choice = Callable[[Ask], Sequence[Step]]


def first_step(ask: Ask) -> Sequence[Step]:
    """Choose the first step that was offered."""
    return ask.steps[:1]


class FakePlayer:
    """
    Remembers what it is told. Answers at once as `choose` says; without it, when the test says so.

    It accepts its offer at once unless `accepts` is False.
    """

    def __init__(
        self,
        name: str = "fake",
        choose: Choice | None = None,
        *,
        accepts: bool = True,
        wants_plays: bool = False,
        wants_events: bool = False,
        wants_confirmations: bool = False,
    ) -> None:
        self.seated = Seated(seat=0, name=name, bot="fake", version="1")
        self.choose = choose
        self.accepts = accepts
        self.wants_plays = wants_plays
        self.wants_events = wants_events
        self.wants_confirmations = wants_confirmations
        self.prints = ""
        self.chair: Chair
        self.offers: list[tuple[Setup, int]] = []
        self.asks: list[Ask] = []
        self.verdicts: list[Verdict] = []
        self.lines: list[str] = []
        self.overs: list[Over] = []

    def printed(self) -> str:
        return self.prints

    def offer(self, setup: Setup, chair: Chair, recorded: int) -> None:
        self.offers.append((setup, recorded))
        self.chair = chair
        if self.accepts:
            chair.ready()

    def ask(self, ask: Ask) -> Sequence[Step] | None:
        self.asks.append(ask)
        return None if self.choose is None else self.choose(ask)

    def verdict(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)

    def happened(self, game: int, lines: Sequence[str]) -> None:
        self.lines += lines

    def over(self, over: Over) -> None:
        self.overs.append(over)

    @property
    def faults(self) -> list[FaultKind]:
        """Return the faults that it was told of."""
        return [verdict.kind for verdict in self.verdicts if verdict.kind is not None]


class FakeClock:
    """A clock that stands still until it is told to go on; in seconds."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def go(self, seconds: float) -> float:
        """Let *seconds* pass; return the time."""
        self.now += seconds
        return self.now


class BrokenStore:
    """Keeps lines like a store in memory, but fails at the append with number *append*, or at the sealing."""

    def __init__(self, *, append: int = 0, seal: bool = False) -> None:
        self.lines: list[str] = []
        self.closed = 0
        self.appends = 0
        self._append = append
        self._seal = seal

    def append(self, lines: Sequence[str]) -> None:
        self.appends += 1
        if self.appends == self._append:
            raise StoreError("record fake.jsonl cannot be written: No space left on device")
        self.lines += lines

    def seal(self) -> None:
        if self._seal:
            raise StoreError("record fake.jsonl cannot be brought to disk: Input/output error")

    def close(self) -> None:
        self.closed += 1


def played(match: Match, dice: ScriptedDice | SeededDice, choose: Choice = first_step) -> list[Event]:
    """Play *match* to its end without a host; return all events but those taken away before."""
    while match.phase is not Phase.OVER:
        if match.phase is not Phase.CHOICE:
            match.thrown(dice.throw(*match.to_throw))
        elif len(match.legal) == 1:
            match.step(match.legal[0], By.FORCED)
        else:
            ask = match.ask()
            match.step(choose(ask)[0], By.BOT, ask.number, 250 + ask.number % 7, 0)
    return match.events


def recorded(setup: Setup, events: Iterable[Event]) -> list[str]:
    """Return the lines of a record."""
    lines = Lines(setup.ruleset)
    return [header(setup), *(lines.line(event) for event in events)]
