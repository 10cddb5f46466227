"""
A ruleset compiled into tables, so that most questions about a step are one look-up and one AND.

Knows: where one number or bonus may take one pawn, and what can stand in its way.
Does not know: who stands where (`walls.py`), which steps are legal together (`engine.py`, `search.py`).

What stands in a pawn's way is one whole number, the *walls*, with a bit for each obstacle:

    bit 0            always set: what has this bit among its obstacles is impossible
    bits 1 to 68     a pair stands on this square of the ring: nobody passes or lands
    bit 69           the game is won, and nothing is possible any more
    bit 70           the mover's entry is full: two pawns of different colours stand on it
    bits 71 to 77    a pair of the mover's own stands on this square of its lane
    bit 78           the pair on the mover's entry is its own
    bits 81 to 148   nobody lands on this square of the ring, though it may be passed

A `Way` carries the walls that stop it: it is possible when none of them stands. A number that is too
large for a pawn gives it no way at all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeVar

from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_LANE, Board
from referee.rules.ruleset import Capture, DoubletHome, EntryCapture, MustEnter, Partner, Ruleset, Teams
from referee.rules.state import BONUS, FIVE_BY_SUM, Pawns, Step

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
"""The wall that stands when the game is won."""

ENTRY_FULL: Final = 1 << 70
"""The wall that two pawns of different colours are on the mover's entry."""

OWN_ENTRY: Final = 1 << 78
"""The wall that tells a pair of the mover's own on its entry from an opponents' one."""

LANDING: Final = 80
"""How far above the wall of a pair the wall is that only stops who would land."""


VERY_MANY: Final = 1000
"""More squares than any pawn has to go."""


# Numbers.


def numbers_of(dice: tuple[int, ...], *, faces: bool = False, seven: bool = False) -> Numbers:
    """
    Return what *dice* give, ascending.

    With *faces* a doublet gives its opposite faces too; with *seven* a six counts seven.
    """
    if faces and dice[0] == dice[-1]:
        dice += tuple(7 - die for die in dice)
    if seven:
        dice = tuple(7 if die == 6 else die for die in dice)
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
    todo = {numbers_of(dice, faces=faces) for dice in throws for faces in (False, True)} | {(7,)}
    table: dict[Numbers, dict[int, Numbers]] = {}
    while todo:
        numbers = todo.pop()
        table[numbers] = _left(numbers)
        todo.update(left for left in table[numbers].values() if left not in table)
    return table


LEFT: Final[Mapping[Numbers, Mapping[int, Numbers]]] = _all_left()
"""What a use leaves of the numbers: for all that dice give, and all that can be left of it."""

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


Together = tuple[tuple[int, int], ...]
"""The pawns of a seat that stood together as pairs when the dice fell, two by two."""

REMEMBERED: Final = 64
"""
For how many places of one seat's pawns it is remembered what they are.

While others play the pawns stay, and what stood a few turns ago seldom stands again: more would not be
found oftener, and takes room in the processor's cache from the ways.
"""


class _PairsOf(dict[Pawns | tuple[()], Together]):
    """Which pawns of a seat stand together as pairs, by where all four are. Found once, then remembered."""

    def __init__(self, pair_walls: Sequence[int]) -> None:
        super().__init__()
        self._pair_walls: Final = pair_walls

    def __missing__(self, pawns: Pawns | tuple[()]) -> Together:
        if len(self) >= REMEMBERED:
            self.clear()
        self[pawns] = found = tuple(
            (one, two)
            for one, two in combinations(range(len(pawns)), 2)
            if pawns[one] == pawns[two] and self._pair_walls[pawns[one]]
        )
        return found


class Side:
    """The board as one seat sees it."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        board = ruleset.board
        self.seat: Final = seat
        self.home: Final = board.home
        self._tip: Final = board.ring_steps
        self._lap: Final = ruleset.second_lap
        last = board.last if self._lap else board.home
        self.squares: Final = tuple(board.square(seat, progress) for progress in range(last + 1))
        """Square codes by progress."""
        self.progress: Final = tuple(
            _or_minus_one(board.progress(seat, square, lap=self._lap)) for square in range(128)
        )
        """Progress by square code; -1 for a square where no pawn of the seat stands."""
        self.to_go: Final = tuple(squares_to_go(board, progress) for progress in range(last + 1))
        """How many squares a pawn has to go, by its progress."""
        self.friends: Final = friends_of(ruleset, seat)
        """The partner whose pawns count as own; none in most rulesets."""
        self.opponents: Final = tuple(o for o in SEATS if o != seat and o not in self.friends)
        self.safe: Final = sum(1 << square for square in board.safe)
        """The safe squares, as walls."""
        self.entry: Final = 1 << board.entries[seat]
        """The wall of a pair on the entry."""
        alone = ruleset.entry_capture is EntryCapture.ALONE
        self.landings: Final = tuple(
            (place, self._prey(board, square, captures=alone if place == ENTRY else square not in board.safe))
            for square, place in enumerate(self.progress)
        )
        """By square code: the progress there, and whose pawns a step captures there with theirs."""
        lane = range(board.ring_steps + 1, board.home) if ruleset.lane_pairs_block else ()
        pair_walls = [1 << square if 0 < square <= board.ring else 0 for square in self.squares]
        for progress in lane:
            pair_walls[progress] = 1 << self.squares[progress]
        self._blocks: Final = tuple(pair_walls)
        pair_walls[ENTRY] |= OWN_ENTRY
        self.pair_walls: Final = tuple(pair_walls)
        """The wall that two own pawns are, by their progress; 0 where they are none."""
        self.together: Final = _PairsOf(self.pair_walls)
        """Which pawns stand together as pairs, by where all four are."""
        full = ruleset.entry_capture is EntryCapture.WHEN_FULL
        self.shut: Final = WON | (OWN_ENTRY if full else self.entry | ENTRY_FULL)
        """The walls that shut the entry."""
        uses = *range(1, 8), ruleset.capture_bonus, ruleset.home_bonus
        self.turnings: Final = frozenset(
            (place, squares, route[-1])
            for place in range(1, len(self.squares) if self._lap else 0)
            for squares in uses
            for route in self.routes(place, squares)
            if route and route[-1] != place + squares
        )
        """Where a second lap takes a pawn elsewhere than up: place, how far, and the place it comes to."""
        self.to_entry: Final = tuple(self._to_entry(place) for place in range(len(self.squares)))
        """How many squares a pawn has to go to its entry on a second lap, by its progress; else very many."""
        self.passed: Final = self._passed(uses) if ruleset.capture is Capture.PASSING else {}
        """By place and square: the plain squares of the ring that are passed or landed on between them."""
        forces = ruleset.must_enter is not MustEnter.NEVER
        self.plans: Final[Mapping[Numbers, Plan]] = self._plans(forces, self.home)
        """What may be done with the numbers that are left."""
        free = ruleset.doublet_home is DoubletHome.FREE
        self.plans_short_of_home: Final = self.plans if free else self._plans(forces, self.home - 1)
        """The same where no number may bring a pawn home."""
        self.bonuses: Final[Mapping[int, Ways]] = {
            bonus: self._advances(BONUS + bonus, bonus, self.home)
            for bonus in (ruleset.capture_bonus, ruleset.home_bonus)
        }
        """What may be done with a bonus."""

    def _prey(self, board: Board, square: int, *, captures: bool) -> tuple[tuple[int, int], ...]:
        if not (captures and 0 < square <= board.ring):
            return ()
        meets = ((other, board.progress(other, square, lap=self._lap)) for other in self.opponents)
        return tuple((other, theirs) for other, theirs in meets if theirs is not None)

    def _to_entry(self, place: int) -> int:
        behind = len(self.squares) - self.home
        if self._lap and place > self.home:
            return len(self.squares) - place
        return self._tip - place + behind if self._lap and NEST < place <= self._tip else VERY_MANY

    # Ways.

    def following(self, place: int) -> tuple[int, ...]:
        """Return the places one square ahead of *place*: two where a pawn on its tip may run another lap."""
        if place in (NEST, self.home):
            return ()
        if place == len(self.squares) - 1 > self.home:
            return (ENTRY,)
        if self._lap and place == self._tip:
            return place + 1, self.home + 1
        return (place + 1,)

    def routes(self, place: int, squares: int) -> Iterator[tuple[int, ...]]:
        """Yield the places that a pawn comes by when it advances by *squares*, the last one included."""
        if not self._lap:
            if NEST < place < place + squares <= self.home:
                yield tuple(range(place + 1, place + squares + 1))
            return
        if not squares:
            yield ()
            return
        for ahead in self.following(place):
            for rest in self.routes(ahead, squares - 1):
                yield (ahead, *rest)

    def _plans(self, forces: bool, furthest: int) -> dict[Numbers, Plan]:
        """Return the plans; a five *forces* a pawn in or not, and no way leads beyond *furthest*, at home."""
        ways = {number: self._advances(number, number, furthest) for number in range(1, 8)}
        enters = {use: self._enters(use) for use in ENTERS}
        roads = [self._roads(squares, furthest) for squares in range(15)]
        places = range(len(self.squares))

        @cache
        def plan_ways(advancing: Numbers, entering: Numbers) -> Ways:
            parts = [ways[use] for use in advancing] + [enters[use] for use in entering]
            return tuple(_one(tuple(way for part in parts for way in part[place])) for place in places)

        plans = {}
        for numbers, left in LEFT.items():
            advancing = tuple(use for use in sorted(left) if use in ways)
            entering = tuple(use for use in sorted(left) if use in enters)
            held = {FIVE}.union(*(pair for pair, use in FIVE_BY_SUM.items() if use in entering))
            others = tuple(use for use in advancing if use not in held)
            forced = plan_ways(others, entering) if entering and forces else ()
            plans[numbers] = plan_ways(advancing, entering), forced, roads[sum(numbers)]
        return plans

    def _enters(self, use: int) -> Ways:
        """Return the way to enter with *use*, from the nest."""
        return (_one((_way(self.shut, use, self.squares[ENTRY]),)), *((),) * (len(self.squares) - 1))

    def _advances(self, use: int, squares: int, furthest: int) -> Ways:
        """Return the ways to advance by *squares* with *use*; to home only where that is not too far."""
        return tuple(
            tuple(
                sorted((self._way(use, route) for route in self._open(place, squares, furthest)), key=_square)
            )
            if squares
            else ()
            for place in range(len(self.squares))
        )

    def _open(self, place: int, squares: int, furthest: int) -> list[tuple[int, ...]]:
        """Return the routes that do not end at home where that is beyond *furthest*."""
        return [r for r in self.routes(place, squares) if r and not furthest < r[-1] == self.home]

    def _way(self, use: int, route: tuple[int, ...]) -> Way:
        square = self.squares[route[-1]]
        stops = WON | self._walls_on(route) | _landing(square)
        return _way(stops, use, square)

    def _roads(self, squares: int, furthest: int) -> tuple[int, ...]:
        return tuple(self._road(place, squares, furthest) for place in range(len(self.squares)))

    def _road(self, place: int, squares: int, furthest: int) -> int:
        """Return the walls that can stop a pawn from going so far, whatever numbers take it there."""
        if self._lap and self._tip - squares < place <= self._tip:
            return ALWAYS  # the first number may take it the other way
        route = next(iter(self._open(place, squares, furthest)), None)
        if route is None:
            return ALWAYS
        landings = 0
        for passed in route:
            landings |= _landing(self.squares[passed])
        return WON | self._walls_on(route) | landings

    def _walls_on(self, route: Iterable[int]) -> int:
        """Return the walls that pairs are on all squares passed and landed on. Home never blocks."""
        walls = 0
        for place in route:
            walls |= self._blocks[place]
        return walls

    def _passed(self, uses: Sequence[int]) -> dict[tuple[int, int], int]:
        passed: dict[tuple[int, int], int] = {}
        for place in range(len(self.squares)):
            for squares in uses:
                for route in self.routes(place, squares) if squares else ():
                    walls = self._walls_on(on for on in route if self.squares[on] < SQUARE_LANE)
                    passed[place, self.squares[route[-1]]] = walls & ~self.safe
        return passed


def possible(ways: Ways, own: Pawns, walls: int) -> list[Step]:
    """Return the steps of these ways that no wall stops, in canonical order."""
    # Written out, as it is asked at every step; all plans share the ways, so they stay near at hand.
    found = []
    for pawn, place in enumerate(own):
        for stops, steps in ways[place]:
            if not walls & stops:
                found.append(steps[pawn])
    return found


def is_any_possible(ways: Ways, own: Pawns, walls: int) -> bool:
    """Tell whether `possible` finds a step."""
    for place in own:
        for stops, _ in ways[place]:
            if not walls & stops:
                return True
    return False


# Whatever is alike for several seats is one thing in memory: little of it is near the processor at a time.


@cache
def _way(stops: int, use: int, square: int) -> Way:
    return stops, _steps(use, square)


@cache
def _steps(use: int, square: int) -> tuple[Step, ...]:
    return tuple(Step(pawn, use, square) for pawn in PAWNS)


@cache
def _one(ways: tuple[Way, ...]) -> tuple[Way, ...]:
    return ways


def friends_of(ruleset: Ruleset, seat: int) -> tuple[int, ...]:
    """Return the seat whose pawns count as those of *seat*, if there is one."""
    pair = ruleset.teams is not Teams.NONE and ruleset.partner is Partner.PAIR
    return ((seat + 2) % len(SEATS),) if pair else ()


def squares_to_go(board: Board, progress: int) -> int:
    """Return how many squares a pawn has to go; one in the nest has one more than one on its entry."""
    if progress <= board.home:
        return board.home - progress
    return board.last + 1 - progress + board.home - ENTRY


def _landing(square: int) -> int:
    return 1 << square + LANDING if 0 < square < SQUARE_LANE else 0


def _square(way: Way) -> int:
    _, steps = way
    return steps[0].square


def _or_minus_one(progress: int | None) -> int:
    return -1 if progress is None else progress
