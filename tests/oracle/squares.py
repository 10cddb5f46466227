"""
Pawns on a board, the naive way: a dictionary from places to the pawns that stand there.

Knows: which place follows which on a seat's way home; how a `State` says where a pawn is.
Does not know: rules. It shares no idea with the engine: a pawn walks square by square.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from referee.rules.board import Board
from referee.rules.state import Pawns, Position


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
"""Who stands where; a place without pawns is missing."""


def nest(seat: int) -> Place:
    """Return the nest of *seat*."""
    return Place("nest", 0, seat)


def home(seat: int) -> Place:
    """Return the home of *seat*."""
    return Place("home", 0, seat)


def entry(board: Board, seat: int) -> Place:
    """Return the entry of *seat*."""
    return Place("ring", board.entries[seat], None)


def following(board: Board, seat: int, place: Place) -> Place | None:
    """Return the place one square ahead of *place* for a pawn of *seat*, None behind home."""
    match place.kind:
        case "ring" if place.number == board.tips[seat]:
            return Place("lane", 1, seat)
        case "ring":
            return Place("ring", place.number % board.ring + 1, None)
        case "lane" if place.number == board.lane:
            return home(seat)
        case "lane":
            return Place("lane", place.number + 1, seat)
        case _:
            return None


@cache
def way(board: Board, seat: int) -> tuple[Place, ...]:
    """Return all places of a pawn of *seat* in order: nest, entry, ring, lane, home."""
    places = [nest(seat), entry(board, seat)]
    while (place := following(board, seat, places[-1])) is not None:
        places.append(place)
    return tuple(places)


def men_of(board: Board, position: Position) -> Men:
    """Return who stands where in *position*."""
    men: dict[Place, tuple[Man, ...]] = {}
    for seat, pawns in enumerate(position):
        if pawns is not None:
            places = way(board, seat)
            for pawn, progress in enumerate(pawns):
                men[places[progress]] = (*men.get(places[progress], ()), Man(seat, pawn))
    return men


def place_of(men: Men, man: Man) -> Place:
    """Return where *man* stands."""
    return next(place for place, there in men.items() if man in there)


def pawns_of(board: Board, men: Men, seat: int) -> Pawns | None:
    """Return the pawns of *seat* as a `State` tells them, None if it has none on the board."""
    if not any(man.seat == seat for there in men.values() for man in there):
        return None
    places = way(board, seat)
    a, b, c, d = (places.index(place_of(men, Man(seat, pawn))) for pawn in range(4))
    return a, b, c, d


def position_of(board: Board, men: Men) -> Position:
    """Return the position in which *men* stand."""
    a, b, c, d = (pawns_of(board, men, seat) for seat in range(4))
    return a, b, c, d


def moved(men: Men, man: Man, to: Place) -> Men:
    """Return *men* with *man* on *to*, whoever else is there."""
    after = {place: tuple(m for m in there if m != man) for place, there in men.items()}
    after[to] = (*after.get(to, ()), man)
    return {place: there for place, there in after.items() if there}


def position_from(board: Board, text: str) -> Position:
    """Return the position that *text* describes, as `5,N,N,L3/-/22,22,H,40/-`."""
    seats: list[Pawns | None] = []
    for seat, group in enumerate(text.split("/")):
        names = [str(place) for place in way(board, seat)]
        if group == "-":
            seats.append(None)
        else:
            a, b, c, d = (names.index(square) for square in group.split(","))
            seats.append((a, b, c, d))
    first, second, third, fourth = seats
    return first, second, third, fourth


def text_of(board: Board, position: Position) -> str:
    """Return the text of *position*."""
    groups = []
    for seat, pawns in enumerate(position):
        names = [str(place) for place in way(board, seat)]
        groups.append("-" if pawns is None else ",".join(names[progress] for progress in pawns))
    return "/".join(groups)
