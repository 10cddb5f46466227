"""
Asks to protobuf: the hot half of the wire.

Nearly all that leaves the referee is asks, and to build one field by field costs more than to judge
its answer. So an ask is written as bytes, by what the encoding promises: a message is a row of fields,
each a tag and a value; a list of numbers is one field, its length and then the numbers; a number below
128 is one byte, itself; and messages laid end to end are one message that holds the fields of all.
The numbers of the fields are taken from the contract. What is rare, the plays and what few rulesets ask
for, the library writes.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.ask import Ask
from referee.rules.board import PAWNS, SEATS, SQUARE_ABSENT
from referee.rules.relay import mover_in, relays
from referee.rules.ruleset import Ruleset
from referee.rules.state import BROUGHT_HOME, GAVE_UP, MOVED, Pawns, Position, Step

K = TypeVar("K")
V = TypeVar("V")

_ABSENT: Final = bytes((SQUARE_ABSENT,) * len(PAWNS))

_LATELY: Final = 1 << 14
"""So many results of one kind are kept."""

_RULESETS: Final = 64
"""So many rulesets have their tables kept, as most games have the same."""


class _Lately(dict[K, V]):
    """A function as a table of its latest results: positions, steps and throws come up again and again."""

    def __init__(self, function: Callable[[K], V]) -> None:
        self._function = function

    def __missing__(self, key: K) -> V:
        if len(self) >= _LATELY:
            self.clear()
        self[key] = value = self._function(key)
        return value


class Squares:
    """Positions of one ruleset as square codes, one byte a pawn, by tables for its board."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Make the tables: the code of each progress, as `bytes.translate` wants them."""
        board = ruleset.board
        self.ruleset: Final = ruleset
        self.relays: Final = relays(ruleset)
        """Whether a seat may play with its partner's pawns."""
        self._tables = tuple(
            bytes(board.square(seat, p) for p in range(board.last + 1)).ljust(256, b"\xff") for seat in SEATS
        )

    def of(self, position: Position) -> bytes:
        """Return the 16 square codes of *position*."""
        zero, one, two, three = position
        tables = self._tables
        return (
            (_ABSENT if zero is None else bytes(zero).translate(tables[0]))
            + (_ABSENT if one is None else bytes(one).translate(tables[1]))
            + (_ABSENT if two is None else bytes(two).translate(tables[2]))
            + (_ABSENT if three is None else bytes(three).translate(tables[3]))
        )

    def of_seat(self, seat: int, pawns: Pawns) -> bytes:
        """Return the four square codes of *pawns* of *seat*."""
        return bytes(pawns).translate(self._tables[seat])


@lru_cache(_RULESETS)
def squares_of(ruleset: Ruleset) -> Squares:
    """Return the tables of *ruleset*, which all games by it share."""
    return Squares(ruleset)


def step_codes(steps: Sequence[Step]) -> list[int]:
    """Return *steps* as the numbers that messages carry."""
    return [pawn << 16 | use << 8 | square for pawn, use, square in steps]


def _varint(value: int) -> bytes:
    """Return a number as protobuf has it: seven bits a byte, the lowest first, all but the last marked."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


_SHORT: Final = tuple(_varint(value) for value in range(1 << 14))


def _number(value: int) -> bytes:
    return _SHORT[value] if value < len(_SHORT) else _varint(value)


def _tag(name: str) -> bytes:
    """Return the tag of a field of `Ask`: its number, and whether it holds a list."""
    field = pb.Ask.DESCRIPTOR.fields_by_name[name]
    several = isinstance(getattr(pb.Ask(), name), Sequence)
    return _varint(field.number << 3 | (2 if several else 0))


_ASK: Final = b"".join(
    _tag(name).replace(b"%", b"%%") + values
    for names, values in (
        ("game ask seat time_limit_ms bank_ms strikes_left last_answer_us repeats last_moved", b"%b"),
        ("dice numbers bonuses", b"%b"),
        ("squares at_throw steps step_pawns step_uses step_squares", b"%b%b"),
    )
    for name in names.split()
)
"""An ask but for its values: those of the lists in the last row want their lengths before them."""

_ASKS: Final = _varint(pb.PlayResponse.ASKS_FIELD_NUMBER << 3 | 2)


def _list(numbers: tuple[int, ...]) -> bytes:
    written = b"".join(map(_number, numbers))
    return _number(len(written)) + written


def _columns(step: Step) -> tuple[bytes, bytes, bytes, bytes]:
    """Return what each of the four lists of steps holds for *step*."""
    return _number(step.code), _number(step.pawn), _number(step.use), _number(step.square)


_LIST: Final = _Lately(_list)
_STEP: Final = _Lately(_columns)


def ask_bytes(ask: Ask, squares: Squares) -> bytes:
    """Return a `PlayResponse` that holds *ask* and nothing else, as bytes."""
    game, number, state, steps, limit, bank, strikes_left, last, plays, _ = ask
    position, seat, repeats, last_moved, dice, numbers, bonuses, at_throw, arrived, past = state
    assert at_throw
    mover = mover_in(squares.ruleset, position, seat) if squares.relays else seat
    codes = pawns = uses = targets = b""
    for step in steps:
        code, pawn, use, target = _STEP[step]
        codes += code
        pawns += pawn
        uses += use
        targets += target
    body = _ASK % (
        _number(game),
        _number(number),
        _SHORT[seat],
        _number(limit // 1000),
        _number(bank // 1000),
        _number(strikes_left),
        _number(last),
        _SHORT[repeats],
        _SHORT[0 if last_moved is None else last_moved + 1],
        _LIST[dice],
        _LIST[numbers],
        _LIST[bonuses],
        b"\x10",
        squares.of(position),
        b"\x04",
        squares.of_seat(mover, at_throw),
        _SHORT[len(codes)],
        codes,
        _SHORT[len(pawns)],
        pawns,
        _SHORT[len(uses)],
        uses,
        _SHORT[len(targets)],
        targets,
    )
    if plays is not None:
        body += _plays(ask, squares)
    if arrived or past:
        body += _happened(arrived, past)
    return _ASKS + _number(len(body)) + body


def _plays(ask: Ask, squares: Squares) -> bytes:
    """Return an `Ask` that holds the plays of *ask* and nothing else, as bytes."""
    message = pb.Ask(plays_cut=ask.cut)
    for play in ask.plays or ():
        message.play_lengths.append(len(play.steps))
        message.play_steps.extend(step_codes(play.steps))
        message.play_squares.extend(squares.of(play.position))
    return message.SerializeToString()


def _happened(arrived: int, past: int) -> bytes:
    """Return an `Ask` that holds what few rulesets ask for and nothing else, as bytes."""
    return pb.Ask(
        came_last=_bits(arrived),
        moved=_bits(past & MOVED),
        brought_home=bool(past & BROUGHT_HOME),
        gave_up=bool(past & GAVE_UP),
    ).SerializeToString()


def _bits(value: int) -> list[int]:
    """Return the numbers of the bits that are set, ascending."""
    return [bit for bit in range(value.bit_length()) if value >> bit & 1]
