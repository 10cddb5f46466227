"""
Why a step is not legal, in one sentence for the author of a bot.

First the obstacles of section 4 of the rule book, looked for square by square: what is used must be
there, the way must be open, the landing must be possible. A step that is possible and still not legal
is dropped by a rule of section 5; which one, is found by lifting the rules one after the other: the
first without which the step would be legal is named.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS, SEATS
from referee.rules.notation import square_text, use_text
from referee.rules.ruleset import BonusTiming, Fourteen, MustEnter, Ruleset, SamePair, Use
from referee.rules.state import BONUS, FIVE_BY_SUM, Pawns, State, Step

_SUMS: Final = {use: numbers for numbers, use in FIVE_BY_SUM.items()}

_LIFTED: Final[tuple[tuple[dict[str, object], str], ...]] = (
    (
        {"same_pair": SamePair.FREE},
        "Same pair: two pawns that stood together when the dice fell would stand together again",
    ),
    (
        {"fourteen": Fourteen.AS_POSSIBLE},
        "Fourteen: all four numbers of the doublet must be used, and after this step they cannot be",
    ),
    ({"must_enter": MustEnter.NEVER}, "Entering: a five that can enter a pawn must enter one"),
    (
        {"bonus_timing": BonusTiming.ANY_TIME},
        "Bonus timing: a bonus waits until no number of the throw can be used",
    ),
    (
        {"use": Use.GREEDY},
        "Using the throw: as many numbers as possible must be used, and after this step fewer can be",
    ),
)
"""What is lifted, in the order of section 5, and the rule that it stands for."""


OBSTACLE: Final = "obstacle"
"""Stands for a rule where a step is not possible at all."""


class Refusal(NamedTuple):
    """
    Why a step is not legal: the name of the *rule* of section 5, or `OBSTACLE`, and a sentence.

    The sentence stands alone: where a rule forbids the step it begins with the rule's name.
    """

    rule: str
    why: str


def explain(ruleset: Ruleset, state: State, step: Step, is_legal: Callable[[Ruleset], bool]) -> Refusal:
    """
    Return why *step*, which is not legal in *state*, is not.

    *is_legal* tells whether it would be under another ruleset.
    """
    for obstacle in _obstacles(ruleset, state, step):
        return Refusal(OBSTACLE, obstacle)
    for fields, rule in _LIFTED:
        if is_legal(replace(ruleset, **fields)):  # type: ignore[arg-type]
            return _by_name(rule)
    return _by_name("Several rules: no play that keeps to all of them goes on with this step")


def _by_name(sentence: str) -> Refusal:
    return Refusal(sentence.partition(":")[0], sentence)


def _obstacles(ruleset: Ruleset, state: State, step: Step) -> Iterator[str]:
    """Yield what stands in the way on the board; the first is the one to tell."""
    board, seat = ruleset.board, state.seat
    own = state.position[seat]
    if own is None:
        yield f"seat {seat} does not play"
        return
    if not state.dice:
        yield f"seat {seat} has not thrown: there is nothing to use"
        return
    if step.pawn not in PAWNS:
        yield f"there is no pawn {step.pawn}: pawns are 0 to 3"
        return
    yield from _not_there(state, step)
    progress = own[step.pawn]
    if all(pawn == board.home for pawn in own):
        yield "the game is over: all four pawns are home"
    if progress == board.home:
        yield f"pawn {step.pawn} is home and never moves again"
    elif progress == NEST:
        yield from _entry(ruleset, state, step)
    else:
        yield from _advance(ruleset, state, step, own)


def _not_there(state: State, step: Step) -> Iterator[str]:
    """Yield that what the step uses is not left."""
    left = [*state.numbers]
    if step.use > BONUS:
        if step.use - BONUS not in state.bonuses:
            bonuses = ", ".join(map(str, state.bonuses)) or "none"
            yield f"a bonus of {step.use - BONUS} does not wait to be used; bonuses: {bonuses}"
        return
    for number in _SUMS.get(step.use, (step.use,)):
        if number not in left:
            numbers = ", ".join(map(str, state.numbers)) or "none"
            yield f"{use_text(step.use)} is not left to be used; numbers: {numbers}"
            return
        left.remove(number)


def _entry(ruleset: Ruleset, state: State, step: Step) -> Iterator[str]:
    board, seat = ruleset.board, state.seat
    entry = board.entries[seat]
    if step.use != 5 and step.use not in _SUMS:
        yield f"pawn {step.pawn} is in its nest and enters with a five only, not with {use_text(step.use)}"
    if step.square != entry:
        yield f"pawn {step.pawn} enters on {entry}, not on {square_text(step.square)}"
    there = _standing(ruleset, state, entry)
    if len(there) >= 2:
        yield f"the entry {entry} is shut: it holds two pawns"


def _advance(ruleset: Ruleset, state: State, step: Step, own: Pawns) -> Iterator[str]:
    board, seat = ruleset.board, state.seat
    progress = own[step.pawn]
    if step.use in _SUMS:
        yield f"{use_text(step.use)} are used together only to enter a pawn, and pawn {step.pawn} has entered"
        return
    distance = step.use - BONUS if step.use > BONUS else step.use
    if progress + distance > board.home:
        yield f"{distance} is too much: pawn {step.pawn} needs exactly {board.home - progress} to come home"
        return
    landing = board.square(seat, progress + distance)
    if step.square != landing:
        yield (
            f"with {use_text(step.use)} pawn {step.pawn} comes to {square_text(landing)}, "
            f"not to {square_text(step.square)}"
        )
    for passed in range(progress + 1, min(progress + distance, board.home - 1) + 1):
        square = board.square(seat, passed)
        there = _standing(ruleset, state, square)
        if len(there) >= 2:
            yield f"pawn {step.pawn} cannot pass {square_text(square)}: seat {there[0]} has a pair there"
    rivals = [other for other in _standing(ruleset, state, landing) if other != seat]
    if landing in board.safe and rivals:
        yield f"{landing} is a safe square and is held by a pawn of seat {rivals[0]}"


def _standing(ruleset: Ruleset, state: State, square: int) -> list[int]:
    """Return the seats of the pawns on *square*; a lane square is that of the seat to move."""
    board = ruleset.board
    seats = SEATS if square <= board.ring else (state.seat,)
    return [
        seat
        for seat in seats
        for progress in state.position[seat] or ()
        if progress != NEST and board.square(seat, progress) == square
    ]
