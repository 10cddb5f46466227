"""Asks and verdicts to protobuf: the hot half of the wire."""

from collections.abc import Sequence
from typing import Final

from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.ask import Ask
from referee.rules.board import PAWNS, SEATS, SQUARE_ABSENT, Board
from referee.rules.state import Position, Step

_ABSENT: Final = (SQUARE_ABSENT,) * len(PAWNS)


class Squares:
    """Positions as 16 square codes, by tables for one board."""

    def __init__(self, board: Board) -> None:
        """Make the tables."""
        self._tables = [[board.square(seat, p) for p in range(board.home + 1)] for seat in SEATS]

    def of(self, position: Position) -> list[int]:
        """Return the 16 square codes of *position*."""
        codes: list[int] = []
        for table, pawns in zip(self._tables, position, strict=True):
            if pawns is None:
                codes += _ABSENT
            else:
                a, b, c, d = pawns
                codes += (table[a], table[b], table[c], table[d])
        return codes

    def of_seat(self, seat: int, pawns: Sequence[int]) -> list[int]:
        """Return the square codes of *pawns* of *seat*."""
        table = self._tables[seat]
        return [table[progress] for progress in pawns]


def step_codes(steps: Sequence[Step]) -> list[int]:
    """Return *steps* as the numbers that messages carry."""
    return [pawn << 16 | use << 8 | square for pawn, use, square in steps]


def add_ask(response: pb.PlayResponse, ask: Ask, squares: Squares) -> None:
    """Add *ask* to a message."""
    state = ask.state
    steps = ask.steps
    message = response.asks.add(
        game=ask.game,
        ask=ask.number,
        seat=state.seat,
        squares=squares.of(state.position),
        steps=[pawn << 16 | use << 8 | square for pawn, use, square in steps],
        step_pawns=[step[0] for step in steps],
        step_uses=[step[1] for step in steps],
        step_squares=[step[2] for step in steps],
        dice=state.dice,
        numbers=state.numbers,
        bonuses=state.bonuses,
        time_limit_ms=ask.limit // 1000,
        bank_ms=ask.bank // 1000,
        strikes_left=ask.strikes_left,
        last_answer_us=ask.last,
        repeats=state.repeats,
        at_throw=squares.of_seat(state.seat, state.at_throw),
        last_moved=0 if state.last_moved is None else state.last_moved + 1,
    )
    if ask.plays is not None:
        message.play_lengths.extend(len(play.steps) for play in ask.plays)
        for play in ask.plays:
            message.play_steps.extend(step_codes(play.steps))
            message.play_squares.extend(squares.of(play.position))
        message.plays_cut = ask.cut
