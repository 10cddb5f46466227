"""
What holds in any game, whatever the dice, the players and the losses.

Knows: the moves of the referee between two questions: throw, step, end of a play, loss of a seat. What
each of them promises is told in `promises.py`, by the fields of any ruleset.
Does not know: which steps should be legal; the slow checker (`tests/oracle`) judges that.

Hypothesis chooses everything, the same each time (`derandomize`). A game begins as games do, or from
one of the positions that are made on purpose: random play seldom comes near the rules that forbid.
"""

import json
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

from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, state_from_text, state_text
from referee.rules.ruleset import Capture, Ruleset
from referee.rules.rulesets import RULESETS
from referee.rules.state import State, Step
from tests.fakes import TABLES, tables_of
from tests.oracle.judging import FINISHERS, cast, played_alike
from tests.properties import promises
from tests.rules.positions import FAMILIES, constructed

ANY_DIE = st.integers(1, 6)
ANY_SEED = st.integers(0, 9999)

OTHER_SEATS: dict[int, list[tuple[int, ...]]] = {2: [(1, 3)], 3: [(0, 2, 3)], 4: []}
"""Where so many players can sit as well."""

GAMES = [(r, seats) for r in (*played_alike(), FINISHERS) for seats in tables_of(r).values()]
"""
What is played: all rulesets that differ in more than who begins, on each number of seats, and one where
a seat that has finished plays on with its partner's pawns.
"""

RULES = {ruleset.name: Rules(ruleset) for ruleset in (*RULESETS.values(), FINISHERS)}


class Game(RuleBasedStateMachine):
    """One game on *ruleset* between *seats* players, or from a position with as many as it has."""

    def __init__(self, ruleset: Ruleset, seats: tuple[int, ...]) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.board = ruleset.board
        self.book = RULES[ruleset.name]
        self.seats = seats
        self.state = State((None, None, None, None), 0)
        self.steps: tuple[Step, ...] = ()
        self.winner: int | None = None
        self.lost: list[int] = []
        self.thrown: State = self.state
        self.taken: list[Step] = []
        self.seen: dict[str, tuple[State, tuple[Step, ...]]] = {}

    @initialize(data=st.data())
    def from_the_start(self, data: st.DataObject) -> None:
        taken = data.draw(st.sampled_from([self.seats, *OTHER_SEATS[len(self.seats)]]))
        self.begin(self.book.start(taken, data.draw(st.sampled_from(taken))))
        promises.begun(self.ruleset, taken, self.state)

    def begin(self, state: State) -> None:
        """Go on from *state*, between two throws."""
        self.state, self.winner, self.lost = state, None, []

    @precondition(lambda self: not self.state.dice)
    @rule(family=st.sampled_from(sorted(FAMILIES)), seed=ANY_SEED, repeats=st.integers(0, 2))
    def in_the_middle(self, family: str, seed: int, repeats: int) -> None:
        """Go on from a position that was made on purpose."""
        position, seat, dice, arrived = constructed(self.ruleset, family, seed)
        last_moved = seed % 4 if repeats and seed % 8 < 4 else None
        self.begin(State(position, seat, repeats, last_moved, arrived=arrived))
        self.cast(dice)

    @precondition(lambda self: not self.state.dice and len(self.playing()) > 1)
    @rule(a=ANY_DIE, b=ANY_DIE)
    def throw(self, a: int, b: int) -> None:
        self.cast((a, b)[: self.ruleset.dice])

    def cast(self, dice: tuple[int, ...]) -> None:
        before = self.state
        thrown = self.book.throw(before, dice)
        promises.thrown(self.ruleset, before, dice, thrown)
        self.state, self.thrown, self.taken = thrown.state, thrown.state, []
        if not thrown.third:
            self.settle()

    @precondition(lambda self: self.steps)
    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        step = data.draw(st.sampled_from(self.steps))
        applied = self.book.apply(self.state, step)
        promises.stepped(self.ruleset, self.state, step, applied)
        self.state = applied.state
        self.taken.append(step)
        self.winner = self.state.seat if applied.won else None
        self.settle()

    @precondition(lambda self: len(self.playing()) > 1 and self.winner is None)
    @rule(data=st.data(), really=st.integers(0, 9))
    def lose_a_seat(self, data: st.DataObject, really: int) -> None:
        if really:
            return
        lost = data.draw(st.sampled_from(self.playing()))
        before = self.state
        self.lost.append(lost)
        self.state = self.book.lose_seat(before, lost)
        promises.lost(self.ruleset, before, lost, self.state)
        if len(self.book.contenders(self.state.position, self.lost)) < 2:
            self.begin(self.book.start(self.seats, self.seats[0]))
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
            promises.played(self.ruleset, self.thrown, self.taken, before, self.state)
        if self.winner is not None:
            assert self.steps == ()
            self.ranked(self.winner)
            self.begin(self.book.start(self.seats, self.seats[0]))

    def ranked(self, winner: int) -> None:
        """See that the winner is first, and alone but for its team."""
        places = self.book.places(self.state.position, winner, self.lost)
        together = promises.winners(self.ruleset, winner)
        assert sorted(places) == sorted({*self.playing(), *self.lost})
        first = [seat for seat, place in places.items() if place == 1]
        assert first == [seat for seat in together if seat not in self.lost]

    @invariant()
    def the_board_is_in_order(self) -> None:
        promises.board_in_order(self.ruleset, self.state)

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
            promises.stepped(self.ruleset, self.state, step, applied)
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
        position = position_text(self.board, self.state.position, self.state.arrived)
        assert position_from_text(self.ruleset, position) == (self.state.position, self.state.arrived)
        text = json.dumps(state_text(self.ruleset, self.state))
        assert state_from_text(self.ruleset, json.loads(text)) == self.state

    @invariant()
    def one_text_is_one_state_with_the_same_steps(self) -> None:
        text = json.dumps(state_text(self.ruleset, self.state), sort_keys=True)
        assert self.seen.setdefault(text, (self.state, self.steps)) == (self.state, self.steps)
        if self.steps:
            assert self.book.steps(self.state) == self.steps


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [pytest.param(r, seats, id=f"{r.name}-{len(seats)}") for r, seats in GAMES],
)
def test_promises_hold_in_any_game(ruleset: Ruleset, seats: tuple[int, ...]) -> None:
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


@pytest.mark.parametrize(
    "name", [r.name for r in RULESETS.values() if r.capture_bonus and r.capture is Capture.LANDING]
)
def test_a_bonus_outlives_the_seat_that_paid_for_it(name: str) -> None:
    """
    A seat is lost while the bonus for its pawn still waits: that is a state like any other.
    """
    rules = RULES[name]
    position, arrived = position_from_text(rules.ruleset, "10,H,H,H/15,N,N,N/N,N,N,N/N,N,N,N")
    state = rules.throw(State(position, 0, arrived=arrived), (5, 6)[: rules.ruleset.dice]).state
    capture = next(step for step in rules.steps(state) if step.square == 15)

    after = rules.lose_seat(rules.apply(state, capture).state, 1)

    assert after.bonuses == (rules.ruleset.capture_bonus,)
    rules.check(after)


@pytest.mark.parametrize(("name", "seats"), TABLES, ids=str)
def test_every_game_ends(name: str, seats: tuple[int, ...]) -> None:
    """
    Players who choose at random bring somebody home, long before throw 4000.
    """
    rules = RULES[name]
    for seed in range(5):
        random = Random(seed)
        state, won, throws = rules.start(seats, seats[0]), False, 0
        while not won:
            throws += 1
            assert throws < 4000, f"seed {seed}: {position_text(rules.board, state.position)}"
            state = rules.throw(state, cast(rules.ruleset, random)).state
            while state.dice and not won:
                steps = rules.steps(state)
                if steps:
                    state, _, _, won = rules.apply(state, random.choice(steps))
                else:
                    state = rules.play_over(state)
