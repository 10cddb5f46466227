"""Who came where: section 6 of the rule book, *Ranking*."""

from collections.abc import Sequence

from referee.rules.board import Board
from referee.rules.state import Position


def places(board: Board, position: Position, winner: int | None, lost: Sequence[int]) -> dict[int, int]:
    """
    Return the place of each seat, from 1: the winner, then by pawns at home, then by squares left to go.

    Equal places are shared, and the place after them is left out. *lost* are the seats that were
    lost, in that order: the first takes the last place, whatever its pawns had reached.
    """
    racing = {seat: pawns for seat, pawns in enumerate(position) if pawns is not None and seat not in lost}
    merit = {seat: (seat == winner, pawns.count(board.home), sum(pawns)) for seat, pawns in racing.items()}
    found = {seat: 1 + sum(other > merit[seat] for other in merit.values()) for seat in racing}
    last = len(racing) + len(lost)
    found.update((seat, last - n) for n, seat in enumerate(lost))
    return found
