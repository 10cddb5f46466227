"""The pictures of the boards: what is kept is what would be drawn, and what is drawn is the board."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

from referee.rules.board import BOARDS, PARCHEESI68, SEATS, Board
from referee.rules.notation import position_from_text
from referee.rules.rulesets import ruleset
from tools.boards import PAPER, SIZE, draw
from tools.rules_page import made

ROOT = Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
EVERY_BOARD = pytest.mark.parametrize("board", BOARDS.values(), ids=lambda board: board.name)

Cell = tuple[float, float]


def groups(picture: ET.Element, *kinds: str) -> list[ET.Element]:
    """Return the groups of *picture* that are of all these classes."""
    return [group for group in picture.iter(f"{SVG}g") if set(kinds) <= set(group.get("class", "").split())]


def cell(group: ET.Element) -> Cell:
    """Return the place of a square in cells from the middle of the board."""
    box = group.find(f"{SVG}rect")
    assert box is not None
    assert float(box.get("width", 0)) == float(box.get("height", 0)) == SIZE
    return float(box.get("x", 0)) / SIZE + 0.5, float(box.get("y", 0)) / SIZE + 0.5


def ring(picture: ET.Element) -> dict[int, ET.Element]:
    """Return the squares of the ring by their numbers, each of which stands there once."""
    squares = [group for group in groups(picture, "square") if "lane" not in group.get("class", "")]
    found = {int(group.get("data-square", "")): group for group in squares}
    assert len(found) == len(squares)
    return found


def lane(picture: ET.Element, seat: int) -> list[ET.Element]:
    return [group for group in groups(picture, "lane") if group.get("data-seat") == str(seat)]


def apart(one: Cell, other: Cell) -> tuple[float, float]:
    """Return how far apart two cells lie across and down, the smaller distance first."""
    a, b = sorted((abs(one[0] - other[0]), abs(one[1] - other[1])))
    return a, b


@pytest.mark.parametrize("path", made(ROOT), ids=str)
def test_what_is_kept_is_what_would_be_made(path: Path) -> None:
    """
    Pictures and tables are never edited by hand: `make boards` writes them.
    """
    assert (ROOT / path).read_text(encoding="utf-8") == made(ROOT)[path]


@EVERY_BOARD
class TestBoard:
    def test_numbers_every_square_of_the_ring_once(self, board: Board) -> None:
        """
        The number is told to programs and written on the square, and no two squares lie on one cell.
        """
        squares = ring(ET.fromstring(draw(board)))

        assert sorted(squares) == list(range(1, board.ring + 1))
        assert [square.findtext(f"{SVG}text") for square in squares.values()] == [str(n) for n in squares]
        assert len({cell(square) for square in squares.values()}) == board.ring

    def test_puts_neighbours_side_by_side(self, board: Board) -> None:
        """
        Whoever follows the numbers goes from cell to cell; only at an inner corner cells may touch slantwise.
        """
        squares = ring(ET.fromstring(draw(board)))
        steps = [apart(cell(squares[n]), cell(squares[n % board.ring + 1])) for n in sorted(squares)]

        assert set(steps) <= {(0, 1), (1, 1)}
        assert steps.count((1, 1)) in (0, len(SEATS))

    def test_goes_round_against_the_clock(self, board: Board) -> None:
        """
        From the bottom to the right, to the top, to the left: as pawns travel and seats are numbered.
        """
        squares = ring(ET.fromstring(draw(board)))
        (_, bottom), (right, _), (_, top), (left, _) = (cell(squares[tip]) for tip in board.tips)

        assert bottom == right == -top == -left > 0
        assert cell(squares[board.tips[0] % board.ring + 1])[0] > 0

    def test_marks_safe_squares_and_no_others(self, board: Board) -> None:
        """
        A safe square is of that class and carries the ring that the words below the board explain.
        """
        squares = ring(ET.fromstring(draw(board)))
        marked = {
            n for n, square in squares.items() if square.find(f"{SVG}circle[@class='mark']") is not None
        }
        classed = {n for n, square in squares.items() if "safe" in square.get("class", "").split()}

        assert marked == classed == board.safe

    def test_frames_the_entries(self, board: Board) -> None:
        """
        Each entry has a frame, and no other square has one.
        """
        squares = ring(ET.fromstring(draw(board)))

        framed = {n for n, square in squares.items() if square.find(f"{SVG}rect[@class='frame']") is not None}

        assert framed == set(board.entries)

    def test_marks_the_tips(self, board: Board) -> None:
        """
        Each tip has a bar towards its lane, and the words below the board say so.
        """
        picture = ET.fromstring(draw(board))
        squares = ring(picture)

        marked = {n for n, square in squares.items() if square.find(f"{SVG}path[@class='tip']") is not None}

        assert marked == set(board.tips)
        assert any("tip" in (words.text or "") for words in picture.findall(f"{SVG}text"))

    def test_keeps_home_apart_from_safe_squares(self, board: Board) -> None:
        """
        The middle has another colour than they have, and its word keeps clear of the circle about it.
        """
        picture = ET.fromstring(draw(board))
        (home,) = groups(picture, "home")
        grey = {box.get("fill") for group in groups(picture, "safe") for box in group.findall(f"{SVG}rect")}
        middle, word = home.find(f"{SVG}circle"), home.find(f"{SVG}text")
        assert middle is not None
        assert word is not None
        wide = 0.75 * float(word.get("font-size", 0)) * len(word.text or "")

        assert not {part.get("fill") for part in home} & grey
        assert wide + 10 < 2 * float(middle.get("r", 0))

    @pytest.mark.parametrize("seat", SEATS)
    def test_leads_a_lane_from_the_tip_to_home(self, board: Board, seat: int) -> None:
        """
        The lane has its length and its names, begins beside the tip and ends beside home.
        """
        picture = ET.fromstring(draw(board))
        squares = lane(picture, seat)
        way = [cell(ring(picture)[board.tips[seat]]), *map(cell, squares)]

        assert [square.findtext(f"{SVG}text") for square in squares] == [
            f"L{n}" for n in range(1, board.lane + 1)
        ]
        assert {apart(one, other) for one, other in pairwise(way)} == {(0, 1)}
        assert apart(way[-1], (0, 0)) == (0, 2)

    def test_has_a_nest_near_each_entry(self, board: Board) -> None:
        """
        A nest carries the number of its seat, and of all entries its own is nearest.
        """
        picture = ET.fromstring(draw(board))
        squares = ring(picture)
        nests = groups(picture, "nest")
        assert [nest.findtext(f"{SVG}text") for nest in nests] == [f"seat {seat}" for seat in SEATS]
        for seat, nest in enumerate(nests):
            disc = nest.find(f"{SVG}circle")
            assert disc is not None
            middle = float(disc.get("cx", 0)) / SIZE, float(disc.get("cy", 0)) / SIZE
            far = {entry: apart(middle, cell(squares[entry])) for entry in board.entries}

            assert min(far, key=lambda entry: sum(x * x for x in far[entry])) == board.entries[seat]

    def test_stands_alone(self, board: Board) -> None:
        """
        The picture has a title, its own ground for light and dark pages, no script, nothing from elsewhere.
        """
        text = draw(board)
        picture = ET.fromstring(text)
        ground = picture.find(f"{SVG}rect")

        assert board.name in (picture.findtext(f"{SVG}title") or "")
        assert ground is not None
        assert ground.get("fill") == PAPER
        assert {ground.get(size) for size in ("width", "height")} == {
            picture.get("width"),
            picture.get("height"),
        }
        assert not re.search(r"<script|<style|<image|href|\bon\w+=", text)

    def test_keeps_everything_inside(self, board: Board) -> None:
        """
        No square lies outside the picture.
        """
        picture = ET.fromstring(draw(board))
        left, top, width, height = map(float, (picture.get("viewBox") or "").split())

        for square in groups(picture, "square"):
            x, y = (SIZE * place for place in cell(square))
            assert left + SIZE / 2 <= x <= left + width - SIZE / 2
            assert top + SIZE / 2 <= y <= top + height - SIZE / 2


class TestPosition:
    def test_puts_pawns_where_they_stand(self) -> None:
        """
        Pawns on the ring and in a lane lie on their square, also where several share it.
        """
        rules = ruleset("casual_super")
        position = position_from_text(rules, "5,N,L3,H/22,22,40,H/-/L7,L7,L7,40")[0]
        picture = ET.fromstring(draw(rules.board, position))
        where = {group.get("data-square"): cell(group) for group in ring(picture).values()}
        where |= {f"{s}{g.get('data-square')}": cell(g) for s in SEATS for g in lane(picture, s)}
        pawns = {}
        for pawn in groups(picture, "pawn"):
            disc = pawn.find(f"{SVG}circle")
            assert disc is not None
            x, y = float(disc.get("cx", 0)) / SIZE, float(disc.get("cy", 0)) / SIZE
            there = [name for name, place in where.items() if max(apart((x, y), place)) < 0.5]
            pawns[pawn.get("data-seat"), pawn.get("data-pawn")] = there

        assert len(pawns) == 12
        assert pawns["0", "0"] == ["5"]
        assert pawns["0", "2"] == ["0L3"]
        assert pawns["1", "0"] == pawns["1", "1"] == ["22"]
        assert pawns["1", "2"] == pawns["3", "3"] == ["40"]
        assert [pawns["3", str(pawn)] for pawn in range(3)] == [["3L7"]] * 3
        assert pawns["0", "1"] == pawns["0", "3"] == []

    def test_gives_every_pawn_a_place_of_its_own(self) -> None:
        """
        However many share a square, a nest or home, no pawn hides another.
        """
        rules = ruleset("casual_super")
        position = position_from_text(rules, "L1,L1,L1,L1/N,N,N,N/H,H,H,H/5,5,9,9")[0]
        discs = [
            pawn.find(f"{SVG}circle") for pawn in groups(ET.fromstring(draw(rules.board, position)), "pawn")
        ]

        assert len({(disc.get("cx"), disc.get("cy")) for disc in discs if disc is not None}) == 16

    def test_says_the_position_in_its_title(self) -> None:
        """
        Whoever cannot see the picture reads the position.
        """
        position = position_from_text(ruleset("racket"), "5,N,N,N/-/N,N,N,N/-")[0]

        assert "5,N,N,N/-/N,N,N,N/-" in draw(PARCHEESI68, position)
        assert not groups(ET.fromstring(draw(PARCHEESI68)), "pawn")
