"""
All plays of a throw: one for each position that the throw can end in.

The theory. Steps lead from state to state, and many orders of the same steps lead to one. Two states of
a throw are one *moment* when the same positions follow from both, pawns of the mover being alike; each
moment is gone on from once. Where a number takes a pawn to a square and nothing else happens, the moment
after it is known before the step is carried out, which spares the work for those met before; and after the
last number, the step need not be carried out at all.

Knows: which states of one throw come to the same. Does not know: which steps are legal.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS, SQUARE_HOME, SQUARE_NEST
from referee.rules.moves import Moves
from referee.rules.ruleset import Capture, MustOpen, SamePair
from referee.rules.state import BONUS, MOVED, Pawns, Position, State, Step, arrival
from referee.rules.tables import LEFT, Numbers, moved

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
        self._passes: Final = ruleset.capture is Capture.PASSING or moves.is_broken(state.dice)
        """Whether more may happen than on the square where a step ends."""
        self._squares: Final[dict[Position, frozenset[int]]] = {}
        self._rests: Final[dict[object, int]] = {}
        self._reached: Final[set[object]] = set()
        self._seen: Final[set[object]] = set()

    def go_on(self, state: State, done: tuple[Step, ...] = ()) -> bool:
        """Add the plays that go on from *state*; return whether that went past the limit."""
        steps = self._legal(state)
        if not steps:
            return bool(done) and self._end(state.position, state.arrived, done)
        position, numbers, arrived = state.position, state.numbers, state.arrived
        bonuses = () if self._moves.at_once else state.bonuses
        own = position[self._seat]
        assert own is not None
        others = moved(position, self._seat, None)
        eventful = self._eventful(others)
        pawns = self._pawns(state)
        rests: dict[int, int] = {}
        seen, apply, progress, marks = self._seen, self._moves.apply, self._side.progress, self._moves.marks
        for step in steps:
            pawn, use, square = step
            if pawns.index(pawns[pawn]) != pawn:
                continue  # a pawn that is alike has taken this step
            lands = progress[square]
            quiet = use < BONUS and square not in eventful and not self._passes
            if quiet and marks:
                quiet = not self._mixes(own, own[pawn], lands, eventful)
            if quiet:
                if use not in rests:
                    last = self._last(own, arrived)
                    rests[use] = self._rest(others, LEFT[numbers][use], bonuses, state.past, last)
                alike = pawns.copy()
                alike[pawn] = lands << 8 | self._tags[pawn] | self._moved
                alike.sort()
                moment: tuple[int, ...] = (rests[use], *alike)
                after = None
            else:
                after = apply(state, step).state
                moment = self._moment(after)
            if moment in seen:
                continue
            if len(seen) == MOMENTS:
                return True
            seen.add(moment)
            if quiet and not bonuses and not LEFT[numbers][use]:
                end = moved(position, self._seat, moved(own, pawn, lands))
                cut = self._end(end, arrived, (*done, step))
            else:
                after = after or apply(state, step).state
                if after.numbers or after.bonuses:
                    cut = self.go_on(after, (*done, step))
                else:
                    cut = self._end(after.position, after.arrived, (*done, step))
            if cut:
                return True
        return False

    def _end(self, position: Position, arrived: int, done: tuple[Step, ...]) -> bool:
        """Add the play of the steps *done* if it ends as no other; return whether there were too many."""
        own = position[self._seat]
        assert own is not None
        others = moved(position, self._seat, None)
        end = (self._rest(others, (), (), 0, self._last(own, arrived)), *sorted(own))
        if end not in self._reached:
            if len(self.found) == self._limit:
                return True
            self._reached.add(end)
            self.found.append(Play(done, position, arrived))
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

    def _moment(self, state: State) -> tuple[int, ...]:
        """Return what *state* shares with those from which the same positions follow."""
        own = state.position[self._seat]
        assert own is not None
        others, last = moved(state.position, self._seat, None), self._last(own, state.arrived)
        rest = self._rest(others, state.numbers, state.bonuses, state.past, last)
        return rest, *sorted(self._pawns(state))

    def _rest(self, others: Position, numbers: Numbers, bonuses: Numbers, past: int, last: object) -> int:
        """Return a number for what a moment is besides own pawns: it takes long to compare, and recurs."""
        return self._rests.setdefault((others, numbers, bonuses, past & ~MOVED, last), len(self._rests))

    def _mixes(self, own: Pawns, place: int, lands: int, eventful: frozenset[int]) -> bool:
        """Tell whether a pawn joins or leaves another, where it is remembered who came last."""
        leaves = place != NEST and (own.count(place) > 1 or self._side.squares[place] in eventful)
        return leaves or lands in own

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

    def _last(self, own: Pawns, arrived: int) -> object:
        """Return who came last where two stand: of pawns that are alike, it matters where, not which."""
        if not arrived:
            return None
        last = sum(1 << own[pawn] for pawn in PAWNS if arrived & arrival(self._seat, pawn))
        return last, arrived & ~(0b1111 << 4 * self._seat)
