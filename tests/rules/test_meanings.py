"""Every field and every value of the rule book is told in a sentence."""

from dataclasses import replace
from enum import StrEnum

import pytest

from referee.rules.board import BOARDS, Board
from referee.rules.combinations import RANGES
from referee.rules.meanings import MEANINGS, Difference, differences, meaning
from referee.rules.ruleset import kinds
from referee.rules.rulesets import RULESETS, ruleset

WINNING_MOVES = ruleset("winning_moves")
BONUSES = ("capture_bonus", "home_bonus")


def values_of(field: str, kind: type) -> set[str]:
    """Return the texts of all values that a field may have; of a bonus, those that are told apart."""
    if kind is Board:
        return set(BOARDS)
    if kind is bool:
        return {"true", "false"}
    if issubclass(kind, StrEnum):
        return {value.value for value in kind}
    return {"0", "*"} if field in BONUSES else {str(number) for number in RANGES[field]}


def test_every_field_has_its_meaning() -> None:
    """
    No field is left out, and they stand in the order of the rule book.
    """
    assert list(MEANINGS) == list(kinds())


@pytest.mark.parametrize(("field", "kind"), kinds().items(), ids=list(kinds()))
def test_every_value_has_its_sentence(field: str, kind: type) -> None:
    """
    Each value is told, no two alike, in one sentence.
    """
    told = MEANINGS[field]

    assert set(told.values) == values_of(field, kind)
    assert len(set(told.values.values())) == len(told.values)
    for sentence in (told.decides, *told.values.values()):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert ". " not in sentence
        assert len(sentence) < 120


@pytest.mark.parametrize("name", RULESETS)
def test_every_registered_value_is_told(name: str) -> None:
    """
    There is something to say of each field of each ruleset, and readings name fields that there are.
    """
    assert all(meaning(field, text) for field, text in ruleset(name).as_text().items())
    assert {field for field, _ in ruleset(name).readings} <= set(kinds())


def test_an_amount_is_told_apart_from_none() -> None:
    """
    A bonus of 0 is no bonus.
    """
    assert meaning("capture_bonus", "0") == "A capture earns no bonus."
    assert meaning("capture_bonus", "20") == meaning("capture_bonus", "19") != meaning("capture_bonus", "0")


def test_differences_are_the_fields_that_differ() -> None:
    """
    Name and source are no rules; two rulesets that differ in them alone are the same.
    """
    assert differences(WINNING_MOVES, replace(WINNING_MOVES, name="ours", source="us")) == []
    assert differences(WINNING_MOVES, replace(WINNING_MOVES, dice=1, home_bonus=5)) == [
        Difference("dice", "2", "1"),
        Difference("home_bonus", "10", "5"),
    ]
