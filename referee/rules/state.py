"""
The board between two steps, and the step itself.

Knows: pawns as progress, who of two came last, the seat to move, the throw, what is left of it and what it
has done.
Does not know: what is legal (`engine.py`), texts (`notation.py`), where dice come from.
"""

from typing import Final, NamedTuple

Pawns = tuple[int, int, int, int]
"""Progress of pawns 0 to 3 of one seat, see `board.py`."""

Position = tuple[Pawns | None, Pawns | None, Pawns | None, Pawns | None]
"""The pawns of seats 0 to 3; None for a seat that is absent or lost."""

FIVE_BY_SUM: Final = {(1, 4): 14, (2, 3): 23}
"""The use code of an entry with two numbers that add up to five."""

BONUS: Final = 100
"""Added to a bonus to make its use code."""


class Step(NamedTuple):
    """
    One pawn enters, or advances by one number or one bonus.

    `use` is a code: 1 to 7 that number, 14 or 23 a five by sum, 100 + b a bonus of b squares.
    `square` is the code of the square it leads to (board.py). Ordered canonically: pawn, use, square.
    """

    pawn: int
    use: int
    square: int

    @property
    def code(self) -> int:
        """Return the step as one number, as messages carry it."""
        return self.pawn << 16 | self.use << 8 | self.square

    @classmethod
    def from_code(cls, code: int) -> "Step | None":
        """Return the step whose number is *code*, None if there can be none."""
        pawn, use, square = code >> 16, code >> 8 & 255, code & 255
        return cls(pawn, use, square) if 0 <= pawn <= 3 and use and square <= 127 else None


MOVED: Final = 0b1111
"""Of `State.past`: a number of this throw has moved the pawn of that bit."""

BROUGHT_HOME: Final = 1 << 4
"""Of `State.past`: a number of this throw has brought a pawn home."""

GAVE_UP: Final = 1 << 5
"""Of `State.past`: numbers were left when a bonus was used, or when the seat finished, and are void."""


class State(NamedTuple):
    """
    Everything the rules need to know, and nothing else.

    Between throws `dice` is empty, and so are `numbers`, `bonuses` and `at_throw`. Two equal states
    offer the same steps and the same futures, however they were reached. `repeats` counts the
    doublets of this turn before this throw (between throws: before the next one). `last_moved` is
    the pawn that the seat moved last in this turn, or None. `numbers` and `bonuses` ascend;
    `numbers` is emptied where the rules leave no further number of the throw to be used. What a step that
    ends the game leaves over stays in the state that it leads to.

    `arrived` has the bit `arrival(seat, pawn)` of each pawn that came last of two on its square of the ring.
    `past` tells what a throw has done so far: `MOVED`, `BROUGHT_HOME`, `GAVE_UP`. Both hold what the ruleset
    asks for and are 0 otherwise; `past` is 0 between throws.
    """

    position: Position
    seat: int
    repeats: int = 0
    last_moved: int | None = None
    dice: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    bonuses: tuple[int, ...] = ()
    at_throw: Pawns | tuple[()] = ()
    arrived: int = 0
    past: int = 0


class Applied(NamedTuple):
    """
    What one step did.

    `captured` holds (seat, pawn) of each pawn that went back to its nest; `earned` the bonuses
    in the order they were earned; `won` tells that the step ended the game.
    """

    state: State
    captured: tuple[tuple[int, int], ...]
    earned: tuple[int, ...]
    won: bool


def arrival(seat: int, pawn: int) -> int:
    """Return the bit of a pawn in `State.arrived`."""
    return 1 << 4 * seat + pawn


new: Final = tuple.__new__
"""Makes a named tuple in two thirds of the time; used for those that every step makes."""
