"""
One `Rules` asked many things: what it remembers of one question must not tell in the answer to another.

Knows: which questions look alike to a memory; how an answer that nothing was asked before is found.
Does not know: what the right answer is, nor what is remembered.

`MEMORY_FIRST=1000` begins at another seed; what fails names the seed.
"""

import os
import pickle
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from referee.errors import PositionError
from referee.rules.board import NEST, SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text
from referee.rules.ruleset import BonusTiming, Ruleset, Use
from referee.rules.rulesets import ruleset
from referee.rules.state import MOVED, Pawns, State
from tests.oracle.judging import FINISHERS, made_question, mixture
from tests.oracle.support import variation
from tests.rules.positions import FAMILIES

FIRST = int(os.environ.get("MEMORY_FIRST", "0"))
"""The first seed."""

ROUNDS = 40
"""So many throws of each ruleset are asked about, with what looks like them."""

ASKED = (
    FINISHERS,
    variation(FINISHERS, bonus_timing=BonusTiming.ANY_TIME),
    variation(FINISHERS, use=Use.GREEDY),
    *(ruleset(name) for name in ("winning_moves", "selchow_righter", "hasbro", "pressman_teams")),
    *(ruleset(name) for name in ("casual_super", "casual_super_mixed", "pahrcheesi")),
    *(mixture(seed) for seed in (3, 7, 9, 12)),
)


@cache
def made(given: Ruleset) -> bytes:
    """Return a `Rules` that was never asked anything, to be had again sooner than it is compiled."""
    return pickle.dumps(Rules(given))


def fresh(given: Ruleset) -> Rules:
    """Return a `Rules` that was never asked anything."""
    rules: Rules = pickle.loads(made(given))  # noqa: S301 - our own
    return rules


def thrown_pawns(given: Ruleset, text: str) -> tuple[Pawns, ...]:
    """Return the pawns of each seat in the position *text*."""
    position, _ = position_from_text(given, text)
    return tuple(pawns for pawns in position if pawns is not None)


class TestWhoMoves:
    """A seat that has finished moves its partner's pawns: seat, dice and pawns at the throw say too little."""

    HOME, NESTS = "H,H,H,H", "N,N,N,N"

    def own(self) -> State:
        """Return a throw of seat 0 with its own pawns."""
        text = f"61,61,62,9/{self.NESTS}/{self.HOME}/{self.NESTS}"
        before = State(position_from_text(FINISHERS, text)[0], 0)
        return fresh(FINISHERS).throw(before, (3, 3)).state

    def partners(self) -> State:
        """Return the last number of a throw of seat 0 with the pawns of seat 2: 27,27,28,43 when it fell."""
        text = f"{self.HOME}/{self.NESTS}/30,30,28,47/{self.NESTS}"
        at_throw = thrown_pawns(FINISHERS, f"{self.HOME}/{self.NESTS}/27,27,28,43/{self.NESTS}")[2]
        position, _ = position_from_text(FINISHERS, text)
        state = State(position, 0, dice=(3, 3), numbers=(4,), at_throw=at_throw, past=MOVED & 0b1011)
        fresh(FINISHERS).check(state)
        return state

    def test_tells_two_searches_apart(self) -> None:
        """
        The pair that seat 2 moved on as one must part, whatever seat 0 was asked about its own before.
        """
        rules = fresh(FINISHERS)
        alone = rules.steps(self.partners())
        assert {(step.pawn, step.square) for step in alone} == {(0, 34), (1, 34)}

        rules = fresh(FINISHERS)
        rules.steps(self.own())
        assert rules.steps(self.partners()) == alone

    def test_tells_two_searches_apart_the_other_way_round(self) -> None:
        """
        Nor does it matter which of the two is asked first.
        """
        alone = fresh(FINISHERS).steps(self.own())

        rules = fresh(FINISHERS)
        rules.steps(self.partners())
        assert rules.steps(self.own()) == alone


def alike(rules: Rules, state: State, random: Random) -> Iterator[State]:
    """Yield states that have some things in common with *state*, and differ in one or two others."""
    for _ in range(12):
        other = state
        for _ in range(random.choice((1, 1, 2))):
            other = changed(rules, other, random)
        try:
            rules.check(other)
        except PositionError:
            continue
        if other != state:
            yield other


def changed(rules: Rules, state: State, random: Random) -> State:
    """Return *state* with something else in one place; it may be a state that cannot be."""
    position, home = list(state.position), (rules.board.home,) * 4
    match random.randrange(7):
        case 0:  # others stand elsewhere
            seat = random.choice(SEATS)
            if position[seat] is not None:
                four = [random.choice([place, NEST, place + 1]) for place in position[seat] or ()]
                a, b, c, d = four
                position[seat] = a, b, c, d
        case 1:  # two seats have each other's pawns
            one, two = random.sample(SEATS, 2)
            position[one], position[two] = position[two], position[one]
        case 2:  # the seat, or its partner, has finished
            seat = random.choice((state.seat, (state.seat + 2) % 4))
            position[seat] = home if position[seat] is not None else None
        case 3:
            return state._replace(numbers=random.choice([(), state.numbers[1:], state.numbers[:-1]]))
        case 4:
            bonuses = [*state.bonuses, rules.ruleset.capture_bonus, rules.ruleset.home_bonus]
            return state._replace(bonuses=tuple(sorted(random.sample(bonuses, random.randrange(len(bonuses))))))
        case 5:
            return state._replace(past=state.past ^ 1 << random.randrange(5))
        case _:
            return state._replace(seat=random.choice(SEATS))
    a, b, c, d = position
    return state._replace(position=(a, b, c, d))


def questions(given: Ruleset, seed: int) -> list[State]:
    """Return the states of a throw, in mid-throw, and others that look like them, in any order."""
    random = Random(f"memory {seed}")
    rules = fresh(given)
    before, dice = made_question(given, random.choice(list(FAMILIES)), seed)
    state, won = rules.throw(before, dice).state, False
    found = []
    while state.dice and not won:
        found += [state, *alike(rules, state, random)]
        steps = rules.steps(state)
        if not steps:
            break
        state, _, _, won = rules.apply(state, random.choice(steps))
    random.shuffle(found)
    return found[:20] * 2


@pytest.mark.parametrize("given", ASKED, ids=lambda given: given.name)
def test_an_answer_does_not_depend_on_what_was_asked_before(given: Ruleset) -> None:
    """
    In any order, one `Rules` answers each question as one does that was asked nothing before.
    """
    rules = fresh(given)
    for seed in range(FIRST, FIRST + ROUNDS):
        alone: dict[State, object] = {}
        for state in questions(given, seed):
            if state not in alone:
                alone[state] = fresh(given).steps(state)
            assert rules.steps(state) == alone[state], f"MEMORY_FIRST={seed}: {state}"
