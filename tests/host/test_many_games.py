"""
Whole games between built-in players, played to files and proven from them.

A run plays a few of each kind; `MANY_GAMES=8`, which `make check` sets, plays as many as it says of each,
and `make many` a thousand (`many.py`).
"""

import os
from pathlib import Path

import pytest

from referee.rules.state import Step
from tests.fakes import TABLES, rules_of
from tests.host.many import Memory, play

GAMES = int(os.environ.get("MANY_GAMES", "2"))


@pytest.mark.parametrize(("name", "seats"), TABLES, ids=str)
async def test_games_of_random_players_are_proven(tmp_path: Path, name: str, seats: tuple[int, ...]) -> None:
    """
    Every game is played to its end and proven by its record: rules, positions, commitment, dice, figures.
    """
    figures = await play(rules_of(name), seats, range(GAMES), tmp_path)

    assert figures.games == GAMES


def test_the_same_text_with_other_steps_is_noticed() -> None:
    """
    What was seen of a text is held against it when it comes again.
    """
    memory = Memory()
    memory.hold("a state", ())
    memory.hold("a state", ())

    with pytest.raises(AssertionError, match="the same text, and other steps"):
        memory.hold("a state", (Step(0, 1, 6),))
