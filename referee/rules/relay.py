"""
Whose pawns a seat moves: its own, or its partner's once it has finished.

Only where teams play until both members have finished is a seat asked that has all pawns home. In any other
game that has ended it, and the state that has been won is still about the winner's own pawns: so it takes the
ruleset to tell. Once nothing is left of a throw, not even that tells whether a seat with all pawns home has
moved its own to the end or its partner's; texts take them for the partner's, when written and when read.

Knows: who moves whose pawns. Does not know: when a seat is asked.
"""

from referee.rules.board import PAWNS, SEATS
from referee.rules.ruleset import Ruleset, Teams, TeamWin
from referee.rules.state import Position


def relays(ruleset: Ruleset) -> bool:
    """Tell whether a seat that has finished plays with its partner's pawns."""
    return ruleset.teams is not Teams.NONE and ruleset.team_win is TeamWin.BOTH_MEMBERS


def mover_in(ruleset: Ruleset, position: Position, seat: int) -> int:
    """
    Return the seat whose pawns *seat* moves, or has moved if nothing is left to be moved.

    An absent partner has no pawns: then it is *seat* itself.
    """
    if not relays(ruleset):
        return seat
    partner = (seat + 2) % len(SEATS)
    finished = position[seat] == (ruleset.board.home,) * len(PAWNS)
    return partner if finished and position[partner] is not None else seat
