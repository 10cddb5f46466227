"""
The lobby of a long-running gateway: bots that dial in wait here, are seated, and play on and on.

Games that an earlier run left unfinished come first. For new ones those who have played least are seated
first; a game begins as soon as enough of them are free.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from time import monotonic
from typing import Final

import structlog

from referee.dice import new_seed
from referee.errors import RecordError, RefereeError, StoreError
from referee.host.outcome import Outcome
from referee.match.faults import Cost, FaultKind, Penalties
from referee.match.setup import SEATS_OF
from referee.match.time_bank import Clock
from referee.rules.engine import Rules
from referee.server.house import GameOrder, House
from referee.server.records import Records, Unfinished, keep, put_away
from referee.server.rests import Rests

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.lobby")

PATIENCE: Final = 10
"""After so many games in a row that did not count, the trouble will not go away by itself."""


class Lobby:
    """
    Seats waiting bots, one game after the other.

    `ended`, `void` and `left` count this run's games: those that ended, those that do not count, and
    those that the next run can go on with. `trouble` says why the lobby stopped by itself, if it did.
    """

    def __init__(
        self,
        house: House,
        rules: Sequence[Rules],
        *,
        seats: int,
        clock: Clock,
        penalties: Penalties,
        max_throws: int,
        records: Records,
        unfinished: Sequence[Unfinished] = (),
        games: int = 0,
        rests: Rests | None = None,
    ) -> None:
        """
        Go on with *unfinished* games, then play games of *seats* bots by *rules* in turn.

        Records go to *records*. After *games* that ended the lobby stops by itself; 0 sets no end.
        """
        self.ended = 0
        self.void = 0
        self.left = 0
        self.trouble = ""
        self._house = house
        self._rules = rules
        self._seats = SEATS_OF[seats]
        self._clock = clock
        self._penalties = penalties
        self._max_throws = max_throws
        self._records = records
        self._unfinished = list(unfinished)
        self._most = games
        self._rests = rests or Rests()
        self._failed = 0  # in a row
        self._played: Counter[str] = Counter()
        self._chosen: set[str] = set()  # for a game that has not got its players yet
        self._busy: Counter[str] = Counter()  # in games that are not over
        self._running = 0
        self._games: set[asyncio.Task[None]] = set()

    async def run(self, stopped: asyncio.Event) -> None:
        """Seat bots until *stopped*, or until enough games have ended."""
        changed = self._house.bots_changed
        stopping = asyncio.create_task(stopped.wait())
        try:
            while not (stopped.is_set() or self.trouble or 0 < self._most <= self.ended):
                changed.clear()
                try:
                    begun = self._seat()
                except StoreError as error:
                    self.trouble = str(error)
                    return
                if not begun:
                    looking = asyncio.create_task(changed.wait())
                    await asyncio.wait(
                        {looking, stopping},
                        timeout=self._rests.next_end(monotonic()),
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                    looking.cancel()
        finally:
            stopping.cancel()
            self._house.drain()
            if self._games:
                await asyncio.wait(self._games)
            self.left += len(self._unfinished)

    def _seat(self) -> bool:
        """Start the next game, if its bots are there. Return whether one was started."""
        if 0 < self._most <= self.ended + self._running:
            return False
        now = monotonic()
        waiting = {
            name
            for name in self._house.waiting_bots()
            if name not in self._chosen and not self._rests.rests(name, now)
        }
        for game in self._unfinished:
            if game.waits_for <= waiting:
                self._unfinished.remove(game)
                self._start(game.order, game.waits_for, again=True)
                return True
        # Who is only waited for by a bot that plays elsewhere will soon go on: no new game comes between.
        soon = waiting.union(self._busy)
        for game in self._unfinished:
            if game.waits_for <= soon:
                waiting -= game.waits_for
        if len(waiting) < len(self._seats):
            return False
        chosen = sorted(waiting, key=lambda name: (self._played[name], name))[: len(self._seats)]
        self._start(self._new(chosen), chosen, again=False)
        return True

    def _new(self, names: Sequence[str]) -> GameOrder:
        number, record = self._records.new()
        # All rulesets are played at one seating before the next: else each would know only some of them.
        turn = number // len(self._rules) % len(names)
        return GameOrder(
            number=number,
            game=record.stem,
            rules=self._rules[number % len(self._rules)],
            seats=dict(zip(self._seats, (*names[turn:], *names[:turn]), strict=True)),
            seed=new_seed(),
            clock=self._clock,
            penalties=self._penalties,
            max_throws=self._max_throws,
            record=record,
        )

    def _start(self, order: GameOrder, names: Collection[str], *, again: bool) -> None:
        log.info("goes on" if again else "begins", game=order.game, bots=dict(order.seats))
        self._played.update(names)
        self._chosen.update(names)
        self._busy.update(names)
        self._running += 1
        task = asyncio.create_task(self._play(order, names, again=again), name=order.game)
        self._games.add(task)
        task.add_done_callback(self._games.discard)

    async def _play(self, order: GameOrder, names: Collection[str], *, again: bool) -> None:
        choosing = set(names)  # each is chosen for another game as soon as this one has got it

        def seated() -> None:
            self._chosen.difference_update(choosing)
            choosing.clear()
            self._house.bots_changed.set()

        why: str | None = None
        over = alone = False
        try:
            if not again:
                await asyncio.to_thread(keep, order)
            outcome = await self._house.play(order, seated)
            over = not outcome.adjourned
            why = self._count(order, names, outcome)
        except RefereeError as error:
            alone = again and isinstance(error, RecordError)  # no trouble of this run's
            if alone:
                log.warning("record cannot be gone on with", record=str(order.record), detail=str(error))
            else:
                log.error("game not played", game=order.game, detail=str(error))
                why = str(error)
        except Exception as error:  # our own bug, whatever it is: others may play on
            log.error("bug", game=order.game, exc_info=error)
            why = f"the referee broke: {type(error).__name__}: {error}"
        if not alone:
            self.left += put_away(order, over=over)
        seated()
        self._busy -= Counter(names)
        self._running -= 1
        self._failed = self._failed + 1 if why else 0
        if self._failed >= PATIENCE:
            self.trouble = f"{PATIENCE} games one after the other did not count: {why}"
        self._house.bots_changed.set()

    def _count(self, order: GameOrder, names: Collection[str], outcome: Outcome) -> str | None:
        """Count a game in; return why it does not count, None if it does, or was only stopped."""
        if outcome.trouble is not None:
            log.error("game stopped", game=order.game, detail=outcome.trouble)
        if outcome.voided is not None:
            self.void += 1
        if outcome.ended is not None:
            self.ended += 1
            for seat, name in order.seats.items():
                if name in names:
                    self._note(name, missed=_missed(seat, outcome))
        return outcome.voided or outcome.trouble

    def _note(self, name: str, *, missed: bool) -> None:
        if missed:
            seconds = self._rests.missed(name, monotonic())
            log.warning(
                "rests", bot=name, seconds=round(seconds, 1), detail="it lost its seat without an answer"
            )
        else:
            self._rests.played(name)


def _missed(seat: int, outcome: Outcome) -> bool:
    """Tell whether the bot at *seat* did not come, or lost the seat before its first answer that stood."""
    answered = outcome.tally.seats[seat].answers > 0
    return any(
        fault.seat == seat and fault.cost is Cost.SEAT and (fault.kind is FaultKind.NO_SHOW or not answered)
        for fault in outcome.tally.faulted
    )
