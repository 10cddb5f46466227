"""
All plays of a throw are those that legal steps lead to, however they are found.

Knows: a way to find plays that trusts nothing but `Rules.steps` and `Rules.apply`, one state at a time.
Does not know: which steps are legal (`test_against_oracle.py`).

`FINDING_FIRST=1000` begins at another seed, `FINDING_POSITIONS` asks for more of each ruleset.
"""

import os
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from referee.rules.board import BOARDS, PAWNS
from referee.rules.engine import Rules
from referee.rules.finding import _Throw
from referee.rules.notation import position_text, state_from_text
from referee.rules.plays import Play
from referee.rules.quiet import KINDS
from referee.rules.ruleset import BonusTiming, DoubletHome, Ruleset
from referee.rules.rulesets import RULESETS
from referee.rules.state import State, Step, arrival
from tests.oracle.judging import ALL, RANDOM, made_question, mixture, neighbour, next_steps, random_game
from tests.oracle.sheets import RACKET, WINNING_MOVES
from tests.oracle.shortcuts import SHORTCUTS
from tests.oracle.support import variation
from tests.rules.positions import FAMILIES

FIRST = int(os.environ.get("FINDING_FIRST", "0"))
"""The first seed."""

ASKED = int(os.environ.get("FINDING_POSITIONS", "6"))
"""So many throws of each ruleset are played, and so many mixtures of rules are made."""

FAMILIES_OF_ALL = (*FAMILIES, *SHORTCUTS, *[RANDOM] * 8)
"""The families of states, those of random games several times."""

MOST_STATES = 3000
"""Throws that lead to more states are left out: each is gone on from by itself."""


class TooMany(Exception):
    """A throw leads to too many states."""


def by_states(rules: Rules, state: State) -> list[Play]:
    """
    Return a play for each position, the first in canonical order.

    Raises:
        TooMany: The throw leads to more than `MOST_STATES` states.
    """
    seat = rules.mover(state.position, state.seat)
    found: dict[object, Play] = {}
    seen: set[State] = set()

    def go_on(now: State, done: tuple[Step, ...]) -> None:
        if now in seen:
            return
        seen.add(now)
        if len(seen) > MOST_STATES:
            raise TooMany
        steps = rules.steps(now)
        for step in steps:
            go_on(rules.apply(now, step).state, (*done, step))
        if done and not steps:
            found.setdefault(alike(now, seat), Play(done, now.position, now.arrived))

    go_on(state, ())
    return list(found.values())


def alike(state: State, seat: int) -> object:
    """Return what is the same for two positions in which pawns of *seat* have changed places."""
    own = state.position[seat]
    assert own is not None
    pawns = sorted((place, bool(state.arrived & arrival(seat, pawn))) for pawn, place in enumerate(own))
    others = [pawns for other, pawns in enumerate(state.position) if other != seat]
    return str((pawns, others, state.arrived & ~sum(arrival(seat, pawn) for pawn in PAWNS)))


def states(rules: Rules, seeds: range, families: Sequence[str]) -> Iterator[State]:
    """Yield states in mid-throw, of random games and of positions that are made on purpose."""
    for seed in seeds:
        random = Random(f"finding {seed}")
        family = random.choice(families)
        made = family != RANDOM
        before, dice = made_question(rules.ruleset, family, seed) if made else random_game(rules, seed)
        if len(dice) == 2 and random.random() < 0.3:
            dice = dice[:1] * 2  # doublets give four numbers, and some rules are about them alone
        state, third, _ = rules.throw(before, dice)
        won = third
        while not won:
            yield state
            steps = next_steps(rules, state, random)
            if not steps:
                break
            state, _, _, won = rules.apply(state, random.choice(steps))


def compare(ruleset: Ruleset, seeds: range, families: Sequence[str] = FAMILIES_OF_ALL) -> None:
    """Fail where the plays of a throw are not those that steps lead to."""
    rules = Rules(ruleset)
    asked_for_plays: Rules = pickle.loads(pickle.dumps(rules))  # nothing that one remembers helps the other
    for state in states(rules, seeds, families):
        try:
            expected = by_states(rules, state)
        except TooMany:
            continue
        assert asked_for_plays.plays(state) == (expected, False), f"{ruleset.name}: {state}"


@pytest.mark.parametrize("ruleset", ALL.values(), ids=ALL)
def test_plays_are_what_steps_lead_to(ruleset: Ruleset) -> None:
    """
    Whether they are found in a walk or state by state, in canonical order and the first of each.
    """
    compare(ruleset, range(FIRST, FIRST + ASKED))


@pytest.mark.parametrize("family", SHORTCUTS)
def test_plays_are_what_steps_lead_to_near_what_a_rule_is_about(family: str) -> None:
    """
    The walk is left where a rule looks further back, and steps are asked for where one is dropped.
    """
    for ruleset in SHORTCUTS[family].rulesets:
        compare(ruleset, range(FIRST, FIRST + 4 * ASKED), [family])


@pytest.mark.parametrize("number", range(FIRST, FIRST + 10 * ASKED))
def test_plays_are_what_steps_lead_to_in_any_mixture_of_rules(number: int) -> None:
    """
    The walk is right by what it asks of a throw, not by what is played today.
    """
    compare(neighbour(number) if number % 3 == 0 else mixture(number), range(number, number + 2))


@pytest.mark.parametrize(
    ("ruleset", "position", "dice", "expected"),
    [
        pytest.param(
            WINNING_MOVES,
            "22,H,H,H/-/25,29,N,N/-",
            (3, 4),
            ["45,H,H,H/-/N,29,N,N/-", "26,H,H,H/-/25,29,N,N/-"],
            id="a number that is given up for a bonus is not used where the bonus leads",
        ),
        pytest.param(
            variation(RACKET, bonus_timing=BonusTiming.AT_ONCE),
            "6,H,H,H/-/9,29,N,N/-",
            (3, 4),
            ["13,H,H,H/-/N,29,N,N/-", "13,H,H,H/-/9,29,N,N/-"],
            id="a bonus that cannot be used at once is lost",
        ),
        pytest.param(
            variation(RACKET, doublet_home=DoubletHome.WITH_FOURTEEN),
            "52,H,H,H/-/57,54,N,N/-",
            (5, 5),
            [
                "66,H,H,H/-/57,N,N,N/-",
                "H,H,H,H/-/57,N,N,N/-",
                "L6,H,H,H/-/57,N,N,N/-",
                "66,H,H,H/-/N,54,N,N/-",
            ],
            id="after a bonus a number may lead home, and then wants the others to be used",
        ),
    ],
)
def test_a_bonus_changes_what_numbers_may_do(
    ruleset: Ruleset, position: str, dice: tuple[int, ...], expected: list[str]
) -> None:
    """
    What was legal before the bonus may not be after it.
    """
    rules = Rules(ruleset)
    state = rules.throw(state_from_text(ruleset, {"position": position, "seat": 0}), dice).state
    plays, _ = rules.plays(state)

    assert plays == by_states(rules, state)
    assert [position_text(rules.board, play.position) for play in plays] == expected


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_most_moments_are_walked(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Where plays are found state by state, it takes several times as long.
    """
    went: Counter[str] = Counter()
    for name in ("_walk", "_go_on_by_states"):
        method = getattr(_Throw, name)

        def counted(self: _Throw, *given: Any, _name: str = name, _method: Any = method, **more: Any) -> Any:
            went[_name] += 1
            return _method(self, *given, **more)

        monkeypatch.setattr(_Throw, name, counted)
    rules = Rules(ruleset)
    for seed in range(40):
        before, dice = random_game(rules, seed)
        rules.plays(rules.throw(before, dice).state)

    assert went["_walk"] > 2 * went["_go_on_by_states"]


def test_sums_tell_pawns_apart() -> None:
    """
    No two ways to place four pawns, whatever their kinds, have the same sum.
    """
    longest = max(board.last for board in BOARDS.values())
    ends = [kind[place] for kind in (KINDS[0], KINDS[1], KINDS[-1]) for place in (0, 1, longest)]
    sums = [sum(four) for four in combinations_with_replacement(ends, len(PAWNS))]

    assert len(set(sums)) == len(sums)
