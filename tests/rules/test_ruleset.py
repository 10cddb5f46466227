"""Rulesets as values: their fields, their texts, and what this version refuses."""

from dataclasses import replace

import pytest

from referee.errors import NotBuilt, UnknownName
from referee.rules.engine import Rules
from referee.rules.ruleset import (
    BUILT,
    BonusTiming,
    Capture,
    DoubletHome,
    MustEnter,
    Ruleset,
    from_text,
    kinds,
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
    @pytest.mark.parametrize(
        ("given", "words"),
        [
            pytest.param(
                replace(WINNING_MOVES, doublet_home=DoubletHome.WITH_FOURTEEN),
                "doublet_home = with_fourteen.*it plays: free",
                id="a value of the rule book that is not built",
            ),
            pytest.param(replace(WINNING_MOVES, capture=Capture.PASSING), "capture = passing", id="passing"),
            pytest.param(replace(WINNING_MOVES, must_enter=MustEnter.MOST), "must_enter = most", id="most"),
            pytest.param(
                replace(WINNING_MOVES, bonus_timing=BonusTiming.AT_ONCE),
                "bonus_timing = at_once",
                id="at once",
            ),
            pytest.param(replace(WINNING_MOVES, dice=1), "dice = 1.*it plays: 2", id="one die"),
            pytest.param(
                replace(WINNING_MOVES, home_bonus=100), "home_bonus = 100.*0 to 99", id="a bonus of 100"
            ),
        ],
    )
    def test_names_the_field_and_what_could_be_played(self, given: Ruleset, words: str) -> None:
        """
        What this version cannot play is refused by name when it is compiled, not ignored.
        """
        with pytest.raises(NotBuilt, match=words):
            Rules(given)

    def test_knows_every_field(self) -> None:
        """
        A field without a line in `BUILT` would be ignored.
        """
        assert set(BUILT) == set(kinds())

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
