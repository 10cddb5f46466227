"""
Where the squares of a board lie when it is drawn as a cross.

The geometry. A board is a cross of four arms, three columns wide, round a middle of three by three cells.
Each seat has one arm. Its middle column runs inwards from the *tip*, the cell at the outer end, through the
lane to home; so an arm is as long as the lane and one cell more. Pawns travel against the clock: from the
tip of seat 0, at the bottom, to the column on its right, *back* along that to the middle, round the inner
corner, *out* along the next arm's near column, and across to that arm's tip.

    parcheesi68     lane 7, arms of 8: 8 back, 8 out, 1 tip are 17 squares an arm, and four arms 68. The
                    last square back and the first out touch at a corner; home has all nine middle cells.
    pahrcheesi56    lane 5, arms of 6: 6 back, 6 out, 1 tip are 13, and 56 needs 14 an arm. The one more is
                    the corner cell of the middle, between back and out: home is left the shape of a plus.

Whether a board has those corners follows from its numbers of squares, and the rest is one quarter turned four
times. Cells have whole coordinates from the middle of the board, x to the right, y down.

Knows: the cell of every square, the places of the nests.
Does not know: colours, pixels (`boards.py`), pawns.
"""

from referee.rules.board import SEATS, Board

Cell = tuple[float, float]
"""A place on the board: cells to the right of the middle, cells below it."""


def arm_length(board: Board) -> int:
    """Return how many cells an arm is long: the lane and the tip."""
    return board.lane + 1


def has_corners(board: Board) -> bool:
    """
    Tell whether the corner cells of the middle are squares of the ring.

    Raises:
        ValueError: No cross has so many squares with such a lane.
    """
    corners = board.ring // len(SEATS) - 2 * arm_length(board) - 1
    if corners not in (0, 1) or board.ring % len(SEATS):
        raise ValueError(f"{board.name}: a ring of {board.ring} makes no cross with lanes of {board.lane}")
    return corners == 1


def turned(cell: Cell, seat: int) -> Cell:
    """Return where *cell* of seat 0's quarter lies in the quarter of *seat*: turned against the clock."""
    x, y = cell
    for _ in range(seat):
        x, y = y, -x
    return x, y


def ring_cells(board: Board) -> dict[int, Cell]:
    """Return the cell of each square of the ring, by its number."""
    end = arm_length(board) + 1
    tip: list[Cell] = [(0, end)]
    back: list[Cell] = [(1, y) for y in range(end, 1, -1)]
    corner: list[Cell] = [(1, 1)] if has_corners(board) else []
    out: list[Cell] = [(x, 1) for x in range(2, end + 1)]
    quarter = [*tip, *back, *corner, *out]
    return {
        (board.tips[seat] + steps - 1) % board.ring + 1: turned(cell, seat)
        for seat in SEATS
        for steps, cell in enumerate(quarter)
    }


def lane_cells(board: Board, seat: int) -> list[Cell]:
    """Return the cells of a seat's lane, L1 first."""
    return [turned((0, y), seat) for y in range(arm_length(board), 1, -1)]


def nest_middle(board: Board, seat: int) -> Cell:
    """Return the middle of a seat's nest: the corner to the right of its arm, where its pawns enter."""
    middle = (arm_length(board) + 3) / 2
    return turned((middle, middle), seat)


def nest_radius(board: Board) -> float:
    """Return how large a nest is: what the corner leaves beside the arrows."""
    return arm_length(board) / 2 - 1.2
