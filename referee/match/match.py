"""
One game's order of play, from the first throw to the places.

Knows: whose turn it is, what may happen next, what a fault costs here.
Does not know: where dice come from, what time it is, who answers or how.

The host feeds it throws, steps and faults; each call appends what happened to `events`, which the
host takes away. Everything is decided by what was fed in, so a record that is fed in again leads to
the same events: replay, verification and going on after a stop are the same thing.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from referee.errors import RefereeBug
from referee.match.ask import Ask
from referee.match.events import (
    Begun,
    By,
    Ended,
    Event,
    Faulted,
    FirstThrown,
    Penalised,
    Reason,
    SeatLost,
    Stepped,
    Thrown,
    Voided,
)
from referee.match.faults import ENDS_THE_ASK, Cost, FaultKind
from referee.match.phases import Phase
from referee.match.setup import Setup
from referee.match.time_bank import Prices, TimeBank
from referee.rules.board import PAWNS, SEATS, Board
from referee.rules.engine import Rules
from referee.rules.ruleset import FirstPlayer
from referee.rules.state import Position, State, Step


class Absence(NamedTuple):
    """A seat that nobody took: why, and the tail of a local bot's standard error."""

    seat: int
    detail: str
    stderr: str


# What every answer needs, and what is slow to reach by way of its class.
new: Final = tuple.__new__
THROW: Final = Phase.THROW
CHOICE: Final = Phase.CHOICE


@cache
def _squares(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the square code of a pawn by its seat and progress."""
    return tuple(tuple(board.square(seat, progress) for progress in range(board.last + 1)) for seat in SEATS)


class Match:
    """
    A game being played.

    `legal` holds the legal steps of the seat to move: empty unless the phase is CHOICE. `asks`
    counts the questions put so far. `throws` counts each seat's throws, those for the beginning too.
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        """Begin a game before its first throw."""
        self.setup: Final = setup
        self.rules: Final = rules
        self.seats: Final = tuple(seated.seat for seated in setup.seats)
        self.phase = Phase.SEATING
        self.events: list[Event] = []
        self.legal: tuple[Step, ...] = ()
        self.asks = 0
        self.throws = dict.fromkeys(self.seats, 0)
        self.played_throws = 0
        self.strikes = dict.fromkeys(self.seats, 0)
        self.lost: list[tuple[int, ...]] = []
        self.prices: Final = Prices.of(setup.clock)
        self.banks = dict.fromkeys(self.seats, TimeBank.full(setup.clock))
        self.ended: Ended | None = None
        self.state: State = rules.start(self.seats, self.seats[0])
        self._squares: Final = _squares(rules.board)
        self._contenders = self.seats  # who still throws for the beginning, and what they threw
        self._first_throws: dict[int, int] = {}
        if setup.ruleset.first_player is FirstPlayer.SEAT_0:
            self._begin(self.seats[0])

    # What the match waits for.

    @property
    def to_throw(self) -> tuple[int, int, int]:
        """Return the seat that throws next, the number of that throw (from 1) and how many dice."""
        if self.phase is Phase.SEATING:
            seat = next(s for s in self._contenders if s not in self._first_throws)
            return seat, self.throws[seat] + 1, self.setup.ruleset.first_player_dice
        seat = self.state.seat
        return seat, self.throws[seat] + 1, self.setup.ruleset.dice

    def ask(self, last: int = 0) -> Ask:
        """Put the next question: count it and return it. The phase must be CHOICE."""
        self.asks += 1
        return self.open_ask(last)

    def open_ask(self, last: int = 0) -> Ask:
        """Return the question that was put last, as it stands now."""
        state = self.state
        seat = state.seat
        setup = self.setup
        left = setup.penalties.strikes - self.strikes[seat]
        times = self.prices.per_move, self.banks[seat].bank
        return new(Ask, (setup.number, self.asks, state, self.legal, *times, left, last, None, False))

    # What can happen.

    def thrown(self, dice: tuple[int, ...]) -> None:
        """
        Let the seat that is to throw have thrown *dice*, as many as `to_throw` says.

        Raises:
            PositionError: Nobody throws such dice.
            RefereeBug: No throw is due.
        """
        if self.phase is Phase.SEATING:
            self._thrown_for_first(dice)
            return
        self._expect(THROW)
        before = self.state
        seat = before.seat
        self.throws[seat] = number = self.throws[seat] + 1
        self.played_throws += 1
        self.events.append(new(Thrown, (seat, number, dice, before.position, before.arrived)))
        self.state, third, returned = self.rules.throw(before, dice)
        if third:
            self.events.append(Penalised(seat, returned))
            self._to_throw()
        else:
            self._settle()

    def step(
        self,
        step: Step,
        by: By,
        ask: int = 0,
        elapsed: int | None = None,
        lag: int | None = None,
    ) -> None:
        """
        Let the seat to move take *step*, which must be in `legal`.

        *elapsed* and *lag* are whole microseconds, None for a step that was not asked for by itself.

        Raises:
            RefereeBug: No step is due, or this one is not legal.
        """
        if step not in self.legal:
            self._expect(CHOICE)
            raise RefereeBug(f"game {self.setup.game}: step {step} was played though it was not legal")
        before = self.state
        seat = before.seat
        bank = None
        if elapsed is not None:
            left = self.prices.paid(self.banks[seat], elapsed)
            self.banks[seat] = left
            bank = left.bank
        self.state, captured, _, won = self.rules.apply(before, step)
        pawn, use, square = step
        mover = self.rules.mover(before.position, seat)
        pawns = before.position[mover]
        assert pawns is not None
        origin = self._squares[mover][pawns[pawn]]
        self.events.append(
            new(Stepped, (seat, pawn, use, origin, square, captured, by, ask, elapsed, lag, bank))
        )
        if won:
            self._end(winner=seat)
        else:
            self._settle()

    def fault(
        self,
        seat: int,
        kind: FaultKind,
        detail: str,
        *,
        elapsed: int | None = None,
        raw: str = "",
        stderr: str = "",
    ) -> Cost:
        """
        Charge *seat* with a fault and return what it costs.

        A strike that is one too many costs the seat. Where the fault spends the ask and the seat is
        not lost, the first legal step is played as the substitute.

        Raises:
            RefereeBug: The game is over, or nobody sits there any more.
        """
        if self.phase is Phase.OVER:
            raise RefereeBug(f"game {self.setup.game}: fault {kind} after the end")
        self._expect_seated(seat)
        penalties = self.setup.penalties
        cost = penalties.costs[kind]
        if cost is Cost.STRIKE:
            self.strikes[seat] += 1
            if self.strikes[seat] >= penalties.strikes:
                cost = Cost.SEAT
        asked = self.phase is Phase.CHOICE and self.state.seat == seat
        if kind is FaultKind.LATE:
            self.banks[seat] = TimeBank(0, self.banks[seat].graces)
        self.events.append(
            Faulted(
                seat,
                self.asks if asked else 0,
                kind,
                cost,
                detail,
                elapsed,
                self.strikes[seat],
                raw,
                stderr,
            )
        )
        if cost is Cost.SEAT:
            self.lose((seat,), kind)
        elif asked and self.spends_ask(kind):
            self.step(self.legal[0], By.SUBSTITUTE, self.asks)
        return cost

    def no_show(self, absences: Sequence[Absence]) -> None:
        """Charge seats that nobody took. They are lost at the same moment, whoever is named first."""
        for seat, detail, stderr in absences:
            self._expect_seated(seat)
            self.events.append(
                Faulted(seat, 0, FaultKind.NO_SHOW, Cost.SEAT, detail, None, self.strikes[seat], "", stderr)
            )
        self.lose([absence.seat for absence in absences], FaultKind.NO_SHOW)

    def lose(self, seats: Sequence[int], kind: FaultKind) -> None:
        """Let *seats* lose their places, all at the same moment."""
        self.lost.append(tuple(seats))
        mover_lost = self.state.seat in seats
        for seat in seats:
            self.events.append(SeatLost(seat, kind))
            self.state = self.rules.lose_seat(self.state, seat)
        if len(self.rules.contenders(self.state.position, self._lost_seats())) < 2:
            self._end(winner=None)
        elif self.phase is Phase.SEATING:
            contenders = tuple(s for s in self._contenders if s not in seats)
            self._first_throws = {s: total for s, total in self._first_throws.items() if s in contenders}
            # Where all who were level have gone, those they had beaten throw again.
            left = tuple(s for s in self.seats if self.state.position[s] is not None)
            self._contenders = contenders or left
            self._settle_first()
        elif self.phase is Phase.CHOICE:
            if mover_lost:
                self._to_throw()
            else:
                # What was offered stays, as the answer may be on its way; what has become free comes in.
                self.legal = tuple(sorted({*self.legal, *self.rules.steps(self.state)}))

    def void(self, detail: str) -> None:
        """Stop the game for trouble that is no bot's fault; it does not count."""
        self.events.append(Voided(detail))
        self.phase = Phase.OVER
        self.legal = ()

    @staticmethod
    def spends_ask(kind: FaultKind) -> bool:
        """Tell whether a fault of *kind* ends the open ask."""
        return kind in ENDS_THE_ASK

    # Inside.

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise RefereeBug(f"game {self.setup.game}: expected phase {phase.value}, is {self.phase.value}")

    def _expect_seated(self, seat: int) -> None:
        if seat not in self.seats or self.state.position[seat] is None:
            raise RefereeBug(f"game {self.setup.game}: nobody sits on seat {seat}")

    def _thrown_for_first(self, dice: tuple[int, ...]) -> None:
        seat, number, _ = self.to_throw
        self.throws[seat] = number
        self.events.append(FirstThrown(seat, number, dice))
        self._first_throws[seat] = sum(dice)
        self._settle_first()

    def _settle_first(self) -> None:
        """Begin when one is ahead; throw again among those who are level."""
        if len(self._contenders) == 1:
            self._begin(self._contenders[0])
        elif len(self._first_throws) == len(self._contenders):
            highest = self.setup.ruleset.first_player is FirstPlayer.HIGHEST
            best = (max if highest else min)(self._first_throws.values())
            self._contenders = tuple(s for s in self._contenders if self._first_throws[s] == best)
            self._first_throws = {}
            if len(self._contenders) == 1:
                self._begin(self._contenders[0])

    def _begin(self, seat: int) -> None:
        position: Position = self.state.position
        self.state = State(position, seat, arrived=self.state.arrived)
        self.events.append(Begun(seat, position, self.state.arrived))
        self.phase = Phase.THROW

    def _settle(self) -> None:
        """Find what the seat to move may do; where it may do nothing, its play is over."""
        self.legal = self.rules.steps(self.state)
        if self.legal:
            self.phase = CHOICE
        else:
            self.state = self.rules.play_over(self.state)
            self._to_throw()

    def _to_throw(self) -> None:
        self.legal = ()
        self.phase = THROW
        if self.setup.max_throws and self.played_throws >= self.setup.max_throws:
            self._end(winner=None, limit=True)

    def _end(self, winner: int | None, *, limit: bool = False) -> None:
        lost = self._lost_seats()
        left = [seat for seat in self.seats if seat not in lost]
        contenders = self.rules.contenders(self.state.position, lost)
        if winner is None and len(contenders) == 1 and not limit:
            winner = contenders[0][0]
        places = self.rules.places(self.state.position, winner, lost)
        for together in self.lost:  # equal places are shared; where nobody is left, nobody is first
            shared = (min if left else max)(places[seat] for seat in together)
            places.update(dict.fromkeys(together, shared))
        reasons = dict.fromkeys(left, Reason.LIMIT if limit else Reason.RACED)
        if winner is not None:
            won = Reason.WON if len(contenders) > 1 or self._all_home(winner) else Reason.LAST_STANDING
            reasons.update((seat, won) for seat in self.rules.side(winner) if seat in left)
        reasons.update(dict.fromkeys(lost, Reason.FAULT))
        self.ended = Ended(
            self.seats,
            tuple(places[seat] for seat in self.seats),
            tuple(reasons[seat] for seat in self.seats),
            self.state.position,
            self.state.arrived,
        )
        self.events.append(self.ended)
        self.phase = Phase.OVER
        self.legal = ()

    def _lost_seats(self) -> list[int]:
        return [seat for together in self.lost for seat in together]

    def _all_home(self, seat: int) -> bool:
        pawns = self.state.position[seat]
        home = self.rules.board.home
        return pawns is not None and all(pawns[pawn] == home for pawn in PAWNS)
