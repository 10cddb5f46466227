"""
Golden games: whole games, written down once and replayed ever after.

`make golden` (or `python tests/golden/make.py`) writes `tests/golden/<ruleset>/<n>.txt` anew. A file
that changes is a rule that changed: it goes into a commit of its own that says why.

A file begins with the ruleset, its seats and who begins. Then each line is one throw:

    7 | 2 | 5 3 | 0:5>39 *1:5>39 | *1:3>42 | N,N,N,N/-/N,42,N,N/-

the number of the throw, the seat, the dice, then for every step of the play all legal steps with
a `*` before the one that was chosen, and the position after the play. A step is `pawn:use>square`,
where the use is a number, `1+4` or `2+3` for a five by sum, or `+20` for a bonus. `third 1` instead
of steps is a third doublet (or six), which sent pawn 1 to its nest (`-`: none). The last line tells
the places.

Chance needs no engine to follow. Draw k of a game, below m, is the number that the first eight
bytes of SHA-256 of the text `<ruleset> <n> <k>` make, the first byte the highest, modulo m. Draws are
counted from 1: one for each die (plus one), then one for every step, also where only one is
legal.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_text, square_text, use_text
from referee.rules.ruleset import Ruleset, Teams
from referee.rules.rulesets import RULESETS
from referee.rules.state import State, Step

FOLDER = Path(__file__).parent

TABLES = {1: ((0, 2), 0), 2: ((0, 1, 2), 1), 3: ((0, 1, 2, 3), 3)}
"""Seats, and who begins, of the games of every ruleset, by number. Teams always take all four seats."""


class Draws:
    """The chance of one game."""

    def __init__(self, ruleset: str, game: int) -> None:
        self.name = f"{ruleset} {game}"
        self.count = 0

    def below(self, limit: int) -> int:
        """Return the next draw, from 0 to *limit* - 1."""
        self.count += 1
        digest = hashlib.sha256(f"{self.name} {self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit


def step_text(step: Step) -> str:
    """Return *step* as a golden game tells it: `1:5>39`."""
    use = use_text(step.use).replace("bonus ", "+").replace(" and ", "+")
    return f"{step.pawn}:{use}>{square_text(step.square)}"


def game_lines(ruleset: Ruleset, game: int) -> Iterator[str]:
    """Yield the lines of game number *game* of *ruleset*."""
    seats, first = TABLES[game]
    if ruleset.teams is not Teams.NONE:
        seats = SEATS
    yield f"{ruleset.name}, seats {' '.join(map(str, seats))}, seat {first} begins"
    rules, draws = Rules(ruleset), Draws(ruleset.name, game)
    state, won, number = rules.start(seats, first), False, 0
    while not won:
        number += 1
        seat, dice = state.seat, tuple(draws.below(6) + 1 for _ in range(ruleset.dice))
        told, state, won = played(rules, state, dice, draws)
        position = position_text(ruleset.board, state.position, state.arrived)
        yield " | ".join([f"{number}", f"{seat}", " ".join(map(str, dice)), *told, position])
        if won:
            places = rules.places(state.position, seat, ())
            yield "places " + " ".join(f"{s}:{places[s]}" for s in seats)


def played(rules: Rules, state: State, dice: tuple[int, ...], draws: Draws) -> tuple[list[str], State, bool]:
    """Return what is told of the steps after *dice*, the state before the next throw, and whether it won."""
    thrown = rules.throw(state, dice)
    if thrown.third:
        returned = "-" if thrown.returned is None else f"{thrown.returned}"
        return [f"third {returned}"], thrown.state, False
    told, state = [], thrown.state
    while steps := rules.steps(state):
        chosen = steps[draws.below(len(steps))]
        told.append(" ".join("*" * (step == chosen) + step_text(step) for step in steps))
        state, _, _, won = rules.apply(state, chosen)
        if won:
            return told, state, True
    return told, rules.play_over(state), False


def files() -> dict[Path, tuple[Ruleset, int]]:
    """Return the file of every golden game, with its ruleset and number."""
    return {
        FOLDER / ruleset.name / f"{game}.txt": (ruleset, game)
        for ruleset in RULESETS.values()
        for game in TABLES
    }


def main() -> None:
    """Write every golden game."""
    for file, (ruleset, game) in files().items():
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in game_lines(ruleset, game)), encoding="utf-8")
        print(file.relative_to(FOLDER))


if __name__ == "__main__":
    main()
