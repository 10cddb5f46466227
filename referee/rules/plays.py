"""
All plays of a throw: one for each position that the throw can end in.

The theory. Steps lead from state to state, and many orders of the same steps lead to one. Two states of
a throw are one *moment* when the same positions follow from both, pawns of the mover being alike; each
moment is gone on from once. Where a number takes a pawn to a square and nothing else happens, the moment
after it is known before the step is carried out, which spares the work for those met before.

Knows: which states of one throw come to the same. Does not know: which steps are legal.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.rules.board import PAWNS, SQUARE_HOME, SQUARE_NEST
from referee.rules.moves import Moves
from referee.rules.ruleset import MustOpen, SamePair
from referee.rules.state import BONUS, MOVED, Position, State, Step, arrival
from referee.rules.tables import LEFT, moved

MOMENTS: Final = 2000
"""So many moments of one throw are looked at to find its plays, far more than games come to."""


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


class Plays:
    """Finds the plays of one throw."""

    def __init__(
        self, moves: Moves, legal: Callable[[State], tuple[Step, ...]], state: State, limit: int
    ) -> None:
        """Make ready to find up to *limit* plays from *state*; *legal* tells the legal steps of a state."""
        ruleset = moves.ruleset
        self.found: Final[list[Play]] = []
        self._moves: Final = moves
        self._legal: Final = legal
        self._limit: Final = limit
        self._side: Final = moves.sides[moves.mover(state.position, state.seat)]
        self._seat: Final = self._side.seat
        # Where rules look at who stood together when the dice fell, pawns that did not are not alike.
        matters = ruleset.same_pair is not SamePair.FREE or ruleset.must_open is not MustOpen.NONE
        apart = matters and self._side.together[state.at_throw]
        self._tags: Final = tuple(place << 1 for place in state.at_throw) if apart else (0, 0, 0, 0)
        self._moved: Final = moves.remembers & MOVED and 1
        self._squares: Final[dict[Position, frozenset[int]]] = {}
        self._reached: Final[set[object]] = set()
        self._seen: Final[set[object]] = set()

    def go_on(self, state: State, done: tuple[Step, ...] = ()) -> bool:
        """Add the plays that go on from *state*; return whether that went past the limit."""
        steps = self._legal(state)
        if not steps:
            return bool(done) and self._end(state, done)
        seen, apply = self._seen, self._moves.apply
        others = moved(state.position, self._seat, None)
        pawns = self._pawns(state)
        for step in steps:
            moment = self._moment_after(state, step, others, pawns)
            if moment in seen:
                continue
            after = apply(state, step).state
            if moment is None:
                moment = self._moment(after)
                if moment in seen:
                    continue
            if len(seen) == MOMENTS:
                return True
            seen.add(moment)
            nothing_left = not after.numbers and not after.bonuses
            if (self._end if nothing_left else self.go_on)(after, (*done, step)):
                return True
        return False

    def _end(self, state: State, done: tuple[Step, ...]) -> bool:
        """Add the play of the steps *done* if it ends as no other; return whether there were too many."""
        own = state.position[self._seat]
        assert own is not None
        end = moved(state.position, self._seat, None), tuple(sorted(own)), self._arrived(state)
        if end not in self._reached:
            if len(self.found) == self._limit:
                return True
            self._reached.add(end)
            self.found.append(Play(done, state.position, state.arrived))
        return False

    def _pawns(self, state: State) -> list[int]:
        """Return where each pawn is and what else tells it from others, as one number."""
        own = state.position[self._seat]
        assert own is not None
        a, b, c, d = own
        t, u, v, w = self._tags
        pawns = [a << 8 | t, b << 8 | u, c << 8 | v, d << 8 | w]
        if past := state.past:
            pawns = [pawn | past >> number & 1 for number, pawn in enumerate(pawns)]
        return pawns

    def _moment(self, state: State) -> object:
        """Return what *state* shares with those from which the same positions follow."""
        pawns = tuple(sorted(self._pawns(state)))
        others = moved(state.position, self._seat, None)
        return others, pawns, state.numbers, state.bonuses, state.past & ~MOVED, self._arrived(state)

    def _moment_after(self, state: State, step: Step, others: Position, pawns: list[int]) -> object | None:
        """Return the moment after *step*, None where it may do more than take a pawn to a square."""
        pawn, use, square = step
        if use >= BONUS or not self._moves.is_simple or square in self._eventful(others):
            return None
        after = pawns.copy()
        after[pawn] = self._side.progress[square] << 8 | self._tags[pawn] | self._moved
        after.sort()
        bonuses = () if self._moves.at_once else state.bonuses
        return others, tuple(after), LEFT[state.numbers][use], bonuses, state.past & ~MOVED, None

    def _eventful(self, others: Position) -> frozenset[int]:
        """Return the squares on which a step may do more than end there: home, and where others stand."""
        found = self._squares.get(others)
        if found is None:
            sides = self._moves.sides
            squares = {
                sides[seat].squares[place] for seat, there in enumerate(others) if there for place in there
            }
            squares.discard(SQUARE_NEST)
            found = self._squares[others] = frozenset(squares | {SQUARE_HOME})
        return found

    def _arrived(self, state: State) -> object:
        """Return who arrived last: of pawns that are alike, it matters where, not which."""
        arrived = state.arrived
        if not arrived:
            return None
        own = state.position[self._seat]
        assert own is not None
        last = sum(1 << own[pawn] for pawn in PAWNS if arrived & arrival(self._seat, pawn))
        return last, arrived & ~(0b1111 << 4 * self._seat)
