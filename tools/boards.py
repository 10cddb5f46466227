"""
The boards as pictures, and any position on them.

Knows: what a square, a nest and a pawn look like, and how pawns that share a square stand beside each other.
Does not know: where a square lies (`cross.py`), rules, files. `rules_page.py` writes the pictures that are
kept.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_LANE, Board
from referee.rules.notation import position_text, square_text
from referee.rules.state import Position
from tools.cross import (
    Cell,
    arm_length,
    has_corners,
    lane_cells,
    nest_middle,
    nest_radius,
    ring_cells,
    turned,
)

SIZE: Final = 40
"""Side of a cell, in pixels."""

EDGE: Final = 26
"""Between the cross and the edge of the picture."""

LEGEND: Final = 76
"""Height of the words below the board."""

STRONG: Final = ("#c62828", "#1c5fb0", "#8a6100", "#1f7a38")
"""The colour of each seat's pawns and lines: all carry white text."""

PALE: Final = ("#f9c9c4", "#c4dcf7", "#fbe39c", "#c6e8c9")
"""The colour of each seat's nest and lane: all carry black text."""

PAPER: Final = "#f6f1e4"
"""The ground, which the picture brings along: it looks the same on a light and on a dark page."""

PLAIN: Final = "#ffffff"
SAFE: Final = "#d5d2c8"
INK: Final = "#22262b"

TEXT: Final = 'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" text-anchor="middle"'


# The picture.


def draw(board: Board, position: Position | None = None) -> str:
    """
    Return *board* as a standalone SVG, with the pawns of *position* on it if there is one.

    Every square of the ring and of the lanes is a group of class `square` that carries `data-square`, its
    text, and in lanes `data-seat`; a safe one has the class `safe` too. A pawn is a group of class `pawn`
    with `data-seat` and `data-pawn`.
    """
    half = (arm_length(board) + 1.5) * SIZE + EDGE
    top, width, height = -half, 2 * half, 2 * half + LEGEND
    stands = [] if position is None else list(_pawns(board, position))
    taken = {cell for cell, _, _ in stands}
    box = f"{_n(-half)} {_n(top)} {_n(width)} {_n(height)}"
    size = f'width="{_n(width)}" height="{_n(height)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" {TEXT}>',
        f"<title>{escape(_title(board, position))}</title>",
        f"<desc>{escape(_description(board))}</desc>",
        *_heads(),
        f'<rect x="{_n(-half)}" y="{_n(top)}" {size} rx="14" fill="{PAPER}"/>',
        *_nests(board),
        *_home(board),
        *_lanes(board, taken),
        *_ring(board, taken),
        *_arrows(board),
        *_placed(stands),
        *_legend(half),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _title(board: Board, position: Position | None) -> str:
    name = f"The board {board.name}"
    return name if position is None else f"{name} with the position {position_text(board, position)}"


def _description(board: Board) -> str:
    safe = ", ".join(map(str, sorted(board.safe)))
    entries = ", ".join(map(str, board.entries))
    return (
        f"A cross of four arms round home. The ring has the squares 1 to {board.ring}, numbered as pawns "
        "travel, against the clock. Seats 0 to 3 sit at the bottom, the right, the top and the left; their "
        f"pawns enter on {entries} and turn into lanes of {board.lane} squares. Safe squares: {safe}."
    )


def _n(value: float) -> str:
    """Return a coordinate as text, to a hundredth of a pixel and without needless digits."""
    return f"{round(value, 2) + 0:g}"


def _at(cell: Cell) -> str:
    x, y = cell
    return f"{_n(x * SIZE)} {_n(y * SIZE)}"


def _heads() -> Iterator[str]:
    """Yield the heads of arrows: one for the direction of travel, one for each seat's way in."""
    yield "<defs>"
    for name, colour in (("travel", INK), *((f"in-{seat}", STRONG[seat]) for seat in SEATS)):
        yield (
            f'<marker id="{name}" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="5" markerHeight="5" '
            f'orient="auto"><path d="M0 0 10 5 0 10z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


def _nests(board: Board) -> Iterator[str]:
    """Yield the nests: a disc in each corner, with the seat's number and a place for each pawn."""
    for seat in SEATS:
        x, y = nest_middle(board, seat)
        radius = nest_radius(board) * SIZE
        yield f'<g class="nest" data-seat="{seat}">'
        yield (
            f'<circle cx="{_n(x * SIZE)}" cy="{_n(y * SIZE)}" r="{_n(radius)}" fill="{PALE[seat]}" '
            f'stroke="{STRONG[seat]}" stroke-width="3"/>'
        )
        for place in _nest_places(board, seat):
            px, py = place
            yield (
                f'<circle cx="{_n(px * SIZE)}" cy="{_n(py * SIZE)}" r="{_n(SIZE * 0.36)}" '
                f'fill="{PLAIN}" stroke="{STRONG[seat]}"/>'
            )
        yield (
            f'<text x="{_n(x * SIZE)}" y="{_n(y * SIZE + 5)}" font-size="15" font-weight="bold" '
            f'fill="{INK}">seat {seat}</text></g>'
        )


def _nest_places(board: Board, seat: int) -> list[Cell]:
    """Return where pawns 0 to 3 wait in a nest: above and below the seat's number, two by two."""
    x, y = nest_middle(board, seat)
    across, down = 0.55, nest_radius(board) * 0.55
    return [(x + dx * across, y + dy * down) for dy in (-1, 1) for dx in (-1, 1)]


def _home(board: Board) -> Iterator[str]:
    """Yield home: the middle, without the corners where those belong to the ring."""
    shape: Iterable[Cell] = ((-1.5, -1.5), (1.5, -1.5), (1.5, 1.5), (-1.5, 1.5))
    if has_corners(board):
        corner: list[Cell] = [(-0.5, 1.5), (0.5, 1.5), (0.5, 0.5)]
        shape = [turned(cell, seat) for seat in SEATS for cell in corner]
    points = " ".join(_at(cell) for cell in shape)
    yield f'<g class="home"><polygon points="{points}" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
    for seat in SEATS:
        wedge = [turned(cell, seat) for cell in ((-0.5, 1.5), (0, 0), (0.5, 1.5))]
        points = " ".join(_at(cell) for cell in wedge)
        yield f'<polygon points="{points}" fill="{PALE[seat]}" stroke="{INK}"/>'
    yield (
        f'<circle class="middle" r="{_n(SIZE * 0.68)}" fill="{PAPER}" stroke="{INK}"/>'
        f'<text y="4" font-size="12" font-weight="bold" fill="{INK}">home</text></g>'
    )


def _lanes(board: Board, taken: set[Cell]) -> Iterator[str]:
    for seat in SEATS:
        for number, cell in enumerate(lane_cells(board, seat), start=1):
            text = square_text(SQUARE_LANE + number)
            yield f'<g class="square lane" data-seat="{seat}" data-square="{text}">'
            yield _box(cell, PALE[seat], STRONG[seat], 1.5)
            yield _label(cell, text, small=cell in taken) + "</g>"


def _ring(board: Board, taken: set[Cell]) -> Iterator[str]:
    """Yield the squares of the ring: safe ones grey with a ring, entries framed, tips with a bar."""
    for number, cell in sorted(ring_cells(board).items()):
        safe = number in board.safe
        owner = board.entries.index(number) if number in board.entries else None
        kinds = ["square", *(["safe"] if safe else []), *(["entry"] if owner is not None else [])]
        yield f'<g class="{" ".join(kinds)}" data-square="{number}">'
        yield _box(cell, SAFE if safe else PLAIN, INK, 1)
        x, y = cell
        if safe:
            yield (
                f'<circle class="mark" cx="{_n(x * SIZE)}" cy="{_n(y * SIZE)}" r="{_n(SIZE * 0.38)}" '
                f'fill="none" stroke="{INK}" stroke-width="1.5"/>'
            )
        if number in board.tips:
            seat = board.tips.index(number)
            bar = turned((x, y), -seat % len(SEATS))
            left, right = (turned((bar[0] + dx, bar[1] - 0.4), seat) for dx in (-0.35, 0.35))
            yield (
                f'<path class="tip" d="M{_at(left)} L{_at(right)}" fill="none" stroke="{STRONG[seat]}" '
                f'stroke-width="4"/>'
            )
        if owner is not None:
            inset = 2.5
            yield (
                f'<rect class="frame" x="{_n((x - 0.5) * SIZE + inset)}" y="{_n((y - 0.5) * SIZE + inset)}" '
                f'width="{_n(SIZE - 2 * inset)}" height="{_n(SIZE - 2 * inset)}" fill="none" '
                f'stroke="{STRONG[owner]}" stroke-width="4"/>'
            )
        yield _label(cell, str(number), small=cell in taken) + "</g>"


def _box(cell: Cell, fill: str, line: str, width: float) -> str:
    x, y = cell
    return (
        f'<rect x="{_n((x - 0.5) * SIZE)}" y="{_n((y - 0.5) * SIZE)}" width="{SIZE}" height="{SIZE}" '
        f'fill="{fill}" stroke="{line}" stroke-width="{_n(width)}"/>'
    )


def _label(cell: Cell, text: str, *, small: bool) -> str:
    """Return the text of a square, moved up into a corner where pawns stand."""
    x, y = cell
    if small:
        x, y, size, halo = x - 0.29, y - 0.22, 10, f' paint-order="stroke" stroke="{PLAIN}" stroke-width="3"'
    else:
        y, size, halo = y + 0.12, 14, ""
    return f'<text x="{_n(x * SIZE)}" y="{_n(y * SIZE)}" font-size="{size}" fill="{INK}"{halo}>{text}</text>'


def _arrows(board: Board) -> Iterator[str]:
    """Yield an arrow round each inner corner, the way pawns travel, and one from each nest to its entry."""
    ring = ring_cells(board)
    for seat in SEATS:
        begin, before, corner, behind, end = (
            turned(cell, seat) for cell in ((1.8, 4), (1.8, 2.3), (1.8, 1.8), (2.3, 1.8), (4, 1.8))
        )
        yield (
            f'<path class="travel" d="M{_at(begin)} L{_at(before)} Q{_at(corner)} {_at(behind)} L{_at(end)}" '
            f'fill="none" stroke="{INK}" stroke-width="2.5" marker-end="url(#travel)"/>'
        )
        x, y = turned(ring[board.entries[seat]], -seat % len(SEATS))
        start, to = turned((x + 1.55, y), seat), turned((x + 0.62, y), seat)
        yield (
            f'<path class="in" d="M{_at(start)} L{_at(to)}" fill="none" stroke="{STRONG[seat]}" '
            f'stroke-width="4" marker-end="url(#in-{seat})"/>'
        )


def _legend(half: float) -> Iterator[str]:
    """Yield three lines of words below the board."""
    for row, words in enumerate(
        (
            "Pawns travel against the clock, along the arrows and by the numbers.",
            "Grey with a ring: a safe square. A coloured frame: the entry of that seat.",
            "L1 and on: the lane of that seat. The bar before L1 marks its tip, where pawns turn in.",
        )
    ):
        yield f'<text y="{_n(half + 12 + 20 * row)}" font-size="14" fill="{INK}">{words}</text>'


# Pawns.


def _pawns(board: Board, position: Position) -> Iterator[tuple[Cell, int, int]]:
    """Yield the cell of each pawn with its seat and number."""
    ring = ring_cells(board)
    for seat, pawns in enumerate(position):
        lane = lane_cells(board, seat)
        for pawn, progress in zip(PAWNS, pawns or (), strict=pawns is not None):
            square = board.square(seat, progress)
            if progress == NEST:
                yield _nest_places(board, seat)[pawn], seat, pawn
            elif progress == board.home:
                yield turned((0, 1.1), seat), seat, pawn
            elif square > SQUARE_LANE:
                yield lane[square - SQUARE_LANE - 1], seat, pawn
            else:
                yield ring[square], seat, pawn


def _placed(stands: list[tuple[Cell, int, int]]) -> Iterator[str]:
    """Yield the pawns, those that share a cell side by side."""
    together: dict[Cell, list[tuple[int, int]]] = {}
    for cell, seat, pawn in stands:
        together.setdefault(cell, []).append((seat, pawn))
    for cell, pawns in sorted(together.items()):
        for (seat, pawn), (x, y) in zip(pawns, _side_by_side(cell, len(pawns)), strict=True):
            radius = SIZE * (0.28 if len(pawns) == 1 else 0.23)
            yield (
                f'<g class="pawn" data-seat="{seat}" data-pawn="{pawn}">'
                f'<circle cx="{_n(x * SIZE)}" cy="{_n(y * SIZE)}" r="{_n(radius)}" '
                f'fill="{STRONG[seat]}" stroke="{PLAIN}" stroke-width="1.5"/>'
                f'<text x="{_n(x * SIZE)}" y="{_n(y * SIZE + 4)}" font-size="11" '
                f'font-weight="bold" fill="{PLAIN}">{pawn}</text></g>'
            )


def _side_by_side(cell: Cell, many: int) -> list[Cell]:
    """Return where *many* pawns stand on one cell: one in the middle, two in a row, more in two rows."""
    x, y = cell
    if many == 1:
        return [cell]
    rows = 1 if many == 2 else (many + 1) // 2
    return [
        (x + (0.24 if n % 2 else -0.24), y + (0.12 if rows == 1 else 0.46 * (n // 2) - 0.23 * (rows - 1)))
        for n in range(many)
    ]
