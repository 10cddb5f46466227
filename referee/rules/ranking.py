"""Who came where: section 6 of the rule book, *Ranking* and *Teams*."""

from collections.abc import Sequence

from referee.rules.ruleset import Ruleset, Teams, TeamWin
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
    merit: dict[int, tuple[bool, int, int]] = {}
    for side in sides(ruleset):
        pawns = [pawn for seat in side for pawn in racing.get(seat, ())]
        to_go = sum(squares_to_go(board, pawn) for pawn in pawns)
        value = winner in side, pawns.count(board.home), -to_go
        merit.update((seat, value) for seat in side if seat in racing)
    ahead = list(merit.values()) if ruleset.teams is Teams.NONE else set(merit.values())
    found = {seat: 1 + sum(other > merit[seat] for other in ahead) for seat in racing}
    last = len(racing) + len(lost)
    found.update((seat, last - n) for n, seat in enumerate(lost))
    return found


def sides(ruleset: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return who wins together: every seat by itself, or the two of each team."""
    return ((0,), (1,), (2,), (3,)) if ruleset.teams is Teams.NONE else ((0, 2), (1, 3))


def contenders(ruleset: Ruleset, position: Position, lost: Sequence[int]) -> list[tuple[int, ...]]:
    """
    Return the sides that can still win, without their seats that are *lost*.

    Where both members of a team must come home, a team that has lost one cannot.
    """
    both = ruleset.team_win is TeamWin.BOTH_MEMBERS
    found = []
    for side in sides(ruleset):
        left = tuple(seat for seat in side if position[seat] is not None and seat not in lost)
        if left and not (both and set(side) & set(lost)):
            found.append(left)
    return found
