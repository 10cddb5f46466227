"""
The engine against the slow checker, state by state.

Knows: how many questions of which kind are asked.
Does not know: how they are asked and compared (`tests/oracle/judging.py`).

`ORACLE_POSITIONS=500 pytest tests/rules` asks 500 questions of each family, `ORACLE_FIRST=10000`
begins at another seed, `ORACLE_DRAW=7` asks the variations others, `ORACLE_SEQUENCES=50000` takes on
questions that are larger; what fails says how to ask it again.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from random import Random

import pytest

from referee.rules.board import BOARDS, Board
from referee.rules.combinations import RANGES
from referee.rules.ruleset import Ruleset, kinds
from referee.rules.state import State
from tests.oracle.bites import EXPECTED, bites
from tests.oracle.checker import Checker, TooMany
from tests.oracle.judging import (
    ALL,
    DECISIVE,
    EVERY,
    MOST,
    RANDOM,
    TURNS,
    VARIATIONS,
    Referee,
    bases,
    made_question,
    played_alike,
    random_game,
    seats_for,
    variations,
    walk,
)
from tests.oracle.possible import Moves
from tests.oracle.shortcuts import SHORTCUTS
from tests.rules.positions import FAMILIES, Dice

ASKED = int(os.environ.get("ORACLE_POSITIONS", "8"))
"""Questions of each family and ruleset; a quarter of them for each variation of a ruleset."""

FIRST = int(os.environ.get("ORACLE_FIRST", "0"))
"""The first seed."""

DRAW = int(os.environ.get("ORACLE_DRAW", "2"))
"""
Which questions the variations are asked: no two are asked the same, and another draw asks none of these.

There are too many variations to ask each much. Move this on when the engine has changed.
"""

CHEAP = 150
"""What has more sequences is left out of the questions to a variation, but for one family in six."""


@cache
def referee_of(ruleset: Ruleset) -> Referee:
    """Return the one referee of *ruleset*: compiling it takes as long as some questions."""
    return Referee(ruleset)


def judge_all(ruleset: Ruleset, family: str, questions: int) -> None:
    """Judge *questions* of *family*, and see that few were too large for the checker."""
    referee = referee_of(ruleset)
    for seed in range(FIRST, FIRST + questions):
        referee.judge(family, seed)
    few_were_left_out(referee)


def few_were_left_out(referee: Referee) -> None:
    """Fail if many questions were too large for the checker."""
    assert 3 * referee.counts["left out"] <= referee.counts["questions"] + 3


@pytest.mark.parametrize("ruleset", played_alike(), ids=lambda ruleset: ruleset.name)
class TestEveryRuleset:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_agrees_with_the_checker_on_made_positions(self, ruleset: Ruleset, family: str) -> None:
        """
        Engine and checker say the same of every state from a throw to the end of the play.
        """
        judge_all(ruleset, family, ASKED)

    def test_agrees_with_the_checker_in_random_games(self, ruleset: Ruleset) -> None:
        """
        Engine and checker say the same of states that random games of 2, 3 and 4 seats meet.
        """
        judge_all(ruleset, RANDOM, 10 * ASKED)

    def test_ranks_as_the_checker_does(self, ruleset: Ruleset) -> None:
        """
        The winner is first, then pawns at home count, then squares to go; lost seats come last.
        """
        referee = referee_of(ruleset)
        for seed in range(FIRST, FIRST + 10 * ASKED):
            random = Random(seed)
            state, _ = random_game(referee.engine, seed)
            seats = [seat for seat in range(4) if state.position[seat] is not None]
            lost = random.sample(seats, random.randrange(len(seats)))
            a, b, c, d = (None if seat in lost else state.position[seat] for seat in range(4))
            winner = random.choice([None, *(seat for seat in seats if seat not in lost)])

            places = referee.engine.places((a, b, c, d), winner, lost)

            expected = referee.checker.places((a, b, c, d), winner, lost)
            assert places == expected, f"seed {seed}: {state}, winner {winner}, lost {lost}"

    def test_begins_as_the_checker_does(self, ruleset: Ruleset) -> None:
        """
        So many pawns begin on the entry as the ruleset says.
        """
        referee = referee_of(ruleset)
        for seed in range(10):
            random = Random(seed)
            seats = seats_for(ruleset, random)
            seat = random.choice(seats)

            assert referee.engine.start(seats, seat) == referee.checker.start(seats, seat)


@pytest.mark.parametrize("ruleset", VARIATIONS, ids=lambda ruleset: ruleset.name)
def test_variation_agrees_with_the_checker(ruleset: Ruleset) -> None:
    """
    A ruleset that differs in one field is played by that field, whatever the others are.
    """
    questions = max(ASKED // 4, 1)
    number = VARIATIONS.index(ruleset)
    first = FIRST + (DRAW * len(VARIATIONS) + number) * questions
    referee = Referee(ruleset)
    families = *FAMILIES, RANDOM, *list(SHORTCUTS)[(number + DRAW) % 3 :: 3]
    for turn, family in enumerate(families, start=number + DRAW):
        referee.checker.most = CHEAP if turn % 6 else MOST
        for seed in range(first, first + questions):
            referee.judge(family, seed)
    few_were_left_out(referee)


def test_every_value_is_tried() -> None:
    """
    A new value of a field that decides over a game comes with its questions.
    """
    missing = {
        field: {value for value in values_of(kind) if all(getattr(r, field) != value for r in ALL.values())}
        for field, kind in kinds().items()
        if field not in RANGES and not field.startswith("first_player")
    }

    assert not any(missing.values()), missing


def values_of(kind: object) -> Iterable[object]:
    """Return all values that a field of *kind* can have."""
    if kind is Board:
        return BOARDS.values()
    if kind is bool:
        return (False, True)
    assert isinstance(kind, type)
    assert issubclass(kind, Enum)
    return kind


class TestQuestions:
    """The questions are worth asking: in them the rules do what they are there for."""

    @pytest.mark.parametrize("name", EXPECTED)
    def test_make_every_rule_bite(self, name: str) -> None:
        """
        Each rule of section 5 forbids something in some question, each excuse excuses something.
        """
        checker = Checker(EVERY[name], 500)
        missing = Counter(dict.fromkeys(EXPECTED[name], 0))
        for _, _, states in plays_asked(checker, 60):
            for state, _ in states:
                missing.update(bite for bite in bites(checker, state) if bite in missing)
            if 0 not in missing.values():
                return
        assert 0 not in missing.values(), missing

    @pytest.mark.parametrize("field", [*DECISIVE, *TURNS])
    def test_tell_every_value_of_a_field_from_the_others(self, field: str) -> None:
        """
        To some question a ruleset with another value in one field has another answer.
        """
        for base in bases(field):
            for changed in variations(base, field):
                assert differ_somewhere(Checker(base, 500), Checker(changed, 500)), changed.name


def plays_asked(checker: Checker, each: int) -> Iterator[tuple[State, Dice, list[tuple[State, list[Moves]]]]]:
    """Yield *each* questions of every family that are not too large: state, dice, and the play walked."""
    for seed in range(each):
        for family in FAMILIES:
            before, dice = made_question(checker.rules, family, seed)
            try:
                yield before, dice, list(walk(checker, before, dice, seed))
            except TooMany:
                continue


def differ_somewhere(one: Checker, other: Checker) -> bool:
    """Return whether the two answer some throw with other positions, or end a play otherwise."""
    for seed in range(100):
        for family in FAMILIES:
            before, dice = made_question(one.rules, family, seed)
            try:
                if answer(one, before, dice) != answer(other, before, dice):
                    return True
                if seed % 4 == 0:
                    end = [state for state, _ in walk(one, before, dice, seed)][-1:]
                    if any(one.play_over(state) != other.play_over(state) for state in end):
                        return True
            except TooMany:
                continue
    return False


def answer(checker: Checker, before: State, dice: Dice) -> tuple[State, set[object]]:
    """Return the state after *dice*, and the ends of all plays."""
    thrown = checker.throw(before, dice)
    plays = checker.plays(thrown) if thrown.dice else []
    return thrown, {moves[-1].after.key for moves in plays if moves}
