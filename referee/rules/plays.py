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
from referee.rules.state import BONUS, MOVED, Pawns, Position, State, Step, arrival, new
from referee.rules.tables import LEFT, Numbers, moved

MOMENTS: Final = 2000
"""From so many moments of one throw its plays are looked for, far more than games come to."""


class Play(NamedTuple):
    """A whole answer to a throw, and the position that it leads to."""

    steps: tuple[Step, ...]
    position: Position
    arrived: int = 0


Around = tuple[int, frozenset[int]]
"""
Where others stand, as a number that is the same for the same places, and the eventful squares.

On these a step may do more than end there: on home, and wherever others stand.
"""


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
        self._at_once: Final = moves.at_once
        self._marks: Final = moves.marks
        passing = ruleset.capture is Capture.PASSING
        self._everywhere: Final = frozenset(range(SQUARE_NEST, SQUARE_HOME + 1)) if passing else None
        """All squares, where more may happen than on the square where a step ends."""
        self._known: Final[dict[Position, Around]] = {}
        self._reached: Final[set[object]] = set()
        self._seen: Final[set[object]] = set()

    def go_on(self, state: State, done: tuple[Step, ...] = (), around: Around | None = None) -> bool:
        """
        Add the plays that go on from *state*; return whether that went past the limit.

        *done* are the steps that led there, *around* what others are if that is known already.
        """
        steps = self._legal(state)
        position, seat, repeats, _, dice, numbers, bonuses, at_throw, arrived, past = state
        own = position[self._seat]
        assert own is not None
        others, eventful = around = around or self._around(position)
        last = self._last(own, arrived)
        ending = others, last
        if not steps:
            return bool(done) and self._end(ending, own, position, arrived, done)
        if self._at_once:
            bonuses = ()
        pawns = self._pawns(own, past)
        seen, moves, progress = self._seen, self._moves, self._side.progress
        for step in steps:
            pawn, use, square = step
            if pawns.index(pawns[pawn]) != pawn:
                continue  # a pawn that is alike has taken this step
            lands = progress[square]
            quiet = use < BONUS and square not in eventful
            if quiet and self._marks:
                quiet = not self._mixes(own, own[pawn], lands, eventful)
            left: Numbers = ()
            after = state
            if not quiet:
                after = moves.apply(state, step).state
                moment = self._moment(after)
            else:
                left = LEFT[numbers][use]
                if not left and not bonuses:
                    then = moved(own, pawn, lands)
                    end = moved(position, self._seat, then)
                    if self._end(ending, then, end, arrived, (*done, step)):
                        return True
                    continue
                alike = pawns.copy()
                alike[pawn] = lands << 8 | self._tags[pawn] | self._moved
                alike.sort()
                moment = others, last, left, bonuses, past & ~MOVED, *alike
            if moment in seen:
                continue
            if len(seen) == MOMENTS:
                return True
            seen.add(moment)
            if quiet:  # as `Moves.apply` would have it
                then = moved(own, pawn, lands)
                end, past_then = moved(position, self._seat, then), past | 1 << pawn & moves.remembers
                after = new(
                    State, (end, seat, repeats, pawn, dice, left, bonuses, at_throw, arrived, past_then)
                )
            if self.go_on(after, (*done, step), around if quiet else None):
                return True
        return False

    def _end(
        self, ending: object, own: Pawns, position: Position, arrived: int, done: tuple[Step, ...]
    ) -> bool:
        """Add the play of the steps *done* if it ends as no other; return whether there were too many."""
        end = ending, *sorted(own)
        if end not in self._reached:
            if len(self.found) == self._limit:
                return True
            self._reached.add(end)
            self.found.append(new(Play, (done, position, arrived)))
        return False

    def _pawns(self, own: Pawns, past: int) -> list[int]:
        """Return where each pawn is and what else tells it from others, as one number."""
        a, b, c, d = own
        t, u, v, w = self._tags
        pawns = [a << 8 | t, b << 8 | u, c << 8 | v, d << 8 | w]
        if past:
            pawns = [pawn | past >> number & 1 for number, pawn in enumerate(pawns)]
        return pawns

    def _moment(self, state: State) -> tuple[object, ...]:
        """Return what *state* shares with those from which the same positions follow."""
        position, _, _, _, _, numbers, bonuses, _, arrived, past = state
        own = position[self._seat]
        assert own is not None
        others, _ = self._around(position)
        alike = sorted(self._pawns(own, past))
        return others, self._last(own, arrived), numbers, bonuses, past & ~MOVED, *alike

    def _around(self, position: Position) -> Around:
        """Return what others are in *position*."""
        others = moved(position, self._seat, None)
        found = self._known.get(others)
        if found is None:
            sides = self._moves.sides
            squares = {
                sides[seat].squares[place] for seat, there in enumerate(others) if there for place in there
            }
            squares.discard(SQUARE_NEST)
            eventful = self._everywhere or frozenset(squares | {SQUARE_HOME})
            found = self._known[others] = len(self._known), eventful
        return found

    def _mixes(self, own: Pawns, place: int, lands: int, eventful: frozenset[int]) -> bool:
        """Tell whether a pawn joins or leaves another, where it is remembered who came last."""
        leaves = place != NEST and (own.count(place) > 1 or self._side.squares[place] in eventful)
        return leaves or lands in own

    def _last(self, own: Pawns, arrived: int) -> object:
        """Return who came last where two stand: of pawns that are alike, it matters where, not which."""
        if not arrived:
            return None
        last = sum(1 << own[pawn] for pawn in PAWNS if arrived & arrival(self._seat, pawn))
        return last, arrived & ~(0b1111 << 4 * self._seat)
