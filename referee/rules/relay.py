"""
Whose pawns a seat moves: its own, or its partner's once it has finished.

Only where teams play until both members have finished is a seat asked that has all pawns home; in any
other game that has ended it. So the position alone tells, whatever the ruleset.
"""

from referee.rules.board import PAWNS, SEATS, Board
from referee.rules.ruleset import Ruleset, Teams, TeamWin
from referee.rules.state import Position


def relays(ruleset: Ruleset) -> bool:
    """Tell whether a seat that has finished plays with its partner's pawns."""
    return ruleset.teams is not Teams.NONE and ruleset.team_win is TeamWin.BOTH_MEMBERS


def mover_in(ruleset: Ruleset, position: Position, seat: int) -> int:
    """Return the seat whose pawns *seat* moves, if it moves any: the winner of a game moves none."""
    return mover(ruleset.board, position, seat) if relays(ruleset) else seat


def mover(board: Board, position: Position, seat: int) -> int:
    """Return the seat whose pawns *seat* moves."""
    partner = (seat + 2) % len(SEATS)
    finished = position[seat] == (board.home,) * len(PAWNS)
    return partner if finished and position[partner] is not None else seat
