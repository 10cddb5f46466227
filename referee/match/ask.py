"""One question to a seat."""

from typing import NamedTuple

from referee.rules.plays import Play
from referee.rules.state import State, Step


class Ask(NamedTuple):
    """
    Everything that is needed to answer, nothing to remember.

    `game` and `number` name it. `steps` are the legal ones in canonical order, never empty. Times
    are whole microseconds: `limit` is free, `bank` comes after it, `last` is what the seat's answer
    before this took (0: none). `plays` is None unless the player wished for them; `cut` tells that
    there were more.
    """

    game: int
    number: int
    state: State
    steps: tuple[Step, ...]
    limit: int
    bank: int
    strikes_left: int
    last: int
    plays: list[Play] | None = None
    cut: bool = False
