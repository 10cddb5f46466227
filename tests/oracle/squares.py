"""
Pawns on a board, the naive way: a dictionary from places to the pawns that stand there.

Knows: which place follows which on a seat's way home; how a `State` says where a pawn is, and who
came last.
Does not know: rules. It shares no idea with the engine: a pawn walks square by square.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from referee.rules.board import Board
from referee.rules.state import Pawns, Position, arrival


class Man(NamedTuple):
    """One pawn, of one seat."""

    seat: int
    pawn: int


class Place(NamedTuple):
    """
    One place on the board.

    `kind` is "nest", "ring", "lane" or "home"; `number` counts within ring and lane, else 0;
    `seat` is the owner, None on the ring.
    """

    kind: str
    number: int
    seat: int | None

    def __str__(self) -> str:
        return {"nest": "N", "ring": f"{self.number}", "lane": f"L{self.number}", "home": "H"}[self.kind]

    @property
    def code(self) -> int:
        """Return the code of the square in messages and in `Step`."""
        return {"nest": 0, "ring": self.number, "lane": 70 + self.number, "home": 99}[self.kind]


Men = Mapping[Place, tuple[Man, ...]]
"""Who stands where, in the order in which they came; a place without pawns is missing."""


def nest(seat: int) -> Place:
    """Return the nest of *seat*."""
    return Place("nest", 0, seat)


def home(seat: int) -> Place:
    """Return the home of *seat*."""
    return Place("home", 0, seat)


def entry(board: Board, seat: int) -> Place:
    """Return the entry of *seat*."""
    return Place("ring", board.entries[seat], None)


def following(board: Board, seat: int, place: Place, *, second_lap: bool = False) -> tuple[Place, ...]:
    """
    Return the places one square ahead of *place* for a pawn of *seat*; none behind home.

    On its tip it turns into its lane; where it may run a *second_lap*, it may go on round the ring as well.
    """
    match place.kind:
        case "nest":
            return (entry(board, seat),)
        case "ring":
            onward = Place("ring", place.number % board.ring + 1, None)
            if place.number != board.tips[seat]:
                return (onward,)
            lane = Place("lane", 1, seat)
            return (lane, onward) if second_lap else (lane,)
        case "lane" if place.number == board.lane:
            return (home(seat),)
        case "lane":
            return (Place("lane", place.number + 1, seat),)
        case _:
            return ()


@cache
def walks(
    board: Board, seat: int, place: Place, amount: int, *, second_lap: bool = False
) -> tuple[tuple[Place, ...], ...]:
    """Return each way to walk *amount* squares on from *place*: the squares passed, and the last one."""
    if amount == 0:
        return ((),)
    return tuple(
        (ahead, *rest)
        for ahead in following(board, seat, place, second_lap=second_lap)
        for rest in walks(board, seat, ahead, amount - 1, second_lap=second_lap)
    )


@cache
def squares_to_go(board: Board, seat: int, place: Place) -> int:
    """Return how many squares a pawn of *seat* on *place* has to go; the nest is one before the entry."""
    ahead = following(board, seat, place)
    return 1 + squares_to_go(board, seat, ahead[0]) if ahead else 0


@cache
def way(board: Board, seat: int) -> tuple[Place, ...]:
    """
    Return the places of a pawn of *seat* as a `State` counts them: nest, entry, ring, lane, home.

    The squares between its tip and its entry, which it meets on a second lap only, come after its home.
    """
    places = [nest(seat)]
    while ahead := following(board, seat, places[-1]):
        places.append(ahead[0])
    between = board.tips[seat] % board.ring + 1
    while between != board.entries[seat]:
        places.append(Place("ring", between, None))
        between = between % board.ring + 1
    return tuple(places)


def men_of(board: Board, position: Position, arrived: int = 0) -> Men:
    """Return who stands where in *position*, those that *arrived* last behind the others."""
    men: dict[Place, tuple[Man, ...]] = {}
    for seat, pawns in enumerate(position):
        if pawns is not None:
            places = way(board, seat)
            for pawn, progress in enumerate(pawns):
                men[places[progress]] = (*men.get(places[progress], ()), Man(seat, pawn))
    return {
        place: tuple(sorted(there, key=lambda man: (bool(arrived & arrival(*man)), man)))
        for place, there in men.items()
    }


def arrived_in(men: Men) -> int:
    """Return the bits of those that came last of two on a square of the ring, as a `State` holds them."""
    twos = [there for place, there in men.items() if place.kind == "ring" and len(there) == 2]
    return sum(arrival(*there[-1]) for there in twos)


def place_of(men: Men, man: Man) -> Place:
    """Return where *man* stands."""
    for place, there in men.items():
        if man in there:
            return place
    raise LookupError(f"{man} stands nowhere")


def position_of(board: Board, men: Men) -> Position:
    """Return the position in which *men* stand, None for a seat that has none on the board."""
    progress = {tuple(man): way(board, man.seat).index(at) for at, there in men.items() for man in there}
    a, b, c, d = (
        (progress[seat, 0], progress[seat, 1], progress[seat, 2], progress[seat, 3])
        if (seat, 0) in progress
        else None
        for seat in range(4)
    )
    return a, b, c, d


def moved(men: Men, man: Man, to: Place) -> Men:
    """Return *men* with *man* on *to*, behind whoever else is there."""
    after = {place: tuple(m for m in there if m != man) for place, there in men.items()}
    after[to] = (*after.get(to, ()), man)
    return {place: there for place, there in after.items() if there}


def placed_from(board: Board, text: str) -> tuple[Position, int]:
    """
    Return the position that *text* describes, as `5,N,N,L3/-/22,22,H,40+/-`, and who arrived last.

    Where no `+` says who came last of two, the higher seat did, then the higher number.
    """
    seats: list[Pawns | None] = []
    marked = 0
    for seat, group in enumerate(text.split("/")):
        names = [str(place) for place in way(board, seat)]
        if group == "-":
            seats.append(None)
            continue
        squares = group.split(",")
        marked |= sum(arrival(seat, pawn) for pawn, square in enumerate(squares) if square.endswith("+"))
        a, b, c, d = (names.index(square.removesuffix("+")) for square in squares)
        seats.append((a, b, c, d))
    first, second, third, fourth = seats
    position = first, second, third, fourth
    return position, arrived_in(men_of(board, position, marked))


def position_from(board: Board, text: str) -> Position:
    """Return the position that *text* describes, whoever arrived last."""
    return placed_from(board, text)[0]


def text_of(board: Board, position: Position) -> str:
    """Return the text of *position*."""
    groups = []
    for seat, pawns in enumerate(position):
        names = [str(place) for place in way(board, seat)]
        groups.append("-" if pawns is None else ",".join(names[progress] for progress in pawns))
    return "/".join(groups)
