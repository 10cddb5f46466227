"""
The engine against the slow checker, state by state.

Knows: how to put one question to both, and how to tell what they do not agree on.
Does not know: which of them is right; the rule book does (docs/rules.md).

A question is a family of positions and a seed. From the throw on, a play is walked at random, and
both are asked in every state on the way. `ORACLE_POSITIONS=500 pytest tests/rules` asks 500 questions
of each family, `ORACLE_FIRST=10000` begins at another seed; what fails says how to ask it again.
"""

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from referee.rules.engine import Rules
from referee.rules.ruleset import (
    BUILT,
    BonusTiming,
    DoubletFaces,
    ExtraThrow,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    ThirdThrow,
    Use,
)
from referee.rules.rulesets import RULESETS
from referee.rules.state import Position, State, Step
from tests.oracle.checker import Checker, Moves, TooMany, numbers_used, same_pair, variation
from tests.oracle.squares import men_of, position_of, text_of
from tests.rules.positions import FAMILIES, Throw, constructed

ASKED = int(os.environ.get("ORACLE_POSITIONS", "12"))
"""Questions of each family and ruleset; a third of them for each variation of a ruleset."""

FIRST = int(os.environ.get("ORACLE_FIRST", "0"))
"""The first seed."""

MOST = int(os.environ.get("ORACLE_SEQUENCES", "4000"))
"""A question with more sequences than these is left out: the checker takes them one by one."""

PLAYS = 4000
"""How many plays are asked for."""

RANDOM = "random_game"
"""The family of states that random games meet, beside those of `FAMILIES`."""

WINNING_MOVES, RACKET = RULESETS["winning_moves"], RULESETS["racket"]

DECISIVE: dict[str, tuple[object, ...]] = {
    "must_enter": (MustEnter.NEVER, MustEnter.WHEN_POSSIBLE),
    "bonus_timing": (BonusTiming.AFTER_NUMBERS, BonusTiming.ANY_TIME),
    "doublet_faces": tuple(DoubletFaces),
    "fourteen": tuple(Fourteen),
    "use": tuple(Use),
    "same_pair": (SamePair.FREE, SamePair.FORBIDDEN),
    "capture_bonus": (0, 5, 20, 50),
    "home_bonus": (0, 10, 13),
}
"""Fields that decide which steps are legal, and the values that are tried."""

TURNS: dict[str, tuple[object, ...]] = {
    "extra_throw": (ExtraThrow.NONE, ExtraThrow.DOUBLET),
    "third_throw": (ThirdThrow.NONE, ThirdThrow.NEAREST_HOME),
}
"""Fields that decide who throws next."""


def variations(ruleset: Ruleset, fields: dict[str, tuple[object, ...]]) -> list[Ruleset]:
    """Return *ruleset* with another value in one field, for each value of each of *fields*."""
    return [
        variation(ruleset, **{field: value})
        for field, values in fields.items()
        for value in values
        if value != getattr(ruleset, field)
    ]


VARIATIONS = [
    changed for ruleset in (WINNING_MOVES, RACKET) for changed in variations(ruleset, DECISIVE | TURNS)
]
ALL = {ruleset.name: ruleset for ruleset in (*RULESETS.values(), *VARIATIONS)}


def random_game(engine: Rules, seed: int) -> tuple[State, Throw]:
    """Return a state between throws that a random game met, and the next dice."""
    random = Random(f"{RANDOM} {seed}")
    seats = random.choice([(0, 2), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)])
    state = engine.start(seats, random.choice(seats))
    for _ in range(random.randint(1, 50 * len(seats))):
        state, won = random_play(engine, state, (random.randint(1, 6), random.randint(1, 6)), random)
        if won:
            state = engine.start(seats, random.choice(seats))
    return state, (random.randint(1, 6), random.randint(1, 6))


def random_play(engine: Rules, state: State, dice: Throw, random: Random) -> tuple[State, bool]:
    """Return the state before the next throw, and whether the game was won."""
    state = engine.throw(state, dice).state
    while state.dice and (steps := engine.steps(state)):
        state, _, _, won = engine.apply(state, random.choice(steps))
        if won:
            return state, True
    return (engine.play_over(state) if state.dice else state), False


def question(engine: Rules, ruleset: Ruleset, family: str, seed: int) -> tuple[State, Throw]:
    """Return question *seed* of *family*: a state between throws, and dice."""
    if family == RANDOM:
        return random_game(engine, seed)
    position, seat, dice = constructed(ruleset.board, family, seed)
    repeats = Random(seed).choice((0, 0, 0, 1, 2)) if ruleset.extra_throw is not ExtraThrow.NONE else 0
    return State(position, seat, repeats), dice


class Referee:
    """Puts questions on one ruleset to the engine and to the checker."""

    def __init__(self, ruleset: Ruleset, most: int = MOST) -> None:
        self.ruleset = ruleset
        self.engine = Rules(ruleset)
        self.checker = Checker(ruleset, most)
        self.counts: Counter[str] = Counter()

    def judge(self, family: str, seed: int) -> None:
        """Fail where engine and checker differ on question *seed* of *family*, and say on what."""
        before, dice = question(self.engine, self.ruleset, family, seed)
        state = before
        try:
            self.compare_throw(before, dice)
            for state in self.walk(before, dice, seed):
                self.compare(state, Random(seed))
                self.counts["states"] += 1
        except TooMany:
            self.counts["left out"] += 1
        except Exception as problem:
            pytest.fail(
                f"{type(problem).__name__}: {problem}\n"
                f"  {self.ruleset.name}, dice {dice}, seat {state.seat} to move: "
                f"{text_of(self.ruleset.board, state.position)}\n"
                f"  {state}\n"
                f"  to ask again: python -c 'from tests.rules.test_against_oracle import again; "
                f'again("{self.ruleset.name}", "{family}", {seed})\'',
                pytrace=not isinstance(problem, AssertionError),
            )
        self.counts["questions"] += 1

    def walk(self, before: State, dice: Throw, seed: int) -> Iterator[State]:
        """Yield the states of one play after *dice*, walked at random by the checker."""
        random = Random(seed)
        state = self.checker.throw(before, dice)
        won = False
        while state.dice and not won:
            yield state
            steps = self.checker.steps(state)
            if not steps:
                return
            state, _, _, won = self.checker.apply(state, random.choice(steps))

    def compare_throw(self, before: State, dice: Throw) -> None:
        thrown = self.engine.throw(before, dice)
        expected = self.checker.throw(before, dice)
        same("after the throw", thrown.state, expected)
        same("third doublet", thrown.third, not expected.dice)
        old, new = before.position[before.seat], expected.position[before.seat]
        assert old is not None
        assert new is not None
        returned = next((pawn for pawn in range(4) if old[pawn] != new[pawn]), None)
        same("returned pawn", thrown.returned, returned)

    def compare(self, state: State, random: Random) -> None:
        """Fail where engine and checker differ in *state*."""
        self.engine.check(state)
        kept = self.checker.plays(state)
        steps = tuple(sorted({moves[0].step for moves in kept if moves}))
        same("legal steps", self.engine.steps(state), steps)
        self.compare_plays(state, kept)
        possible = [move.step for move in self.checker.possible(state)]
        for step in possible:
            same(f"what {step} does", self.outcome(self.engine, state, step), self.outcome(self.checker, state, step))
        for step in {*possible, *(any_step(random) for _ in range(4))}:
            reason = self.engine.explain(state, step)
            same(f"whether {step} is refused ({reason})", reason is not None, step not in steps)
            assert reason is None or reason.strip(), f"{step} is refused without a word"
        if not steps:
            same("after the play", self.engine.play_over(state), self.checker.play_over(state))
        lost = random.choice([seat for seat in range(4) if state.position[seat] is not None])
        same(f"without seat {lost}", self.engine.lose_seat(state, lost), self.checker.lose_seat(state, lost))

    def compare_plays(self, state: State, kept: list[Moves]) -> None:
        plays, cut = self.engine.plays(state, PLAYS)
        positions = [with_pawns_alike(play.position, state.seat) for play in plays]
        board = self.ruleset.board
        expected = {
            with_pawns_alike(position_of(board, moves[-1].after.men), state.seat) for moves in kept if moves
        }
        same("whether there are more plays", cut, len(expected) > PLAYS)
        if not cut:
            same("positions that a play leads to", set(positions), expected)
            same("positions named twice", len(positions), len(expected))

    def outcome(self, rules: Rules | Checker, state: State, step: Step) -> object:
        """Return what *step* does, but for what a won game leaves unused."""
        after, captured, earned, won = rules.apply(state, step)
        return after.position if won else after, captured, earned, won


def same(what: str, engine: object, checker: object) -> None:
    """Fail where the two differ; of two sets tell only the difference."""
    if engine == checker:
        return
    if isinstance(engine, set) and isinstance(checker, set):
        engine, checker = engine - checker, checker - engine
    raise AssertionError(f"{what}:\n  engine  {engine}\n  checker {checker}")


def any_step(random: Random) -> Step:
    """Return a step that is hardly ever possible."""
    square = random.choice([random.randint(1, 68), random.randint(71, 77), 99])
    return Step(random.randrange(4), random.choice([1, 2, 3, 4, 5, 6, 14, 23, 110, 120]), square)


def with_pawns_alike(position: Position, seat: int) -> Position:
    """Return *position* with the pawns of *seat* in order of progress: they are alike."""
    a, b, c, d = (
        tuple(sorted(pawns)) if pawns is not None and owner == seat else pawns
        for owner, pawns in enumerate(position)
    )
    return a, b, c, d  # type: ignore[return-value]


def again(ruleset: str, family: str, seed: int) -> None:
    """Ask one question again, as a failed test tells."""
    Referee(ALL[ruleset]).judge(family, seed)


def judge_all(ruleset: Ruleset, family: str, questions: int) -> None:
    """Judge *questions* of *family*, and see that few were too large for the checker."""
    referee = Referee(ruleset)
    for seed in range(FIRST, FIRST + questions):
        referee.judge(family, seed)
    assert referee.counts["left out"] <= 1 + questions // 5


def played_alike() -> list[Ruleset]:
    """Return one ruleset of all that differ only in who begins."""
    alike = {
        tuple(v for k, v in ruleset.as_text().items() if not k.startswith("first_player")): ruleset
        for ruleset in reversed(RULESETS.values())
    }
    return list(alike.values())


@pytest.mark.parametrize("ruleset", played_alike(), ids=lambda ruleset: ruleset.name)
class TestEveryRuleset:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_agrees_with_the_checker_on_positions_made_on_purpose(self, ruleset: Ruleset, family: str) -> None:
        """
        Engine and checker say the same of every state from a throw to the end of the play.
        """
        judge_all(ruleset, family, ASKED)

    def test_agrees_with_the_checker_in_random_games(self, ruleset: Ruleset) -> None:
        """
        Engine and checker say the same of states that random games of 2, 3 and 4 seats meet.
        """
        judge_all(ruleset, RANDOM, 12 * ASKED)

    def test_ranks_as_the_checker_does(self, ruleset: Ruleset) -> None:
        """
        The winner is first, then pawns at home count, then squares to go; lost seats come last.
        """
        referee = Referee(ruleset)
        for seed in range(FIRST, FIRST + 12 * ASKED):
            random = Random(seed)
            state, _ = random_game(referee.engine, seed)
            seats = [seat for seat in range(4) if state.position[seat] is not None]
            lost = random.sample(seats, random.randrange(len(seats)))
            for seat in lost:
                state = referee.engine.lose_seat(state, seat)
            winner = random.choice([None, *(seat for seat in seats if seat not in lost)])

            places = referee.engine.places(state.position, winner, lost)

            assert places == referee.checker.places(state.position, winner, lost), f"seed {seed}: {state}, {lost}"


@pytest.mark.parametrize("ruleset", VARIATIONS, ids=lambda ruleset: ruleset.name)
def test_variation_agrees_with_the_checker(ruleset: Ruleset) -> None:
    """
    A ruleset that differs in one field is played by that field, whatever the others are.
    """
    for family in (*FAMILIES, RANDOM):
        judge_all(ruleset, family, max(ASKED // 6, 1))


def test_every_value_that_is_built_is_tried() -> None:
    """
    A new value of a field that decides over steps or turns comes with its questions.
    """
    tried = DECISIVE | TURNS

    missing = {
        field: values - set(tried.get(field, ()))
        for field, values in BUILT.items()
        if len(values) > 1 and not field.startswith(("first_player", "team_win", "partner"))
    }

    amounts = missing.pop("capture_bonus") | missing.pop("home_bonus")
    assert amounts <= set(range(100))
    assert not any(missing.values()), missing


class TestQuestions:
    """The questions are worth asking: in them the rules do what they are there for."""

    BITES = {
        "winning_moves": {
            "same_pair drops a step",
            "fourteen drops a step",
            "fourteen: nothing moves",
            "must_enter drops a step",
            "use drops a step",
            "use: the seat may not stop",
            "use: what would break a rule is excused",
            "use: a win need not use the most",
            "timing: a bonus waits for the numbers",
            "timing: a number that would break a rule does not hold a bonus back",
            "a bonus is lost",
        },
        "racket": {
            "same_pair drops a step",
            "use: the seat may not stop",
            "use: what would break a rule is excused",
            "a bonus is lost",
        },
        "winning_moves bonus_timing=any_time": {
            "same_pair drops a step",
            "fourteen drops a step",
            "must_enter drops a step",
            "use drops a step",
            "use: the seat may not stop",
            "use: a win need not use the most",
            "a bonus is lost",
        },
        "racket bonus_timing=after_numbers": {
            "same_pair drops a step",
            "timing: a bonus waits for the numbers",
            "timing: a number that would break a rule does not hold a bonus back",
        },
        "racket use=maximal": {"use drops a step", "use: a win need not use the most"},
        "racket must_enter=when_possible": {"must_enter drops a step"},
        "racket fourteen=all_or_nothing": {"fourteen drops a step", "fourteen: nothing moves"},
    }

    @pytest.mark.parametrize("name", BITES)
    def test_make_every_rule_bite(self, name: str) -> None:
        """
        Each rule of section 5 forbids something in some question, each excuse excuses something.
        """
        referee = Referee(ALL[name], most=500)
        missing = Counter(dict.fromkeys(self.BITES[name], 0))
        for seed in range(60):
            for family in FAMILIES:
                if 0 not in missing.values():
                    return
                before, dice = question(referee.engine, referee.ruleset, family, seed)
                try:
                    for state in referee.walk(before, dice, seed):
                        missing.update(bite for bite in bites(referee.checker, state) if bite in missing)
                except TooMany:
                    continue
        assert 0 not in missing.values(), missing

    @pytest.mark.parametrize("base", [WINNING_MOVES, RACKET], ids=lambda ruleset: ruleset.name)
    @pytest.mark.parametrize("field", DECISIVE)
    def test_tell_every_value_of_a_field_from_the_others(self, base: Ruleset, field: str) -> None:
        """
        To some question a ruleset with another value in one field has another answer.
        """
        for changed in variations(base, {field: DECISIVE[field]}):
            assert differ_somewhere(Checker(base, 500), Checker(changed, 500)), changed.name


def differ_somewhere(one: Checker, other: Checker) -> bool:
    """Return whether the two answer some throw with other positions."""
    for seed in range(100):
        for family in FAMILIES:
            position, seat, dice = constructed(one.board, family, seed)
            try:
                answers = [
                    {steps[-1].after.key for steps in checker.plays(checker.throw(State(position, seat), dice)) if steps}
                    for checker in (one, other)
                ]
            except TooMany:
                continue
            if answers[0] != answers[1]:
                return True
    return False


def bites(checker: Checker, state: State) -> set[str]:
    """Return what the rules of section 5 did in *state*, in words."""
    stages = checker.stages(state)
    found = set()
    for (_, before), (name, after) in zip(stages, stages[1:], strict=False):
        if first_steps(before) - first_steps(after):
            found.add(f"{name} drops a step")
    by_name = dict(stages)
    kept, eligible = by_name["single_number"], by_name["must_open"]
    moves = checker.possible(state)
    numbers = [move for move in moves if move.bonus is None]
    bonuses = [move for move in moves if move.bonus is not None]
    comes_in = any(first[0].bonus is not None for first in by_name["all"] if first)
    nothing_moves = by_name["fourteen"] == [()] != by_name["doublet_home"]
    if nothing_moves:
        found.add("fourteen: nothing moves")
    if () in eligible and () not in kept:
        found.add("use: the seat may not stop")
    if () in kept and numbers and not nothing_moves:
        found.add("use: what would break a rule is excused")
    most = max((numbers_used(sequence) for sequence in eligible), default=0)
    if any(sequence and sequence[-1].wins and numbers_used(sequence) < most for sequence in kept):
        found.add("use: a win need not use the most")
    if bonuses and not comes_in:
        found.add("timing: a bonus waits for the numbers")
    if comes_in and numbers and state.numbers:
        found.add("timing: a number that would break a rule does not hold a bonus back")
    if kept == [()] and state.bonuses and not moves:
        found.add("a bonus is lost")
    return found


def first_steps(sequences: list[Moves]) -> set[Step]:
    return {moves[0].step for moves in sequences if moves}
