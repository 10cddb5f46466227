"""
Positions made on purpose, where the rules of section 5 have something to say.

Knows: families of positions, each a function of a random source; how to draw a game's states.
Does not know: what is legal; a family may miss what it aims at, and a test counts the hits.

Random games seldom meet the rules that forbid: fewer than one throw in a hundred. A family puts
pawns where one of them is near. It speaks of places on the mover's own way: 0 is its nest, 1 its
entry, 64 its tip, 65 to 71 its lane, 72 home on `parcheesi68`. The mover may be any seat, so that
the same case is met in all four corners of the board.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from referee.rules.board import NEST, Board
from referee.rules.state import Pawns, Position
from tests.oracle.squares import men_of

Throw = tuple[int, int]


class Question(NamedTuple):
    """A position, the seat to move, and dice that have just fallen."""

    position: Position
    seat: int
    dice: Throw


class Misplaced(Exception):
    """The pawns of a family got in each other's way: draw again."""


@dataclass
class Table:
    """A position in the making: own pawns of the mover, opponents on the squares of its way."""

    board: Board
    random: Random
    seat: int = 0
    own: list[int] = field(default_factory=list)
    others: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seat = self.random.randrange(4)
        seats = self.random.choice([(0, 2), (0, 1, 2, 3), (0, 1, 2, 3)])
        if self.seat not in seats:
            seats = (1, 3)
        self.others = {seat: [] for seat in seats if seat != self.seat}

    def opponent(self, at: int, pawns: int = 1) -> None:
        """Put *pawns* of one opponent on place *at* of the mover's way, if it is on the ring."""
        if not 1 <= at <= self.board.ring_steps:
            return
        square = self.board.square(self.seat, at)
        seats = [
            seat
            for seat, placed in self.others.items()
            if len(placed) + pawns <= 4 and self.board.progress(seat, square) is not None
        ]
        if not seats:
            raise Misplaced
        seat = self.random.choice(seats)
        progress = self.board.progress(seat, square)
        assert progress is not None
        self.others[seat] += [progress] * pawns

    def safe(self, at: int) -> bool:
        """Return whether place *at* of the mover's way is a safe square."""
        return self.board.square(self.seat, at) in self.board.safe

    def fill(self, own: int) -> None:
        """Give the mover four pawns, those missing on place *own*, and the opponents theirs."""
        self.own += [own] * (4 - len(self.own))
        self.random.shuffle(self.own)
        for placed in self.others.values():
            placed += [self.random.choice((NEST, NEST, self.board.home)) for _ in range(4 - len(placed))]
            if placed.count(self.board.home) == 4:
                placed[0] = NEST

    def asked(self, dice: Throw) -> Question:
        """
        Return the question that the table puts.

        Raises:
            Misplaced: Three pawns, or two colours, stand on one square.
        """
        self.fill(self.board.home)
        groups: list[Pawns | None] = [None, None, None, None]
        for seat, placed in (*self.others.items(), (self.seat, self.own)):
            a, b, c, d = placed
            groups[seat] = (a, b, c, d)
        first, second, third, fourth = groups
        question = Question((first, second, third, fourth), self.seat, dice)
        for place, there in men_of(self.board, question.position).items():
            if place.kind in ("ring", "lane") and (len(there) > 2 or len({man.seat for man in there}) > 1):
                raise Misplaced
        if groups[self.seat] == (self.board.home,) * 4:
            raise Misplaced
        return question


def any_dice(random: Random) -> Throw:
    """Return two dice as they fall."""
    return random.randint(1, 6), random.randint(1, 6)


def doublet(random: Random) -> Throw:
    """Return a doublet."""
    die = random.randint(1, 6)
    return die, die


def five_by_sum(random: Random) -> Throw:
    """Return 1 and 4, or 2 and 3, in any order."""
    return random.choice([(1, 4), (4, 1), (2, 3), (3, 2)])


def pawn_somewhere(table: Table) -> int:
    """Return a place on the ring or in the lane."""
    return table.random.randint(1, table.board.home - 1)


def own_pairs(table: Table) -> Throw:
    """One or two own pairs, and a doublet that could move one as a pair."""
    home = table.board.home
    dice = table.random.choice([doublet, doublet, doublet, any_dice])(table.random)
    place = table.random.choice([table.random.randint(1, home - 2)] * 3 + [home - dice[0]])
    table.own = [place, place]
    other = table.random.choice([place + table.random.randint(-8, 8), NEST, home])
    other = min(max(other, NEST), home)
    table.own += table.random.choice([[other, other], [other], [other, pawn_somewhere(table)]])
    table.fill(home)
    if table.random.random() < 0.3:
        table.opponent(place + table.random.randint(1, 12), table.random.choice((1, 2)))
    return dice


def opponents_pairs(table: Table) -> Throw:
    """Opponents' pairs in the way: few numbers can be used, some in one order only."""
    places = [table.random.randint(1, 50) for _ in range(table.random.randint(1, 3))]
    table.own = places + table.random.choice([[], [NEST]])
    table.fill(table.board.home)
    for place in places:
        if table.random.random() < 0.8:
            table.opponent(place + table.random.randint(1, 9), 2)
    return any_dice(table.random)


def one_order_only(table: Table) -> Throw:
    """An opponent on a safe square, or a pair, stops one of two numbers until the other is used."""
    stop = table.random.choice([at for at in range(7, table.board.ring_steps) if table.safe(at)])
    table.opponent(stop)
    table.own = [max(stop - table.random.randint(1, 6), 1) for _ in range(table.random.randint(1, 3))]
    if table.random.random() < 0.6:
        table.opponent(stop + table.random.randint(1, 8), 2)
    if table.random.random() < 0.3:
        table.own.append(NEST)
    return any_dice(table.random)


def near_home(table: Table) -> Throw:
    """Pawns near home: numbers too large, bonuses that one pawn only can use."""
    home = table.board.home
    table.own = [table.random.randint(home - 16, home - 1) for _ in range(table.random.randint(1, 4))]
    if table.random.random() < 0.3:
        table.opponent(table.random.randint(home - 14, table.board.ring_steps), table.random.choice((1, 2)))
    table.fill(table.random.choice([home, table.random.randint(1, 40), NEST]))
    return any_dice(table.random)


def contested_entry(table: Table) -> Throw:
    """A pawn in the nest, a five of some kind, and an entry that holds whatever it may."""
    table.own = [NEST] * table.random.randint(1, 3)
    match table.random.randrange(5):
        case 0:
            table.own.append(1)
        case 1:
            table.own = [*table.own[:2], 1, 1]
        case 2:
            table.opponent(1)
        case 3:
            table.opponent(1, 2)
        case _:
            pass
    while len(table.own) < 4:
        table.own.append(table.random.choice([1, table.random.randint(2, 12), pawn_somewhere(table), NEST]))
    if table.own.count(1) == 2 and table.random.random() < 0.5:
        table.opponent(1 + table.random.randint(1, 6), table.random.choice((1, 2)))
    five = (5, table.random.randint(1, 6))
    return table.random.choice([five, five[::-1], (5, 5), five_by_sum(table.random)])


def capture_chains(table: Table) -> Throw:
    """Opponents where a number captures, and others where the bonus of that captures again."""
    place = table.random.randint(1, 30)
    dice = table.random.choice([any_dice, doublet])(table.random)
    table.own = [place, table.random.randint(1, table.board.home - 1)]
    victims = 0
    for amount in (dice[0], dice[1], dice[0] + 20, dice[0] + 40, dice[1] + 20, sum(dice) + 20):
        if victims < 4 and not table.safe(min(place + amount, 64)) and table.random.random() < 0.6:
            table.opponent(place + amount)
            victims += 1
    if table.random.random() < 0.4:
        table.opponent(place + dice[0] + table.random.randint(1, 20), 2)
    table.own.append(table.random.choice([NEST, table.board.home, table.board.home - 10, place + 20, 67]))
    table.fill(table.board.home)
    return dice


def pairs_with_bonuses(table: Table) -> Throw:
    """An own pair that could be moved as a pair with bonuses, or with a bonus and numbers."""
    home = table.board.home
    place = table.random.randint(1, home - 12)
    dice = table.random.choice([any_dice, any_dice, doublet])(table.random)
    table.own = [place, place]
    other = table.random.choice([home - dice[0], home - dice[1], max(place - dice[0], 1), place + 2])
    table.own.append(min(other, home - 1))
    if table.random.random() < 0.7:
        for amount in dice:
            captor = table.random.choice([place, min(other, home - 1)])
            if not table.safe(min(captor + amount, 64)) and captor + amount not in table.own:
                table.opponent(captor + amount)
    table.fill(table.random.choice([home, home - dice[1], NEST, pawn_somewhere(table)]))
    return dice


def last_pawns(table: Table) -> Throw:
    """All home but one or two: a bonus may end the game, and numbers are left void."""
    home = table.board.home
    dice = any_dice(table.random)
    table.own = [home - table.random.choice([dice[0], dice[1], sum(dice), table.random.randint(1, 14)])]
    if table.random.random() < 0.8:
        table.own.append(home - 10 + table.random.choice([0, 0, 0, -dice[0], -dice[1], 1]))
    if table.random.random() < 0.2:
        table.own.append(home - table.random.choice([20, 30, 10 + dice[0]]))
    table.fill(home)
    if table.random.random() < 0.2:
        table.opponent(table.random.randint(home - 14, table.board.ring_steps), table.random.choice((1, 2)))
    return dice


def stuck_pairs(table: Table) -> Throw:
    """One of an own pair captures, and the other could only join it: the bonus need not wait for that."""
    die = table.random.choice((1, 2, 3, 4, 6))
    free = [at for at in range(1, 30) if not table.safe(at + die)]
    place = table.random.choice(free)
    table.own = [place, place, NEST]
    table.opponent(place + die)
    table.opponent(place + die + table.random.randint(1, 14), 2)
    stops = [at for at in range(place + 2 * die, table.board.ring_steps) if table.safe(at)]
    table.own.append(table.random.choice(stops) - die)
    table.opponent(table.own[-1] + die)
    return die, die


def last_bonuses(table: Table) -> Throw:
    """One goes home with a number, the others with bonuses; an opponent on the tip stops a 2."""
    home = table.board.home
    die = table.random.choice((1, 3, 4, 5, 6))
    table.own = [home - die, home - 10]
    table.own += table.random.choice([[], [], [home - 10], [home - 20], [home - 30]])
    if table.random.random() < 0.8:
        table.opponent(table.board.ring_steps)
    if table.random.random() < 0.3:
        table.opponent(home - 20)
    table.fill(home)
    return table.random.choice([(die, 2), (2, die), (die, table.random.randint(1, 6))])


def last_captures(table: Table) -> Throw:
    """The last pawns win by the bonus of a capture, or use their numbers otherwise."""
    home = table.board.home
    dice = any_dice(table.random)
    captor = home - 20 - dice[0] - table.random.choice([0, 0, 10, 20])
    table.own = [captor]
    table.own.append(home - table.random.choice([20, 10, 30, dice[1], 20 - dice[1]]))
    if table.random.random() < 0.4:
        table.own.append(home - table.random.choice([10, 20, dice[0], dice[1]]))
    table.opponent(captor + dice[0])
    for _ in range(table.random.randint(0, 2)):
        pair = captor + dice[0] + table.random.randint(-3, 7)
        if pair not in (captor, captor + dice[0]):
            table.opponent(pair, 2)
    table.fill(home)
    return dice


def fours(table: Table) -> Throw:
    """A doublet without a pawn in the nest, and little room: fourteen often cannot be completed."""
    home = table.board.home
    place = table.random.randint(1, home - 1)
    table.own = [place]
    for _ in range(table.random.choice((0, 0, 1, 1, 2))):
        table.own.append(table.random.choice([place, table.random.randint(home - 9, home - 1)]))
    if table.random.random() < 0.6:
        table.opponent(place + table.random.randint(1, 14), 2)
    if table.random.random() < 0.4:
        table.opponent(place + table.random.randint(1, 14))
    table.fill(home)
    return doublet(table.random)


def broken_fourteen(table: Table) -> Throw:
    """One pawn goes home with one of four numbers, the other can use a bonus but none of the numbers."""
    home = table.board.home
    die = table.random.choice((1, 6))
    table.own = [home - table.random.choice((1, 6)), table.random.choice((7, 24, 41))]
    table.opponent(table.own[1] + 1)
    table.opponent(table.own[1] + 6)
    table.fill(home)
    return die, die


def sums_at_the_entry(table: Table) -> Throw:
    """A five by sum with the entry shut, or shut until one of the two numbers opens it."""
    table.own = [NEST]
    table.own += table.random.choice([[1, 1], [1, 1], [1], [], [table.random.randint(2, 6)]])
    if 1 not in table.own:
        table.opponent(1, table.random.choice((1, 2, 2)))
    if table.random.random() < 0.4:
        table.opponent(1 + table.random.randint(1, 5), table.random.choice((1, 2)))
    table.fill(table.random.choice([NEST, table.board.home, pawn_somewhere(table)]))
    return five_by_sum(table.random)


def crowded(table: Table) -> Throw:
    """Anything anywhere."""
    for _ in range(table.random.randint(0, 4)):
        table.opponent(table.random.randint(1, table.board.ring_steps), table.random.choice((1, 1, 2)))
    table.own = [
        table.random.choice([NEST, table.board.home, pawn_somewhere(table), pawn_somewhere(table)])
        for _ in range(4)
    ]
    return any_dice(table.random)


Family = Callable[[Table], Throw]

FAMILIES: Final[Mapping[str, Family]] = {
    family.__name__: family
    for family in (
        own_pairs,
        opponents_pairs,
        one_order_only,
        near_home,
        contested_entry,
        capture_chains,
        pairs_with_bonuses,
        last_pawns,
        stuck_pairs,
        last_bonuses,
        last_captures,
        fours,
        broken_fourteen,
        sums_at_the_entry,
        crowded,
    )
}


def constructed(board: Board, family: str, seed: int) -> Question:
    """Return question number *seed* of *family*; the same each time."""
    random = Random(f"{family} {seed}")
    while True:
        table = Table(board, random)
        try:
            return table.asked(FAMILIES[family](table))
        except Misplaced:
            continue


def all_constructed(board: Board, each: int, first: int = 0) -> Sequence[tuple[str, int, Question]]:
    """Return *each* questions of every family, with family and seed."""
    return [
        (family, seed, constructed(board, family, seed))
        for family in FAMILIES
        for seed in range(first, first + each)
    ]
