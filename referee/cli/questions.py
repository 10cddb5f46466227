"""
One question about a throw, and its answer: which steps are legal, which plays, where they lead.

Knows: the fields of a question and of an answer, as `docs/plays.md` tells them.
Does not know: where questions come from, how answers look.

Whoever asks is told in one sentence what is wrong with a question; a wrong one has no answer.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from referee.errors import PositionError
from referee.files.rulesets import ruleset_called
from referee.rules.board import BOARDS, PAWNS, Board
from referee.rules.engine import Rules
from referee.rules.explaining import OBSTACLE, Refusal, third_throw
from referee.rules.notation import NOBODY, position_text, seat_text, square_code, state_from_text
from referee.rules.relay import mover
from referee.rules.ruleset import Ruleset
from referee.rules.state import Pawns, Position, State, Step

_MID_THROW: Final = ("numbers", "bonuses", "moved", "brought_home", "gave_up")
"""What a state may have only in mid-throw, when `at_throw` says where the seat stood."""

_STATE: Final = frozenset(("position", "seat", "repeats", "last_moved", "throw", "at_throw", *_MID_THROW))
_FIELDS: Final = _STATE | {"id", "rules", "plays", "explain"}
_STEP: Final = frozenset({"pawn", "use", "square"})

_LONGEST: Final = 64
_RULES_KEPT: Final = 64
"""So many rulesets stay compiled."""

_GROUPS_KEPT: Final = 1 << 16
"""So many texts of four pawns are kept."""


class Answer:
    """
    What a question comes to, before it is put into words.

    `state` is the one in which the steps are legal: that of the question, or the one after its throw. After
    a `third` doublet there are none; `returned` is then the pawn that went back. `plays` and `positions` are
    None where they were not asked for. `asked` tells whether a step was to be explained, and `refusal` is
    None if it is legal.
    """

    __slots__ = (
        "asked",
        "cut",
        "plays",
        "positions",
        "refusal",
        "returned",
        "rules",
        "state",
        "steps",
        "third",
    )

    def __init__(self, rules: Rules, question: Mapping[str, Any]) -> None:
        """
        Find the answer to *question*.

        Raises:
            PositionError: The state cannot be, or a field of the question is wrong.
        """
        self.rules: Final = rules
        self.third = False
        self.returned: int | None = None
        self.state: Final = self._state(question)
        self.steps: Final = () if self.third else rules.steps(self.state)
        self.plays: list[tuple[Step, ...]] | None = None
        self.positions: list[str] | None = None
        self.cut = False
        if _truth(question, "plays", default=True):
            plays, self.cut = ([], False) if self.third else rules.plays(self.state)
            self.plays = [play.steps for play in plays]
            self.positions = [_position(rules.board, play.position, play.arrived) for play in plays]
        self.asked: Final = "explain" in question
        self.refusal: Final = self._refusal(question["explain"]) if self.asked else None

    def _state(self, question: Mapping[str, Any]) -> State:
        """Return the state in which steps are asked for; throw the dice where they have just fallen."""
        rules = self.rules
        texts = {name: value for name, value in question.items() if name in _STATE}
        if "throw" not in texts:
            raise PositionError("throw is missing: the dice, such as [5, 2]")
        if "at_throw" in texts:
            state = state_from_text(rules.ruleset, texts)
            rules.check(state)
            return state
        for name in _MID_THROW:
            if name in texts:
                raise PositionError(
                    f"{name} is given without at_throw, the seat's squares when the dice fell"
                )
        dice = texts.pop("throw")
        if not isinstance(dice, list) or any(type(die) is not int for die in dice):
            raise PositionError(f"throw is {_shown(dice)}: it should be a list of dice, such as [5, 2]")
        before = state_from_text(rules.ruleset, texts)
        rules.check(before)
        state, self.third, self.returned = rules.throw(before, dice)
        return state

    def _refusal(self, asked: Any) -> Refusal | None:
        step = _step(asked)
        if self.third:
            return third_throw(self.rules.ruleset)
        if step is None:
            return Refusal(OBSTACLE, f"{asked} is not the number of a step")
        return self.rules.explain(self.state, step)

    @property
    def mover(self) -> int:
        """Return whose pawns the steps move: those of the partner where the seat has finished."""
        return mover(self.rules.board, self.state.position, self.state.seat)

    def position(self) -> str:
        """Return the position in which the steps are legal, or that the third doublet left."""
        return _position(self.rules.board, self.state.position, self.state.arrived)


def answer(question: Any) -> Answer:
    """
    Return the answer to *question*, a JSON value.

    Raises:
        ConfigError: There is no such ruleset.
        PositionError: The state cannot be, or a field of the question is wrong.
    """
    if not isinstance(question, dict):
        raise PositionError('a question is a JSON object, such as {"rules": "racket", ...}')
    for name in question:
        if name not in _FIELDS:
            near = get_close_matches(name, _FIELDS, n=1)
            right = f"did you mean {near[0]}?" if near else f"it has: {', '.join(sorted(_FIELDS))}"
            raise PositionError(f"a question has no field {_shown(name)}; {right}")
    name = question.get("rules")
    if not isinstance(name, str):
        raise PositionError(f"rules is {_shown(name)}: it should be the name of a ruleset, or FILE.toml")
    return Answer(_rules(name), question)


def _position(board: Board, position: Position, arrived: int) -> str:
    """Return *position* as text: groups of one seat are kept, as most of them come again in other plays."""
    if arrived:
        return position_text(board, position, arrived)
    return "/".join([_group(board.name, seat, pawns) for seat, pawns in enumerate(position)])


@lru_cache(_GROUPS_KEPT)
def _group(board: str, seat: int, pawns: Pawns | None) -> str:
    return NOBODY if pawns is None else seat_text(BOARDS[board], seat, pawns)


def _truth(question: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = question.get(name, default)
    if not isinstance(value, bool):
        raise PositionError(f"{name} is {_shown(value)}: it should be true or false")
    return value


def _step(asked: Any) -> Step | None:
    """Return the step that is asked for, None if its number is that of none."""
    if type(asked) is int:
        return Step.from_code(asked)
    if not isinstance(asked, dict):
        raise PositionError(
            f"explain is {_shown(asked)}: it should be the code of a step, or its pawn, use and square"
        )
    if asked.keys() != _STEP:
        raise PositionError("explain should have pawn, use and square, and nothing else")
    pawn, use, square = asked["pawn"], asked["use"], asked["square"]
    if type(pawn) is not int or pawn not in PAWNS:
        raise PositionError(f"explain: pawn is {_shown(pawn)}: it should be 0 to 3")
    if type(use) is not int or not 0 < use < 256:
        raise PositionError(f"explain: use is {_shown(use)}: it should be the code of a use, 1 to 255")
    if not isinstance(square, str):
        raise PositionError(f'explain: square is {_shown(square)}: it should be a text, such as "12"')
    return Step(pawn, use, square_code(square[:_LONGEST]))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


@lru_cache(_RULES_KEPT)
def _rules(name: str) -> Rules:
    """Return the rules that *name* names; a file is read once."""
    return _compiled(ruleset_called(name, Path()))


@lru_cache(_RULES_KEPT)
def _compiled(ruleset: Ruleset) -> Rules:
    return Rules(ruleset)
