"""
Which states cannot be: section 2 of the rule book, *Refused as impossible*, and throws that cannot be.

Knows: how many pawns and which colours a square holds, what a throw can have left.
Does not know: how a position was reached. What no game reaches in other ways is accepted.
"""

from collections.abc import Iterator

from referee.errors import PositionError
from referee.rules.board import NEST, PAWNS, SEATS
from referee.rules.notation import square_text
from referee.rules.ruleset import DoubletFaces, Ruleset, ThirdThrow
from referee.rules.state import Pawns, Position, State
from referee.rules.tables import numbers_of


def check(ruleset: Ruleset, state: State) -> None:
    """
    Refuse *state* if it cannot be.

    Raises:
        PositionError: Names what is wrong, where (seat, pawn, square), and what would be right.
    """
    for wrong in _wrong(ruleset, state):
        raise PositionError(wrong)


def _wrong(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield what is wrong with *state*, one sentence each. Later ones rely on there being no earlier one."""
    yield from wrong_with_position(ruleset, state.position)
    if state.seat not in SEATS or state.position[state.seat] is None:
        here = [seat for seat in SEATS if state.position[seat] is not None]
        yield f"seat {state.seat} is to move but absent; the seats here are {here}"
    if state.repeats < 0:
        yield f"repeats is {state.repeats}; it counts the doublets of this turn, from 0"
    if state.repeats > 2 and ruleset.third_throw is not ThirdThrow.NONE:
        yield f"repeats is {state.repeats}; it is 2 at most, as the third doublet ends the turn"
    if state.last_moved is not None and state.last_moved not in PAWNS:
        yield f"last_moved is {state.last_moved}; it is a pawn, 0 to 3, or null"
    if state.dice:
        yield from _wrong_with_throw(ruleset, state)
    elif state.numbers or state.bonuses or state.at_throw:
        yield "numbers, bonuses and at_throw are given without the throw that they are left of"


def wrong_with_position(ruleset: Ruleset, position: Position) -> Iterator[str]:
    """Yield what is wrong with *position* in this ruleset, one sentence each."""
    holder: dict[int, tuple[int, int]] = {}
    for seat, pawns in enumerate(position):
        if pawns is None:
            continue
        yield from _wrong_with_pawns(ruleset, seat, pawns)
        for pawn, progress in enumerate(pawns):
            if NEST < progress <= ruleset.board.ring_steps:
                square = ruleset.board.square(seat, progress)
                other, its = holder.setdefault(square, (seat, pawn))
                if other != seat:
                    yield (
                        f"pawn {its} of seat {other} and pawn {pawn} of seat {seat} stand on {square}; "
                        f"two colours cannot share a square in {ruleset.name}"
                    )


def _wrong_with_pawns(ruleset: Ruleset, seat: int, pawns: Pawns) -> Iterator[str]:
    board = ruleset.board
    if len(pawns) != len(PAWNS):
        yield f"seat {seat} has {len(pawns)} pawns; a seat has four"
    for pawn, progress in enumerate(pawns):
        if not NEST <= progress <= board.home:
            yield f"pawn {pawn} of seat {seat} has the progress {progress}; it runs from 0 to {board.home}"
        if pawns[: pawn + 1].count(progress) == 3 and NEST < progress < board.home:
            square = square_text(board.square(seat, progress))
            yield f"seat {seat} has {pawns.count(progress)} pawns on {square}; a square holds two at most"


def _wrong_with_throw(ruleset: Ruleset, state: State) -> Iterator[str]:
    dice = state.dice
    own = state.position[state.seat]
    assert own is not None
    if len(dice) != ruleset.dice or not all(1 <= die <= 6 for die in dice):
        yield f"{list(dice)} is no throw: it takes {ruleset.dice} dice of 1 to 6"
    third = ruleset.third_throw is ThirdThrow.NEAREST_HOME and state.repeats >= 2
    if third and dice[0] == dice[1]:
        yield "a third doublet is never played, so it has no state in mid-throw"
    at_throw = state.at_throw
    if not at_throw:
        yield "at_throw is missing: the four squares of the seat when the dice fell"
        return
    yield from (f"at_throw: {wrong}" for wrong in _wrong_with_pawns(ruleset, state.seat, at_throw))
    for pawn, (then, now) in enumerate(zip(at_throw, own, strict=True)):
        if now < then:
            square = square_text(ruleset.board.square(state.seat, then))
            yield f"pawn {pawn} of seat {state.seat} stands behind {square}, where it was when the dice fell"
    faces = ruleset.doublet_faces is DoubletFaces.BOTH and NEST not in at_throw
    given = numbers_of(dice, faces)
    if any(state.numbers.count(number) > given.count(number) for number in state.numbers):
        yield f"the numbers {list(state.numbers)} are not left of this throw, which gives {list(given)}"
    if len(state.numbers) == len(given) and own != at_throw:
        yield "all numbers of the throw are left, yet pawns have moved since the dice fell"
    yield from _wrong_with_bonuses(ruleset, state)
    for name, amounts in (("numbers", state.numbers), ("bonuses", state.bonuses)):
        if list(amounts) != sorted(amounts):
            yield f"{name} are {list(amounts)}; they ascend"


def _wrong_with_bonuses(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Yield what is wrong with the bonuses: there is one at most for each pawn that can have earned it."""
    opponents = len(SEATS) - 1  # those too whose pawns have left the board since
    at_most: dict[int, int] = {}
    for bonus, pawns in ((ruleset.capture_bonus, opponents * len(PAWNS)), (ruleset.home_bonus, len(PAWNS))):
        if bonus:
            at_most[bonus] = at_most.get(bonus, 0) + pawns
    for bonus in sorted(set(state.bonuses)):
        if bonus not in at_most:
            yield f"a bonus of {bonus} is not given in {ruleset.name}; it gives {sorted(at_most) or 'none'}"
        elif state.bonuses.count(bonus) > at_most[bonus]:
            yield f"too many bonuses of {bonus} wait; a throw earns {at_most[bonus]} at most"
