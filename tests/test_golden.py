"""
The golden games, played again line by line.

Knows: where they lie and how they are told (`tests/golden/make.py`).
Does not know: rules. A golden game says what was, and `make golden` makes it anew.
"""

from itertools import zip_longest
from pathlib import Path

import pytest

from referee.rules.ruleset import Ruleset
from referee.rules.rulesets import RULESETS
from tests.golden.make import FOLDER, files, game_lines

GAMES = sorted(FOLDER.glob("*/*.txt"))


def test_every_ruleset_has_its_golden_games() -> None:
    """
    A ruleset without a golden game is not finished.
    """
    assert {game.parent.name for game in GAMES} == set(RULESETS)
    assert set(GAMES) == set(files())


@pytest.mark.parametrize(
    ("file", "ruleset", "game"),
    [(file, ruleset, game) for file, (ruleset, game) in files().items()],
    ids=lambda value: f"{value.parent.name} {value.stem}" if isinstance(value, Path) else "",
)
def test_golden_game_is_played_as_before(file: Path, ruleset: Ruleset, game: int) -> None:
    """
    The same dice and the same choices give the same legal steps and the same positions.
    """
    golden = file.read_text(encoding="utf-8").splitlines()

    for number, (was, now) in enumerate(zip_longest(golden, game_lines(ruleset, game)), 1):
        if was != now:
            pytest.fail(difference(file, number, golden[number - 2], was, now), pytrace=False)


def difference(file: Path, number: int, before: str, was: str | None, now: str | None) -> str:
    """Return what is different in line *number*, field by field."""
    name = file.relative_to(FOLDER.parent.parent)
    lines = [f"{name}, line {number}, is no longer what happens; the line before:", f"    {before}"]
    if was is None or now is None:
        lines += [f"  golden {was or '(the game is over)'}", f"  now    {now or '(the game is over)'}"]
        return "\n".join(lines)
    for old, new in zip_longest(was.split(" | "), now.split(" | "), fillvalue="(nothing)"):
        lines += [f"    {old}"] if old == new else [f"  - {old}", f"  + {new}"]
    return "\n".join(lines)
