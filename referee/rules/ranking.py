"""Who came where: section 6 of the rule book, *Ranking* and *Teams*."""

from collections.abc import Sequence

from referee.rules.board import SEATS
from referee.rules.ruleset import Ruleset, Teams
from referee.rules.state import Position
from referee.rules.tables import squares_to_go


def places(ruleset: Ruleset, position: Position, winner: int | None, lost: Sequence[int]) -> dict[int, int]:
    """
    Return the place of each seat, from 1: the winner, then by pawns at home, then by squares left to go.

    Equal places are shared, and the place after them is left out. *lost* are the seats that were
    lost, in that order: the first takes the last place, whatever its pawns had reached. The seats of a team
    come in together, first or second, by the sums of those that are not lost.
    """
    board = ruleset.board
    racing = {seat: pawns for seat, pawns in enumerate(position) if pawns is not None and seat not in lost}
    teams = ruleset.teams is not Teams.NONE
    sides = ((0, 2), (1, 3)) if teams else tuple((seat,) for seat in SEATS)
    merit: dict[int, tuple[bool, int, int]] = {}
    for side in sides:
        pawns = [pawn for seat in side for pawn in racing.get(seat, ())]
        to_go = sum(squares_to_go(board, pawn) for pawn in pawns)
        value = winner in side, pawns.count(board.home), -to_go
        merit.update((seat, value) for seat in side if seat in racing)
    ahead = set(merit.values()) if teams else list(merit.values())
    found = {seat: 1 + sum(other > merit[seat] for other in ahead) for seat in racing}
    last = len(racing) + len(lost)
    found.update((seat, last - n) for n, seat in enumerate(lost))
    return found
