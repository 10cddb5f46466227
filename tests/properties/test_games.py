"""
What holds in any game, whatever the dice, the players and the losses.

Knows: the moves of the referee between two questions: throw, step, end of a play, loss of a seat.
Does not know: which steps should be legal; the slow checker (`tests/oracle`) judges that.

Hypothesis chooses everything, the same each time (`derandomize`). A game begins as games do, or from
one of the positions that are made on purpose: random play seldom comes near the rules that forbid.
"""

import json
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test as run,
)

from referee.rules.board import NEST, PAWNS, SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, state_from_text, state_text
from referee.rules.ruleset import Ruleset
from referee.rules.rulesets import RULESETS
from referee.rules.state import BONUS, FIVE_BY_SUM, Applied, State, Step
from tests.oracle.judging import played_alike
from tests.rules.positions import FAMILIES, constructed

ANY_DIE = st.integers(1, 6)
ANY_SEED = st.integers(0, 9999)
SUMS = {use: numbers for numbers, use in FIVE_BY_SUM.items()}

RULES = {name: Rules(ruleset) for name, ruleset in RULESETS.items()}


class Game(RuleBasedStateMachine):
    """One game on *ruleset* between *seats* players, or from a position with as many as it has."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.board = ruleset.board
        self.book = RULES[ruleset.name]
        self.seats = seats
        self.state = State((None, None, None, None), 0)
        self.steps: tuple[Step, ...] = ()
        self.winner: int | None = None
        self.seen: dict[str, tuple[State, tuple[Step, ...]]] = {}

    @initialize(data=st.data())
    def from_the_start(self, data: st.DataObject) -> None:
        choices: dict[int, list[tuple[int, ...]]] = {
            2: [(0, 2), (1, 3)],
            3: [(0, 1, 2), (0, 2, 3)],
            4: [SEATS],
        }
        seats = choices[self.seats]
        taken = data.draw(st.sampled_from(seats))
        self.state = self.book.start(taken, data.draw(st.sampled_from(taken)))

    @precondition(lambda self: not self.state.dice)
    @rule(family=st.sampled_from(sorted(FAMILIES)), seed=ANY_SEED, repeats=st.integers(0, 2))
    def in_the_middle(self, family: str, seed: int, repeats: int) -> None:
        """Go on from a position that was made on purpose."""
        position, seat, dice, arrived = constructed(self.ruleset, family, seed)
        self.state, self.winner = State(position, seat, repeats, arrived=arrived), None
        self.throw(*dice)

    @precondition(lambda self: not self.state.dice and len(self.playing()) > 1)
    @rule(a=ANY_DIE, b=ANY_DIE)
    def throw(self, a: int, b: int) -> None:
        before = self.state
        thrown = self.book.throw(before, (a, b))
        self.state = thrown.state
        if thrown.third:
            assert (a == b, before.repeats) == (True, 2)
            self.returned(before, thrown.returned)
        else:
            own = before.position[before.seat]
            assert own is not None
            assert self.state == before._replace(dice=(a, b), numbers=self.state.numbers, at_throw=own)
            self.settle()

    def returned(self, before: State, pawn: int | None) -> None:
        """See that the third doublet sent *pawn* to its nest, did nothing else, and ended the turn."""
        assert (self.state.dice, self.state.repeats) == ((), 0)
        assert self.state.seat != before.seat
        old = before.position[before.seat]
        assert old is not None
        out = [progress for progress in old if NEST < progress < self.board.home]
        assert (pawn is None) == (not out)
        if pawn is not None:
            assert old[pawn] == max(out)
            old = tuple(NEST if p == pawn else old[p] for p in PAWNS)  # type: ignore[assignment]
        assert self.state.position[before.seat] == old

    @precondition(lambda self: self.steps)
    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        step = data.draw(st.sampled_from(self.steps))
        applied = self.book.apply(self.state, step)
        did_what_it_says(self.ruleset, self.state, step, applied)
        self.state = applied.state
        self.winner = self.state.seat if applied.won else None
        self.settle()

    @precondition(lambda self: len(self.playing()) > 1 and self.winner is None)
    @rule(data=st.data(), really=st.integers(0, 9))
    def lose_a_seat(self, data: st.DataObject, really: int) -> None:
        if really:
            return
        lost = data.draw(st.sampled_from(self.playing()))
        before = self.state
        self.state = self.book.lose_seat(before, lost)
        assert self.state.position == tuple(
            None if seat == lost else pawns for seat, pawns in enumerate(before.position)
        )
        if lost == before.seat:
            assert self.state == State(self.state.position, self.state.seat)
        else:
            assert self.state == before._replace(position=self.state.position)
        self.settle()

    def playing(self) -> list[int]:
        return [seat for seat in SEATS if self.state.position[seat] is not None]

    def settle(self) -> None:
        """Ask for the legal steps; where there are none, end the play as the referee does."""
        self.steps = self.book.steps(self.state) if self.state.dice else ()
        if self.state.dice and not self.steps and self.winner is None:
            assert self.book.plays(self.state) == ([], False)
            before = self.state
            self.state = self.book.play_over(before)
            assert self.state.position == before.position
            assert (self.state.dice, self.state.numbers, self.state.bonuses, self.state.at_throw) == ((),) * 4
        if self.winner is not None:
            assert self.steps == ()
            self.ranked()
            self.from_position_of_a_new_game()

    def ranked(self) -> None:
        """See that the winner is first and alone."""
        places = self.book.places(self.state.position, self.winner, ())
        assert sorted(places) == self.playing()
        assert [seat for seat, place in places.items() if place == 1] == [self.winner]

    def from_position_of_a_new_game(self) -> None:
        self.state, self.winner = self.book.start((0, 2), 0), None

    @invariant()
    def every_pawn_is_on_its_way(self) -> None:
        for pawns in self.state.position:
            assert pawns is None or all(NEST <= progress <= self.board.home for progress in pawns)

    @invariant()
    def no_square_holds_too_many_or_two_colours(self) -> None:
        ring: dict[int, list[int]] = {}
        for seat, pawns in enumerate(self.state.position):
            for progress, pawn_count in Counter(pawns or ()).items():
                if NEST < progress < self.board.home:
                    assert pawn_count <= 2
                if NEST < progress <= self.board.ring_steps:
                    ring.setdefault(self.board.square(seat, progress), []).append(seat)
        assert all(len(seats) == 1 for seats in ring.values())

    @invariant()
    def nobody_has_won_unseen(self) -> None:
        assert (self.board.home,) * 4 not in self.state.position

    @invariant()
    def the_seat_to_move_is_present(self) -> None:
        assert not self.playing() or self.state.seat in self.playing()

    @invariant()
    def steps_are_in_order_and_different(self) -> None:
        assert all(a < b for a, b in pairwise(self.steps))

    @invariant()
    def every_step_offered_can_be_played_and_is_not_refused(self) -> None:
        for step in self.steps:
            applied = self.book.apply(self.state, step)
            did_what_it_says(self.ruleset, self.state, step, applied)
            self.book.check(applied.state)
            assert self.book.explain(self.state, step) is None
            assert Step.from_code(step.code) == step

    @invariant()
    def a_play_begins_with_a_legal_step(self) -> None:
        plays, cut = self.book.plays(self.state, 30) if self.steps else ([], False)
        assert len(plays) <= 30
        assert bool(plays) == bool(self.steps)
        assert {play.steps[0] for play in plays} <= set(self.steps)
        for play in plays[:3] if cut else plays[:10]:
            assert self.played_out(play.steps) == play.position

    def played_out(self, steps: tuple[Step, ...]) -> object:
        """Return the position after *steps*, which must be legal and end the play."""
        state, won = self.state, False
        for step in steps:
            assert step in self.book.steps(state)
            state, _, _, won = self.book.apply(state, step)
        assert won or not self.book.steps(state)
        return state.position

    @invariant()
    def the_state_is_accepted_and_survives_as_text(self) -> None:
        if len(self.playing()) < 2:
            return  # before the first rule, or after the last
        self.book.check(self.state)
        position = position_text(self.board, self.state.position)
        assert position_from_text(self.ruleset, position)[0] == self.state.position
        text = json.dumps(state_text(self.board, self.state))
        assert state_from_text(self.ruleset, json.loads(text)) == self.state

    @invariant()
    def one_text_is_one_state_with_the_same_steps(self) -> None:
        text = json.dumps(state_text(self.board, self.state), sort_keys=True)
        assert self.seen.setdefault(text, (self.state, self.steps)) == (self.state, self.steps)
        if self.steps:
            assert self.book.steps(self.state) == self.steps


def did_what_it_says(ruleset: Ruleset, before: State, step: Step, applied: Applied) -> None:
    """See that *step* moved one pawn to its square, captured whom it met, and used what it spent."""
    board, after = ruleset.board, applied.state
    own, moved = before.position[before.seat], after.position[before.seat]
    assert own is not None
    assert moved is not None
    target = board.progress(before.seat, step.square)
    assert target is not None
    assert moved == tuple(target if pawn == step.pawn else own[pawn] for pawn in PAWNS)
    assert target > own[step.pawn]
    met = [
        (seat, pawn)
        for seat, pawns in enumerate(before.position)
        for pawn in PAWNS
        if pawns is not None
        and seat != before.seat
        and pawns[pawn] not in (NEST, board.home)
        and board.square(seat, pawns[pawn]) == step.square <= board.ring
    ]
    assert sorted(applied.captured) == met
    for seat, pawns in enumerate(before.position):
        if pawns is not None and seat != before.seat:
            sent = tuple(NEST if (seat, pawn) in met else pawns[pawn] for pawn in PAWNS)
            assert after.position[seat] == sent
    earned = [ruleset.capture_bonus] * len(met) + [ruleset.home_bonus] * (target == board.home)
    assert Counter(applied.earned) == Counter(filter(None, earned))
    assert applied.won == (moved == (board.home,) * 4)
    if not applied.won:
        spent(before, step, applied)
    same_turn = (after.seat, after.repeats, after.dice, after.at_throw)
    assert same_turn == (before.seat, before.repeats, before.dice, before.at_throw)


def spent(before: State, step: Step, applied: Applied) -> None:
    """See that *step* used one number, one five by sum or one bonus, and that what it earned waits."""
    numbers, bonuses = Counter(before.numbers), Counter(before.bonuses)
    after = applied.state
    if step.use > BONUS:
        bonuses[step.use - BONUS] -= 1
        assert after.numbers in ((), before.numbers)
    else:
        numbers.subtract(SUMS.get(step.use, (step.use,)))
        assert min(numbers.values()) >= 0
        assert after.numbers == tuple(sorted(numbers.elements()))
    bonuses.update(applied.earned)
    assert min(bonuses.values(), default=0) >= 0
    assert after.bonuses == tuple(sorted(bonuses.elements()))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ruleset", played_alike(), ids=lambda ruleset: ruleset.name)
def test_promises_hold_in_any_game(ruleset: Ruleset, seats: int) -> None:
    """
    Whatever is thrown, chosen and lost, the board and the texts keep what they promise.
    """
    run(
        lambda: Game(ruleset, seats),  # type: ignore[arg-type] # any callable that makes one will do
        settings=settings(
            max_examples=30,
            stateful_step_count=40,
            derandomize=True,
            database=None,
            phases=[Phase.generate],  # add Phase.shrink to search minutes for the shortest way to a failure
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_a_bonus_outlives_the_seat_that_paid_for_it(ruleset: Ruleset) -> None:
    """
    A seat is lost while the bonus for its pawn still waits: that is a state like any other.
    """
    rules = RULES[ruleset.name]
    position = position_from_text(ruleset, "10,H,H,H/-/15,N,N,N/-")[0]
    state = rules.throw(State(position, 0), (5, 6)).state
    capture = next(step for step in rules.steps(state) if step.square == 15)

    after = rules.lose_seat(rules.apply(state, capture).state, 2)

    assert after.bonuses == (ruleset.capture_bonus,)
    rules.check(after)


@pytest.mark.parametrize("seats", [(0, 2), (0, 1, 2), SEATS], ids=lambda seats: f"{len(seats)} seats")
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_every_game_ends(ruleset: Ruleset, seats: tuple[int, ...]) -> None:
    """
    Players who choose at random bring somebody home, long before throw 2000.
    """
    rules = RULES[ruleset.name]
    for seed in range(5):
        random = Random(seed)
        state, won, throws = rules.start(seats, seats[0]), False, 0
        while not won:
            throws += 1
            assert throws < 2000, f"seed {seed}: {position_text(ruleset.board, state.position)}"
            state = rules.throw(state, (random.randint(1, 6), random.randint(1, 6))).state
            while state.dice and not won:
                steps = rules.steps(state)
                if steps:
                    state, _, _, won = rules.apply(state, random.choice(steps))
                else:
                    state = rules.play_over(state)
