"""
Whose pawns a seat moves: its own, or its partner's once it has finished.

Only where teams play until both members have finished is a seat asked that has all pawns home; in any
other game that has ended it. So the position alone tells, whatever the ruleset.
"""

from referee.rules.board import PAWNS, SEATS, Board
from referee.rules.state import Position


def mover(board: Board, position: Position, seat: int) -> int:
    """Return the seat whose pawns *seat* moves."""
    partner = (seat + 2) % len(SEATS)
    finished = position[seat] == (board.home,) * len(PAWNS)
    return partner if finished and position[partner] is not None else seat
