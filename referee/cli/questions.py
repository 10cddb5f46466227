"""
One question about a throw, and its answer: which steps are legal, where they lead, what one of them does.

Knows: the fields of a question, as `docs/plays.md` tells them.
Does not know: where questions come from, how answers look, what is legal.

Whoever asks is told in one sentence what is wrong with a question; a wrong one has no answer.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from json import JSONEncoder
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import PositionError
from referee.files.rulesets import ruleset_called
from referee.match.situation import MOST_REPEATS, Situation, in_mid_throw, thrown, too_many_repeats
from referee.rules.board import PAWNS, SEATS
from referee.rules.engine import Rules
from referee.rules.explaining import Refusal
from referee.rules.notation import (
    MID_THROW,
    NOBODY,
    STATE_FIELDS,
    pawns_from_text,
    square_code,
    state_from_text,
)
from referee.rules.plays import Play
from referee.rules.ruleset import EntryCapture, Ruleset
from referee.rules.state import Applied, Pawns, State, Step

_START: Final = frozenset({"id", "rules", "start"})
_FIELDS: Final = STATE_FIELDS | _START | {"plays", "explain", "apply"}
_STEP: Final = frozenset({"pawn", "use", "square"})

_SQUARES, _COUNT, _LIST, _TRUTH = "a text", "a whole number", "a list of whole numbers", "true or false"
_KINDS: Final[Mapping[str, str]] = {
    "position": _SQUARES,
    "seat": _COUNT,
    "repeats": _COUNT,
    "throw": _LIST,
    "at_throw": _SQUARES,
    "numbers": _LIST,
    "bonuses": _LIST,
    "moved": _LIST,
    "brought_home": _TRUTH,
    "gave_up": _TRUTH,
}
"""What each field of a state holds, but for `last_moved`, which may be null."""

_LONGEST: Final = 64
_ENCODE: Final = JSONEncoder(ensure_ascii=False).encode
_RULES_KEPT: Final = 32
"""So many rulesets stay compiled: the registered ones and a dozen files, in one or two megabytes each."""

_GROUPS_KEPT: Final = 1 << 12
"""So many texts of four pawns are kept for each seat of a ruleset."""


class IllegalStep(PositionError):
    """A step was to be applied that is not legal; `refusal` tells why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.why)
        self.refusal: Final = refusal


class Answer:
    """
    What a question comes to, before it is put into words.

    `situation` is that of the question, or the one after the step that was `applied`, if one was. `name` is
    what the question calls its ruleset. `plays` is None where plays were not asked for. `asked` tells whether
    a step was to be explained, and `refusal` is None if it is legal. `before` is the state of the question.
    """

    __slots__ = ("applied", "asked", "before", "cut", "name", "plays", "refusal", "situation", "step")

    def __init__(self, reader: "Reader", question: Mapping[str, Any]) -> None:
        """
        Find the answer to *question*.

        Raises:
            PositionError: The state cannot be, a field of the question is wrong, or the step that is to
                be applied is not legal.
        """
        situation = reader.situation(question)
        self.name: Final = reader.name
        self.before: Final = situation.state
        self.asked: Final = "explain" in question
        self.refusal: Refusal | None = None
        self.applied: Applied | None = None
        self.step: Step | None = None
        if self.asked:
            if "apply" in question:
                raise PositionError("explain and apply are two questions: ask one after the other")
            self.refusal = situation.refusal(_step("explain", question["explain"]))
        if "apply" in question:
            self.step = _legal(situation, _step("apply", question["apply"]))
            self.applied, situation = situation.after(self.step)
        self.situation: Final = situation
        self.plays: list[Play] | None = None
        self.cut = False
        if _truth(question, "plays", default=True):
            self.plays = []
            if situation.steps:
                self.plays, self.cut = situation.rules.plays(situation.state)


class Start(NamedTuple):
    """Where a game begins: the state in which its first dice fall, and what its ruleset was called."""

    name: str
    rules: Rules
    state: State


class Reader:
    """Reads the states in questions about one ruleset; the same squares of a seat come again and again."""

    def __init__(self, name: str, rules: Rules) -> None:
        """Read questions that call the ruleset of *rules* by *name*."""
        self.name: Final = name
        self.rules: Final = rules
        self._groups: Final = tuple(_Groups(rules.ruleset, seat) for seat in SEATS)
        self._marks: Final = rules.ruleset.entry_capture is EntryCapture.WHEN_FULL

    def situation(self, question: Mapping[str, Any]) -> Situation:
        """
        Return what the state in *question* comes to; throw the dice where they have just fallen.

        Raises:
            PositionError: The state cannot be, or a field of the question is wrong.
        """
        dice = question.get("throw")
        if dice is None and "throw" not in question:
            raise PositionError("throw is missing: the dice, such as [5, 2]")
        if "at_throw" in question:
            return in_mid_throw(self.rules, self._state(question))
        if not isinstance(dice, list) or any(type(die) is not int for die in dice):
            raise PositionError(f"throw is {shown(dice)}: it should be a list of dice, such as [5, 2]")
        return thrown(self.rules, self._usual(question) or self._unusual(question), dice)

    def _usual(self, question: Mapping[str, Any]) -> State | None:
        """Return the state between throws in *question*, None if anything about it wants a closer look."""
        zero, one, two, three = self._groups
        seat, last_moved = question.get("seat"), question.get("last_moved")
        repeats = question.get("repeats", 0)
        if self._marks or type(seat) is not int or seat not in SEATS:
            return None
        if type(repeats) is not int or repeats > MOST_REPEATS:
            return None
        if last_moved is not None and (type(last_moved) is not int or last_moved not in PAWNS):
            return None
        if not question.keys().isdisjoint(MID_THROW):
            return None
        try:
            a, b, c, d = question["position"].split("/")
            return State((zero[a], one[b], two[c], three[d]), seat, repeats, last_moved)
        except (LookupError, ValueError, AttributeError, PositionError):
            return None

    def _unusual(self, question: Mapping[str, Any]) -> State:
        """Return the state between throws in *question*, or say what is wrong with it."""
        for name in MID_THROW:
            if name in question:
                raise PositionError(
                    f"{name} is given without at_throw, the seat's squares when the dice fell"
                )
        return self._state({name: value for name, value in question.items() if name != "throw"})

    def _state(self, question: Mapping[str, Any]) -> State:
        """Return the state in *question*; what is wrong with its values is told in the words of JSON."""
        texts = {name: value for name, value in question.items() if name in STATE_FIELDS}
        for name, kind in _KINDS.items():
            if name in texts and not _is(kind, texts[name]):
                raise PositionError(f"{name} is {shown(texts[name])}: it should be {kind}")
        if "position" not in texts:
            raise PositionError("position is missing: four squares a seat, such as 5,N,N,N/-/N,N,N,N/-")
        if "seat" not in texts:
            raise PositionError("seat is missing: who is to move, 0 to 3")
        if (last := texts.get("last_moved")) is not None and (not _is(_COUNT, last) or last not in PAWNS):
            raise PositionError(f"last_moved is {shown(last)}: it should be a pawn, 0 to 3, or null")
        if texts.get("repeats", 0) > MOST_REPEATS:
            raise PositionError(too_many_repeats(texts["repeats"]))
        return state_from_text(self.rules.ruleset, texts)


def _is(kind: str, value: Any) -> bool:
    """Tell whether *value* is of a *kind* of `_KINDS`."""
    if kind is _LIST:
        return isinstance(value, list) and all(type(each) is int for each in value)
    return type(value) is {_SQUARES: str, _COUNT: int, _TRUTH: bool}[kind]


class _Groups(dict[str, Pawns | None]):
    """The pawns of one seat by their text."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        self._ruleset, self._seat = ruleset, seat

    def __missing__(self, text: str) -> Pawns | None:
        if len(self) >= _GROUPS_KEPT:
            self.clear()
        pawns = None if text == NOBODY else pawns_from_text(self._ruleset, self._seat, text)
        self[text] = pawns
        return pawns


def answer(question: Any) -> Answer | Start:
    """
    Return the answer to *question*, a JSON value.

    Raises:
        ConfigError: There is no such ruleset, or seats that cannot play were to start.
        PositionError: The state cannot be, or a field of the question is wrong.
    """
    if not isinstance(question, dict):
        raise PositionError('a question is a JSON object, such as {"rules": "racket", ...}')
    if not question.keys() <= _FIELDS:
        unknown = next(name for name in question if name not in _FIELDS)
        near = get_close_matches(unknown, _FIELDS, n=1)
        right = f"did you mean {near[0]}?" if near else f"it has: {', '.join(sorted(_FIELDS))}"
        raise PositionError(f"a question has no field {shown(unknown)}; {right}")
    name = question.get("rules")
    if not isinstance(name, str):
        raise PositionError(f"rules is {shown(name)}: it should be the name of a ruleset, or FILE.toml")
    reader = _reader(name)
    return _start(reader, question) if "start" in question else Answer(reader, question)


def _start(reader: Reader, question: Mapping[str, Any]) -> Start:
    seats = question["start"]
    if not isinstance(seats, list) or not seats or any(type(seat) is not int for seat in seats):
        raise PositionError(f"start is {shown(seats)}: it should be a list of seats, such as [0, 2]")
    if more := sorted(question.keys() - _START):
        raise PositionError(f"{more[0]} is given with start: a game that starts has no state yet")
    if len(seats) > len(SEATS):
        raise PositionError(f"start has {len(seats)} seats; there are {len(SEATS)}")
    return Start(reader.name, reader.rules, reader.rules.start(seats, seats[0]))


def _truth(question: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = question.get(name, default)
    if not isinstance(value, bool):
        raise PositionError(f"{name} is {shown(value)}: it should be true or false")
    return value


def _step(field: str, asked: Any) -> Step | int:
    """Return the step that *field* of a question names, or the number that should be that of one."""
    if type(asked) is int:
        return asked
    if not isinstance(asked, dict):
        raise PositionError(
            f"{field} is {shown(asked)}: it should be the code of a step, or its pawn, use and square"
        )
    if asked.keys() != _STEP:
        raise PositionError(f"{field} should have pawn, use and square, and nothing else")
    pawn, use, square = asked["pawn"], asked["use"], asked["square"]
    if type(pawn) is not int or pawn not in PAWNS:
        raise PositionError(f"{field}: pawn is {shown(pawn)}: it should be 0 to 3")
    if type(use) is not int or not 0 < use < 256:
        raise PositionError(f"{field}: use is {shown(use)}: it should be the code of a use, 1 to 255")
    if not isinstance(square, str):
        raise PositionError(f'{field}: square is {shown(square)}: it should be a text, such as "12"')
    return Step(pawn, use, square_code(square[:_LONGEST]))


def _legal(situation: Situation, asked: Step | int) -> Step:
    """Return the step that is *asked* for, which must be legal."""
    refusal = situation.refusal(asked)
    if refusal is not None:
        raise IllegalStep(refusal)
    step = Step.from_code(asked) if isinstance(asked, int) else asked
    assert step is not None
    return step


def shown(value: Any) -> str:
    """Return *value* as a message shows it: short, and in the words of JSON."""
    text = repr(value) if isinstance(value, str) else _ENCODE(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


@lru_cache(_RULES_KEPT)
def _reader(name: str) -> Reader:
    """Return what reads questions about the ruleset that *name* names; a file is read once."""
    return Reader(name, _compiled(ruleset_called(name, Path())))


@lru_cache(_RULES_KEPT)
def _compiled(ruleset: Ruleset) -> Rules:
    return Rules(ruleset)
