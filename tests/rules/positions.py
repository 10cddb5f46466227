"""
Positions made on purpose, where the rules of section 5 have something to say.

Knows: families of positions, each a function of a random source; what may stand together in a ruleset.
Does not know: what is legal; a family may miss what it aims at, and a test counts the hits.

Random games seldom meet the rules that forbid: fewer than one throw in a hundred. A family puts
pawns where one of them is near. It speaks of places on the mover's own way: 0 is its nest, 1 its
entry, 64 its tip, 65 to 71 its lane, 72 home on `parcheesi68`, and 73 to 76 the squares between tip and
entry. The mover may be any seat, so that the same case is met in all four corners of the board. A seat
whose team plays on when it has finished may move its partner's pawns.

A family speaks of two dice; with one die the first of them falls.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from referee.rules.board import NEST, SEATS, Board
from referee.rules.ruleset import (
    EntryCapture,
    Partner,
    Ruleset,
    SquareLimit,
    Teams,
    TeamWin,
)
from referee.rules.state import Pawns, Position, arrival
from tests.oracle.squares import Man, Place, entry, men_of

Throw = tuple[int, int]
Dice = tuple[int, ...]


class Question(NamedTuple):
    """A position, the seat to move, dice that have just fallen, and who came last where that counts."""

    position: Position
    seat: int
    dice: Dice
    arrived: int


class Misplaced(Exception):
    """The pawns of a family got in each other's way: draw again."""


@dataclass
class Table:
    """A position in the making: own pawns of the mover, the others on the squares of its way."""

    ruleset: Ruleset
    random: Random
    seat: int = 0
    own: list[int] = field(default_factory=list)
    others: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seat = self.random.randrange(4)
        seats = self.random.choice([(0, 2), (0, 1, 2, 3), (0, 1, 2, 3)])
        if self.seat not in seats:
            seats = (1, 3)
        if self.ruleset.teams is Teams.PAIRS and (self.both_members or len(seats) == 2):
            seats = SEATS
        self.others = {seat: [] for seat in seats if seat != self.seat}

    @property
    def board(self) -> Board:
        """Return the board of the ruleset."""
        return self.ruleset.board

    @property
    def both_members(self) -> bool:
        """Return whether a seat that has finished moves its partner's pawns."""
        return self.ruleset.teams is Teams.PAIRS and self.ruleset.team_win is TeamWin.BOTH_MEMBERS

    def opponent(self, at: int, pawns: int = 1, colours: int = 1) -> None:
        """
        Put *pawns* of each of so many other seats on place *at* of the mover's way, if it is on the ring.

        Raises:
            Misplaced: There is nobody who could stand there.
        """
        between = self.ruleset.second_lap and self.board.home < at <= self.board.last
        if not (1 <= at <= self.board.ring_steps or between):
            return
        square = self.board.square(self.seat, at)
        lap = self.ruleset.second_lap
        seats = [
            seat
            for seat, placed in self.others.items()
            if len(placed) + pawns <= 4 and self.board.progress(seat, square, lap=lap) is not None
        ]
        if len(seats) < colours:
            raise Misplaced
        for seat in self.random.sample(seats, colours):
            progress = self.board.progress(seat, square, lap=lap)
            assert progress is not None
            self.others[seat] += [progress] * pawns

    def safe(self, at: int) -> bool:
        """Return whether place *at* of the mover's way is a safe square."""
        return self.board.square(self.seat, at) in self.board.safe

    def safe_places(self, first: int = 1) -> list[int]:
        """Return the safe squares of the mover's way from *first* on."""
        return [at for at in range(first, self.board.ring_steps + 1) if self.safe(at)]

    def fill(self, own: int) -> None:
        """Give the mover four pawns, those missing on place *own*, and the others theirs."""
        self.own += [own] * (4 - len(self.own))
        self.random.shuffle(self.own)
        for placed in self.others.values():
            placed += [self.random.choice((NEST, NEST, self.board.home)) for _ in range(4 - len(placed))]
            if placed.count(self.board.home) == 4:
                placed[0] = NEST

    def asked(self, dice: Dice) -> Question:
        """
        Return the question that the table puts.

        Raises:
            Misplaced: Pawns stand on one square that may not do so in the ruleset, or nowhere on their way.
        """
        self.fill(self.board.home)
        seat = self.seat
        if self.both_members and self.random.random() < 0.4:
            seat = (self.seat + 2) % 4
            self.others[seat] = [self.board.home] * 4
        groups: list[Pawns | None] = [None, None, None, None]
        for owner, placed in (*self.others.items(), (self.seat, self.own)):
            a, b, c, d = placed
            groups[owner] = (a, b, c, d)
        first, second, third, fourth = groups
        position = first, second, third, fourth
        last = self.board.last if self.ruleset.second_lap else self.board.home
        if self.own == [self.board.home] * 4 or min(self.own) < NEST or max(self.own) > last:
            raise Misplaced
        arrived = 0
        for place, there in men_of(self.board, position).items():
            if not may_stand(self.ruleset, place, there):
                raise Misplaced
            if place.kind == "ring" and len(there) == 2:
                arrived |= arrival(*self.random.choice(there))
        keeps_arrived = self.ruleset.entry_capture is EntryCapture.WHEN_FULL
        return Question(position, seat, dice[: self.ruleset.dice], arrived if keeps_arrived else 0)


def may_stand(ruleset: Ruleset, place: Place, there: Sequence[Man]) -> bool:
    """Return whether those *there* may stand on *place* together."""
    if place.kind == "lane":
        return len(there) <= 2 or not ruleset.lane_pairs_block
    if place.kind != "ring":
        return True
    as_one = ruleset.teams is Teams.PAIRS and ruleset.partner is Partner.PAIR
    sides = [man.seat % 2 if as_one else man.seat for man in there]
    most = max(map(sides.count, sides)) if ruleset.square_limit is SquareLimit.TWO_OF_A_COLOUR else len(there)
    if most > 2:
        return False
    if len(set(sides)) == 1 or (ruleset.safe_sharing and place.number in ruleset.board.safe):
        return True
    at_an_entry = any(entry(ruleset.board, man.seat) == place for man in there)
    return ruleset.entry_capture is not EntryCapture.ALONE and at_an_entry and len(there) == 2


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
        if (
            victims < 4
            and not table.safe(min(place + amount, table.board.ring_steps))
            and table.random.random() < 0.6
        ):
            table.opponent(place + amount)
            victims += 1
    if table.random.random() < 0.4:
        table.opponent(place + dice[0] + table.random.randint(1, 20), 2)
    table.own.append(
        table.random.choice([NEST, table.board.home, table.board.home - 10, place + 20, table.board.home - 5])
    )
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
            if (
                not table.safe(min(captor + amount, table.board.ring_steps))
                and captor + amount not in table.own
            ):
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
    safe = table.safe_places()
    stopped = [at - 1 for at in safe if at > 1 and at + 5 in safe] or [at - 1 for at in safe]
    table.own = [home - table.random.choice((1, 6)), table.random.choice(stopped)]
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


def mixed_entry(table: Table) -> Throw:
    """An entry on which pawns of two seats stand, as far as the ruleset lets them, and a five."""
    table.own = [NEST] * table.random.randint(1, 2)
    match table.random.randrange(4):
        case 0:
            table.own.append(1)
            table.opponent(1)
        case 1:
            table.opponent(1, colours=2)
        case 2:
            table.opponent(1, pawns=2)
        case _:
            table.opponent(1)
    if table.random.random() < 0.5:
        table.own.append(1 + table.random.randint(1, 6))
    table.fill(table.random.choice([NEST, table.board.home, pawn_somewhere(table)]))
    five = (5, table.random.randint(1, 6))
    return table.random.choice([five, five, five[::-1], (5, 5), five_by_sum(table.random)])


def shared_safe_squares(table: Table) -> Throw:
    """Safe squares on which others stand, one, two, of one colour or of two, alone or with an own pawn."""
    dice = table.random.choice([any_dice, any_dice, doublet])(table.random)
    for stop in table.random.sample(table.safe_places(2), 2):
        table.own.append(max(stop - table.random.choice([*dice, sum(dice), 20]), 1))
        match table.random.randrange(6):
            case 0:
                table.opponent(stop, colours=2)
            case 1:
                table.opponent(stop, pawns=2)
            case 2:
                table.opponent(stop)
                table.own.append(stop)
            case 3:
                table.opponent(stop, colours=2)
                table.own.append(stop)
            case _:
                table.opponent(stop)
    table.own = table.own[:4]
    table.fill(table.random.choice([NEST, table.board.home, pawn_somewhere(table)]))
    return dice


def passing_captures(table: Table) -> Throw:
    """Others alone, in pairs and on safe squares, close ahead of one or two own pawns."""
    dice = any_dice(table.random)
    place = table.random.randint(1, table.board.ring_steps - 2)
    table.own = [place]
    if table.random.random() < 0.5:
        table.own.append(max(place - table.random.randint(0, 8), 1))
    for ahead in table.random.sample(range(1, 8), 3):
        table.opponent(place + ahead, table.random.choice((1, 1, 1, 1, 2)))
    if table.random.random() < 0.5:
        table.opponent(place + dice[0] + table.random.randint(1, 20))
    table.fill(table.random.choice([NEST, table.board.home, pawn_somewhere(table)]))
    return dice


def pairs_to_open(table: Table) -> Throw:
    """One or two own pairs at a six or a doublet, sometimes shut in, and pawns that could move instead."""
    die = table.random.choice((6, 6, 6, table.random.randint(1, 6)))
    place = table.random.randint(1, table.board.home - 2)
    table.own = [place, place]
    if table.random.random() < 0.3:
        table.own.append(table.random.choice([place - 7, place + 7, table.random.randint(1, 30)]))
        table.own[2] = min(max(table.own[2], 1), table.board.home - 1)
        table.opponent(place + 1, 2)
        table.fill(table.board.home)
        return die, die
    for _ in range(table.random.randint(0, 2)):
        other = table.random.choice(
            [max(place - die, 1), max(place - 7, 1), pawn_somewhere(table), pawn_somewhere(table), NEST]
        )
        table.own += table.random.choice([[other], [other], [other, other]])
    table.own = table.own[:4]
    if table.random.random() < 0.5:
        table.opponent(place + table.random.choice([die, 7, table.random.randint(1, 7)]), 2)
    if table.random.random() < 0.4:
        table.opponent(place + die)
    table.fill(table.random.choice([table.board.home, pawn_somewhere(table), NEST]))
    return die, table.random.choice([die, die, die, table.random.randint(1, 6)])


def two_pairs(table: Table) -> Throw:
    """Two own pairs and a doublet: each may send one pawn, and a capture's bonus may send another."""
    die, _ = dice = doublet(table.random)
    first, second = table.random.sample(range(1, table.board.home - 1), 2)
    if table.random.random() < 0.4:
        second = first + table.random.choice([die, 2 * die, 7])
    table.own = [min(at, table.board.home - 1) for at in (first, first, second, second)]
    for at in (first, second):
        if table.random.random() < 0.5:
            table.opponent(at + die)
        if table.random.random() < 0.3:
            table.opponent(at + table.random.randint(1, 12), 2)
    return dice


def second_laps(table: Table) -> Throw:
    """Pawns near the tip, on it, and between it and the entry, where a second lap leads."""
    board = table.board
    before = [board.ring_steps - steps for steps in range(7)]
    between = list(range(board.home + 1, board.last + 1)) if table.ruleset.second_lap else before[:2]
    for _ in range(table.random.randint(1, 3)):
        table.own.append(table.random.choice([*before, *between, *between, board.ring_steps]))
    for _ in range(table.random.randint(0, 3)):
        at = table.random.choice([*between, board.ring_steps, 1, 1, 2, table.random.randint(2, 7)])
        table.opponent(at, table.random.choice((1, 1, 2)))
    if table.random.random() < 0.3:
        table.own.append(table.random.choice([1, board.ring_steps + 1, board.ring_steps - 20]))
    table.fill(table.random.choice([NEST, board.home, pawn_somewhere(table)]))
    return table.random.choice([any_dice, doublet])(table.random)


def doublets_near_home(table: Table) -> Throw:
    """A doublet, a pawn that it could bring home, and others that could take the rest of it."""
    home = table.board.home
    die, _ = dice = doublet(table.random)
    amounts = [die, 2 * die, 7 - die, 7, 7 + die, 14, 14, table.random.randint(1, 14)]
    table.own = [home - table.random.choice(amounts)]
    for _ in range(table.random.choice((0, 1, 1, 2))):
        other = table.random.choice([home - table.random.choice(amounts), pawn_somewhere(table)])
        table.own.append(other)
        if table.random.random() < 0.4:
            table.opponent(other + table.random.randint(1, 14), 2)
    table.fill(table.random.choice([home, home, home, NEST]))
    return dice


def double_one_against_pairs(table: Table) -> Throw:
    """1 1, and pairs ahead: of others on plain and safe squares, of two colours, own ones."""
    place = table.random.choice([table.random.randint(1, 40), table.random.choice(table.safe_places(2)) - 1])
    table.own = [place]
    table.opponent(place + table.random.choice((1, 1, 2, 6, 7)), 2)
    if table.random.random() < 0.5:
        table.opponent(place + table.random.choice((1, 2, 6, 7, 8, 14)), *table.random.choice([(2,), (1, 2)]))
    if table.random.random() < 0.3:
        table.own += [place + table.random.choice((2, 6, 7))] * 2
    if table.random.random() < 0.5:
        table.opponent(place + table.random.choice((1, 7)) + table.random.randint(1, 20), 2)
    table.own.append(table.random.choice([pawn_somewhere(table), NEST, table.board.home]))
    table.own = table.own[:4]
    table.fill(table.board.home)
    return table.random.choice([(1, 1), (1, 1), (1, 1), (6, 6), any_dice(table.random)])


def among_partners(table: Table) -> Throw:
    """Pawns of the seat opposite, alone and beside others, on the way and on the entry."""
    partner = (table.seat + 2) % 4
    place = table.random.randint(1, 30)
    table.own = [place, table.random.choice([NEST, NEST, 1, place])]
    dice = table.random.choice([any_dice(table.random), (5, table.random.randint(1, 6))])
    if partner in table.others:
        for at in {place + dice[0], place + table.random.randint(1, 7), 1}:
            square = table.board.square(table.seat, at)
            progress = table.board.progress(partner, square)
            if progress is not None and table.random.random() < 0.6:
                table.others[partner] += [progress] * table.random.choice((1, 1, 2))
        table.others[partner] = table.others[partner][:4]
    if table.random.random() < 0.6:
        table.opponent(table.random.choice([1, place + dice[1], place + table.random.randint(1, 12)]))
    if table.random.random() < 0.3:
        table.opponent(table.random.choice([1, place + dice[1]]), colours=2)
    table.fill(table.random.choice([NEST, table.board.home, pawn_somewhere(table)]))
    return dice


def bonuses_nobody_can_use(table: Table) -> Throw:
    """A capture or a pawn that comes home, while all others are shut in or too near home for the bonus."""
    home = table.board.home
    dice = table.random.choice([any_dice, doublet])(table.random)
    bonus = table.ruleset.capture_bonus
    if 0 < bonus <= 6 and table.random.random() < 0.6:
        return bonus_that_pairs_again(table, bonus)
    near = home - table.random.randint(1, 9)
    captor = table.board.ring_steps - table.random.randint(0, 9) - dice[0]
    table.own = [captor, near]
    table.opponent(captor + dice[0])
    if table.random.random() < 0.5:
        table.own.append(home - dice[1])
    if table.random.random() < 0.4:
        far = table.random.randint(1, 30)
        table.own.append(far)
        table.opponent(far + table.random.randint(1, 19), 2)
    table.fill(table.random.choice([home, NEST]))
    return dice


def bonus_that_pairs_again(table: Table, bonus: int) -> Throw:
    """One of an own pair captures and is shut in; with the bonus the other could only join it again."""
    place = table.random.randint(1, table.board.ring_steps - 8)
    table.own = [place, place]
    table.opponent(place + bonus)
    table.opponent(place + bonus + 1, 2)
    table.fill(table.board.home)
    return bonus, 1


def win_with_the_smaller(table: Table, high: int) -> Throw:
    """A capture whose bonus wins, with the smaller of two numbers that cannot both be used."""
    win = table.board.home - table.ruleset.capture_bonus
    low = table.random.randint(1, high - 1)
    table.own = [win - low]
    table.opponent(win)
    table.opponent(win + high)
    table.fill(table.board.home)
    return low, high


def one_of_two(table: Table) -> Throw:
    """Two numbers, one pawn that can use either, and a stop where it would come with both."""
    win = table.board.home - table.ruleset.capture_bonus
    highest = [stop - win for stop in table.safe_places(win) if 2 <= stop - win <= 6]
    if highest and not table.safe(win) and table.random.random() < 0.5:
        return win_with_the_smaller(table, table.random.choice(highest))
    low, high = sorted(table.random.sample(range(1, 7), 2))
    place = table.random.randint(1, table.board.ring_steps - 12)
    if table.random.random() < 0.4:
        place = max(table.random.choice(table.safe_places(14)) - low - high, 1)
    table.own = [place]
    stop = place + low + high
    table.opponent(stop, 1 if table.safe(stop) and table.random.random() < 0.5 else 2)
    if table.random.random() < 0.4:
        table.opponent(place + table.random.choice((low, high)))
    if table.random.random() < 0.4:
        table.own.append(table.board.home - table.random.choice((low, high, high + 1, 10)))
    table.fill(table.board.home)
    return table.random.choice([(low, high), (high, low)])


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
        mixed_entry,
        shared_safe_squares,
        passing_captures,
        pairs_to_open,
        two_pairs,
        second_laps,
        doublets_near_home,
        double_one_against_pairs,
        among_partners,
        bonuses_nobody_can_use,
        one_of_two,
        crowded,
    )
}


def constructed(ruleset: Ruleset, family: str, seed: int) -> Question:
    """Return question number *seed* of *family* for *ruleset*; the same each time."""
    return drawn(ruleset, FAMILIES[family], Random(f"{family} {seed}"))


def drawn(ruleset: Ruleset, family: Family, random: Random) -> Question:
    """Return a question of *family* for *ruleset*, drawn until its pawns do not get in each other's way."""
    while True:
        table = Table(ruleset, random)
        try:
            return table.asked(family(table))
        except Misplaced:
            continue


def all_constructed(ruleset: Ruleset, each: int, first: int = 0) -> Sequence[tuple[str, int, Question]]:
    """Return *each* questions of every family, with family and seed."""
    return [
        (family, seed, constructed(ruleset, family, seed))
        for family in FAMILIES
        for seed in range(first, first + each)
    ]
