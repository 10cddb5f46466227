"""
A ruleset compiled into tables, so that most questions about a step are one look-up and one AND.

Knows: where one number or bonus may take one pawn, and what can stand in its way.
Does not know: which steps are legal together (`engine.py`, `search.py`).

What stands in a pawn's way is one whole number, the *walls*, with a bit for each obstacle:

    bit 0            always set: what has this bit among its obstacles is impossible
    bits 1 to 68     a pair stands on this square of the ring
    bit 69           another seat has won, and nothing is possible any more
    bits 71 to 77    a pair of the mover's own stands on this square of its lane
    bits 78 to 89    a lone opponent's pawn stands on this safe square, counted in ascending order

A `Way` carries the walls that stop it: it is possible when none of them stands. A number that is too
large for a pawn gives it no way at all. While a seat plays its throw, the walls of its opponents
stay: a pawn that is captured was no wall, but for a lone one on the mover's entry, where no pawn
lands by advancing. Only the walls of the seat's own pairs change.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, TypeVar

from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.ruleset import MustEnter, Ruleset
from referee.rules.state import BONUS, FIVE_BY_SUM, Pawns, Position, Step

T = TypeVar("T")

Numbers = tuple[int, ...]
"""Numbers or bonuses still to be used, ascending."""

FIVE: Final = 5
ENTRY: Final = 1
"""Progress of a pawn on its entry."""

ENTERS: Final = frozenset({FIVE, *FIVE_BY_SUM.values()})
"""The uses with which a pawn may enter."""

ALWAYS: Final = 1
"""The wall that always stands."""

WON: Final = 1 << 69
"""The wall that stands when another seat has won."""

LONE: Final = 1 << 78
"""The wall that a lone opponent's pawn is on the first of the safe squares; the others follow."""

REMEMBERED: Final = 4096
"""How many places of one seat's pawns are remembered with their walls."""


# Numbers.


def numbers_of(dice: tuple[int, ...], faces: bool) -> Numbers:
    """Return what *dice* give, ascending; with *faces* a doublet gives its opposite faces too."""
    if faces and dice[0] == dice[-1]:
        dice += tuple(7 - die for die in dice)
    return tuple(sorted(dice))


def without(numbers: Numbers, used: int) -> Numbers:
    """Return *numbers* without one *used*."""
    at = numbers.index(used)
    return numbers[:at] + numbers[at + 1 :]


def _left(numbers: Numbers) -> dict[int, Numbers]:
    left = {number: without(numbers, number) for number in numbers}
    for (small, large), use in FIVE_BY_SUM.items():
        if small in numbers and large in numbers:
            left[use] = without(without(numbers, small), large)
    return left


def _all_left() -> dict[Numbers, dict[int, Numbers]]:
    throws = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    todo = {numbers_of(dice, faces) for dice in throws for faces in (False, True)}
    table: dict[Numbers, dict[int, Numbers]] = {}
    while todo:
        numbers = todo.pop()
        table[numbers] = _left(numbers)
        todo.update(left for left in table[numbers].values() if left not in table)
    return table


LEFT: Final[Mapping[Numbers, Mapping[int, Numbers]]] = _all_left()
"""What a use leaves of the numbers: for all that two dice give, and all that can be left of it."""

SQUARES: Final = tuple(0 if use in FIVE_BY_SUM.values() else use % BONUS for use in range(2 * BONUS))
"""How far each use takes a pawn that is out. A five by sum only enters."""


# Pawns.


def moved(four: tuple[T, T, T, T], at: int, item: T) -> tuple[T, T, T, T]:
    """Return *four* with *item* in place *at*: the pawns of a seat after one moved, or a position."""
    a, b, c, d = four
    if at == 0:
        return item, b, c, d
    if at == 1:
        return a, item, c, d
    if at == 2:
        return a, b, item, d
    return a, b, c, item


def pairs(pawns: Pawns, walls: Sequence[int]) -> int:
    """Return the walls that the pairs among *pawns* are; *walls* holds what a pair is, by its progress."""
    a, b, c, d = pawns
    found = 0
    if a == b or a == c or a == d:
        found = walls[a]
    if b == c or b == d:
        found |= walls[b]
    if c == d:
        found |= walls[c]
    return found


# Tables.


Way = tuple[int, tuple[Step, ...]]
"""One use from one place: the walls that stop it, and the step for each pawn that may stand there."""

Ways = tuple[tuple[Way, ...], ...]
"""Where uses take the pawns of a side, by progress; by use at each. What cannot be is not in here."""


Plan = tuple[Ways, Ways, tuple[int, ...]]
"""
What a side may do with the numbers that are left: its ways, those that are forced, and the roads.

The forced ways are what rule 4 (*Entering*) leaves at a moment when a five could enter a pawn; there are
none where no five is left, or nobody must enter. The roads are, by progress, the walls that can stop
one pawn from using all the numbers, in whatever order.
"""


class Sight(dict[Pawns | None, int]):
    """The walls that a seat is to the others, by where its pawns are. Found once, then remembered."""

    def __init__(self, board: Board, seat: int) -> None:
        super().__init__()
        ring = [board.square(seat, progress) for progress in range(ENTRY, board.ring_steps + 1)]
        unseen = [0] * (board.home - board.ring_steps)
        lone = lone_walls(board)
        self._lone: Final = [0, *(lone.get(square, 0) for square in ring), *unseen]
        self._pair: Final = [0, *(1 << square for square in ring), *unseen]
        self._won: Final = (board.home,) * len(PAWNS)

    def __missing__(self, pawns: Pawns | None) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        self[pawns] = walls = 0 if pawns is None else self._walls(pawns)
        return walls

    def _walls(self, pawns: Pawns) -> int:
        if pawns == self._won:
            return WON
        a, b, c, d = pawns
        lone = self._lone
        return lone[a] | lone[b] | lone[c] | lone[d] | pairs(pawns, self._pair)


def lone_walls(board: Board) -> Mapping[int, int]:
    """Return the wall that a lone opponent's pawn is, by safe square."""
    return {square: LONE << n for n, square in enumerate(sorted(board.safe))}


class Side:
    """The board as one seat sees it."""

    def __init__(self, ruleset: Ruleset, seat: int, sights: Sequence[Sight]) -> None:
        board = ruleset.board
        self.home: Final = board.home
        self.squares: Final = tuple(board.square(seat, progress) for progress in range(board.home + 1))
        """Square codes by progress."""
        self.progress: Final = tuple(_or_minus_one(board.progress(seat, square)) for square in range(128))
        """Progress by square code; -1 for a square that is not on the route."""
        self.others: Final = tuple((other, sights[other]) for other in SEATS if other != seat)
        """Every other seat, and the walls that it is."""
        self.prey: Final = _prey(board, seat)
        """By square code: whose pawn a step to this square captures, and the progress of that pawn."""
        self.pair_walls: Final = (0, *(1 << square for square in self.squares[ENTRY:-1]), 0)
        """The wall that two own pawns are, by their progress; none in the nest and at home."""
        self.shut: Final = WON | self.pair_walls[ENTRY]
        """The walls that shut the entry: a pair on it, of whatever colour."""
        self._lone: Final = lone_walls(board)
        self.plans: Final = self._plans(ruleset.must_enter is MustEnter.WHEN_POSSIBLE)
        """What may be done with the numbers that are left."""
        self.bonuses: Final[Mapping[int, Ways]] = {
            bonus: self._advances(BONUS + bonus, bonus)
            for bonus in (ruleset.capture_bonus, ruleset.home_bonus)
        }
        """What may be done with a bonus."""

    def walls(self, position: Position) -> int:
        """Return the walls that the pawns of all other seats are."""
        walls = ALWAYS
        for other, sight in self.others:
            walls |= sight[position[other]]
        return walls

    def _plans(self, must_enter: bool) -> dict[Numbers, Plan]:
        ways = {number: self._advances(number, number) for number in range(1, 7)}
        enters = {use: self._enters(use) for use in ENTERS}
        roads = [self._roads(squares) for squares in range(15)]

        @cache
        def plan_ways(advancing: Numbers, entering: Numbers) -> Ways:
            return _joined([ways[use] for use in advancing] + [enters[use] for use in entering], self.home)

        plans = {}
        for numbers, left in LEFT.items():
            advancing = tuple(use for use in sorted(left) if use in ways)
            entering = tuple(use for use in sorted(left) if use in enters)
            held = {FIVE}.union(*(pair for pair, use in FIVE_BY_SUM.items() if use in entering))
            others = tuple(use for use in advancing if use not in held)
            forced = plan_ways(others, entering) if entering and must_enter else ()
            plans[numbers] = plan_ways(advancing, entering), forced, roads[sum(numbers)]
        return plans

    def _enters(self, use: int) -> Ways:
        """Return the way to enter with *use*, from the nest."""
        steps = tuple(Step(pawn, use, self.squares[ENTRY]) for pawn in PAWNS)
        return (((self.shut, steps),), *((),) * self.home)

    def _advances(self, use: int, squares: int) -> Ways:
        """Return the ways to advance by *squares* with *use*."""
        return tuple(
            (self._advance(use, place, place + squares),) if place < place + squares <= self.home else ()
            for place in (self.home, *range(ENTRY, self.home + 1))
        )

    def _advance(self, use: int, place: int, lands: int) -> Way:
        square = self.squares[lands]
        stops = WON | self._pairs(place, lands) | self._lone.get(square, 0)
        return stops, tuple(Step(pawn, use, square) for pawn in PAWNS)

    def _roads(self, squares: int) -> tuple[int, ...]:
        return tuple(self._road(progress, progress + squares) for progress in range(self.home + 1))

    def _road(self, progress: int, lands: int) -> int:
        """Return the walls that can stop a pawn from going so far, whatever numbers take it there."""
        if progress == NEST or lands > self.home:
            return ALWAYS
        lone = (self._lone.get(square, 0) for square in self.squares[progress + 1 : lands + 1])
        return WON | self._pairs(progress, lands) | sum(lone)

    def _pairs(self, progress: int, lands: int) -> int:
        """Return the walls that pairs are on all squares passed and landed on. Home never blocks."""
        return sum(self.pair_walls[progress + 1 : lands + 1])


def _joined(parts: list[Ways], home: int) -> Ways:
    """Return the ways of all *parts*."""
    return tuple(tuple(way for part in parts for way in part[place]) for place in range(home + 1))


def _prey(board: Board, seat: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    prey: list[tuple[tuple[int, int], ...]] = [()] * 128
    for square in range(1, board.ring + 1):
        if square not in board.safe or square == board.entries[seat]:
            meets = ((other, board.progress(other, square)) for other in SEATS if other != seat)
            prey[square] = tuple((other, theirs) for other, theirs in meets if theirs is not None)
    return tuple(prey)


def _or_minus_one(progress: int | None) -> int:
    return -1 if progress is None else progress
