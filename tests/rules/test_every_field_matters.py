"""
Every field of every ruleset matters: with another value the engine gives another answer somewhere.

Knows: cases, their witnesses (`pinned.jsonl`), and where another value cannot show.
Does not know: how witnesses are found. `make pins` finds those that are missing, and
writes the page `docs/rulesets-pinned.md`.
"""

import pytest

from referee.rules.ruleset import kinds
from referee.rules.rulesets import RULESETS
from tests.rules.pin import made, shows
from tests.rules.pinned_page import PAGE, page
from tests.rules.pinning import (
    BEGINNING,
    SILENCES,
    STILL,
    Case,
    Silence,
    asked_of_checker,
    asked_of_engine,
    cases,
    checker_of,
    compiled,
    every_case,
    played_alike,
    refusal,
    rulesets_for,
    shown,
    silence_of,
    witnesses,
)

WITNESSES = witnesses()
CASES = cases()
SILENT = [case for case in CASES if silence_of(case)]

TRIED = 2
"""So many questions of each family are tried on a case that cannot show."""


def named(case: Case) -> str:
    """Return the name of a case's test."""
    return "-".join(case)


@pytest.mark.parametrize("case", [case for case in CASES if not silence_of(case)], ids=named)
def test_another_value_has_another_answer(case: Case) -> None:
    """
    To the witness of the case the engine answers as the checker does, and otherwise with another value.
    """
    assert case in WITNESSES, "it has no witness: make pins looks for one"
    question = WITNESSES[case]

    right = asked_of_engine(question, compiled(case.right))

    assert right == asked_of_checker(question, checker_of(case.right))
    assert shown(case, question), f"{question} shows it no longer: make pins looks for another"


@pytest.mark.parametrize("case", SILENT, ids=named)
def test_a_value_that_cannot_show_is_shown_by_nothing(case: Case) -> None:
    """
    No question that is tried tells the value from the right one: neither those made, nor other witnesses.
    """
    others = {question for other, question in WITNESSES.items() if other.field == case.field}
    for question in (*STILL, *others, *made(case, TRIED)):
        assert not shows(case, question), question


def test_every_case_has_a_witness_or_a_reason() -> None:
    """
    Nothing is kept that is not asked for, nor both kept and called silent.
    """
    assert {case for case in CASES if not silence_of(case)} == WITNESSES.keys()


@pytest.mark.parametrize("silence", SILENCES, ids=lambda silence: silence.why)
def test_a_reason_for_silence_is_about_cases(silence: Silence) -> None:
    """
    Where a ruleset changes, a reason may lose what it was about.
    """
    assert any(silence.why == silence_of(case) for case in SILENT if case.field == silence.field)


def test_rulesets_are_folded_only_if_they_are_played_alike() -> None:
    """
    For every field each ruleset is tried, or one that differs from it only in how a game begins.
    """
    for field in kinds():
        tried = rulesets_for(field)
        alike = {name for one in tried for name in ([one] if field in BEGINNING else played_alike(one))}
        assert alike == set(RULESETS), field


def test_what_is_refused_is_no_case() -> None:
    """
    A value that cannot be played with the other fields is left out, and no other.
    """
    refused = {case for case in every_case() if refusal(case)}

    assert {*CASES} | refused == {*every_case()}


def test_page_is_what_the_rulesets_and_the_witnesses_say() -> None:
    """
    `make pins` writes it anew.
    """
    assert PAGE.read_text() == page(WITNESSES)
