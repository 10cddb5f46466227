"""
What a throw can have done so far, seen from where its pawns have come.

A state in mid-throw says what is left of the throw, where the pawns stood when the dice fell and where they
stand now. So the numbers that were used have moved pawns, and together with bonuses they account for every
square that a pawn has gone. `pasts` tries all ways to share them out. What stood in the way is not asked, nor
whether a bonus came too early: what is left out here really cannot be. Nor is it asked whether the steps were
legal, but for one thing: where four numbers are needed to bring a pawn home, two never have.

Knows: how far pawns have come, what numbers and bonuses can have moved them, what is remembered of it.
Does not know: what else is legal, how a wrong state is told (`checking.py`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from typing import Final, NamedTuple

from referee.rules.board import NEST, PAWNS, SEATS
from referee.rules.relay import relays
from referee.rules.ruleset import BonusTiming, Capture, DoubletHome, EntryCapture, Ruleset
from referee.rules.state import BROUGHT_HOME, FIVE_BY_SUM, GAVE_UP, Pawns, State
from referee.rules.tables import FIVE, Numbers, friends_of, without

_MOST_LAPS: Final = 99
"""So often no pawn goes round in one throw."""

_FOUR: Final = 4
"""So many numbers make a fourteen."""


class _Used(NamedTuple):
    """
    What may have been used of a throw: *numbers*, and of each bonus so many at most.

    `gave_up` tells that other numbers have become void since, `for_bonus` that a bonus was used to that end.
    """

    numbers: Numbers
    bonuses: tuple[tuple[int, int], ...]
    gave_up: bool = False
    for_bonus: bool = False


def pasts(ruleset: Ruleset, state: State, mover: int, given: Numbers, asked: int) -> Iterator[int]:
    """
    Yield what `State.past` can be, some of it more than once, in a state in which numbers have been used.

    *mover* is whose pawns are moved, *given* what the throw gave; only the bits *asked* for are told.
    """
    own, then = state.position[mover], state.at_throw
    assert own is not None
    assert then
    came_home = _came_home(ruleset, state, own)
    may_bring = may_bring_home(ruleset, given)
    elsewhere = [pawn for pawn in PAWNS if own[pawn] != then[pawn] or ruleset.second_lap]
    for used in _all_used(ruleset, state, mover, given):
        for shares in product(elsewhere, repeat=len(used.numbers)):
            taken = [
                tuple(n for n, p in zip(used.numbers, shares, strict=True) if p == pawn) for pawn in PAWNS
            ]
            gone = [_gone(ruleset, then[pawn], own[pawn], taken[pawn]) for pawn in PAWNS]
            if all(gone):
                moved = sum(1 << pawn for pawn in PAWNS if taken[pawn])
                for past in _by_bonuses(ruleset, used, gone, moved, came_home):
                    if may_bring or not past & BROUGHT_HOME:
                        yield past & asked


def may_bring_home(ruleset: Ruleset, given: Numbers) -> bool:
    """Tell whether rule 2 ever lets a number of a doublet that gave *given* bring a pawn home."""
    return ruleset.doublet_home is not DoubletHome.WITH_FOURTEEN or len(given) == _FOUR


def _all_used(ruleset: Ruleset, state: State, mover: int, given: Numbers) -> Iterator[_Used]:
    """Yield what can have been used: all that is not left, or less where numbers have become void since."""
    waits = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
    bonuses = () if waits and state.numbers else _bonuses(ruleset, state, mover)
    yield _Used(reduce(without, state.numbers, given), bonuses)
    finished = relays(ruleset) and state.position[mover] == (ruleset.board.home,) * len(PAWNS)
    if not state.numbers and (waits or finished):
        fewer = {some for size in range(1, len(given)) for some in combinations(given, size)}
        for some in sorted(fewer):
            yield _Used(some, bonuses, gave_up=True, for_bonus=not finished)


def _bonuses(ruleset: Ruleset, state: State, mover: int) -> tuple[tuple[int, int], ...]:
    """Return each amount of a bonus, and how many at most have been earned and do not wait any more."""
    board, position = ruleset.board, state.position
    own = position[mover]
    assert own is not None
    opponents = [seat for seat in SEATS if seat != mover and seat not in friends_of(ruleset, mover)]
    # A seat that is absent may have been lost since.
    nests = [len(PAWNS) if (theirs := position[seat]) is None else theirs.count(NEST) for seat in opponents]
    captures = ruleset.capture is not Capture.NONE or ruleset.entry_capture is not EntryCapture.NONE
    captures = captures or ruleset.double_one_breaks
    came_home = own.count(board.home) - state.at_throw.count(board.home)
    earned: dict[int, int] = {}
    for bonus, many in ((ruleset.capture_bonus, sum(nests) * captures), (ruleset.home_bonus, came_home)):
        if bonus:
            earned[bonus] = earned.get(bonus, 0) + many
    used = {bonus: many - state.bonuses.count(bonus) for bonus, many in earned.items()}
    return tuple((bonus, many) for bonus, many in used.items() if many > 0)


def _came_home(ruleset: Ruleset, state: State, own: Pawns) -> list[int]:
    """Return the pawns that came home in this throw, if it is one of which that is remembered: a doublet."""
    home, dice = ruleset.board.home, state.dice
    is_doublet = len(dice) == 2 and dice[0] == dice[1]
    return [pawn for pawn in PAWNS if is_doublet and own[pawn] == home != state.at_throw[pawn]]


def _by_bonuses(
    ruleset: Ruleset,
    used: _Used,
    gone: Sequence[Sequence[int]],
    moved: int,
    came_home: Sequence[int],
) -> Iterator[int]:
    """Yield the pasts in which bonuses went the squares that each pawn has *gone* beyond its numbers."""
    waits = ruleset.bonus_timing is BonusTiming.AFTER_NUMBERS
    for by_bonus in _shared(used.bonuses, gone):
        if used.for_bonus and not by_bonus:
            continue
        by_number = [p for p in came_home if moved >> p & 1 and not (waits and by_bonus >> p & 1)]
        surely = [p for p in by_number if not by_bonus >> p & 1]
        past = moved | GAVE_UP * used.gave_up
        if not surely:
            yield past
        if by_number:
            yield past | BROUGHT_HOME


def _shared(bonuses: tuple[tuple[int, int], ...], gone: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield, as bits, the pawns that bonuses have moved; by these each has *gone* one of so many squares."""
    todo: list[tuple[int, tuple[int, ...], int]] = [(0, tuple(many for _, many in bonuses), 0)]
    while todo:
        pawn, left, moved = todo.pop()
        if pawn == len(PAWNS):
            yield moved
            continue
        for taken in product(*(range(many + 1) for many in left)):
            squares = sum(bonus * many for (bonus, _), many in zip(bonuses, taken, strict=True))
            if squares in gone[pawn]:
                rest = tuple(many - some for many, some in zip(left, taken, strict=True))
                todo.append((pawn + 1, rest, moved | bool(squares) << pawn))


def _gone(ruleset: Ruleset, then: int, now: int, taken: Numbers) -> Sequence[int]:
    """Return how many squares bonuses can have moved a pawn that *taken* moved; nothing if that cannot be."""
    left = sum(taken)
    if then == NEST:
        if now == NEST or not taken:
            return () if now != then or taken else (0,)
        if FIVE in taken:
            left -= FIVE
        elif taken in FIVE_BY_SUM:
            left = 0
        else:
            return ()
        then = 1
    return [squares - left for squares in _ways(ruleset, then, now) if squares >= left]


@lru_cache(1 << 12)
def _ways(ruleset: Ruleset, then: int, now: int) -> Sequence[int]:
    """Return how many squares lead a pawn that is out from *then* to *now*: one way, or one for each lap."""
    board = ruleset.board
    if not ruleset.second_lap:
        return (now - then,) if now >= then else ()
    in_lane = board.ring_steps < then <= board.home
    if in_lane:
        return (now - then,) if then <= now <= board.home else ()
    to_lane = board.ring_steps < now <= board.home
    lanes = board.home - board.ring_steps
    here = then if then <= board.ring_steps else then - lanes
    there = board.ring_steps if to_lane else now if now <= board.ring_steps else now - lanes
    squares = (there - here) % board.ring + (now - there if to_lane else 0)
    return range(squares, squares + _MOST_LAPS * board.ring, board.ring)
