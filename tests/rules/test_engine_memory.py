"""
One `Rules` asked many things: what it remembers of one question must not tell in the answer to another.

Knows: which questions look alike to a memory; how an answer that nothing was asked before is found.
Does not know: what the right answer is, nor what is remembered.

`MEMORY_FIRST=1000` begins at another seed; what fails names the seed.
"""

import os
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from referee.errors import PositionError
from referee.rules.board import NEST, SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text
from referee.rules.ruleset import BonusTiming, Ruleset, Use
from referee.rules.rulesets import ruleset
from referee.rules.state import MOVED, Pawns, State, arrival
from tests.oracle.judging import FINISHERS, made_question, mixture
from tests.oracle.shortcuts import SHORTCUTS
from tests.oracle.support import variation
from tests.rules.positions import FAMILIES

FIRST = int(os.environ.get("MEMORY_FIRST", "0"))
"""The first seed."""

ROUNDS = 60
"""So many throws of each ruleset are asked about, with what looks like them."""

ASKED = (
    FINISHERS,
    variation(FINISHERS, bonus_timing=BonusTiming.ANY_TIME),
    variation(FINISHERS, use=Use.GREEDY),
    *(ruleset(name) for name in ("winning_moves", "selchow_righter", "hasbro", "pressman", "pressman_teams")),
    *(ruleset(name) for name in ("casual_super", "casual_super_mixed", "pahrcheesi")),
    *(mixture(seed) for seed in (3, 7, 9, 12)),
)


@cache
def made(given: Ruleset) -> bytes:
    """Return a `Rules` that was never asked anything, to be had again sooner than it is compiled."""
    return pickle.dumps(Rules(given))


def fresh(given: Ruleset) -> Rules:
    """Return a `Rules` that was never asked anything."""
    rules: Rules = pickle.loads(made(given))
    return rules


def thrown_pawns(given: Ruleset, text: str) -> tuple[Pawns, ...]:
    """Return the pawns of each seat in the position *text*."""
    position, _ = position_from_text(given, text)
    return tuple(pawns for pawns in position if pawns is not None)


class TestWhoMoves:
    """A seat that has finished moves its partner's pawns: seat and dice say too little of a throw."""

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
    """Yield states that share all with *state* but one thing, or two."""
    for change in CHANGES * 2:
        other = change(rules, state, random)
        if not random.randrange(4):
            other = random.choice(CHANGES)(rules, other, random)
        if other != state and may_be(rules, other):
            yield other


def may_be(rules: Rules, state: State) -> bool:
    """Return whether *state* can be asked about."""
    try:
        rules.check(state)
    except PositionError:
        return False
    return True


def pawns_elsewhere(state: State, seat: int, pawns: Sequence[int]) -> State:
    """Return *state* with the pawns of *seat* on other places."""
    position = list(state.position)
    a, b, c, d = pawns
    position[seat] = a, b, c, d
    first, second, third, fourth = position
    return state._replace(position=(first, second, third, fourth))


def others_in_the_way(rules: Rules, state: State, random: Random) -> State:
    """Put one or two pawns of another seat close ahead of a pawn that could move."""
    board, mover = rules.board, rules.mover(state.position, state.seat)
    seat = random.choice([seat for seat in SEATS if seat != mover])
    pawns = state.position[seat]
    own = [place for place in state.position[mover] or () if NEST < place < board.ring_steps]
    if pawns is None or not own:
        return state
    ahead = min(random.choice(own) + random.randint(1, 8), board.ring_steps)
    place = board.progress(seat, board.square(mover, ahead))
    if place is None:
        return state
    first = random.randrange(3)
    moved = [place if first <= pawn < first + random.choice((1, 2)) else pawns[pawn] for pawn in range(4)]
    return pawns_elsewhere(state, seat, moved)


def another_seat_moves(rules: Rules, state: State, random: Random) -> State:
    """Let another seat move pawns that stand alike, each of the two having the other's, or one none out."""
    here, there = state.seat, random.choice([seat for seat in SEATS if seat != state.seat])
    mine, theirs = state.position[here], state.position[there]
    if mine is None or theirs is None:
        return state
    state = pawns_elsewhere(state, there, mine)._replace(seat=there)
    return pawns_elsewhere(state, here, random.choice([theirs, (NEST,) * 4]))


def for_the_partner(rules: Rules, state: State, random: Random) -> State:
    """Let the seat have finished and move its partner's pawns, that stand as its own do; or not yet."""
    here, there = state.seat, (state.seat + 2) % 4
    mine, theirs = state.position[here], state.position[there]
    if mine is None or theirs is None:
        return state
    home = (rules.board.home,) * 4
    if mine == home:
        state = pawns_elsewhere(state, here, theirs)
        return pawns_elsewhere(state, there, random.choice([home, (NEST,) * 4]))
    return pawns_elsewhere(pawns_elsewhere(state, here, home), there, mine)


def came_otherwise(rules: Rules, state: State, random: Random) -> State:
    """Let those have come first, of two on a square, who came last."""
    both = Counter(
        rules.board.square(seat, place)
        for seat, pawns in enumerate(state.position)
        for place in pawns or ()
        if NEST < place <= rules.board.ring_steps
    )
    arrived = state.arrived
    for seat, pawns in enumerate(state.position):
        for pawn, place in enumerate(pawns or ()):
            if NEST < place <= rules.board.ring_steps and both[rules.board.square(seat, place)] == 2:
                arrived ^= arrival(seat, pawn)
    return state._replace(arrived=arrived)


def other_dice(rules: Rules, state: State, random: Random) -> State:
    """Let the numbers be those that other dice have left."""
    if len(state.dice) == 1 or not state.numbers:
        return state
    one = random.choice(state.numbers)
    other = random.choice([one, 7 - one, *state.numbers, random.randint(1, 6)])
    return state._replace(dice=random.choice([(one, other), (other, one), (other, other)]))


def another_throw(rules: Rules, state: State, random: Random) -> State:
    """Let the dice have just fallen, and otherwise."""
    one, other = random.choice(state.dice), random.randint(1, 6)
    dice = (one,) if len(state.dice) == 1 else random.choice([(one, other), (other, one), (other, other)])
    before = State(state.position, state.seat, arrived=state.arrived)
    return rules.throw(before, dice).state


def other_numbers(rules: Rules, state: State, random: Random) -> State:
    """Let fewer numbers be left."""
    return state._replace(numbers=random.choice([state.numbers[1:], state.numbers[:-1]]))


def other_bonuses(rules: Rules, state: State, random: Random) -> State:
    """Let more bonuses wait, or fewer."""
    earned = (rules.ruleset.capture_bonus, rules.ruleset.home_bonus)
    bonuses = [*state.bonuses, *(bonus for bonus in earned if bonus)]
    return state._replace(bonuses=tuple(sorted(random.sample(bonuses, random.randint(0, len(bonuses))))))


def stood_elsewhere(rules: Rules, state: State, random: Random) -> State:
    """Let one pawn have come from where another stood when the dice fell, or have moved otherwise."""
    own = state.position[rules.mover(state.position, state.seat)]
    if not state.at_throw or own is None:
        return state
    stood = list(state.at_throw)
    one, two = random.sample(range(4), 2)
    stood[one] = random.choice([stood[two], own[one], own[one] - 1, own[one] - sum(state.dice)])
    a, b, c, d = (max(place, NEST) for place in stood)
    return state._replace(at_throw=(a, b, c, d))


def two_stood_elsewhere(rules: Rules, state: State, random: Random) -> State:
    """Let those that stood together have stood elsewhere together."""
    if not state.at_throw:
        return state
    one, back = random.choice(state.at_throw), random.choice([1, 1, 2, random.randint(1, 6)])
    a, b, c, d = (max(place - back, NEST) if place == one else place for place in state.at_throw)
    return state._replace(at_throw=(a, b, c, d))


def otherwise_moved(rules: Rules, state: State, random: Random) -> State:
    """Let the throw have done something else before."""
    return state._replace(past=state.past ^ 1 << random.randrange(6))


CHANGES = (
    others_in_the_way,
    another_seat_moves,
    for_the_partner,
    came_otherwise,
    other_dice,
    another_throw,
    other_numbers,
    other_bonuses,
    stood_elsewhere,
    two_stood_elsewhere,
    otherwise_moved,
)
"""What makes of one state another that has the rest in common with it."""


def questions(given: Ruleset, seed: int) -> Iterator[State]:
    """Yield states of a throw in which rules forbid steps, each before and behind others much like it."""
    random = Random(f"memory {seed}")
    rules = fresh(given)
    before, dice = made_question(given, random.choice([*FAMILIES, *SHORTCUTS]), seed)
    state, won = rules.throw(before, dice).state, False
    while state.dice and not won:
        steps = rules.steps(state)
        if len(steps) < len(rules._moves.by_number(state)) + len(rules._moves.by_bonus(state)):
            for other in alike(rules, state, random):
                yield from (other, state)
        if not steps:
            break
        state, _, _, won = rules.apply(state, random.choice(steps))


@pytest.mark.parametrize("given", ASKED, ids=lambda given: given.name)
def test_an_answer_does_not_depend_on_what_was_asked_before(given: Ruleset) -> None:
    """
    One `Rules` answers a question alike whatever it was asked before, and as one that was asked nothing.
    """
    rules = fresh(given)
    for seed in range(FIRST, FIRST + ROUNDS):
        asked = list(questions(given, seed))
        answers = {asked[0]: fresh(given).steps(asked[0])} if asked else {}
        for state in (*asked, *reversed(asked)):
            steps = rules.steps(state)
            assert steps == answers.setdefault(state, steps), f"MEMORY_FIRST={seed}: {state}"
