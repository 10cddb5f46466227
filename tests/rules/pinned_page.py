"""
The page that tells what pins each field of each ruleset, made of the rulesets and the witnesses.

Knows: how a question and its answers are told to people. Does not know: how they are found (`pin.py`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.rules.meanings import MEANINGS
from referee.rules.ruleset import kinds
from referee.rules.rulesets import RULESETS
from tests.rules.pinning import (
    BEGINNING,
    FIRST_THROWS,
    RANKED,
    SILENCES,
    Answer,
    Case,
    Question,
    asked_of_engine,
    compiled,
    every_case,
    played_alike,
    refusal,
    shown,
)

PAGE: Final = Path(__file__).parents[2] / "docs" / "rulesets-pinned.md"

INTRODUCTION: Final = """\
# What pins each field

<!-- made by `make pins`; a test fails where it is not what rulesets and witnesses say -->

For every field of a [ruleset](rulesets.md): which ruleset has which value, and a *witness* for each, a
question to which the engine gives another answer if the value is changed and all else is left, but for
fields that the other value leaves no meaning.
`tests/rules/test_every_field_matters.py` puts every one of these questions to the engine with both values,
and to a slow checker that has no code in common with it. Its tests are named
`<ruleset>-<field>-<other value>`:

```sh
pytest tests/rules/test_every_field_matters.py -k 'hasbro-single_number-either'
```

Each row of witnesses tells a position in which seat 0 is to move, the dice, and what was played of them
already; what the engine says to it in the rulesets of the last column; and what it says with other values.
That is the legal steps, what the last step did, what the throw gives, or who throws next. What several lists
of steps have in common is not named where it is long, and pawns on one square are told as one.
"""

SHORT: Final = 3
"""So many steps that both values allow are told by name."""


def page(witnesses: Mapping[Case, Question]) -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    parts += ["\n".join(section(field, witnesses)) for field in kinds()]
    return "\n".join(parts)


def section(field: str, witnesses: Mapping[Case, Question]) -> Iterator[str]:
    """Yield the lines about *field*."""
    yield from (f"## {field}", "", MEANINGS[field].decides, "")
    values: dict[str, list[str]] = {}
    for name, ruleset in RULESETS.items():
        values.setdefault(ruleset.as_text()[field], []).append(name)
    yield from ("| value | rulesets |", "| --- | --- |")
    yield from (f"| {value} | {', '.join(names)} |" for value, names in values.items())
    yield ""
    rows = witness_rows(field, witnesses)
    if rows:
        yield "| position, throw, what was played | as it is | otherwise | rulesets |"
        yield "| --- | --- | --- | --- |"
        yield from (f"| {' | '.join(row)} | {', '.join(names)} |" for row, names in rows.items())
        yield ""
    yield from silent(field)
    yield from refused(field)


Row = tuple[str, str, str]
"""A question, what is said with the right value, and what with others."""


def witness_rows(field: str, witnesses: Mapping[Case, Question]) -> dict[Row, list[str]]:
    """Return the rulesets of which a question about *field* shows the value."""
    asked: dict[tuple[Question, str], list[Case]] = {}
    for case, question in witnesses.items():
        if case.field == field:
            asked.setdefault((question, case.ruleset), []).append(case)
    rows: dict[Row, list[str]] = {}
    for (question, name), pinned in asked.items():
        for told in answers_told(question, pinned):
            rows.setdefault(told, []).extend([name] if field in BEGINNING else played_alike(name))
    return dict(sorted(rows.items(), key=lambda row: row[0][1]))


def answers_told(question: Question, pinned: Sequence[Case]) -> Iterator[Row]:
    """Yield what *question* shows of one ruleset, a row for each answer that differs from others."""
    differences: dict[int, list[tuple[Case, Answer, Answer]]] = {}
    for case in pinned:
        found = shown(case, question)
        assert found is not None, case
        after = asked_of_engine(question, compiled(case.right)).index(found[0])
        differences.setdefault(after, []).append((case, *found))
    for found_here in differences.values():
        case, right, _ = found_here[0]
        said = [right.said, *(wrong.said for _, _, wrong in found_here)]
        if right.asked == "steps":
            said = steps_told(said)
        one, *others = said
        values = [other.value for other, _, _ in found_here]
        yield (
            question_text(question, right),
            f"*{case.right.as_text()[case.field]}*: {one}",
            "<br>".join(f"*{value}*: {text}" for value, text in zip(values, others, strict=True)),
        )


def question_text(question: Question, answer: Answer) -> str:
    """Return *question* as it is told, as far as to what *answer* is about."""
    if question.about == "beginning":
        dice = ", ".join(f"{a} {b}" for a, b in FIRST_THROWS)
        return f"seats 0 to 3 throw {dice} for the beginning, with one die the first of the two"
    if question.about == "start":
        return "the board at the start"
    if question.about == "places":
        return f"`{RANKED}`, stopped: who came where"
    words = [f"`{question.position}`"]
    if question.seat:
        words.append(f"seat {question.seat}")
    if question.repeats:
        thrown = ("a doublet", "two doublets") if len(question.throw) > 1 else ("a six", "two sixes")
        words.append(f"after {thrown[question.repeats - 1]}")
    if question.last_moved is not None:
        words.append(f"pawn {question.last_moved} moved last")
    words.append(f"**{' '.join(map(str, question.throw))}**")
    words += question.steps
    return "; ".join(words)


def steps_told(said: Sequence[str]) -> list[str]:
    """Return lists of steps as they are told: by their number those that are in all, if they are many."""
    lists = [alike(text.split("; ")) for text in said]
    if any(said[0] != text and lists[0] == steps for text, steps in zip(said, lists, strict=True)):
        lists = [text.split("; ") for text in said]
    common = [step for step in lists[0] if all(step in steps for steps in lists)]
    if len(common) <= SHORT:
        return [", ".join(steps) for steps in lists]
    own = [[step for step in steps if step not in common] for steps in lists]
    return [", ".join([*steps, f"{len(common)} others"]) if steps else f"{len(common)} only" for steps in own]


def alike(steps: Iterable[str]) -> list[str]:
    """Return *steps* without the numbers of pawns, each once."""
    return list(dict.fromkeys(step.split(": ", 1)[-1] for step in steps))


def silent(field: str) -> Iterator[str]:
    """Yield in which rulesets another value of *field* cannot show, and why."""
    found = [silence for silence in SILENCES if silence.field == field]
    if found:
        yield from ("Where another value cannot show:", "")
        for silence in found:
            yield f"- {', '.join(silence.values)} in {', '.join(silence.rulesets)}: {silence.why}."
        yield ""


def refused(field: str) -> Iterator[str]:
    """Yield which cases of *field* cannot be played."""
    names: dict[str, list[str]] = {}
    for case in every_case():
        if case.field == field and refusal(case):
            names.setdefault(case.value, []).extend(
                [case.ruleset] if field in BEGINNING else played_alike(case.ruleset)
            )
    if names:
        yield from ("What is refused, for it cannot be played with the other fields:", "")
        yield from (f"- {value} in {those(rulesets)}." for value, rulesets in names.items())
        yield ""


def those(rulesets: Sequence[str]) -> str:
    """Return the names of *rulesets*, or how many dice they have if they are all that have them."""
    for dice, words in ((1, "every ruleset with one die"), (2, "every ruleset with two dice")):
        if set(rulesets) == {name for name, ruleset in RULESETS.items() if ruleset.dice == dice}:
            return words
    return ", ".join(rulesets)
