"""
One game being played: throws, asks, answers and clocks, joined.

A game is a state machine driven by callbacks. It never waits: it puts an ask to a player, notes the
deadline, and goes on when the answer is brought to its chair, or when the sweep finds it late. No
task, future or timer is made for an ask; 128 games cost one sweep of 128 comparisons.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Final

import structlog

from referee.dice import Dice
from referee.errors import StoreError
from referee.host.outcome import Outcome
from referee.host.pulse import Pulse
from referee.match.events import By, Event, Faulted, Revealed
from referee.match.faults import Cost, FaultKind
from referee.match.match import Absence, Match
from referee.match.phases import Phase
from referee.match.tally import Tally
from referee.match.verdict import Ending, Over, Verdict
from referee.record.lines import Lines
from referee.record.stores.store import RecordStore
from referee.rules.notation import square_text, use_text
from referee.rules.state import Step
from referee.seats.player import Player

INLINE: Final = 32
"""So many answers that came at once are played before the loop gets its turn."""

VOIDS: Final = 0.25
"""A stall that takes more than this part of an answer's time makes a timeout void."""

UNSENT: Final = 0.040
"""Seconds an ask may wait for the transport before its clock starts all the same."""

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.game")


class GameChair:
    """A player's way to speak to a game; see `seats.player.Chair`."""

    __slots__ = ("_game", "answered", "seat", "sent")

    def __init__(self, game: "Game", seat: int) -> None:
        self._game = game
        self.seat = seat
        # Called for every ask, so they lead straight to the game.
        self.sent: Final = game.sent
        self.answered: Final = partial(game.answered, seat)

    def ready(self) -> bool:
        """Accept the offer."""
        return self._game.ready(self.seat)

    def absent(self, detail: str, stderr: str = "") -> None:
        """Turn the offer down."""
        self._game.absent(self.seat, detail, stderr)

    def asked_at(self) -> float:
        """Return when the open ask was sent."""
        return self._game.asked_at(self.seat)

    def hold(self) -> None:
        """Stop the clock."""
        self._game.hold(self.seat)

    def fault(self, kind: FaultKind, detail: str, raw: str = "", stderr: str = "") -> None:
        """Charge the seat."""
        self._game.fault(self.seat, kind, detail, raw, stderr)


class Game:
    """
    A game from its offers to its places. `over` is called once, when nothing is left to do.

    `deadline` is the moment after which the open ask is late, in seconds of the monotonic clock;
    None while nothing is waited for.
    """

    def __init__(
        self,
        match: Match,
        players: Mapping[int, Player],
        dice: Dice,
        seed: bytes | None,
        store: RecordStore,
        pulse: Pulse,
        over: Callable[["Game", Outcome], None],
    ) -> None:
        """Prepare; nothing happens before `start`. *match* may have been played part of the way."""
        self.match: Final = match
        self.deadline: float | None = None
        self.tally: Final = Tally(match.seats)
        self._players: Final = players
        self._dice: Final = dice
        self._seed: Final = seed  # None: it stays secret beyond this game
        self._store: Final = store
        self._pulse: Final = pulse
        self._over: Final = over
        self._lines: Final = Lines(match.setup.ruleset)
        self._pending: list[str] = []
        self._whole = 0  # so many of the match's events are what an answer led to, with all that followed
        self._watchers: Final = [(seat, p) for seat, p in players.items() if p.wants_events]
        self._started = False
        self._closed = False
        self._seating: set[int] = set()  # seats that have not accepted yet
        self._absent: dict[int, Absence] = {}
        self._asked = -1  # the seat whose answer is waited for
        self._sent = 0.0
        self._stalled = 0.0  # the pulse's stalls when the ask was sent
        self._allowed = 0  # microseconds
        self._suspect = False
        self._again = False  # the open ask was sent twice already
        self._held = 0.0  # when the player who is asked was found gone
        self._end: list[str] = []  # the lines that tell the end, held back until they are on disk
        self._forgiven: dict[tuple[int, int], None] = {}  # (seat, ask): may still be answered, for nothing
        self._last: Final = dict.fromkeys(match.seats, 0)
        self._ask_forced: Final = match.setup.ask_forced
        self._log: Final = log.bind(game=match.setup.game)

    # The beginning.

    def start(self, past: Sequence[Event] = ()) -> None:
        """
        Offer the seats; play begins when all have answered or the time for it is over.

        *past* are the events that the record already has.
        """
        self.tally.count(past)
        recorded = len(past)
        setup = self.match.setup
        lost = {seat for together in self.match.lost for seat in together}
        seats = [seat for seat in self.match.seats if seat not in lost]
        self._seating = set(seats)
        self.deadline = monotonic() + setup.clock.ready.total_seconds()
        self._log.info("offered", seats=seats, ruleset=setup.ruleset.name, recorded=recorded)
        if self.match.phase is Phase.OVER:
            self.guarded(self._begin)
            return
        for seat in seats:
            self.guarded(self._players[seat].offer, setup, GameChair(self, seat), recorded)

    def ready(self, seat: int) -> bool:
        """Let *seat* have accepted. Return whether its offer was open."""
        if seat not in self._seating:
            return False
        self._seating.discard(seat)
        if not self._seating:
            self.guarded(self._begin)
        return True

    def absent(self, seat: int, detail: str, stderr: str) -> None:
        """Let nobody have taken *seat*, or let its player have gone before the beginning."""
        if not self._started:
            self._absent.setdefault(seat, Absence(seat, detail, stderr))
            self.ready(seat)

    def _begin(self) -> None:
        self.deadline = None
        self._started = True
        absences = [self._absent[seat] for seat in sorted(self._absent)]
        if absences:
            for seat, detail, _ in absences:
                self._log.warning("no show", seat=seat, bot=self._name(seat), detail=detail)
            self.match.no_show(absences)
            for seat, detail, _ in absences:
                self._tell(seat, 0, FaultKind.NO_SHOW, detail, Cost.SEAT, 0, ())
                self._leave(seat, detail)
        self._advance()

    # Play.

    def sent(self, ask: int, now: float) -> None:
        """Start the clock of *ask*, if it is still the open one."""
        if ask == self.match.asks and self._asked >= 0:
            self._sent = now
            self._stalled = self._pulse.stalled(now)
            self._suspect = False
            self.deadline = now + self._allowed / 1e6

    def asked_at(self, seat: int) -> float:
        """Return when the open ask of *seat* was sent; the end of all time where none is open."""
        return self._sent if self._asked == seat else inf

    def answered(self, seat: int, ask: int, codes: Sequence[int], now: float) -> bool:
        """Judge an answer. Return whether it had been asked for."""
        if self._asked != seat or ask != self.match.asks or self._closed:
            return self._unasked(seat, ask)
        lag = int((self._pulse.stalled(now) - self._stalled) * 1e6)
        elapsed = max(int((now - self._sent) * 1e6) - lag, 0)
        if self._again:
            self._forgiven[seat, ask] = None
        self._asked = -1
        self.deadline = None
        try:
            self._judge(seat, codes, elapsed, lag)
            self._advance()
        except Exception as error:  # noqa: BLE001 - our own bug, whatever it is: the game is void
            self._bug(error)
        return True

    def _judge(self, seat: int, codes: Sequence[int], elapsed: int, lag: int) -> None:
        match = self.match
        if elapsed > self._allowed:
            self._charge(seat, FaultKind.LATE, self._late_text(elapsed), elapsed)
            return
        if not codes:
            self._charge(seat, FaultKind.MALFORMED, "the answer holds no step", elapsed, "steps []")
            return
        step = _offered(match.legal, codes[0])
        if step is None:
            self._illegal(seat, codes, 0, elapsed)
            return
        self._last[seat] = elapsed
        match.step(step, By.BOT, match.asks, elapsed, lag)
        if len(codes) > 1 and not self._play_on(seat, codes):
            return
        if self._players[seat].wants_confirmations:
            self._tell(seat, match.asks, None, "", None, elapsed, ())

    def _play_on(self, seat: int, codes: Sequence[int]) -> bool:
        """Play the steps behind the first as if each had been asked for; False when one was a fault."""
        match = self.match
        ask = match.asks
        for index in range(1, len(codes)):
            while (step := _offered(match.legal, codes[index])) is None and match.phase is Phase.CHOICE:
                if self._ask_forced or len(match.legal) > 1:
                    self._illegal(seat, codes, index, None)
                    return False
                match.step(match.legal[0], By.FORCED)
            if step is None:
                break
            match.step(step, By.BOT, ask)
        return True

    def _illegal(self, seat: int, codes: Sequence[int], index: int, elapsed: int | None) -> None:
        match = self.match
        code = codes[index]
        step = Step.from_code(code)
        raw = f"steps {list(codes[:32])}"
        if step is None:
            self._charge(seat, FaultKind.MALFORMED, f"{code} is not the number of a step", elapsed, raw)
            return
        refusal = match.rules.explain(match.state, step)
        why = refusal.why if refusal else "it was not offered"
        told = f"{code} (pawn {step.pawn}, {use_text(step.use)} to {square_text(step.square)})"
        self._charge(seat, FaultKind.ILLEGAL, f"step {index + 1} of the answer, {told}: {why}", elapsed, raw)

    def _unasked(self, seat: int, ask: int) -> bool:
        """Deal with an answer that is not to the open ask. Return whether it may pass for asked for."""
        if self._forgiven.pop((seat, ask), 0) is None:
            return True
        detail = f"ask {ask} is not open" + (f"; ask {self.match.asks} is" if self._asked == seat else "")
        self.fault(seat, FaultKind.STALE, detail, f"ask {ask}", "")
        return False

    def _advance(self) -> None:
        """Throw, play what is forced, ask; until an answer has to be waited for."""
        if self._asked >= 0:  # a fault in between has brought the game on already
            return
        match = self.match
        inline = 0
        while True:
            if legal := match.legal:
                if len(legal) == 1 and not self._ask_forced:
                    match.step(legal[0], By.FORCED)
                    continue
                seat = match.state.seat
                answer = self._ask(seat)
                if answer is None:
                    break
                self._answer_inline(seat, answer)
                inline += 1
                if inline >= INLINE:
                    asyncio.get_running_loop().call_soon(self.guarded, self._advance)
                    break
            elif match.phase is Phase.OVER:
                break
            else:
                match.thrown(self._dice.throw(*match.to_throw))
        if match.phase is Phase.OVER:
            self._note()
            if not self._closed:
                self._close()
        elif self._watchers:
            self._note()
        else:  # many at once are written faster than one by one: see `flush`
            self._whole = len(match.events)

    def _ask(self, seat: int) -> Sequence[Step] | None:
        match = self.match
        player = self._players[seat]
        ask = match.ask(self._last[seat])
        if player.wants_plays:
            plays, cut = match.rules.plays(match.state)
            ask = ask._replace(plays=plays, cut=cut)
        self._allowed = match.prices.deadline(match.banks[seat])
        self._suspect = False
        self._again = False
        self._held = 0.0
        self._asked = seat
        answer = player.ask(ask)
        if answer is None:
            self._sent = now = monotonic()
            self._stalled = self._pulse.stalled(now)
            self.deadline = now + UNSENT + self._allowed / 1e6
        return answer

    def _answer_inline(self, seat: int, answer: Sequence[Step]) -> None:
        self._asked = -1
        self._judge(seat, [step.code for step in answer], 0, 0)

    # Time.

    def overdue(self, now: float) -> None:
        """
        Look at a deadline that has passed.

        The first look only marks it: an answer that was waiting while the loop stalled is read before
        the second. A timeout in whose course the referee itself stalled for long is void, and the ask is
        sent again, once; a short stall is given back. To be called `guarded`.
        """
        if self.deadline is None or now <= self.deadline or self._closed:
            return
        if not self._suspect:
            self._suspect = True
            return
        self._suspect = False
        if not self._started:
            self._not_ready()
            return
        lag = self._pulse.stalled(now) - self._stalled
        left = self._allowed / 1e6 - (now - self._sent - lag)
        if lag > VOIDS * self._allowed / 1e6 and not self._again:
            self._ask_again()
        elif left > 0:
            self.deadline = now + left  # what the referee stalled is given back
        else:
            self._too_late(now, lag)

    def _not_ready(self) -> None:
        ready = self.match.setup.clock.ready.total_seconds()
        for seat in sorted(self._seating):
            self._absent[seat] = Absence(seat, f"no ready within {ready * 1000:.0f} ms of the offer", "")
        self._seating.clear()
        self._begin()

    def _ask_again(self) -> None:
        seat = self._asked
        self._log.warning("timeout void", seat=seat, bot=self._name(seat), ask=self.match.asks)
        self._again = True
        self._sent = now = monotonic()
        self._stalled = self._pulse.stalled(now)
        self.deadline = now + UNSENT + self._allowed / 1e6
        ask = self.match.open_ask(self._last[seat])
        if self._players[seat].wants_plays:
            plays, cut = self.match.rules.plays(self.match.state)
            ask = ask._replace(plays=plays, cut=cut)
        self._players[seat].ask(ask)

    def _too_late(self, now: float, lag: float) -> None:
        seat = self._asked
        elapsed = max(int((now - self._sent - lag) * 1e6), 0)
        self._asked = -1
        self.deadline = None
        self._forgiven[seat, self.match.asks] = None
        self._charge(seat, FaultKind.LATE, self._late_text(elapsed), elapsed)
        self._advance()

    def _late_text(self, elapsed: int) -> str:
        prices = self.match.prices
        beyond = self._allowed - prices.per_move
        return (
            f"no answer within {self._allowed / 1000:g} ms (limit {prices.per_move / 1000:g}, "
            f"bank and grace {beyond / 1000:g}): {elapsed / 1000:.0f} ms"
        )

    def hold(self, seat: int) -> None:
        """Stop the clock of *seat*, whose player has gone: its fault is on the way."""
        if self._asked == seat:
            self.deadline = None
            self._held = monotonic()

    # Faults.

    def fault(self, seat: int, kind: FaultKind, detail: str, raw: str, stderr: str) -> None:
        """Charge *seat* with a fault that its player brought."""
        if self._closed or self.match.phase is Phase.OVER or self.match.state.position[seat] is None:
            return
        if self._started:
            self.guarded(self._fault, seat, kind, detail, raw, stderr)
        elif self.match.setup.penalties.costs[kind] is Cost.SEAT:
            self.absent(seat, detail, stderr)
        else:  # nothing was asked yet: it may be an answer from before a stop
            self._log.warning("fault before the beginning", seat=seat, kind=kind.value, detail=detail)

    def _fault(self, seat: int, kind: FaultKind, detail: str, raw: str, stderr: str) -> None:
        match = self.match
        elapsed = None
        asked = self._asked == seat
        if asked:
            now = self._held or monotonic()
            elapsed = max(int((now - self._sent - self._pulse.stalled(now) + self._stalled) * 1e6), 0)
        ask = match.asks
        cost = self._charge(seat, kind, detail, elapsed, raw, stderr)
        if asked and (cost is Cost.SEAT or match.spends_ask(kind)):
            self._forgiven[seat, ask] = None
            self._asked = -1
            self.deadline = None
        if match.phase is Phase.OVER:  # nobody is left to wait for
            self._asked = -1
            self.deadline = None
        if self._asked < 0:
            self._advance()
        else:
            self._note()

    def _charge(
        self,
        seat: int,
        kind: FaultKind,
        detail: str,
        elapsed: int | None = None,
        raw: str = "",
        stderr: str = "",
    ) -> Cost:
        """Charge a fault and tell the player what it costs and which substitute was played."""
        match = self.match
        asked = match.phase is Phase.CHOICE and match.state.seat == seat
        ask = match.asks if asked else 0
        substitute = match.legal[:1] if asked and match.spends_ask(kind) else ()
        printed = stderr or self._players[seat].printed()
        cost = match.fault(seat, kind, detail, elapsed=elapsed, raw=raw, stderr=printed)
        played = substitute if cost is not Cost.SEAT else ()
        self._log.warning(
            "faulted", seat=seat, bot=self._name(seat), kind=kind.value, cost=cost.value, detail=detail
        )
        self._tell(seat, ask, kind, detail, cost, elapsed or 0, played)
        if cost is Cost.SEAT:
            self._leave(seat, detail)
        return cost

    def _tell(
        self,
        seat: int,
        ask: int,
        kind: FaultKind | None,
        detail: str,
        cost: Cost | None,
        elapsed: int,
        played: tuple[Step, ...],
    ) -> None:
        match = self.match
        left = 0 if cost is Cost.SEAT else match.setup.penalties.strikes - match.strikes[seat]
        self._players[seat].verdict(
            Verdict(
                match.setup.number,
                ask,
                kind,
                detail,
                cost,
                elapsed,
                match.banks[seat].bank,
                played,
                left,
            )
        )

    def _leave(self, seat: int, detail: str) -> None:
        """Let a player go whose seat is lost while others play on."""
        if self.match.phase is not Phase.OVER:
            number = self.match.setup.number
            self._players[seat].over(
                Over(number, Ending.SEAT_LOST, None, None, f"the seat is lost: {detail}")
            )

    def _name(self, seat: int) -> str:
        return self._players[seat].seated.name

    # The end.

    def _note(self) -> None:
        """Take what happened from the match: to the record, the figures, and whoever watches."""
        events, self.match.events = self.match.events, []
        self._whole = 0
        if not events:
            return
        line = self._lines.line
        lines = [line(event) for event in events]
        self._pending += lines
        self.tally.count(events)
        if self.match.phase is Phase.OVER:
            self._end = [lines.pop()]  # nobody learns of it before it is on disk
        if lines and self._voided is None and self._watchers:
            # What a bot printed, and what it sent in error, is not for its opponents.
            told = [
                line(e._replace(raw="", stderr="")) if isinstance(e, Faulted) else x
                for e, x in zip(events, lines, strict=False)
            ]
            for seat, player in self._watchers:
                if self.match.state.position[seat] is not None:
                    player.happened(self.match.setup.number, told)

    def flush(self) -> None:
        """Write what has happened to the record."""
        self.guarded(self._note)
        if not self._pending or self._closed:
            return
        lines, self._pending = self._pending, []
        try:
            self._store.append(lines)
        except StoreError as error:
            self._trouble(error)

    def _close(self) -> None:
        """Bring the end to disk; only then does anybody learn of it."""
        self._closed = True
        self._asked = -1
        self.deadline = None
        ended = self.match.ended
        if ended is not None and self._seed is not None:
            revealed = self._lines.line(Revealed(self._seed))
            self._pending.append(revealed)
            self._end.append(revealed)
        lines, self._pending = self._pending, []
        sealing = asyncio.get_running_loop().run_in_executor(None, self._seal, lines)
        sealing.add_done_callback(self._sealed)

    def _seal(self, lines: list[str]) -> None:
        try:
            self._store.append(lines)
            self._store.seal()
        finally:
            self._store.close()

    def _sealed(self, sealing: "asyncio.Future[None]") -> None:
        if sealing.cancelled():
            self._adjourned("the referee stopped while the record was being written")
            return
        if (error := sealing.exception()) is not None:
            self._adjourned(str(error))
            return
        ended = self.match.ended
        if ended is not None:
            self._log.info("ended", places=dict(zip(ended.seats, ended.places, strict=True)))
            self._goodbye(Ending.FINISHED, "the game has ended", self._seed)
        else:
            self._goodbye(Ending.VOID, f"the game is void: {self._voided}")
        self._over(self, self._outcome(voided=None if ended else self._voided))

    _voided: str | None = None

    def _bug(self, error: Exception) -> None:
        """Void the game: it is nobody's fault but ours."""
        if self._closed:
            self._log.error("bug after the end", exc_info=error)
            return
        self._log.error("bug", exc_info=error)
        self._voided = f"the referee broke: {type(error).__name__}: {error}"
        del self.match.events[self._whole :]  # what was about to happen
        self.match.ended = None
        self.match.void(self._voided)
        self._note()
        self._close()

    def guarded(self, act: Callable[..., None], *arguments: object) -> None:
        """Do *act* unless all is over; what it should not raise makes the game void."""
        if self._closed:
            return
        try:
            act(*arguments)
        except Exception as error:  # noqa: BLE001 - our own bug, whatever it is: the game is void
            self._bug(error)

    def adjourn(self, detail: str) -> None:
        """Stop here, at a point from which the record can be gone on with."""
        if self._closed:
            return
        self._note()
        self.flush()
        if not self._closed:
            self._store.close()
            self._adjourned(None, detail)

    def _trouble(self, error: StoreError) -> None:
        self._log.error("record lost its disk", detail=str(error))
        self._store.close()
        self._adjourned(str(error))

    def _adjourned(self, trouble: str | None, detail: str = "the record cannot be written") -> None:
        self._closed = True
        self._asked = -1
        self.deadline = None
        self._log.info("adjourned", detail=trouble or detail)
        self._goodbye(Ending.ADJOURNED, f"the game is adjourned: {trouble or detail}")
        self._over(self, self._outcome(adjourned=True, trouble=trouble))

    def _goodbye(self, ending: Ending, detail: str, seed: bytes | None = None) -> None:
        ended = self.match.ended if ending is Ending.FINISHED else None
        last = () if ending is Ending.ADJOURNED else self._end
        over = Over(self.match.setup.number, ending, ended, seed, detail)
        for seat, player in self._players.items():
            try:
                if last and player.wants_events and self.match.state.position[seat] is not None:
                    player.happened(self.match.setup.number, last)
                player.over(over)
            except Exception as error:  # noqa: BLE001 - our own bug, and the others must hear of the end
                self._log.error("bug at the end", seat=seat, exc_info=error)

    def _outcome(
        self, *, voided: str | None = None, adjourned: bool = False, trouble: str | None = None
    ) -> Outcome:
        return Outcome(
            game=self.match.setup.game,
            ended=None if voided or adjourned else self.match.ended,
            voided=voided,
            adjourned=adjourned,
            tally=self.tally,
            throws=self.match.played_throws,
            trouble=trouble,
        )


def _offered(legal: Sequence[Step], code: int) -> Step | None:
    """Return the step of *legal* whose number is *code*, None if there is none."""
    wanted = (code >> 16, code >> 8 & 255, code & 255)
    for step in legal:
        if step == wanted:
            return step
    return None
