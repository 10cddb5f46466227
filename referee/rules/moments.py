"""
Which states of one throw come to the same: the keys by which the search for plays knows them again.

The theory. The others change seldom while a seat plays its throw, so what they are is found once for where
they stand (`Around`) and goes by a number. The seat's own pawns come to the same when as many of each *kind*
stand on each place, whichever they are. Kinds differ where a rule asks who stood together when the dice fell,
or whom a number of the throw has moved; seldom, for most throws are none at which such a rule is in force.
The key is a sum that tells how many of which kind are where (`quiet.py`).

Knows: what is alike. Does not know: which steps are legal, what is done with the keys (`finding.py`).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_HOME, SQUARE_NEST
from referee.rules.moves import Moves
from referee.rules.quiet import KINDS, PLACES
from referee.rules.ruleset import Capture
from referee.rules.special import Special
from referee.rules.state import MOVED, Pawns, Position, State, arrival
from referee.rules.tables import Numbers, Plan, moved
from referee.rules.walls import Standing


class Around(NamedTuple):
    """
    What the other seats are to the mover as long as they stay where they are.

    On the squares that are `eventful` a step may do more than end there: on home, and where others stand.
    """

    number: int
    before: tuple[Pawns | None, ...]
    behind: tuple[Pawns | None, ...]
    eventful: frozenset[int]
    standing: int | Standing


class Moments:
    """The moments of one throw."""

    def __init__(self, moves: Moves, special: Special, state: State, plans: Mapping[Numbers, Plan]) -> None:
        """Make ready for the throw of *state*."""
        side = moves.sides[moves.mover(state.position, state.seat)]
        at_throw = state.at_throw
        self._moves: Final = moves
        self._side: Final = side
        self._seat: Final = side.seat
        self._marks: Final = moves.marks
        together = special.asks_who_stood_together(state, side)
        first = [at_throw.index(place) if together else 0 for place in at_throw]
        self._kinds: Final = tuple(KINDS[kind] for kind in first)
        who_moved = special.asks_who_moved(state, side, plans)
        self.moved_kinds: Final = (
            tuple(KINDS[kind + len(PAWNS)] for kind in first) if who_moved else self._kinds
        )
        """What each pawn adds once a number has moved it."""
        self._who_moved: Final = who_moved
        self.all_alike: Final = not (together or who_moved)
        """Whether pawns on one square are always alike."""
        passing = moves.ruleset.capture is Capture.PASSING
        self._everywhere: Final = frozenset(range(SQUARE_NEST, SQUARE_HOME + 1)) if passing else None
        """All squares, where more may happen than on the square where a step ends."""
        # Whoever joins a partner only stands there, unless it is remembered who came last.
        self._met: Final = tuple(s for s in SEATS if s != side.seat) if moves.marks else side.opponents
        self._known: Final[dict[Position, Around]] = {}

    def go_by_places(self, state: State) -> bool:
        """Tell whether it takes no more than places to tell moments apart that calmly follow from *state*."""
        return self.all_alike or state.position[self._seat] == state.at_throw

    def kinds(self, past: int) -> tuple[tuple[int, ...], ...]:
        """Return what each pawn adds to the key of a moment, when the throw has done what *past* tells."""
        if not (self._who_moved and past & MOVED):
            return self._kinds
        return tuple((self.moved_kinds if past >> pawn & 1 else self._kinds)[pawn] for pawn in PAWNS)

    def key(self, own: Pawns, past: int) -> int:
        """Return the sum that tells where pawns of which kind are."""
        a, b, c, d = own
        t, u, v, w = self.kinds(past)
        return t[a] + u[b] + v[c] + w[d]

    def places(self, own: Pawns) -> int:
        """Return the sum that tells where pawns are, all kinds being one."""
        a, b, c, d = own
        return PLACES[a] + PLACES[b] + PLACES[c] + PLACES[d]

    def around(self, position: Position) -> Around:
        """Return what others are in *position*."""
        others = moved(position, self._seat, None)
        found = self._known.get(others)
        if found is None:
            moves, side = self._moves, self._side
            sides = moves.sides
            eventful = self._everywhere
            if eventful is None:
                squares = {sides[seat].squares[place] for seat in self._met for place in others[seat] or ()}
                squares.discard(SQUARE_NEST)
                squares.add(SQUARE_HOME)
                eventful = frozenset(squares)
            standing = moves.standing(position, side)
            if isinstance(standing, tuple):
                walls, _, _, on_the_road = standing
                if not on_the_road:
                    standing = walls  # there is nobody whom an own pawn could join
            before, behind = position[: self._seat], position[self._seat + 1 :]
            found = Around(len(self._known), before, behind, eventful, standing)
            self._known[others] = found
        return found

    def last(self, own: Pawns, arrived: int) -> object:
        """Return who came last where two stand: of pawns that are alike, it matters where, not which."""
        if not arrived:
            return None
        last = sum(1 << own[pawn] for pawn in PAWNS if arrived & arrival(self._seat, pawn))
        return last, arrived & ~(0b1111 << 4 * self._seat)

    def mixes(self, own: Pawns, place: int, lands: int, eventful: frozenset[int]) -> bool:
        """Tell whether a pawn joins or leaves another, where it is remembered who came last."""
        leaves = place != NEST and (own.count(place) > 1 or self._side.squares[place] in eventful)
        return leaves or lands in own
