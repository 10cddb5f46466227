"""
The quick proofs of `Rules.steps` against the search that they spare.

Both are ours; the independent checker is asked in `test_against_oracle.py`. This is fast enough to
meet every combination of the fields that section 5 depends on.
"""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from referee.rules.engine import Rules
from referee.rules.ruleset import BonusTiming, DoubletFaces, Fourteen, MustEnter, Ruleset, SamePair, Use
from referee.rules.rulesets import ruleset
from referee.rules.search import Search
from tests.rules.positions import FAMILIES, constructed

COMBINATIONS = [
    replace(
        ruleset("winning_moves"),
        name=" ".join(values),
        must_enter=values[0],
        bonus_timing=values[1],
        doublet_faces=values[2],
        fourteen=values[3],
        use=values[4],
        same_pair=values[5],
        capture_bonus=20 if number % 3 else 5,
        home_bonus=10 if number % 2 else 3,
    )
    for number, values in enumerate(
        product(
            (MustEnter.NEVER, MustEnter.WHEN_POSSIBLE),
            (BonusTiming.AFTER_NUMBERS, BonusTiming.ANY_TIME),
            DoubletFaces,
            Fourteen,
            Use,
            (SamePair.FREE, SamePair.FORBIDDEN),
        )
    )
    if values[2:4] != (DoubletFaces.TOP, Fourteen.ALL_OR_NOTHING)  # which means nothing
]


@pytest.mark.parametrize("given", COMBINATIONS, ids=lambda given: given.name)
def test_a_proof_agrees_with_the_search(given: Ruleset) -> None:
    """
    Every state that a constructed throw leads to offers what the search finds.
    """
    rules = Rules(given)
    random = Random(given.name)
    for family in FAMILIES:
        for seed in range(4):
            asked = constructed(given, family, seed)
            before = rules.start((0, 2), 0)._replace(position=asked.position, seat=asked.seat)
            state = rules.throw(before, asked.dice).state
            while True:
                steps = rules.steps(state)
                assert steps == Search(rules._moves, state).legal(state), f"{family} {seed}: {state}"
                if not steps:
                    break
                state = rules.apply(state, random.choice(steps)).state
