"""
Engine and slow checker before the same question.

Knows: which rulesets are tried, how a question is put to both, how their answers are compared.
Does not know: which of them is right; the rule book does.

A question is a family of positions and a seed. From the throw on, a play is walked at random, and
both are asked in every state on the way.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from referee.rules.board import BOARDS
from referee.rules.combinations import RANGES
from referee.rules.engine import Rules
from referee.rules.explaining import OBSTACLE
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Fourteen,
    MustEnter,
    MustOpen,
    Pairs,
    Partner,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Teams,
    TeamWin,
    ThirdThrow,
    TurnOrder,
    Use,
)
from referee.rules.rulesets import RULESETS
from referee.rules.state import Position, State, Step
from tests.oracle.checker import Checker, TooMany
from tests.oracle.filters import ends_the_game
from tests.oracle.possible import Moves, first_steps
from tests.oracle.sheets import (
    CASUAL_CLASSIC,
    CASUAL_SUPER,
    HASBRO,
    PAHRCHEESI,
    PRESSMAN,
    PRESSMAN_TEAMS,
    RACKET,
    SELCHOW_RIGHTER,
    SHEETS,
    WINNING_MOVES,
)
from tests.oracle.shortcuts import SHORTCUTS, near
from tests.oracle.squares import Men, arrived_in, position_of, text_of
from tests.oracle.support import variation, why_unplayable
from tests.rules.positions import FAMILIES, Dice, constructed

MOST = int(os.environ.get("ORACLE_SEQUENCES", "2000"))
"""A question with more sequences than these is left out: the checker takes them one by one."""

PLAYS = 4000
"""How many plays are asked for."""

RANDOM = "random_game"
"""The family of states that random games meet, beside those that are made on purpose."""

DECISIVE: dict[str, tuple[object, ...]] = {
    "must_enter": tuple(MustEnter),
    "capture": tuple(Capture),
    "entry_capture": tuple(EntryCapture),
    "safe_sharing": (False, True),
    "square_limit": tuple(SquareLimit),
    "pairs": tuple(Pairs),
    "lane_pairs_block": (False, True),
    "bonus_timing": tuple(BonusTiming),
    "doublet_faces": tuple(DoubletFaces),
    "fourteen": tuple(Fourteen),
    "doublet_home": tuple(DoubletHome),
    "use": tuple(Use),
    "single_number": tuple(SingleNumber),
    "same_pair": tuple(SamePair),
    "must_open": tuple(MustOpen),
    "capture_bonus": (0, 5, 20, 50),
    "home_bonus": (0, 10, 13, 20),
    "six_counts_seven": (False, True),
    "second_lap": (False, True),
    "double_one_breaks": (False, True),
    "team_win": tuple(TeamWin),
    "partner": tuple(Partner),
}
"""Fields that decide which steps are legal, and the values that are tried."""

TURNS: dict[str, tuple[object, ...]] = {
    "turn_order": tuple(TurnOrder),
    "extra_throw": tuple(ExtraThrow),
    "extra_throw_if": tuple(ExtraThrowIf),
    "third_throw": tuple(ThirdThrow),
}
"""Fields that decide who throws next."""

TABLE: dict[str, tuple[object, ...]] = {
    "board": tuple(BOARDS.values()),
    "dice": (1, 2),
    "pawns_out_at_start": (0, 1, 2),
    "teams": tuple(Teams),
}
"""Fields that decide what a game is played on, by whom, and how it begins."""

FIELDS = DECISIVE | TURNS | TABLE
"""All fields but those that decide who begins."""

FINISHERS = variation(PRESSMAN_TEAMS, team_win=TeamWin.BOTH_MEMBERS)

BASES: Mapping[str, tuple[Ruleset, ...]] = {
    "capture": (WINNING_MOVES, PAHRCHEESI),
    "entry_capture": (WINNING_MOVES, CASUAL_SUPER),
    "safe_sharing": (RACKET, CASUAL_CLASSIC),
    "square_limit": (PAHRCHEESI,),
    "pairs": (CASUAL_SUPER, CASUAL_CLASSIC, variation(PAHRCHEESI, square_limit=SquareLimit.TWO)),
    "lane_pairs_block": (RACKET, CASUAL_SUPER),
    "bonus_timing": (WINNING_MOVES, RACKET, CASUAL_SUPER),
    "doublet_faces": (HASBRO, RACKET),
    "doublet_home": (RACKET, SELCHOW_RIGHTER, PRESSMAN),
    "single_number": (RACKET, HASBRO),
    "must_open": (RACKET, CASUAL_SUPER, CASUAL_CLASSIC),
    "six_counts_seven": (CASUAL_CLASSIC,),
    "second_lap": (RACKET, HASBRO),
    "double_one_breaks": (RACKET, HASBRO),
    "team_win": (FINISHERS,),
    "partner": (PRESSMAN_TEAMS,),
    "turn_order": (RACKET,),
    "extra_throw": tuple(variation(base, third_throw=ThirdThrow.NONE) for base in (RACKET, CASUAL_CLASSIC)),
    "extra_throw_if": (RACKET, HASBRO),
    "third_throw": (RACKET, CASUAL_SUPER),
    "pawns_out_at_start": (CASUAL_SUPER, RACKET),
}
"""The rulesets of which each field is varied, where another value makes a difference; else two."""


def bases(field: str) -> tuple[Ruleset, ...]:
    """Return the rulesets of which *field* is varied."""
    return BASES.get(field, (WINNING_MOVES, RACKET))


def variations(ruleset: Ruleset, field: str) -> list[Ruleset]:
    """Return *ruleset* with each other value in *field* that can be played."""
    changed = [
        variation(ruleset, **{field: value}) for value in FIELDS[field] if value != getattr(ruleset, field)
    ]
    return [other for other in changed if not why_unplayable(other)]


def drawn_value(random: Random, field: str) -> object:
    """Return a value of *field*: one of those that are tried, or any number where it may hold any."""
    if field in ("capture_bonus", "home_bonus") and random.random() < 0.3:
        return random.choice(RANGES[field])
    return random.choice(FIELDS[field])


def mixture(seed: int) -> Ruleset:
    """Return a ruleset with any value in each of the fields that decide; the same for the same *seed*."""
    random = Random(f"mixture {seed}")
    dice = 1 if seed % 3 == 2 else 2
    while True:
        chosen = {field: drawn_value(random, field) for field in FIELDS}
        found = replace(RACKET, name=f"mixture {seed}", **chosen | {"dice": dice})  # type: ignore[arg-type]
        if not why_unplayable(found):
            return found


def neighbour(seed: int) -> Ruleset:
    """Return a ruleset that is played, with other values in up to five fields; the same each time."""
    random = Random(f"neighbour {seed}")
    base = random.choice([ruleset for ruleset in RULESETS.values() if ruleset.dice == 2])
    fields = [field for field in FIELDS if field != "dice"]
    while True:
        chosen = {field: drawn_value(random, field) for field in random.sample(fields, random.randint(1, 5))}
        found = replace(base, name=f"neighbour {seed} of {base.name}", **chosen)  # type: ignore[arg-type]
        if not why_unplayable(found):
            return found


VARIATIONS = [
    *(
        changed
        for field in (*DECISIVE, *TURNS, "pawns_out_at_start")
        for base in bases(field)
        for changed in variations(base, field)
    ),
    variation(RACKET, capture_bonus=3, bonus_timing=BonusTiming.AT_ONCE),
    variation(RACKET, capture_bonus=19, single_number=SingleNumber.LARGER),
    *(
        variation(FINISHERS, bonus_timing=timing, extra_throw_if=ExtraThrowIf.ALL_USED)
        for timing in (BonusTiming.ANY_TIME, BonusTiming.AT_ONCE)
    ),
    *(mixture(seed) for seed in range(18)),
]
EVERY = {ruleset.name: ruleset for ruleset in (*SHEETS.values(), FINISHERS, *VARIATIONS)}
"""What the checker is tried on."""

ALL = {
    **{ruleset.name: ruleset for made in SHORTCUTS.values() for ruleset in made.rulesets},
    **EVERY,
    **RULESETS,
}
"""What engine and checker are compared on."""


End = tuple[Position, frozenset[tuple[int, int]]]
"""A position, and who arrived last: by seat, and progress or, where pawns are not alike, number and 100."""


def played_alike() -> list[Ruleset]:
    """Return one ruleset of all that are played and differ only in who begins."""
    alike = {
        tuple(v for k, v in ruleset.as_text().items() if not k.startswith("first_player")): ruleset
        for ruleset in reversed(list(RULESETS.values()))
    }
    return list(alike.values())


def cast(ruleset: Ruleset, random: Random) -> Dice:
    """Return dice as they fall."""
    return tuple(random.randint(1, 6) for _ in range(ruleset.dice))


def seats_for(ruleset: Ruleset, random: Random) -> tuple[int, ...]:
    """Return the seats of a game."""
    if ruleset.teams is Teams.PAIRS:
        return (0, 1, 2, 3)
    return random.choice([(0, 2), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)])


def random_game(engine: Rules, seed: int) -> tuple[State, Dice]:
    """Return a state between throws that a random game met, and the next dice."""
    random = Random(f"{RANDOM} {seed}")
    seats = seats_for(engine.ruleset, random)
    state = engine.start(seats, random.choice(seats))
    for _ in range(random.randint(1, 50 * len(seats))):
        state, won = random_play(engine, state, cast(engine.ruleset, random), random)
        if won:
            state = engine.start(seats, random.choice(seats))
    return state, cast(engine.ruleset, random)


def random_play(engine: Rules, state: State, dice: Dice, random: Random) -> tuple[State, bool]:
    """Return the state before the next throw, and whether the game was won."""
    state = engine.throw(state, dice).state
    while state.dice and (steps := engine.steps(state)):
        state, _, _, won = engine.apply(state, random.choice(steps))
        if won:
            return state, True
    return (engine.play_over(state) if state.dice else state), False


def made_question(ruleset: Ruleset, family: str, seed: int) -> tuple[State, Dice]:
    """Return question *seed* of *family*: a state between throws, and dice."""
    made = constructed if family in FAMILIES else near
    position, seat, dice, arrived = made(ruleset, family, seed)
    random = Random(seed)
    repeats = random.choice((0, 0, 0, 1, 2)) if ruleset.extra_throw is not ExtraThrow.NONE else 0
    pawns = position[Checker(ruleset).hand(position, seat)]
    assert pawns is not None
    out = [pawn for pawn, progress in enumerate(pawns) if progress]
    last_moved = random.choice([None, *out]) if repeats else None
    return State(position, seat, repeats, last_moved, arrived=arrived), dice


def walk(checker: Checker, before: State, dice: Dice, seed: int) -> Iterator[tuple[State, list[Moves]]]:
    """
    Yield the states of one play after *dice*, walked at random by the checker, and what it keeps.

    Now and then the walk takes a step that is possible but not legal: states may be written by
    hand, and the rules then go by what is left.
    """
    random = Random(seed)
    state = checker.throw(before, dice)
    won = False
    while state.dice and not won:
        kept = checker.plays(state)
        yield state, kept
        steps = first_steps(kept)
        astray = tuple(move.step for move in checker.possible(state)) if not random.randrange(5) else ()
        if not steps and not astray:
            return
        state, _, _, won = checker.apply(state, random.choice(astray or steps))


class Referee:
    """Puts questions on one ruleset to the engine and to the checker."""

    def __init__(self, ruleset: Ruleset, most: int = MOST) -> None:
        self.ruleset = ruleset
        self.engine = Rules(ruleset)
        self.checker = Checker(ruleset, most)
        self.counts: Counter[str] = Counter()

    def judge(self, family: str, seed: int) -> None:
        """Fail where engine and checker differ on question *seed* of *family*, and say on what."""
        before, dice = self.question(family, seed)
        state = before
        try:
            self.compare_throw(before, dice)
            for state, kept in walk(self.checker, before, dice, seed):
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

    def question(self, family: str, seed: int) -> tuple[State, Dice]:
        """Return question *seed* of *family*, which may be that of random games."""
        if family == RANDOM:
            return random_game(self.engine, seed)
        return made_question(self.ruleset, family, seed)

    def compare_throw(self, before: State, dice: Dice) -> None:
        thrown = self.engine.throw(before, dice)
        expected = self.checker.throw(before, dice)
        same("after the throw", thrown.state, expected)
        same("third doublet", thrown.third, not expected.dice)
        hand = self.checker.hand(before.position, before.seat)
        old, new = before.position[hand], expected.position[hand]
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
            if reason is not None:
                assert reason.why.strip(), f"{step} is refused without a word"
                obstructed = reason.rule == OBSTACLE
                same(f"whether {step} is possible ({reason.why})", not obstructed, step in possible)
                if not obstructed:
                    same(f"what strikes out {step}", reason.rule, self.checker.struck_by(state, step))
        if not steps:
            same("after the play", self.engine.play_over(state), self.checker.play_over(state))
        if self.checker.plays_on_when_finished:
            return  # a lost member loses the game for its team, which is not for the rules to tell
        lost = random.choice([seat for seat in range(4) if state.position[seat] is not None])
        same(f"without seat {lost}", self.engine.lose_seat(state, lost), self.checker.lose_seat(state, lost))

    def compare_plays(self, state: State, kept: list[Moves]) -> None:
        """
        Fail where the positions that the plays lead to differ.

        Rule 6 keeps a win that uses fewer numbers than others do. From the throw on, nothing else may
        follow the steps that lead to it; but a state knows only what is left, and what is legal is
        judged anew in each. So such a play may turn away from the win, and its end counts as well.
        """
        hand = self.checker.hand(state.position, state.seat)
        plays, cut = self.engine.plays(state, PLAYS)
        positions = [with_pawns_alike(play.position, play.arrived, hand) for play in plays]
        reached = set(positions)
        expected = {self.end(moves[-1].after.men, hand) for moves in kept if moves}
        if not cut and reached != expected and any(map(ends_the_game, kept)):
            same("ends that are kept and not reached", expected - reached, set())
            turned = self.turned_away(state, hand)
            same(
                "ends beyond those kept, without a win to turn away from", reached - expected - turned, set()
            )
            expected = self.ends(state, hand, {})
            self.counts["turned away from a win"] += 1
        same("whether there are more plays", cut, len(expected) > PLAYS)
        if not cut:
            same("positions that a play leads to", reached, expected)
            same("positions named twice", len(positions), len(expected))

    def turned_away(self, state: State, hand: int) -> set[End]:
        """Return the positions that are reached after a first step with which the game could still be won."""
        found: set[End] = set()
        known: dict[State, set[End]] = {}
        for step in self.checker.steps(state):
            after, _, _, won = self.checker.apply(state, step)
            if not won and any(map(ends_the_game, self.checker.plays(after))):
                found |= self.ends(after, hand, known)
        return found

    def ends(self, state: State, hand: int, known: dict[State, set[End]]) -> set[End]:
        """Return the positions to which legal steps lead, judged anew after each; none without a step."""
        if state not in known:
            known[state] = set()
            for step in self.checker.steps(state):
                after, _, _, won = self.checker.apply(state, step)
                further = set() if won else self.ends(after, hand, known)
                known[state] |= further or {with_pawns_alike(after.position, after.arrived, hand)}
        return known[state]

    def end(self, men: Men, hand: int) -> End:
        """Return the end of a play that leaves *men*, the pawns of *hand* being alike."""
        return with_pawns_alike(
            position_of(self.ruleset.board, men), arrived_in(men) if self.checker.keeps_arrived else 0, hand
        )


def outcome(rules: Rules | Checker, state: State, step: Step) -> object:
    """Return what *step* does, but for what a won game leaves unused, and for the order of what it takes."""
    after, captured, earned, won = rules.apply(state, step)
    return after.position if won else after, sorted(captured), sorted(earned), won


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


def with_pawns_alike(position: Position, arrived: int, seat: int) -> End:
    """Return where a play ends, the pawns of *seat* in order of progress: they are alike."""
    a, b, c, d = (
        tuple(sorted(pawns)) if pawns is not None and owner == seat else pawns
        for owner, pawns in enumerate(position)
    )
    last = frozenset(
        (owner, progress if owner == seat else 100 + pawn)
        for owner, pawns in enumerate(position)
        for pawn, progress in enumerate(pawns or ())
        if arrived >> 4 * owner + pawn & 1
    )
    return (a, b, c, d), last  # type: ignore[return-value]


def again(ruleset: str, family: str, seed: int) -> None:
    """Ask one question again, as a failed test tells."""
    Referee(ALL[ruleset]).judge(family, seed)
