"""
One game at a desk: its clock stands still until the test lets it go on, and the test sweeps.

Knows: `Game` and what `Host` does for it. Does not know: what should come out.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.dice import Dice
from referee.host.game import Game
from referee.host.outcome import Outcome
from referee.host.pulse import BEAT, Pulse
from referee.match.events import Event
from referee.match.match import Match
from referee.match.setup import Setup
from referee.record.lines import header
from referee.record.stores.memory import MemoryStore
from referee.record.stores.store import RecordStore
from referee.rules.state import Step
from referee.seats.player import Player
from tests.fakes import SEED, FakeClock, FakePlayer, ScriptedDice, a_setup, rules_of

ENTERS: Final = (5, 1)
"""A throw that lets a seat enter one of four pawns, which then must go one square."""


class Desk:
    """A game, its players, and the time."""

    def __init__(
        self,
        clock: FakeClock,
        *players: Player,
        setup: Setup | None = None,
        dice: Dice | None = None,
        store: RecordStore | None = None,
        match: Match | None = None,
    ) -> None:
        self.clock: Final = clock
        self.pulse: Final = Pulse(clock.now)
        self.setup = match.setup if match else setup or a_setup("racket")
        self.match: Final = match or Match(self.setup, rules_of(self.setup.ruleset.name))
        self.players: Final[Mapping[int, Player]] = dict(zip(self.match.seats, players, strict=True))
        self.store: Final = MemoryStore() if store is None else store
        self._outcome: Final[asyncio.Future[Outcome]] = asyncio.get_running_loop().create_future()
        self.game: Final = Game(
            self.match,
            self.players,
            ScriptedDice([ENTERS]) if dice is None else dice,
            SEED,
            self.store,
            self.pulse,
            lambda _, outcome: self._outcome.set_result(outcome),
        )

    def start(self, past: Sequence[Event] = ()) -> None:
        """Offer the seats."""
        self.game.start(past)

    def go(self, seconds: float) -> float:
        """Let *seconds* pass with the pulse beating; return the time."""
        until = self.clock.now + seconds
        while self.clock.now + BEAT < until:
            self.pulse.beat(self.clock.go(BEAT))
        self.clock.now = until
        self.pulse.beat(until)
        return until

    def stall(self, seconds: float) -> float:
        """Let *seconds* pass in which nothing beats; return the time."""
        return self.clock.go(seconds)

    def sweep(self) -> None:
        """Beat, and look at the deadline."""
        self.pulse.beat(self.clock.now)
        self.game.guarded(self.game.overdue, self.clock.now)

    async def over(self) -> Outcome:
        """Wait for the end to be on disk."""
        async with asyncio.timeout(30):
            return await self._outcome

    def lines(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the lines written so far, those of type *kind* if one is given."""
        self.game.flush()
        assert isinstance(self.store, MemoryStore)
        read = [json.loads(line) for line in self.store.lines]
        return [line for line in read if not kind or line["type"] == kind]

    @property
    def record_header(self) -> str:
        """Return the first line of the record, which is written before a game begins."""
        return header(self.setup)

    def record(self) -> list[str]:
        """Return the record as it would be on disk, the header first."""
        self.game.flush()
        assert isinstance(self.store, MemoryStore)
        return [self.record_header, *self.store.lines]


def answer(player: FakePlayer, *steps: Step, now: float, ask: int = 0) -> bool:
    """Let *player* answer its last ask, or *ask*; without *steps*, with the first that was offered."""
    last = player.asks[-1]
    codes = [step.code for step in steps or last.steps[:1]]
    return player.chair.answered(ask or last.number, codes, now)
