"""Rulesets as values: their fields, their texts, and what this version refuses."""

from dataclasses import replace

import pytest

from referee.errors import ConfigError, NotBuilt, UnknownName
from referee.rules.engine import Rules
from referee.rules.ruleset import (
    from_text,
)
from referee.rules.rulesets import RULESETS, ruleset

WINNING_MOVES = ruleset("winning_moves")


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    """
    The message lists the rulesets that there are.
    """
    with pytest.raises(UnknownName) as caught:
        ruleset("winning_move")

    assert "winning_move'" in str(caught.value)
    assert all(name in str(caught.value) for name in RULESETS)


@pytest.mark.parametrize("name", RULESETS)
class TestEveryRuleset:
    def test_is_registered_under_its_name(self, name: str) -> None:
        """
        The register and the value agree.
        """
        assert ruleset(name).name == name
        assert ruleset(name).source

    def test_comes_back_from_its_texts(self, name: str) -> None:
        """
        A record holds every field as text; what is read from it is the same ruleset.
        """
        given = ruleset(name)

        read = from_text(name, given.as_text())

        assert replace(read, source=given.source) == given
        assert read.digest() == given.digest()


class TestDigest:
    def test_tells_rules_apart_and_not_names(self) -> None:
        """
        Two sets of rules are the same when their digests are.
        """
        assert replace(WINNING_MOVES, name="ours", source="us").digest() == WINNING_MOVES.digest()
        assert replace(WINNING_MOVES, capture_bonus=19).digest() != WINNING_MOVES.digest()
        assert len(WINNING_MOVES.digest()) == 32


class TestRefusal:
    def test_of_what_cannot_be_played_comes_when_it_is_compiled(self) -> None:
        """
        Rules that nobody could keep to are not compiled (`test_combinations.py` has them all).
        """
        with pytest.raises(ConfigError, match="one die"):
            Rules(replace(WINNING_MOVES, dice=1))

    @pytest.mark.parametrize(
        ("texts", "words"),
        [
            pytest.param({"colour": "red"}, "colour", id="a field that there is not"),
            pytest.param({"use": "some"}, "use = 'some'", id="a value that there is not"),
            pytest.param({"dice": "two"}, "dice = 'two'", id="no number"),
            pytest.param({"second_lap": "yes"}, "second_lap = 'yes'", id="no truth"),
            pytest.param({"board": "ludo"}, "board = 'ludo'", id="no board"),
        ],
    )
    def test_of_texts_names_the_field(self, texts: dict[str, str], words: str) -> None:
        """
        A record of a newer version is refused with the field that it has more.
        """
        with pytest.raises(NotBuilt, match=words):
            from_text("read", {**WINNING_MOVES.as_text(), **texts})

    def test_of_missing_texts_names_the_field(self) -> None:
        """
        Every field must be there: a default would be a guess.
        """
        texts = WINNING_MOVES.as_text()
        del texts["use"]

        with pytest.raises(NotBuilt, match="lacks the field 'use'"):
            from_text("read", texts)
