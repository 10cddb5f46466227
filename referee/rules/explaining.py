"""
Why a step is not legal, in one sentence for the author of a bot.

First the obstacles of section 4 of the rule book, looked for square by square: what is used must be
there, the way must be open, the landing must be possible. A step that is possible and still not legal
is struck out by a rule of section 5, and just one is to blame: `striking.py` finds it.

Knows: what stands in the way, and the sentence of each rule. Does not know: which rule is to blame.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_HOME, SQUARE_LANE
from referee.rules.notation import square_text, use_text
from referee.rules.relay import mover_in
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletHome,
    EntryCapture,
    Fourteen,
    MustEnter,
    MustOpen,
    Pairs,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Use,
)
from referee.rules.state import BONUS, FIVE_BY_SUM, State, Step
from referee.rules.striking import struck_by
from referee.rules.tables import Side, friends_of

_SUMS: Final = {use: numbers for numbers, use in FIVE_BY_SUM.items()}

_RULES: Final[Mapping[str, Mapping[object, str]]] = {
    "bonus_timing": {
        BonusTiming.AFTER_NUMBERS: "Bonus timing: a bonus waits until no number of the throw can be used",
        BonusTiming.AT_ONCE: "Bonus timing: a bonus that can be used comes before the next number",
    },
    "same_pair": {
        SamePair.FORBIDDEN: (
            "Same pair: two pawns that stood together when the dice fell would stand together again"
        ),
        SamePair.SECOND_STAYS: (
            "Same pair: a number has moved one pawn of the pair, so the other stays in this throw"
        ),
    },
    "doublet_home": {
        DoubletHome.WITH_FOURTEEN: (
            "Home with a doublet: a number of a doublet brings a pawn home only if all four are used"
        ),
        DoubletHome.WHOLE_FOURTEEN: (
            "Home with a doublet: a number of a doublet brings a pawn home only if that pawn takes all four"
        ),
    },
    "fourteen": {
        Fourteen.ALL_OR_NOTHING: (
            "Fourteen: all four numbers of the doublet must be used, and after this step they cannot be"
        ),
    },
    "must_enter": {
        MustEnter.WHEN_POSSIBLE: "Entering: a five that can enter a pawn must enter one",
        MustEnter.MOST: "Entering: as many pawns as possible must enter, and after this step fewer can",
    },
    "must_open": {
        MustOpen.ON_SIX: (
            "Opening: on a six a pawn of a pair must be moved, and after this step none can be"
        ),
        MustOpen.ON_DOUBLET: (
            "Opening: on a doublet a pawn of a pair must be moved, and after this step none can be"
        ),
    },
    "use": {
        Use.MAXIMAL: (
            "Using the throw: as many numbers as possible must be used, and after this step fewer can be"
        ),
    },
    "single_number": {
        SingleNumber.LARGER: (
            "One of two: only one of the two numbers can be used, and it must be the larger"
        ),
    },
}
"""The rules of section 5 in their order: by field, what each value that forbids steps says."""

OBSTACLE: Final = "obstacle"
"""Stands for a rule where a step is not possible at all."""

_THIRD: Final = "Third throw"


class Refusal(NamedTuple):
    """
    Why a step is not legal: the name of the *rule*, one of `RULE_NAMES`, and a sentence.

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
    field = struck_by(ruleset, state, step, is_legal)
    return _by_name(_RULES[field][getattr(ruleset, field)])


def third_throw(ruleset: Ruleset) -> Refusal:
    """Return why no step is legal at the third doublet (or six) of a turn."""
    return _by_name(
        f"{_THIRD}: the third {'six' if ruleset.dice == 1 else 'doublet'} of a turn is not played"
    )


def _by_name(sentence: str) -> Refusal:
    return Refusal(sentence.partition(":")[0], sentence)


RULE_NAMES: Final = (
    OBSTACLE,
    _THIRD,
    *dict.fromkeys(_by_name(sentence).rule for rules in _RULES.values() for sentence in rules.values()),
)
"""All that `Refusal.rule` can be."""


def _obstacles(ruleset: Ruleset, state: State, step: Step) -> Iterator[str]:
    """Yield what stands in the way on the board; the first is the one to tell."""
    board, seat = ruleset.board, state.seat
    if state.position[seat] is None:
        yield f"seat {seat} does not play"
        return
    if not state.dice:
        yield f"seat {seat} has not thrown: there is nothing to use"
        return
    if step.pawn not in PAWNS:
        yield f"there is no pawn {step.pawn}: pawns are 0 to 3"
        return
    yield from _not_there(state, step)
    mover = mover_in(ruleset, state.position, seat)
    own = state.position[mover]
    assert own is not None
    progress = own[step.pawn]
    if all(pawn == board.home for pawn in own):
        yield "the game is over: all four pawns are home"
    if progress == board.home:
        yield f"pawn {step.pawn} is home and never moves again"
    elif progress == NEST:
        yield from _entry(ruleset, state, mover, step)
    else:
        yield from _advance(ruleset, state, mover, step, progress)


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
            verb = "are" if step.use in _SUMS else "is"
            yield f"{use_text(step.use)} {verb} not left to be used; numbers: {numbers}"
            return
        left.remove(number)


def _entry(ruleset: Ruleset, state: State, mover: int, step: Step) -> Iterator[str]:
    entry = ruleset.board.entries[mover]
    if step.use != 5 and step.use not in _SUMS:
        yield f"pawn {step.pawn} is in its nest and enters with a five only, not with {use_text(step.use)}"
    if step.square != entry:
        yield f"pawn {step.pawn} enters on {entry}, not on {square_text(step.square)}"
    there = _standing(ruleset, state, mover, entry)
    own = [seat for seat in there if _is_own(ruleset, mover, seat)]
    if len(own) >= 2:
        yield f"the entry {entry} is shut: it holds a pair of the seat's own"
    elif len(there) >= 2 and ruleset.entry_capture is not EntryCapture.WHEN_FULL:
        yield f"the entry {entry} is shut: it holds two pawns"


def _advance(ruleset: Ruleset, state: State, mover: int, step: Step, progress: int) -> Iterator[str]:
    if step.use in _SUMS:
        yield f"{use_text(step.use)} are used together only to enter a pawn, and pawn {step.pawn} has entered"
        return
    board = ruleset.board
    distance = step.use - BONUS if step.use > BONUS else step.use
    routes = [
        [board.square(mover, place) for place in route]
        for route in _side(ruleset, mover).routes(progress, distance)
    ]
    if not routes:
        yield f"{distance} is too much: pawn {step.pawn} needs exactly {board.home - progress} to come home"
        return
    to = [square_text(route[-1]) for route in routes]
    route = next((route for route in routes if route[-1] == step.square), None)
    if route is None:
        yield (
            f"with {use_text(step.use)} pawn {step.pawn} comes to {' or '.join(to)}, "
            f"not to {square_text(step.square)}"
        )
        return
    by_number = step.use < BONUS
    for square in route:
        yield from _pair_on(ruleset, state, mover, step.pawn, square, by_number=by_number)
    yield from _landing(ruleset, state, mover, route[-1])


def _pair_on(
    ruleset: Ruleset, state: State, mover: int, pawn: int, square: int, *, by_number: bool
) -> Iterator[str]:
    """Yield what blocks *square* for everybody who passes or lands."""
    there = _standing(ruleset, state, mover, square)
    if square == SQUARE_HOME or len(there) < 2 or (square > SQUARE_LANE and not ruleset.lane_pairs_block):
        return
    breaks = ruleset.double_one_breaks and by_number and state.dice == (1, 1)
    for seat in there:
        team = [other for other in there if _is_own(ruleset, seat, other)]
        if len(team) >= 2 and not (breaks and not _is_own(ruleset, mover, seat)):
            yield f"pawn {pawn} cannot pass {square_text(square)}: seat {seat} has a pair there"
    mixed = ruleset.pairs is Pairs.MIXED_ON_SAFE and square in ruleset.board.safe and len(set(there)) > 1
    if mixed and not (breaks and mover not in there):
        yield f"pawn {pawn} cannot pass {square_text(square)}: two colours make a pair on a safe square there"


def _landing(ruleset: Ruleset, state: State, mover: int, square: int) -> Iterator[str]:
    """Yield what keeps a pawn from ending on *square* that it could pass."""
    if square > SQUARE_LANE:
        return
    there = _standing(ruleset, state, mover, square)
    rivals = [seat for seat in there if not _is_own(ruleset, mover, seat)]
    if (
        rivals
        and square in ruleset.board.safe
        and (not ruleset.safe_sharing or len(rivals) > len(set(rivals)))
    ):
        yield f"{square} is a safe square and is held by a pawn of seat {rivals[0]}"
    elif rivals and ruleset.capture is Capture.NONE and square not in ruleset.board.safe:
        yield f"{square} is held by a pawn of seat {rivals[0]}, and nobody is captured in {ruleset.name}"
    elif len(there) >= 2 and ruleset.square_limit is SquareLimit.TWO and square in ruleset.board.safe:
        yield f"{square} is full: it holds two pawns"


def _is_own(ruleset: Ruleset, seat: int, other: int) -> bool:
    """Tell whether pawns of *other* count as own to *seat*."""
    return other == seat or other in friends_of(ruleset, seat)


def _standing(ruleset: Ruleset, state: State, mover: int, square: int) -> list[int]:
    """Return the seats of the pawns on *square*; a lane square is that of the pawns to move."""
    board = ruleset.board
    seats = SEATS if square <= board.ring else (mover,)
    return [
        seat
        for seat in seats
        for progress in state.position[seat] or ()
        if progress != NEST and board.square(seat, progress) == square
    ]


@lru_cache(64)
def _side(ruleset: Ruleset, seat: int) -> Side:
    return Side(ruleset, seat)
