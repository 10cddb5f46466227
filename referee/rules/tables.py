"""
A ruleset compiled into tables, so that most questions about a step are one look-up and one AND.

Knows: the ways in which one pawn may use one number or bonus, and what stands in each of them.
Does not know: which ways are legal together (`engine.py`, `search.py`).

What stands in a pawn's way is one whole number, the *walls*, a bit for each obstacle:

    bit 0            always set: what has this bit among its obstacles is impossible
    bits 1 to 68     a pair stands on this square of the ring
    bit 69           another seat has won, and nothing is possible any more
    bits 71 to 77    a pair of the mover's own stands on this square of its lane
    bits 78 to 89    a lone opponent's pawn stands on this safe square, counted in ascending order

A `Way` carries the bits that stop it: it is possible when `walls & way.stops` is 0. A number that
is too large for a pawn gives it no way at all. While a seat plays its throw, the walls of its
opponents stay: a pawn that is captured was no wall, but for a lone one on the mover's entry, where
no pawn lands by advancing. Only the walls of the seat's own pairs change.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from referee.rules.board import NEST, PAWNS, SEATS, Board
from referee.rules.ruleset import MustEnter, Ruleset
from referee.rules.state import BONUS, FIVE_BY_SUM, Pawns, Position, Step

T = TypeVar("T")

Numbers = tuple[int, ...]
"""Numbers or bonuses still to be used, ascending."""

FIVE: Final = 5
ENTRY: Final = 1
"""Progress of a pawn on its entry."""

ALWAYS: Final = 1
"""The wall that always stands."""

WON: Final = 1 << 69
"""The wall that stands when another seat has won."""

LONE: Final = 1 << 78
"""The wall that a lone opponent's pawn is on the first of the safe squares; the others follow."""

REMEMBERED: Final = 4096
"""How many places of one opponent's pawns a side remembers the walls of."""


class Way(NamedTuple):
    """
    One way to use a number or a bonus: the step, the walls that stop it, the progress it leads to.

    Ways sort as their steps do.
    """

    step: Step
    stops: int
    lands: int


Rows = tuple[tuple[tuple[Way, ...], ...], ...]
"""The ways of pawns 0 to 3, by pawn and by its progress."""


class Plan(NamedTuple):
    """
    What a side may do with the numbers that are left.

    `rows` holds all ways. `forced` holds those that rule 4 (*Entering*) leaves at a moment when a five
    could enter a pawn; None where it leaves all. `roads` holds, by progress, the walls that can stop
    one pawn from using all the numbers, one after the other in any order.
    """

    rows: Rows
    forced: Rows | None
    roads: tuple[int, ...]


def numbers_of(dice: tuple[int, ...], faces: bool) -> Numbers:
    """Return what *dice* give, ascending; with *faces* a doublet gives its opposite faces too."""
    if faces and dice[0] == dice[-1]:
        dice += tuple(7 - die for die in dice)
    return tuple(sorted(dice))


def without(numbers: Numbers, used: int) -> Numbers:
    """Return *numbers* without one *used*."""
    at = numbers.index(used)
    return numbers[:at] + numbers[at + 1 :]


def spent(numbers: Numbers) -> dict[int, Numbers]:
    """Return what each use of *numbers* leaves of them, by the code of the use."""
    left = {number: without(numbers, number) for number in numbers}
    for (small, large), use in FIVE_BY_SUM.items():
        if small in numbers and large in numbers:
            left[use] = without(without(numbers, small), large)
    return left


def all_spent() -> dict[Numbers, dict[int, Numbers]]:
    """Return `spent` for all numbers that two dice give, and for all that can be left of them."""
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    todo = {numbers_of(pair, faces) for pair in dice for faces in (False, True)}
    table: dict[Numbers, dict[int, Numbers]] = {}
    while todo:
        numbers = todo.pop()
        table[numbers] = spent(numbers)
        todo.update(left for left in table[numbers].values() if left not in table)
    return table


SPENT: Final[Mapping[Numbers, Mapping[int, Numbers]]] = all_spent()
"""What is left of numbers, by what they were and by the use that is made of them."""

SQUARES: Final = {use: use % BONUS for use in (*range(1, 7), *range(BONUS + 1, BONUS + 100))}
"""How far a use takes a pawn that is out. A five by sum is not in here: it only enters."""

ENTERS: Final = frozenset({FIVE, *FIVE_BY_SUM.values()})
"""The uses with which a pawn may enter."""

USED: Final = {use: 2 if use in FIVE_BY_SUM.values() else 1 for uses in SPENT.values() for use in uses}
"""How many numbers of the throw a use takes. A bonus is not in here: it takes none."""


def moved(four: tuple[T, T, T, T], at: int, item: T) -> tuple[T, T, T, T]:
    """Return *four* with *item* in place *at*: pawns of which one moved, or a position."""
    a, b, c, d = four
    if at == 0:
        return item, b, c, d
    if at == 1:
        return a, item, c, d
    if at == 2:
        return a, b, item, d
    return a, b, c, item


def pairs(pawns: Pawns, walls: Sequence[int]) -> int:
    """Return the walls that the pairs among *pawns* are; *walls* has that of a pair by its progress."""
    a, b, c, d = pawns
    found = 0
    if a == b or a == c or a == d:
        found = walls[a]
    if b == c or b == d:
        found |= walls[b]
    if c == d:
        found |= walls[c]
    return found


class Side:
    """The board as one seat sees it."""

    def __init__(self, ruleset: Ruleset, seat: int, sights: Sequence["Sight"]) -> None:
        self.board: Final[Board] = ruleset.board
        self.seat: Final = seat
        self.home: Final = self.board.home
        self.squares: Final = tuple(self.board.square(seat, progress) for progress in range(self.home + 1))
        """Square codes by progress."""
        self._lone: Final = lone_walls(self.board)
        self.shut: Final = WON | 1 << self.squares[ENTRY]
        """The walls that shut the entry: a pair on it, of whatever colour."""
        self.pair_walls: Final = (0, *(1 << square for square in self.squares[ENTRY:-1]), 0)
        """The wall that two own pawns are, by their progress; none in the nest and at home."""
        self.progress: Final = tuple(self._progress(square) for square in range(128))
        """Progress by square code; -1 for a square that is not on the route."""
        self.others: Final = tuple((other, sights[other]) for other in SEATS if other != seat)
        """Every other seat, and the walls that its pawns are."""
        self.prey: Final = self._prey()
        """By square code: the seats whose pawn there a step to it captures, and that pawn's progress."""
        self.plans: Final = self._plans(ruleset.must_enter is MustEnter.WHEN_POSSIBLE)
        self.bonuses: Final[Mapping[int, Rows]] = {
            bonus: self._advances(BONUS + bonus, bonus) for bonus in (ruleset.capture_bonus, ruleset.home_bonus)
        }
        """The ways to use a bonus."""

    # What opponents are to the mover.

    def walls(self, position: Position) -> int:
        """Return the walls that the pawns of all opponents are."""
        walls = ALWAYS
        for other, sight in self.others:
            walls |= sight[position[other]]
        return walls

    def _prey(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        prey: list[tuple[tuple[int, int], ...]] = [()] * 128
        for square in range(1, self.board.ring + 1):
            if square not in self.board.safe or square == self.squares[ENTRY]:
                meets = ((other, self.board.progress(other, square)) for other, _ in self.others)
                prey[square] = tuple((other, theirs) for other, theirs in meets if theirs is not None)
        return tuple(prey)

    def _progress(self, square: int) -> int:
        progress = self.board.progress(self.seat, square)
        return -1 if progress is None else progress

    # What the mover may do.

    def _plans(self, must_enter: bool) -> dict[Numbers, Plan]:
        ways = {number: self._advances(number, number) for number in range(1, 7)}
        ways.update((use, self._entries(use)) for use in FIVE_BY_SUM.values())
        ways[FIVE] = _joined([ways[FIVE], self._entries(FIVE)])
        entering = {use: self._entries(use) for use in ENTERS}
        roads = [tuple(self._road(place, place + n) for place in range(self.home + 1)) for n in range(15)]

        @cache
        def rows(uses: Numbers) -> Rows:
            return _joined([ways[use] for use in uses])

        @cache
        def forced(uses: Numbers) -> Rows | None:
            enters = [use for use in uses if use in ENTERS]
            if not (enters and must_enter):
                return None
            held = {FIVE, *enters}.union(*(pair for pair, use in FIVE_BY_SUM.items() if use in enters))
            return _joined([entering[use] for use in enters] + [ways[use] for use in uses if use not in held])

        plans = {}
        for numbers, left in SPENT.items():
            uses = tuple(sorted(left))
            plans[numbers] = Plan(rows(uses), forced(uses), roads[sum(numbers)])
        return plans

    def _entries(self, use: int) -> Rows:
        """Return the ways to enter with *use*."""
        nowhere: tuple[tuple[Way, ...], ...] = ((),) * self.home
        return tuple(((Way(Step(pawn, use, self.squares[ENTRY]), self.shut, ENTRY),), *nowhere) for pawn in PAWNS)

    def _advances(self, use: int, squares: int) -> Rows:
        """Return the ways to advance by *squares* with *use*."""
        return tuple(
            tuple(self._advance(pawn, use, progress, progress + squares) for progress in range(self.home + 1))
            for pawn in PAWNS
        )

    def _advance(self, pawn: int, use: int, progress: int, lands: int) -> tuple[Way, ...]:
        if progress == NEST or not progress < lands <= self.home:
            return ()
        stops = WON | self._pairs(progress, lands) | self._lone.get(self.squares[lands], 0)
        return (Way(Step(pawn, use, self.squares[lands]), stops, lands),)

    def _road(self, progress: int, lands: int) -> int:
        """Return the walls that can stop a pawn from going so far, whatever numbers the way is made of."""
        if progress == NEST or lands > self.home:
            return ALWAYS
        lone = (self._lone.get(square, 0) for square in self.squares[progress + 1 : lands + 1])
        return WON | self._pairs(progress, lands) | sum(lone)

    def _pairs(self, progress: int, lands: int) -> int:
        """Return the walls that pairs are on all squares passed and landed on. Home never blocks."""
        return sum(self.pair_walls[progress + 1 : lands + 1])


def _joined(parts: list[Rows]) -> Rows:
    """Return the ways of all *parts*, each place's in the order of *parts*."""
    return tuple(
        tuple(tuple(chain.from_iterable(places)) for places in zip(*rows, strict=True))
        for rows in zip(*parts, strict=True)
    ) or ((((),) * 128),) * len(PAWNS)


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
