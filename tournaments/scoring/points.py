"""
What a place is worth.

Each seat is compared with each other seat of its game: the better place takes one point, equal places
take half a point each. So a game between two is worth 1 in all, between three 3, between four 6, a
point is always one opponent that was beaten, and points add up to the cross table. They are not
divided by anything: all games of a tournament have the same number of seats.

A seat that was lost by a fault takes no points: whoever kept the seat stands before it, and between
two that lost theirs nobody gains, whatever their places. Partners win and lose together, so neither takes
more from the other than the half point of an equal place, whatever became of their seats.

Points are counted in halves, as whole numbers: sums are exact, and the order in which games end makes no
difference.
"""

from collections.abc import Iterator

from tournaments.results import Result, SeatResult


def halves(one: SeatResult, other: SeatResult, *, partners: bool = False) -> int:
    """Return what *one* takes from *other*, in half points: 0, 1 or 2."""
    if one.lost_by_fault:
        return 0
    if partners:
        return 1
    if other.lost_by_fault or one.place < other.place:
        return 2
    return 1 if one.place == other.place else 0


def duels(result: Result, *, teams: bool = False) -> Iterator[tuple[SeatResult, SeatResult, int]]:
    """
    Return each seat with each other seat, and what the first takes from the second, in half points.

    In a game of *teams* those who sit opposite each other are partners.
    """
    for one in result.seats:
        for other in result.seats:
            if one is not other:
                yield one, other, halves(one, other, partners=teams and (one.seat - other.seat) % 4 == 2)
