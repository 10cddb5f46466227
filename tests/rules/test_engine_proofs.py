"""
The quick proofs of `Rules.steps` against the search that they spare.

Both are ours; the independent checker is asked in `test_against_oracle.py`. This is fast enough for
hundreds of rulesets: mixtures with any value in any field, and those that are played with a few
fields changed. There are far too many for all, but any two values of two fields come together.

`PROOFS_FIRST=5000` begins with another mixture, `PROOFS=1000` takes so many; what fails names its own.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from referee.rules.combinations import clashes
from referee.rules.engine import Rules
from referee.rules.notation import state_text
from referee.rules.ruleset import Ruleset
from referee.rules.search import Search
from referee.rules.state import State
from tests.oracle.judging import (
    DECISIVE,
    FIELDS,
    cast,
    drawn_value,
    made_question,
    mixture,
    neighbour,
)
from tests.oracle.shortcuts import SHORTCUTS
from tests.oracle.support import why_unplayable
from tests.rules.positions import FAMILIES

FIRST = int(os.environ.get("PROOFS_FIRST", "0"))
"""
The number of the first ruleset, which also is the seed of the questions.

Whoever changes the engine moves it on for a while; what is found goes to `test_engine_shortcut_cases.py`.
"""

RULESETS_TRIED = int(os.environ.get("PROOFS", "240"))
"""So many rulesets are tried."""

EACH = 2
"""Throws of each family and ruleset."""

THROWS = 12
"""Throws of a game that goes on from a crowded board."""


def tried(number: int) -> Ruleset:
    """Return ruleset *number* of those that are tried: two mixtures, then one that is near a real one."""
    return neighbour(number) if number % 3 == 0 else mixture(number // 3 * 2 + number % 3)


@pytest.mark.parametrize("number", range(FIRST, FIRST + RULESETS_TRIED))
def test_a_proof_agrees_with_the_search(number: int) -> None:
    """
    Every state of constructed throws, and of a game, offers what the search finds.
    """
    given = tried(number)
    rules = Rules(given)
    for family in (*FAMILIES, *SHORTCUTS):
        for seed in range(EACH * number, EACH * (number + 1)):
            for state in walked(rules, family, seed):
                agree(rules, state, f"PROOFS_FIRST={number}, {family} {seed}")
    for state in played(rules, number):
        agree(rules, state, f"PROOFS_FIRST={number}, in a game")


def agree(rules: Rules, state: State, where: str) -> None:
    """Fail if *rules* offer in *state* what the search does not find, or not all of it."""
    steps, found = rules.steps(state), Search(rules._moves, state).legal(state)
    if steps != found:
        fields = ", ".join(f"{field} = {value}" for field, value in rules.ruleset.as_text().items())
        told = f"{where}: {state_text(rules.ruleset, state)}\n{state}\n{rules.ruleset.name}: {fields}"
        raise AssertionError(f"{told}\n  steps   {steps}\n  search  {found}")


def walked(rules: Rules, family: str, seed: int) -> Iterator[State]:
    """Yield the states of one throw of *family*; now and then what comes next is possible only."""
    random = Random(f"{family} {seed}")
    before, dice = made_question(rules.ruleset, family, seed)
    state, won = rules.throw(before, dice).state, False
    while state.dice and not won:
        yield state
        steps = [*rules.steps(state)]
        if not random.randrange(6):
            moves = rules._moves
            steps = [*moves.by_number(state, entering=False), *moves.by_bonus(state)]
        if not steps:
            return
        state, _, _, won = rules.apply(state, random.choice(steps))


def played(rules: Rules, seed: int) -> Iterator[State]:
    """Yield the states of some throws of a game that goes on from a crowded board."""
    random = Random(f"game {seed}")
    state, dice = made_question(rules.ruleset, "crowded", seed)
    for _ in range(THROWS):
        state = rules.throw(state, dice).state
        while state.dice:
            yield state
            steps = rules.steps(state)
            if not steps:
                state = rules.play_over(state)
                break
            state, _, _, won = rules.apply(state, random.choice(steps))
            if won:
                return
        dice = cast(rules.ruleset, random)


Pair = tuple[tuple[str, object], tuple[str, object]]
"""Two fields, each with a value."""


class TestWhatIsTried:
    """The rulesets are worth trying: whatever may go together does so in one of them."""

    def test_has_any_two_values_of_two_fields_that_decide(self) -> None:
        """
        Of the rulesets that are tried without being asked for others.
        """
        rulesets = [tried(number) for number in range(240)]
        met: set[Pair] = set()
        for ruleset in rulesets:
            met.update(combinations([(field, getattr(ruleset, field)) for field in DECISIVE], 2))
        missing = {pair for pair in pairs_of_values() if pair not in met}

        assert not [pair for pair in missing if may_go_together(*pair, rulesets[:40])]

    def test_has_every_value_of_every_field(self) -> None:
        """
        But for those that decide who begins.
        """
        rulesets = [tried(number) for number in range(240)]
        for field, values in FIELDS.items():
            assert {getattr(ruleset, field) for ruleset in rulesets} >= set(values), field

    def test_leaves_nothing_out_that_can_be_played(self) -> None:
        """
        A mixture is drawn again where the oracle calls it unplayable: we refuse the same ones.
        """
        for seed in range(2000):
            random = Random(seed)
            fields = {field: drawn_value(random, field) for field in FIELDS}
            given = replace(mixture(0), **fields)  # type: ignore[arg-type]

            assert bool(why_unplayable(given)) == bool([*clashes(given)]), f"{seed}: {why_unplayable(given)}"


def pairs_of_values() -> Iterator[Pair]:
    """Yield any two values of any two fields that decide."""
    for one, two in combinations(DECISIVE, 2):
        for first, second in product(DECISIVE[one], DECISIVE[two]):
            yield (one, first), (two, second)


def may_go_together(one: tuple[str, object], two: tuple[str, object], rulesets: Sequence[Ruleset]) -> bool:
    """Return whether one of *rulesets* could be played with these two values."""
    changed = [replace(ruleset, **dict((one, two))) for ruleset in rulesets]  # type: ignore[arg-type]
    return any(not [*clashes(ruleset)] for ruleset in changed)
