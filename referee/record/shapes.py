"""
What the values in a line of a record must be, in words.

Knows: the kinds of values, and how one that is wrong is told: its key, what it should be, what it is.
Does not know: what a value means, whether it fits the game.

The whole of a header is looked at; an event only where it could not be read, as records have many.
"""

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from referee.errors import RecordError
from referee.match.events import By, Reason
from referee.match.faults import Cost, FaultKind

_LONGEST: Final = 64


class _Kind(NamedTuple):
    """What a value should be, in *words*, and whether it *is* that."""

    words: str
    fits: Callable[[Any], bool]


def _one_of(values: type[StrEnum]) -> _Kind:
    known = [value.value for value in values]
    return _Kind(f"{', '.join(known[:-1])} or {known[-1]}", lambda value: value in known)


def _list_of(kind: _Kind, words: str) -> _Kind:
    return _Kind(words, lambda value: isinstance(value, list) and all(map(kind.fits, value)))


_WHOLE: Final = _Kind("a whole number", lambda value: type(value) is int and value >= 0)
_TEXT: Final = _Kind("a text", lambda value: isinstance(value, str))
_TRUTH: Final = _Kind("true or false", lambda value: isinstance(value, bool))
_OBJECT: Final = _Kind("an object", lambda value: isinstance(value, dict))
_HASH: Final = _Kind(
    "64 hexadecimal digits in lower case",
    lambda value: isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None,
)
_HEX: Final = _Kind(
    "hexadecimal digits, two a byte",
    lambda value: isinstance(value, str) and re.fullmatch("([0-9a-f]{2})*", value) is not None,
)
_WHOLES: Final = _list_of(_WHOLE, "a list of whole numbers")
_PAIRS: Final = _Kind(
    "a list of pairs of a seat and a pawn",
    lambda value: isinstance(value, list) and all(_WHOLES.fits(pair) and len(pair) == 2 for pair in value),
)
_FAULT, _COST = _one_of(FaultKind), _one_of(Cost)

_HEADER: Final[Mapping[str, _Kind]] = {
    "engine": _TEXT,
    "game": _TEXT,
    "number": _WHOLE,
    "ruleset": _TEXT,
    "digest": _HASH,
    "fields": _OBJECT,
    "seats": _list_of(_OBJECT, "a list of objects, one for each taken seat"),
    "clock": _OBJECT,
    "penalties": _OBJECT,
    "ask_forced": _TRUTH,
    "max_throws": _WHOLE,
    "commitment": _HASH,
}

_EVENTS: Final[Mapping[str, Mapping[str, _Kind]]] = {
    "first_thrown": {"dice": _WHOLES},
    "thrown": {"dice": _WHOLES},
    "stepped": {"captured": _PAIRS, "by": _one_of(By)},
    "faulted": {"kind": _FAULT, "cost": _COST},
    "seat_lost": {"kind": _FAULT},
    "ended": {
        "seats": _WHOLES,
        "places": _WHOLES,
        "reasons": _list_of(_one_of(Reason), f"a list, for each seat {_one_of(Reason).words}"),
    },
    "revealed": {"seed": _HEX},
}
"""For each type of event the values that are read as they are; numbers and texts are looked at when read."""


def check_header(line: Mapping[str, Any]) -> None:
    """
    Refuse a header whose values are not what they should be; those that are missing are missed elsewhere.

    Raises:
        RecordError: The first key that is wrong, and what would be right.
    """
    _check(line, _HEADER)
    _check(line.get("fields", {}), dict.fromkeys(line.get("fields", {}), _TEXT), "fields.")
    penalties = line.get("penalties", {})
    _check(penalties, {"costs": _OBJECT}, "penalties.")
    for kind, cost in penalties.get("costs", {}).items():
        if not _FAULT.fits(kind):
            raise RecordError(f"penalties.costs has the key {shown(kind)}: it should be {_FAULT.words}")
        _check({kind: cost}, {kind: _COST}, "penalties.costs.")


def check_event(line: Mapping[str, Any]) -> None:
    """
    Refuse an event whose values are not what they should be.

    Raises:
        RecordError: The first key that is wrong, and what would be right.
    """
    _check(line, _EVENTS.get(line["type"], {}))


def _check(values: Mapping[str, Any], kinds: Mapping[str, _Kind], before: str = "") -> None:
    for key, kind in kinds.items():
        if key in values and not kind.fits(values[key]):
            raise RecordError(f"{before}{key} should be {kind.words}, not {shown(values[key])}")


def shown(value: object) -> str:
    """Return *value* as it stands in a record, but short."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "what is nested so deeply"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
