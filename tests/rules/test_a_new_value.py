"""
What a new value of a field takes, as far as no other test asks for it; the list is in CONTRIBUTING.md.

Knows: the tables that must have an entry for each field or value. Does not know: what any of them means.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from parcheesi.v1 import bot_gateway_pb2, rules_service_pb2

from referee.rules import explaining
from referee.rules.board import BOARDS, Board
from referee.rules.combinations import RANGES
from referee.rules.moves import remembered
from referee.rules.notation import PAST
from referee.rules.ruleset import kinds
from referee.rules.striking import LIFTED
from tests.oracle.filters import FILTERS
from tests.oracle.judging import ALL, FIELDS
from tests.rules.pinning import values_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

CHOICES: Mapping[str, Any] = {field: kind for field, kind in kinds().items() if field not in RANGES}
"""The fields that have a value of a few, and the kind of it."""


def texts_of(field: str) -> set[str]:
    """Return the texts of all values that a field of `CHOICES` can have."""
    kind = CHOICES[field]
    if kind is Board:
        return set(BOARDS)
    return {"false", "true"} if kind is bool else {value.value for value in kind}


def test_every_field_is_among_those_that_are_tried() -> None:
    """
    Engine and slow checker are asked about it, unless it only decides who begins.
    """
    assert set(FIELDS) == {field for field in kinds() if not field.startswith("first_player")}
    for field in CHOICES.keys() & FIELDS.keys():
        assert len(set(FIELDS[field])) == len(texts_of(field)), field


@pytest.mark.parametrize("field", kinds())
def test_every_value_of_a_field_is_pinned(field: str) -> None:
    """
    A question is looked for to which a ruleset with it has another answer; of amounts, a few.
    """
    few = texts_of(field) if field in CHOICES else {str(number) for number in RANGES[field]}

    assert set(values_of(field)) >= few or (len(few) > 10 and len(values_of(field)) > 2)


def test_every_value_that_forbids_says_so() -> None:
    """
    A rule of section 5 has its place in the order, and each value but the one that lifts it has its sentence.
    """
    assert list(LIFTED) == ["bonus_timing", *FILTERS]
    assert list(explaining._RULES) == list(LIFTED)
    for field, lifted in LIFTED.items():
        assert issubclass(kinds()[field], StrEnum)
        assert set(explaining._RULES[field]) == set(kinds()[field]) - {lifted}, field


def test_what_a_throw_has_done_has_a_field_everywhere() -> None:
    """
    What a rule asks of the past is told in texts, in asks and in the messages of the `RulesService`.
    """
    asked = [remembered(ruleset) for ruleset in ALL.values()]
    told = list(PAST.values())

    assert all(past & ~sum(told) == 0 for past in asked)
    assert all(any(past & bits == bits for past in asked) for bits in told)
    for message in (bot_gateway_pb2.Ask, rules_service_pb2.State):
        assert PAST.keys() <= set(message.DESCRIPTOR.fields_by_name), message


def test_the_page_names_what_there_is() -> None:
    """
    Each file that CONTRIBUTING.md names is there, and each test.
    """
    named = re.findall(r"`([\w./]+)`", PAGE)
    tests = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py"))

    assert [name for name in named if name.startswith("test_") and f"def {name}(" not in tests] == []
    paths = [name for name in named if re.match(r"(referee|tests|docs|proto|tournaments|sample_bots)/", name)]
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
