"""
The built-in strategies: who plays when no bot is at hand.

Knows: three ways to choose among legal steps, exactly as sample_bots/STRATEGIES.md defines them.
Does not know: who asks, what time it is, the wire.

A strategy is a pure function, so a game between built-in players can be repeated, and a bot in
any language that follows the page gives the same answers. All sums are whole numbers, and of
equals the first in the order of the ask wins.

`careful` looks at the position after each legal play. Its theory: the pawns of the others do not
move during a play, they are only captured; so what a square is worth to an own pawn is computed
once for each state of the others (`_outlook`), and a play is then judged by four look-ups.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from referee.errors import UnknownName
from referee.match.ask import Ask
from referee.rules.board import NEST, PAWNS, SEATS, SQUARE_HOME, Board
from referee.rules.engine import Rules
from referee.rules.state import Pawns, Position, Step

Strategy = Callable[[Rules, Ask], Sequence[Step]]
"""Returns the steps of an answer, one or more, the first of them one of the ask's."""

WORD: Final = 0xFFFFFFFF
"""Sums of `random` are taken modulo 2 to the 32."""

COMES_HOME: Final = 300
CAPTURES: Final = 200
ENTERS: Final = 100
"""What `racer` adds to a pawn's progress."""

CHANCES: Final = 36
"""All throws of two dice; `careful` counts in 36ths of a square."""
HITS: Final = (11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1)
"""In how many of 36 throws a die or the sum of both is exactly this distance, 1 to 12."""
HITS_FROM_NEST: Final = 15
"""In how many of 36 throws there is a five: on a die or as a sum."""
HOME: Final = 360
"""What `careful` adds for a pawn at home, ten squares;"""
WON: Final = 1_000_000
"""for all four;"""
SAFE: Final = 180
"""for a pawn on a safe square or in a pair, five squares."""
CAPTOR_GAINS: Final = 20
"""What a capture gives to the captor, in squares."""


def random(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return one step that looks random: a hash of the game and the ask chooses it."""
    return (ask.steps[scrambled(ask.game, ask.number) % len(ask.steps)],)


def scrambled(game: int, number: int) -> int:
    """Return 32 bits that depend on every bit of *game* and *number*."""
    h = game * 2654435761 + number * 40503 & WORD
    h ^= h >> 15
    h = h * 2246822519 & WORD
    return h ^ h >> 13


def racer(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return one step: home, else over an opponent, else out of the nest, else with the pawn furthest on."""
    board, seat, position = rules.board, ask.state.seat, ask.state.position
    own = position[seat]
    assert own is not None
    prey = _squares_of_others(board, seat, position)
    best, most = ask.steps[0], -1
    for step in ask.steps:
        score = board.progress(seat, step.square) or NEST
        enters = own[step.pawn] == NEST
        if step.square == SQUARE_HOME:
            score += COMES_HOME
        if step.square in prey and (enters or step.square not in board.safe):
            score += CAPTURES
        if enters:
            score += ENTERS
        if score > most:
            best, most = step, score
    return (best,)


def _squares_of_others(board: Board, seat: int, position: Position) -> set[int]:
    """Return the ring squares on which pawns of other seats than *seat* stand."""
    return {
        board.square(other, progress)
        for other in SEATS
        if other != seat
        for progress in position[other] or ()
        if NEST < progress <= board.ring_steps
    }


def careful(rules: Rules, ask: Ask) -> Sequence[Step]:
    """Return the whole play after which the seat stands best."""
    plays = rules.plays(ask.state)[0] if ask.plays is None else ask.plays
    board, seat = rules.board, ask.state.seat
    best: Sequence[Step] = ask.steps[:1]
    most: int | None = None
    for play in plays:
        value = standing(board, seat, play.position)
        if most is None or value > most:
            best, most = play.steps, value
    return best


def standing(board: Board, seat: int, position: Position) -> int:
    """Return how well *seat* stands, in 36ths of a square."""
    own = position[seat]
    assert own is not None
    alone, paired, others = _outlook(board, seat, position[:seat] + position[seat + 1 :])
    value = others
    for progress in own:
        value += alone[progress] if own.count(progress) == 1 else paired[progress]
    return value + WON if own.count(board.home) == len(PAWNS) else value


@lru_cache(maxsize=4096)
def _outlook(board: Board, seat: int, others: tuple[Pawns | None, ...]) -> tuple[list[int], list[int], int]:
    """
    Return what *others*, the pawns of the other seats in order, make of the board for *seat*.

    First what each progress is worth to a pawn that stands there alone, then to one in a pair,
    then what the progress of the others costs.
    """
    routes = _routes(board)
    on_ring = [0] * (board.ring + 1)
    on_entry = [0] * (board.ring + 1)
    seats = (other for other in SEATS if other != seat)
    present = [(other, pawns) for other, pawns in zip(seats, others, strict=True) if pawns is not None]
    for other, pawns in present:
        for progress in pawns:
            if progress == NEST:
                on_entry[board.entries[other]] = HITS_FROM_NEST
            else:
                for hits, square in zip(HITS, routes[other][progress + 1 :], strict=False):
                    on_ring[square] += hits
    alone = [CHANCES * progress for progress in range(board.home + 1)]
    alone[board.home] += HOME
    paired = alone.copy()
    for progress, square in enumerate(routes[seat][1:], start=1):
        paired[progress] += SAFE
        hits = on_entry[square]
        if square in board.safe:
            alone[progress] += SAFE
        else:
            hits += on_ring[square]
        alone[progress] -= min(hits, CHANCES) * (progress + CAPTOR_GAINS)
    weight = CHANCES // max(1, len(present))
    return alone, paired, -weight * sum(sum(pawns) for _, pawns in present)


@lru_cache
def _routes(board: Board) -> list[list[int]]:
    """Return for each seat the square codes of progress 0 to its tip."""
    return [[board.square(seat, progress) for progress in range(board.ring_steps + 1)] for seat in SEATS]


STRATEGIES: Final[Mapping[str, Strategy]] = {"random": random, "racer": racer, "careful": careful}


def strategy(name: str) -> Strategy:
    """
    Return the strategy called *name*.

    Raises:
        UnknownName: There is none; the message lists those there are.
    """
    try:
        return STRATEGIES[name]
    except KeyError:
        raise UnknownName("built-in player", name, STRATEGIES) from None
