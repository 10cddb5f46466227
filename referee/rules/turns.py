"""
Throws and turns: section 6 of the rule book.

Knows: who begins where, what a throw gives, when a seat throws again, who is next, what a third throw costs
and a lost seat leaves.
Does not know: which steps are possible or legal.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.errors import ConfigError, PositionError, RefereeBug
from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_LANE
from referee.rules.moves import Moves
from referee.rules.ruleset import DoubletFaces, ExtraThrow, ExtraThrowIf, Teams, ThirdThrow, TurnOrder
from referee.rules.state import GAVE_UP, Pawns, Position, State, new
from referee.rules.tables import ENTRY, Numbers, moved, numbers_of

_DICE: Final = tuple((a,) for a in range(1, 7)) + tuple((a, b) for a in range(1, 7) for b in range(1, 7))


class Thrown(NamedTuple):
    """
    What a throw did to the state.

    `third` tells that it was the third doublet (or six) of the turn: it is not played, `state` is already
    the next seat's, and `returned` is the pawn that went back to its nest, None if there was none.
    """

    state: State
    third: bool = False
    returned: int | None = None


class Turns:
    """The order of turns in one ruleset, compiled."""

    def __init__(self, moves: Moves) -> None:
        ruleset = moves.ruleset
        self._moves: Final = moves
        self._given: Final[Mapping[tuple[int, ...], tuple[Numbers, Numbers]]] = {
            dice: (
                numbers_of(dice),
                numbers_of(
                    dice,
                    faces=ruleset.doublet_faces is DoubletFaces.BOTH and len(dice) == 2,
                    seven=ruleset.six_counts_seven,
                ),
            )
            for dice in _DICE
            if len(dice) == ruleset.dice
        }
        special = frozenset({(6,)} if ruleset.dice == 1 else {(a, a) for a in range(1, 7)})
        self._again: Final = frozenset() if ruleset.extra_throw is ExtraThrow.NONE else special
        """The throws that give another one."""
        self._third: Final = frozenset() if ruleset.third_throw is ThirdThrow.NONE else special
        """The throws of which the third in a turn is not played."""
        self._third_returns: Final = ruleset.third_throw
        self._again_if: Final = ruleset.extra_throw_if
        self._always: Final = ruleset.extra_throw_if is ExtraThrowIf.ALWAYS
        self._relays: Final = moves.relays
        self._out: Final = ruleset.pawns_out_at_start
        self._teams: Final = ruleset.teams is not Teams.NONE
        ahead = (1, 2, 3, 4) if ruleset.turn_order is TurnOrder.WITH else (3, 2, 1, 4)
        self._after: Final = tuple(tuple((seat + n) % len(SEATS) for n in ahead) for seat in SEATS)
        """The seats in the order in which they follow each, the seat itself last."""

    def start(self, seats: Sequence[int], first: int) -> State:
        """
        Return the state in which *first* of *seats* throws for the first time.

        Raises:
            ConfigError: These seats cannot play a game.
        """
        if len(set(seats)) != len(seats) or not set(seats) <= set(SEATS) or len(seats) < 2:
            raise ConfigError(f"seats {list(seats)} cannot play: a game has 2 to 4 of the seats 0 to 3")
        if self._teams and len(seats) != len(SEATS):
            raise ConfigError(
                f"seats {list(seats)} cannot play {self._moves.ruleset.name}: two teams take all four seats"
            )
        if len(seats) == 2 and abs(seats[0] - seats[1]) != 2:
            raise ConfigError(
                f"seats {list(seats)} cannot play: two players sit opposite each other, on 0 and 2"
            )
        if first not in seats:
            raise ConfigError(f"seat {first} cannot begin: the seats are {list(seats)}")
        a, b, c, d = (ENTRY if pawn < self._out else NEST for pawn in PAWNS)
        pawns: Pawns = (a, b, c, d)
        places = [pawns if seat in seats else None for seat in SEATS]
        position: Position = (places[0], places[1], places[2], places[3])
        return State(position, first, arrived=self._moves.settled(position, 0))

    def given(self, dice: tuple[int, ...], *, out: bool) -> Numbers:
        """
        Return the numbers that *dice* give a seat; *out* tells that none of its pawns is in the nest.

        Raises:
            PositionError: Nobody throws such dice.
        """
        try:
            return self._given[dice][out]
        except KeyError:
            many = "one die" if self._moves.ruleset.dice == 1 else "two dice"
            raise PositionError(f"{list(dice)} is no throw: it takes {many} of 1 to 6") from None

    def throw(self, state: State, dice: Sequence[int]) -> Thrown:
        """
        Return what *dice* give the seat to move. The third doublet (or six) of a turn may not be played.

        Raises:
            PositionError: Nobody throws such dice.
            RefereeBug: The state is in mid-throw.
        """
        position, seat, repeats, last_moved, already, _, _, _, arrived, _ = state
        given = self._given.get(dice := tuple(dice))
        own = position[self._moves.mover(position, seat) if self._relays else seat]
        if given is None:
            self.given(dice, out=True)
        if already or own is None:
            raise RefereeBug(f"seat {seat} has nothing to throw for: {state}")
        if repeats >= 2 and dice in self._third:
            return self._penalty(state, own)
        assert given is not None
        numbers = given[NEST not in own]
        after = new(State, (position, seat, repeats, last_moved, dice, numbers, (), own, arrived, 0))
        return new(Thrown, (after, False, None))

    def _penalty(self, state: State, own: Pawns) -> Thrown:
        """Return a pawn to its nest: the third throw in a turn is not played."""
        position, seat = state.position, state.seat
        returned = self._nearest_home(own)
        if self._third_returns is ThirdThrow.LAST_MOVED:
            returned = self._last_moved(state, own)
        arrived = state.arrived
        if returned is not None:
            mover = self._moves.mover(position, seat)
            position = moved(position, mover, moved(own, returned, NEST))
            arrived = self._moves.departed(position, arrived, mover, returned, own[returned])
        return Thrown(self.turn_over(position, seat, arrived), True, returned)

    def _nearest_home(self, own: Pawns) -> int | None:
        side = self._moves.sides[0]
        racing = [pawn for pawn in PAWNS if own[pawn] not in (NEST, side.home)]
        return min(racing, key=lambda pawn: (side.to_go[own[pawn]], -pawn), default=None)

    def _last_moved(self, state: State, own: Pawns) -> int | None:
        pawn = state.last_moved
        side = self._moves.sides[0]
        if pawn is None or not 0 < side.squares[own[pawn]] < SQUARE_LANE:
            return None
        return pawn

    def play_over(self, state: State) -> State:
        """
        Return the state after the play: an extra throw, or the next seat's turn.

        Raises:
            RefereeBug: No throw was played.
        """
        position, seat, repeats, last_moved, dice, _, _, _, arrived, _ = state
        if not dice:
            raise RefereeBug(f"seat {seat} has not thrown, so its play cannot be over: {state}")
        if dice in self._again and (self._always or self._is_earned(state)):
            return new(State, (position, seat, repeats + 1, last_moved, (), (), (), (), arrived, 0))
        return self.turn_over(position, seat, arrived)

    def _is_earned(self, state: State) -> bool:
        """Tell whether enough of the throw was used for another one."""
        if self._again_if is ExtraThrowIf.ALL_USED:
            return not state.numbers and not state.past & GAVE_UP
        return state.numbers != self.given(state.dice, out=NEST not in state.at_throw)

    def turn_over(self, position: Position, seat: int, arrived: int) -> State:
        """Return the state in which the next seat throws; the same seat's if nobody is left to play."""
        for following in self._after[seat]:
            if position[following] is not None:
                seat = following
                break
        return new(State, (position, seat, 0, None, (), (), (), (), arrived, 0))

    def lose_seat(self, state: State, seat: int) -> State:
        """Return *state* without the pawns of *seat*; if it was to move, the next seat is."""
        position = moved(state.position, seat, None)
        arrived = self._moves.settled(position, state.arrived)
        if seat == state.seat:
            return self.turn_over(position, seat, arrived)
        return state._replace(position=position, arrived=arrived)
