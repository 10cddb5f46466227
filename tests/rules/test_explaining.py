"""Why a step is not legal: one rule is to blame, and it is named as the rule book names it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.rules.combinations import clashes
from referee.rules.explaining import OBSTACLE, RULE_NAMES, Refusal
from referee.rules.notation import square_code
from referee.rules.ruleset import DoubletHome, Fourteen, MustOpen, Ruleset, SamePair
from referee.rules.rulesets import ruleset
from referee.rules.state import State, Step
from referee.rules.striking import LIFTED
from tests.oracle.checker import RULE_NAMES as SECTION_5, Checker, TooMany
from tests.oracle.judging import ALL, made_question, walk
from tests.rules.asking import rules_of, thrown
from tests.rules.positions import FAMILIES

ROOT = Path(__file__).resolve().parents[2]


def refused(of: str | Ruleset, state: State, pawn: int, use: int, square: str) -> Refusal:
    """Return why the step is not legal."""
    refusal = rules_of(of).explain(state, Step(pawn, use, square_code(square)))
    assert refusal is not None
    return refusal


@pytest.mark.parametrize(
    ("name", "text", "dice", "step", "rule"),
    [
        pytest.param(
            "winning_moves",
            "53,H,H,H/-/33,33,60,60/-",
            (4, 4),
            (0, 4, "57"),
            "Fourteen",
            id="no play uses all four, and other plays would use more",
        ),
        pytest.param(
            "pressman",
            "L6,L7,H,H/-/N,N,N,N/-",
            (1, 1),
            (1, 1, "H"),
            "Home with a doublet",
            id="not by the whole fourteen, and there is none",
        ),
        pytest.param(
            "pressman",
            "10,L7,N,H/-/N,N,N,N/-",
            (1, 1),
            (1, 1, "H"),
            "Home with a doublet",
            id="a doublet that gives two numbers",
        ),
        pytest.param(
            "selchow_righter",
            "20,L6,N,40/-/N,N,N,N/-",
            (2, 2),
            (1, 2, "H"),
            "Home with a doublet",
            id="a fourteen that is not to be had",
        ),
        pytest.param(
            "winning_moves",
            "N,30,H,H/-/N,N,N,N/-",
            (5, 2),
            (1, 5, "35"),
            "Entering",
            id="a five that is wanted elsewhere",
        ),
    ],
)
def test_the_rule_that_strikes_first_is_named(
    name: str, text: str, dice: tuple[int, ...], step: tuple[int, int, str], rule: str
) -> None:
    """
    Whatever later rules would say of it.
    """
    refusal = refused(name, thrown(name, text, *dice), *step)

    assert refusal.rule == rule
    assert refusal.why.startswith(f"{rule}: ")


@pytest.mark.parametrize("name", ["winning_moves", "pressman", "selchow_righter", "casual_super", "racket"])
def test_every_rule_is_named_where_the_checker_finds_it(name: str) -> None:
    """
    Of each possible step that is not legal, engine and slow checker name the same rule.
    """
    given = ruleset(name)
    checker = Checker(given, 500)
    expected = {SECTION_5[stage] for stage in striking(given)}
    met: set[str | None] = set()
    for state in states_asked(checker, 12):
        for move in checker.possible(state):
            refusal = rules_of(name).explain(state, move.step)
            named = None if refusal is None else refusal.rule
            assert named == checker.struck_by(state, move.step), (state, move.step)
            met.add(named)
        if met >= expected:
            break

    assert met - {None} == expected


def striking(given: Ruleset) -> set[str]:
    """Return the stages of section 5 in which the checker can strike something out."""
    neutral = {"all": "bonus_timing"}
    return {
        stage
        for stage in SECTION_5
        if getattr(given, neutral.get(stage, stage)) != LIFTED[neutral.get(stage, stage)]
    }


def states_asked(checker: Checker, each: int) -> Iterator[State]:
    for seed in range(each):
        for family in FAMILIES:
            before, dice = made_question(checker.rules, family, seed)
            try:
                yield from [state for state, _ in walk(checker, before, dice, seed)]
            except TooMany:
                continue


MOST_FIELDS = [field for field in LIFTED if field not in ("bonus_timing", "same_pair", "doublet_home")]


@pytest.mark.parametrize("given", ALL.values(), ids=lambda given: given.name)
def test_every_mixture_that_is_asked_can_be_played(given: Ruleset) -> None:
    """
    To find the rule, later rules are lifted: what is left of a ruleset is one too.
    """
    for kept in range(len(MOST_FIELDS) + 1):
        lifted = {field: LIFTED[field] for field in MOST_FIELDS[kept:]}
        assert not list(clashes(replace(given, **lifted)))  # type: ignore[arg-type]
    free = {field: LIFTED[field] for field in ("same_pair", "doublet_home", "must_enter")}
    assert not list(clashes(replace(given, **free)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "lift",
    [
        pytest.param(lambda r: replace(r, doublet_home=DoubletHome.WITH_FOURTEEN), id="rule 2"),
        pytest.param(lambda r: replace(r, same_pair=SamePair.SECOND_STAYS), id="rule 1"),
        pytest.param(lambda r: replace(r, fourteen=Fourteen.AS_POSSIBLE), id="no rule 3"),
        pytest.param(lambda r: replace(r, must_open=MustOpen.ON_DOUBLET), id="rule 5"),
    ],
)
def test_rules_1_and_2_are_told_apart_whatever_the_bonuses_do(lift: Callable[[Ruleset], Ruleset]) -> None:
    """
    When a bonus may be used hangs on both, so lifting one of them would ask another question.
    """
    given = lift(ruleset("pressman"))
    checker = Checker(given, 500)
    rules = rules_of(given)
    for state in states_asked(checker, 1):
        for move in checker.possible(state):
            refusal = rules.explain(state, move.step)
            named = None if refusal is None else refusal.rule
            assert named == checker.struck_by(state, move.step), (state, move.step)


def test_two_numbers_are_not_left() -> None:
    """
    A five by sum is two numbers.
    """
    refusal = refused("winning_moves", thrown("winning_moves", "10,N,H,H", 3, 1), 1, 23, "5")

    assert refusal == (OBSTACLE, "2 and 3 are not left to be used; numbers: 1, 3")


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        pytest.param("docs/plays.md", r"^\| `([^`]+)` \| (?:.*)\|$", id="the page"),
        pytest.param("proto/parcheesi/v1/rules_service.proto", r"`([^`]+)`", id="the contract"),
    ],
)
def test_all_names_are_told(file: str, pattern: str) -> None:
    """
    Whoever writes a program on them finds each in the page and in the contract, and no other.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    begins, ends = {
        "docs/plays.md": ("## Why a step is not legal", "`why` is a sentence"),
        "proto/parcheesi/v1/rules_service.proto": ("// Names the rule of the rule book", "string rule = 3;"),
    }[file]
    passage = text[text.index(begins) :].partition(ends)[0]

    assert sorted(re.findall(pattern, passage, re.MULTILINE)) == sorted(RULE_NAMES)


def test_the_checker_and_the_referee_have_the_same_names() -> None:
    """
    Beside obstacles and the third throw, the names are those of section 5.
    """
    assert set(RULE_NAMES) == {OBSTACLE, "Third throw", *SECTION_5.values()}
