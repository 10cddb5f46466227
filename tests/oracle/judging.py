"""
Engine and slow checker before the same question.

Knows: which rulesets are tried, how a question is put to both, how their answers are compared.
Does not know: which of them is right; the rule book does.

A question is a family of positions and a seed. From the throw on, a play is walked at random, and
both are asked in every state on the way.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from referee.rules.engine import Rules
from referee.rules.ruleset import (
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
from tests.oracle.checker import Checker, TooMany
from tests.oracle.possible import Moves, first_steps
from tests.oracle.squares import position_of, text_of
from tests.oracle.support import variation
from tests.rules.positions import Throw, constructed

MOST = int(os.environ.get("ORACLE_SEQUENCES", "2000"))
"""A question with more sequences than these is left out: the checker takes them one by one."""

PLAYS = 4000
"""How many plays are asked for."""

RANDOM = "random_game"
"""The family of states that random games meet, beside those that are made on purpose."""

WINNING_MOVES, RACKET = RULESETS["winning_moves"], RULESETS["racket"]

DECISIVE: dict[str, tuple[object, ...]] = {
    "must_enter": (MustEnter.NEVER, MustEnter.WHEN_POSSIBLE),
    "bonus_timing": (BonusTiming.AFTER_NUMBERS, BonusTiming.ANY_TIME),
    "doublet_faces": tuple(DoubletFaces),
    "fourteen": tuple(Fourteen),
    "use": tuple(Use),
    "same_pair": (SamePair.FREE, SamePair.FORBIDDEN),
    "capture_bonus": (0, 5, 20, 50),
    "home_bonus": (0, 10, 13, 20),
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


def mixture(seed: int) -> Ruleset:
    """Return a ruleset with any value in each of the fields that decide; the same for the same *seed*."""
    random = Random(f"mixture {seed}")
    chosen = {field: random.choice(values) for field, values in (DECISIVE | TURNS).items()}
    return replace(RACKET, name=f"mixture {seed}", **chosen)  # type: ignore[arg-type]


VARIATIONS = [
    *(changed for ruleset in (WINNING_MOVES, RACKET) for changed in variations(ruleset, DECISIVE | TURNS)),
    *(mixture(seed) for seed in range(12)),
]
ALL = {ruleset.name: ruleset for ruleset in (*RULESETS.values(), *VARIATIONS)}


def played_alike() -> list[Ruleset]:
    """Return one ruleset of all that differ only in who begins."""
    alike = {
        tuple(v for k, v in ruleset.as_text().items() if not k.startswith("first_player")): ruleset
        for ruleset in reversed(list(RULESETS.values()))
    }
    return list(alike.values())


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
            for state, kept in self.walk(before, dice, seed):
                self.compare(state, kept, Random(seed))
                self.counts["states"] += 1
        except TooMany:
            self.counts["left out"] += 1
        except Exception as problem:
            problem.add_note(
                f"{self.ruleset.name}, dice {dice}, seat {state.seat} to move: "
                f"{text_of(self.ruleset.board, state.position)}\n"
                f"{state}\n"
                f"to ask again: python -c 'from tests.oracle.judging import again; "
                f'again("{self.ruleset.name}", "{family}", {seed})\''
            )
            raise
        self.counts["questions"] += 1

    def walk(self, before: State, dice: Throw, seed: int) -> Iterator[tuple[State, list[Moves]]]:
        """
        Yield the states of one play after *dice*, walked at random by the checker, and what it keeps.

        Now and then the walk takes a step that is possible but not legal: states may be written by
        hand, and the rules then go by what is left.
        """
        random = Random(seed)
        state = self.checker.throw(before, dice)
        won = False
        while state.dice and not won:
            kept = self.checker.plays(state)
            yield state, kept
            steps = first_steps(kept)
            astray = (
                tuple(move.step for move in self.checker.possible(state)) if not random.randrange(5) else ()
            )
            if not steps and not astray:
                return
            state, _, _, won = self.checker.apply(state, random.choice(astray or steps))

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

    def compare(self, state: State, kept: list[Moves], random: Random) -> None:
        """Fail where engine and checker, which keeps *kept*, differ in *state*."""
        self.engine.check(state)
        steps = first_steps(kept)
        same("legal steps", self.engine.steps(state), steps)
        self.compare_plays(state, kept)
        possible = [move.step for move in self.checker.possible(state)]
        for step in possible:
            engine, checker = (outcome(rules, state, step) for rules in (self.engine, self.checker))
            same(f"what {step} does", engine, checker)
        for step in {*possible, *(any_step(random) for _ in range(4))}:
            reason = self.engine.explain(state, step)
            same(f"whether {step} is refused ({reason})", reason is not None, step not in steps)
            assert reason is None or reason.why.strip(), f"{step} is refused without a word"
        if not steps:
            same("after the play", self.engine.play_over(state), self.checker.play_over(state))
        lost = random.choice([seat for seat in range(4) if state.position[seat] is not None])
        same(f"without seat {lost}", self.engine.lose_seat(state, lost), self.checker.lose_seat(state, lost))

    def compare_plays(self, state: State, kept: list[Moves]) -> None:
        """
        Fail where the positions that the plays lead to differ.

        Rule 6 keeps a win that uses fewer numbers than others do. From the throw on, nothing else may
        follow the steps that lead to it; but a state knows only what is left, and what is legal is
        judged anew in each. So such a play may turn away from the win, and its end counts as well.
        """
        plays, cut = self.engine.plays(state, PLAYS)
        positions = [with_pawns_alike(play.position, state.seat) for play in plays]
        expected = {
            with_pawns_alike(position_of(self.ruleset.board, moves[-1].after.men), state.seat)
            for moves in kept
            if moves
        }
        if not cut and set(positions) != expected and any(moves and moves[-1].wins for moves in kept):
            expected = self.ends(state, {})
            self.counts["turned away from a win"] += 1
        same("whether there are more plays", cut, len(expected) > PLAYS)
        if not cut:
            same("positions that a play leads to", set(positions), expected)
            same("positions named twice", len(positions), len(expected))

    def ends(self, state: State, known: dict[State, set[Position]]) -> set[Position]:
        """Return the positions to which legal steps lead, judged anew after each; none without a step."""
        if state not in known:
            known[state] = set()
            for step in self.checker.steps(state):
                after, _, _, won = self.checker.apply(state, step)
                further = set() if won else self.ends(after, known)
                known[state] |= further or {with_pawns_alike(after.position, state.seat)}
        return known[state]


def outcome(rules: Rules | Checker, state: State, step: Step) -> object:
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
