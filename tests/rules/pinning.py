"""
What every field of every ruleset is pinned by: a question that another value answers otherwise.

Knows: which values a field could have instead, questions and what is said to them, where another value
cannot show and why. Does not know: how questions are found (`pin.py`), what is right (the checker does).

A *case* is a ruleset, a field and another value. Its *witness* is a question, kept in `pinned.jsonl`: to it
the engine says one thing with the ruleset, and another with the value changed. Questions are texts, so
that both read the same one, whatever their states hold.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from referee.errors import ConfigError, PositionError
from referee.match.events import Begun
from referee.match.match import Match
from referee.match.phases import Phase
from referee.rules.combinations import clashes
from referee.rules.engine import Rules
from referee.rules.notation import LAST, position_from_text, position_text, step_text
from referee.rules.ruleset import (
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Fourteen,
    Pairs,
    Partner,
    Ruleset,
    SquareLimit,
    TeamWin,
    ThirdThrow,
    kinds,
)
from referee.rules.rulesets import RULESETS
from referee.rules.state import State, Step
from referee.rules.tables import Side
from tests.fakes import a_setup
from tests.oracle.checker import Checker
from tests.oracle.judging import FIELDS
from tests.oracle.support import variation

WITNESSES: Final = Path(__file__).with_name("pinned.jsonl")

# Cases.

BEGINNING: Final = ("first_player", "first_player_dice", "pawns_out_at_start")
"""Fields that decide how a game begins and nothing after: rulesets may differ in them and be played alike."""

NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {"capture_bonus": (0, 20, 50), "home_bonus": (0, 10, 20)}
"""Of fields with many values those that are tried."""


SILENCED: Final[Mapping[tuple[str, str], Mapping[str, object]]] = {
    ("first_player", "seat_0"): {"first_player_dice": 1},
    ("safe_sharing", "false"): {"square_limit": SquareLimit.TWO, "pairs": Pairs.SAME_COLOUR},
    ("pairs", "mixed_on_safe"): {"square_limit": SquareLimit.TWO},
    ("doublet_faces", "top"): {"fourteen": Fourteen.AS_POSSIBLE},
    ("extra_throw", "none"): {"extra_throw_if": ExtraThrowIf.ALWAYS, "third_throw": ThirdThrow.NONE},
    ("teams", "none"): {"team_win": TeamWin.ONE_MEMBER, "partner": Partner.CAPTURE},
}
"""Values that leave other fields no meaning, and the values of these: they change nothing then."""


class Case(NamedTuple):
    """Another *value*, as text, of a *field* of a *ruleset*."""

    ruleset: str
    field: str
    value: str

    @property
    def right(self) -> Ruleset:
        """Return the ruleset as it is."""
        return RULESETS[self.ruleset]

    @property
    def changed(self) -> Ruleset:
        """Return the ruleset with the other value, and without what that leaves no meaning."""
        silenced = SILENCED.get((self.field, self.value), {})
        return variation(self.right, **{self.field: values_of(self.field)[self.value], **silenced})


@cache
def values_of(field: str) -> Mapping[str, object]:
    """Return the values of *field* that are tried, by their texts."""
    values: Iterable[object] = NUMBERS.get(field) or FIELDS.get(field) or ()
    if field == "first_player_dice":
        values = (1, 2)
    elif field == "first_player":
        values = kinds()[field]
    return {replace(RULESETS["racket"], **{field: v}).as_text()[field]: v for v in values}  # type: ignore[arg-type]


@cache
def played_alike(name: str) -> list[str]:
    """Return the rulesets that are played like *name*, however they begin, in the order of the register."""
    return [other for other, ruleset in RULESETS.items() if _played(ruleset) == _played(RULESETS[name])]


def _played(ruleset: Ruleset) -> dict[str, str]:
    return {field: text for field, text in ruleset.as_text().items() if field not in BEGINNING}


def rulesets_for(field: str) -> list[str]:
    """
    Return the rulesets of which *field* is changed.

    Of those that are played alike it is the first, but all of them where the field is one of `BEGINNING`.
    """
    return [name for name in RULESETS if field in BEGINNING or played_alike(name)[0] == name]


def cases() -> list[Case]:
    """Return every case that can be played."""
    return [case for case in every_case() if not refusal(case)]


@cache
def every_case() -> tuple[Case, ...]:
    """Return every case, those included that are refused, in the order of the rule book."""
    return tuple(
        Case(name, field, value)
        for field in kinds()
        for name in rulesets_for(field)
        for value in values_of(field)
        if value != RULESETS[name].as_text()[field]
    )


@cache
def refusal(case: Case) -> str:
    """Return why a case cannot be played, nothing if it can."""
    return next((clash.sentence for clash in clashes(case.changed)), "")


# Silence: where another value cannot show.


class Silence(NamedTuple):
    """Other *values* of a *field* that cannot show in some rulesets, and why."""

    field: str
    values: tuple[str, ...]
    rulesets: tuple[str, ...]
    why: str


def _those(*fields: tuple[str, object], besides: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of the rulesets that have all these values, *besides* some."""
    return tuple(
        name
        for name, ruleset in RULESETS.items()
        if name not in besides and all(getattr(ruleset, field) == value for field, value in fields)
    )


ONE_DIE: Final = _those(("dice", 1))

SILENCES: Final = (
    Silence("must_enter", ("most",), ONE_DIE, "one five enters one pawn, and has to already"),
    Silence("capture_bonus", ("0", "50"), ("pressman_gentle",), "nobody is captured"),
    Silence(
        "bonus_timing",
        ("after_numbers", "at_once", "any_time"),
        ONE_DIE,
        "when a bonus is earned, the one number of the throw has been used",
    ),
    Silence("use", ("maximal", "greedy"), ONE_DIE, "of one number the most that can be used is all or none"),
    Silence(
        "same_pair",
        ("forbidden",),
        ONE_DIE,
        "one number, and bonuses of 10 and 20, never lead two pawns equally far",
    ),
)


def silence_of(case: Case) -> str:
    """Return why a case cannot show, nothing if it can."""
    found = [
        silence.why
        for silence in SILENCES
        if case.field == silence.field and case.value in silence.values and case.ruleset in silence.rulesets
    ]
    assert len(found) <= 1, case
    return "".join(found)


# Questions.


class Answer(NamedTuple):
    """What was *asked*, and what was *said* to it."""

    asked: str
    said: str


class Impossible(Exception):
    """The question cannot be put to this ruleset."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """
    A position, a throw, and steps that are taken: on the way everything is asked that a player can see.

    Or, where *about* is not `play`, a question about how a game begins or who came where.
    """

    about: str = "play"
    position: str = ""
    seat: int = 0
    repeats: int = 0
    last_moved: int | None = None
    throw: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return what differs from the defaults."""
        return {key: value for key, value in vars(self).items() if value != getattr(Question, key)}

    @classmethod
    def from_json(cls, texts: Mapping[str, Any]) -> "Question":
        """Return the question that `as_json` told."""
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in texts.items()}
        return cls(**fields)


STILL: Final = (Question(about="beginning"), Question(about="start"), Question(about="places"))
"""The questions without a throw that is played."""

FIRST_THROWS: Final = ((3, 3), (6, 1), (5, 5), (1, 6))
"""What seats 0 to 3 throw for the beginning; with one die, the first of the two."""

BEGINS: Final = {
    ("lowest", "1"): "seat 3 begins",
    ("lowest", "2"): "seat 0 begins",
    ("highest", "1"): "seat 1 begins",
    ("highest", "2"): "seat 2 begins",
    ("seat_0", "1"): "seat 0 begins without a throw",
    ("seat_0", "2"): "seat 0 begins without a throw",
}
"""Who begins then, by `first_player` and `first_player_dice`."""

RANKED: Final = "H,H,N,N/H,H,H,N/N,N,N,N/30,N,N,N"
"""The position of a game that was stopped, whose seats are ranked."""

SEATS: Final = (0, 1, 2, 3)


@cache
def asked_of_engine(question: Question, rules: Rules) -> tuple[Answer, ...]:
    """
    Return what the engine says to *question*.

    Raises:
        Impossible: Its position cannot be in this ruleset, or its steps are not legal.
    """
    if question.about == "beginning":
        return (Answer("who begins", _who_begins(rules)),)
    return tuple(_answers(question, rules))


@cache
def asked_of_checker(question: Question, checker: Checker) -> tuple[Answer, ...]:
    """
    Return what the checker says to *question*; who begins is written down, for it does not throw.

    Raises:
        Impossible: Its position cannot be in this ruleset, or its steps are not legal.
    """
    if question.about == "beginning":
        texts = checker.rules.as_text()
        return (Answer("who begins", BEGINS[texts["first_player"], texts["first_player_dice"]]),)
    return tuple(_answers(question, checker))


def _who_begins(rules: Rules) -> str:
    match = Match(a_setup(rules, SEATS), rules)
    without = match.phase is not Phase.SEATING
    while match.phase is Phase.SEATING:
        seat, _, dice = match.to_throw
        match.thrown(FIRST_THROWS[seat][:dice])
    begun = next(event for event in match.events if isinstance(event, Begun))
    return f"seat {begun.seat} begins" + " without a throw" * without


def _answers(question: Question, rules: Rules | Checker) -> Iterator[Answer]:
    ruleset = rules.ruleset if isinstance(rules, Rules) else rules.rules
    board = ruleset.board
    if question.about == "start":
        yield Answer("start", position_text(board, rules.start(SEATS, 0).position))
        return
    if question.about == "places":
        position, _ = position_from_text(ruleset, RANKED)
        found = rules.places(position, None, ())
        yield Answer("places", ", ".join(f"seat {seat}: {found[seat]}" for seat in SEATS))
        return
    state = state_before(question, ruleset)
    if len(question.throw) != ruleset.dice:
        yield Answer("throw", "is no throw of this game")
        return
    thrown = rules.throw(state, question.throw)
    state = thrown if isinstance(thrown, State) else thrown.state
    yield Answer("throw", _thrown_text(ruleset, state))
    if not state.dice:
        return
    for text in question.steps:
        offered = offered_in(rules, state)
        yield Answer("steps", steps_text(offered))
        if text not in offered:
            raise Impossible(f"{text} is not legal in {ruleset.name}")
        state, captured, earned, won = rules.apply(state, offered[text])
        words = [position_text(board, state.position)]
        words += [f"captures {len(captured)}"] * bool(captured) + ["wins"] * won
        words += [f"earns {bonus}" for bonus in sorted(earned) if not won]
        yield Answer(text, "; ".join(words))
        if won:
            return
    offered = offered_in(rules, state)
    yield Answer("steps", steps_text(offered))
    if not offered:
        after = rules.play_over(state)
        yield Answer("next", f"seat {after.seat} throws" + " again" * bool(after.repeats))


def state_before(question: Question, ruleset: Ruleset) -> State:
    """
    Return the state in which the throw of *question* falls.

    Raises:
        Impossible: It cannot be in this ruleset.
    """
    try:
        marked = ruleset.entry_capture is EntryCapture.WHEN_FULL
        text = question.position if marked else question.position.replace(LAST, "")
        position, arrived = position_from_text(ruleset, text)
        state = State(position, question.seat, question.repeats, question.last_moved, arrived=arrived)
        compiled(ruleset).check(state)
    except (ConfigError, PositionError) as error:
        raise Impossible(str(error)) from error
    if question.repeats and ruleset.extra_throw is ExtraThrow.NONE:
        raise Impossible(f"{ruleset.name} has no throw after another")
    return state


def _thrown_text(ruleset: Ruleset, state: State) -> str:
    if state.dice:
        return "gives " + ", ".join(map(str, state.numbers))
    return f"is not played; {position_text(ruleset.board, state.position)}; seat {state.seat} throws"


def offered_in(rules: Rules | Checker, state: State) -> dict[str, Step]:
    """Return the legal steps in *state* by their texts."""
    ruleset = rules.rules if isinstance(rules, Checker) else rules.ruleset
    return {step_text(ruleset, state, step): step for step in rules.steps(state)}


def steps_text(offered: Iterable[str]) -> str:
    """Return legal steps as one text."""
    return "; ".join(offered) or "nothing"


def difference(right: Iterable[Answer], other: Iterable[Answer]) -> tuple[Answer, Answer] | None:
    """Return the first answers in which two differ, None if they do not."""
    for one, another in zip_longest(right, other):
        if one is None or another is None:
            return None
        if one != another:
            assert one.asked == another.asked
            return one, another
    return None


@cache
def shown(case: Case, question: Question) -> tuple[Answer, Answer] | None:
    """
    Return what *question* is answered with the right value and otherwise, None if there is no difference.

    Only what the checker says too is right.
    """
    try:
        right = asked_of_engine(question, compiled(case.right))
        found = difference(right, _as_far_as_it_goes(question, compiled(case.changed)))
    except Impossible:
        return None
    if found is None:
        return None
    assert right == asked_of_checker(question, checker_of(case.right)), (case, question)
    return found


def _as_far_as_it_goes(question: Question, rules: Rules) -> Iterator[Answer]:
    """Yield the answers of a changed ruleset, in which the steps of *question* need not be legal."""
    if question.about == "beginning":
        yield from asked_of_engine(question, rules)
        return
    if question.about == "play":
        state_before(question, rules.ruleset)
    try:
        yield from _answers(question, rules)
    except Impossible:
        return


# Witnesses.


def witnesses() -> dict[Case, Question]:
    """Return the question that pins each case, as it is kept."""
    found: dict[Case, Question] = {}
    for line in WITNESSES.read_text().splitlines():
        texts = json.loads(line)
        field, shows = texts.pop("field"), texts.pop("shows")
        for name, values in shows.items():
            found |= {Case(name, field, value): Question.from_json(texts) for value in values}
    return found


# Compiling.


class _Read:
    """A ruleset that remembers which of its fields were read."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.fields: dict[str, object] = {}

    def __getattr__(self, field: str) -> object:
        value = self.fields[field] = getattr(self.ruleset, field)
        return value


class SharedSides:
    """
    Makes the sides of rulesets, each once for all rulesets in which its tables are the same.

    They are most of the work of compiling, and read few of the fields: two rulesets that do not differ in
    what was read have the same.
    """

    def __init__(self) -> None:
        self.made: list[tuple[int, dict[str, object], Side]] = []

    def __call__(self, ruleset: Ruleset, seat: int) -> Side:
        """Return the side of *seat*."""
        for of, read, side in self.made:
            if of == seat and all(getattr(ruleset, field) == value for field, value in read.items()):
                return side
        reader = _Read(ruleset)
        side = Side(reader, seat)  # type: ignore[arg-type]
        self.made.append((seat, reader.fields, side))
        return side


_SIDES: Final = SharedSides()


@cache
def compiled(ruleset: Ruleset) -> Rules:
    """Return the engine of *ruleset*."""
    with patch("referee.rules.moves.Side", _SIDES):
        return Rules(ruleset)


@cache
def checker_of(ruleset: Ruleset) -> Checker:
    """Return the checker of *ruleset*."""
    return Checker(ruleset, 5000)
