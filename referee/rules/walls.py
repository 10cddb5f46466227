"""
Who stands in a seat's way, as walls (`tables.py`).

Knows: what pairs, lone pawns and full squares are to a seat, section 4 of the rule book.
Does not know: where a step leads, what is legal.

In most rulesets two colours never share a square. Then each seat's pawns are walls by themselves, found
once for where they are and remembered (`Sight`), and what all of them are is one OR (`Walls`). Where
colours do share squares, two pawns of different colours can fill a square or block it, so pawns are
remembered as pairs and lone ones (`Stand`), and put together at each question (`SharedWalls`).
"""

from collections.abc import Mapping
from operator import itemgetter
from typing import Final

from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.ruleset import Capture, EntryCapture, Pairs, Ruleset, SquareLimit, Teams, TeamWin
from referee.rules.state import Pawns, Position
from referee.rules.tables import (
    ALWAYS,
    ENTRY_FULL,
    LANDING,
    OWN_ENTRY,
    REMEMBERED,
    WON,
    Side,
    friends_of,
    pairs,
)


class Sight(dict[Pawns | None, int]):
    """The walls that a seat is to the others, by where its pawns are. Found once, then remembered."""

    def __init__(self, ruleset: Ruleset, seat: int, *, broken: bool = False) -> None:
        """Make ready. Pairs that are *broken* stop only who lands and cannot capture them."""
        super().__init__()
        board = ruleset.board
        closed = closed_by_one(ruleset)
        self._lone: Final = _by_place(board, seat, {square: 1 << square + LANDING for square in closed})
        pair = {square: 1 << square for square in range(1, board.ring + 1)}
        if broken:
            pair = {square: 1 << square + LANDING for square in not_captured_on(ruleset)}
        self._pair: Final = _by_place(board, seat, pair)
        self._won: Final = won_by(ruleset)

    def __missing__(self, pawns: Pawns | None) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        walls = 0
        if pawns is None:
            pass
        elif pawns == self._won:
            walls = WON
        else:
            a, b, c, d = pawns
            lone = self._lone
            walls = lone[a] | lone[b] | lone[c] | lone[d] | pairs(pawns, self._pair)
        self[pawns] = walls
        return walls


Standing = tuple[int, int, int, int]
"""
What other seats are to one, where colours share squares: walls, lone, friendly, on the road.

`walls` are those that stand whatever the seat does. `lone` are the squares of single opponents' pawns that
one who joins them does not capture, and `friendly` those of single pawns of the partner that counts as
own, as walls of pairs: what a pawn of the seat makes of them depends on where it goes. On the road are both.
"""

Stood = tuple[int, int, int]
"""
What pawns of one seat are on the ring: where its pairs are and its single pawns, as walls of pairs; walls.

The last are those that they are to others by themselves.
"""


class Stand(dict[Pawns, Stood]):
    """What a seat's pawns are on the ring, by where all four are. Found once, then remembered."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        super().__init__()
        board = ruleset.board
        ring = range(1, board.ring + 1)
        self.squares: Final = _by_place(board, seat, {square: 1 << square for square in ring})
        self._closed: Final = sum(1 << square for square in closed_by_one(ruleset))
        self._won: Final = won_by(ruleset)

    def __missing__(self, pawns: Pawns) -> Stood:
        if len(self) >= REMEMBERED:
            self.clear()
        square = self.squares
        a, b, c, d = pawns
        one, two, three, four = square[a], square[b], square[c], square[d]
        any_of_two = one | two
        any_of_three = any_of_two | three
        pair = one & two | any_of_two & three | any_of_three & four
        single = (any_of_three | four) & ~pair
        walls = WON if pawns == self._won else pair | (single & self._closed) << LANDING
        self[pawns] = found = pair, single, walls
        return found

    def places(self, pawns: Pawns, walls: int) -> list[int]:
        """Return the places of those *pawns* that stand on the squares of these walls."""
        return [place for place in pawns if self.squares[place] & walls]


class SharedWalls:
    """The walls that a seat finds where two colours may share a square."""

    def __init__(self, ruleset: Ruleset, side: Side, stands: Mapping[int, Stand]) -> None:
        self.side: Final = side
        self.others: Final = itemgetter(*(seat for seat in SEATS if seat != side.seat))
        """What of a position decides how all others stand to this seat."""
        self.last: tuple[object, Standing] = None, (ALWAYS, 0, 0, 0)
        """The `others` asked about last, and what they are: while a seat plays, they seldom change."""
        self._opponents: Final = tuple((other, stands[other]) for other in side.opponents)
        self._friends: Final = tuple((other, stands[other]) for other in side.friends)
        self._own: Final = stands[side.seat]
        self._pair_walls: Final = side.pair_walls
        self._spared: Final = sum(1 << square for square in not_captured_on(ruleset))
        self._fills: Final = ruleset.square_limit is SquareLimit.TWO
        self._mixed: Final = side.safe if ruleset.pairs is Pairs.MIXED_ON_SAFE else 0

    def standing(self, position: Position, *, broken: bool = False) -> Standing:
        """Return what all others are. Pairs that are *broken* stop only who lands and cannot capture them."""
        if broken:
            return self._standing(position, broken=True)
        others = self.others(position)
        known, found = self.last
        return found if known == others else self.look_at(position, others)

    def look_at(self, position: Position, others: object) -> Standing:
        """Return what all *others* are in *position*, and keep it as the `last`."""
        found = self._standing(position, broken=False)
        self.last = others, found
        return found

    def _standing(self, position: Position, *, broken: bool) -> Standing:
        walls, lone, mixed, friendly, paired = ALWAYS, 0, 0, 0, 0
        for other, stand in self._opponents:
            pawns = position[other]
            if pawns is not None:
                pair, single, theirs = stand[pawns]
                walls |= theirs
                if lone:
                    mixed |= lone & single
                lone |= single
                if broken:
                    paired |= pair
        if self._friends:
            if mixed:  # two of the other team are a pair too
                walls |= mixed
                paired |= mixed
                lone &= ~mixed
                mixed = 0
            for other, stand in self._friends:
                pawns = position[other]
                if pawns is not None:
                    pair, friendly, theirs = stand[pawns]
                    walls |= pair | theirs & WON
                    if pair & self.side.entry:
                        walls |= OWN_ENTRY
        if broken:
            walls = walls & ~paired | (paired & self._spared) << LANDING
        if mixed:
            blocking = mixed & self._mixed
            walls |= self._of_two_colours(mixed & ~blocking) | blocking << LANDING
            walls |= 0 if broken else blocking
            walls |= ENTRY_FULL if mixed & self.side.entry else 0
        if friendly and friendly & lone:
            walls |= self._of_two_colours(friendly & lone)
        lone &= self._spared
        return walls, lone, friendly, lone | friendly

    def _of_two_colours(self, squares: int) -> int:
        """Return the walls that two pawns of different colours, one of them the mover's own or not, are."""
        walls = squares & self._mixed
        if self._fills:
            walls |= squares << LANDING
        return walls | ENTRY_FULL if squares & self.side.entry else walls

    def walls(self, standing: Standing, own: Pawns) -> int:
        """Return all walls, those that *own* pawns are and what they make of others included."""
        walls, lone, friendly, on_the_road = standing
        squares = self._pair_walls
        a, b, c, d = own
        one, two, three, four = squares[a], squares[b], squares[c], squares[d]
        if a == b or a == c or a == d:  # as in `pairs`
            walls |= one
        if b == c or b == d:
            walls |= two
        if c == d:
            walls |= three
        if not on_the_road & (one | two | three | four):
            return walls
        _, single, _ = self._own[own]
        if single & friendly:
            walls |= single & friendly
            if single & friendly & self.side.entry:
                walls |= OWN_ENTRY
        if single & lone:
            walls |= self._of_two_colours(single & lone)
        return walls


def shares(ruleset: Ruleset) -> bool:
    """Tell whether pawns of two colours can stand on one square."""
    return (
        ruleset.safe_sharing
        or ruleset.entry_capture is not EntryCapture.ALONE
        or bool(friends_of(ruleset, SEATS[0]))
    )


def mixed_squares(ruleset: Ruleset) -> frozenset[int]:
    """Return the squares of the ring where pawns of two colours can stand together."""
    if friends_of(ruleset, SEATS[0]):
        return frozenset(range(1, ruleset.board.ring + 1))
    return not_captured_on(ruleset) if shares(ruleset) else frozenset()


def closed_by_one(ruleset: Ruleset) -> frozenset[int]:
    """Return the squares of the ring where one opponent's pawn stops who would land."""
    shared = ruleset.board.safe if ruleset.safe_sharing else frozenset()
    return not_captured_on(ruleset) - shared


def not_captured_on(ruleset: Ruleset) -> frozenset[int]:
    """Return the squares of the ring where nobody is captured by one who lands."""
    board = ruleset.board
    return frozenset(range(1, board.ring + 1)) if ruleset.capture is Capture.NONE else board.safe


def won_by(ruleset: Ruleset) -> Pawns | None:
    """Return the pawns of a seat that has ended the game by itself; None where it takes two seats."""
    both = ruleset.teams is not Teams.NONE and ruleset.team_win is TeamWin.BOTH_MEMBERS
    return None if both else (ruleset.board.home,) * len(PAWNS)  # type: ignore[return-value]


def _by_place(board: Board, seat: int, walls: Mapping[int, int]) -> tuple[int, ...]:
    """Return the wall of the square on which a pawn of *seat* stands, by its progress; 0 if it has none."""
    return tuple(
        0 if progress == NEST else walls.get(board.square(seat, progress), 0)
        for progress in range(board.last + 1)
    )
