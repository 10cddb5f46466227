"""
Find what pins every field of every ruleset, and write it down: `make pins`, or `python -m tests.rules.pin`.

Knows: how to look for a question to which another value has another answer, and how to make it small.
Does not know: what is asked and compared (`pinning.py`).

What is kept already stays as long as it shows what it is kept for. A question that is found for one
ruleset is tried on the others first, so that one position tells of as many as it can.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from referee.rules.notation import position_text
from referee.rules.state import State
from tests.oracle.checker import TooMany
from tests.oracle.judging import made_question
from tests.rules.pinned_page import PAGE, page
from tests.rules.pinning import (
    STILL,
    WITNESSES,
    Answer,
    Case,
    Question,
    cases,
    compiled,
    offered_in,
    shown,
    silence_of,
    witnesses,
)
from tests.rules.positions import FAMILIES

SEEDS = 150
"""So many questions of each family are tried before a case is given up."""


def found_in_families(case: Case, seeds: int = SEEDS) -> Question | None:
    """Return the first made question that shows *case*, None if none does."""
    return next((q for q in made(case, seeds) if shows(case, q)), None)


def made(case: Case, seeds: int) -> Iterator[Question]:
    """Yield *seeds* questions of every family, each with the steps of a play walked at random."""
    for seed in range(seeds):
        for family in FAMILIES:
            before, dice = made_question(case.right, family, seed)
            yield played(case, before, dice, Random(seed))


def played(case: Case, before: State, dice: tuple[int, ...], random: Random) -> Question:
    """Return the question after *dice*, with legal steps to the end, asked of seat 0."""
    rules = compiled(case.right)
    before = turned(before)
    question = Question(
        position=position_text(rules.board, before.position, before.arrived),
        seat=before.seat,
        repeats=before.repeats,
        last_moved=before.last_moved,
        throw=dice,
    )
    state, won, steps = rules.throw(before, dice).state, False, []
    while state.dice and not won and (offered := offered_in(rules, state)):
        steps.append(random.choice(list(offered)))
        state, _, _, won = rules.apply(state, offered[steps[-1]])
    return replace(question, steps=tuple(steps))


def turned(state: State) -> State:
    """Return *state* with the table turned until seat 0 is to move."""
    by = state.seat
    a, b, c, d = (state.position[(seat + by) % 4] for seat in range(4))
    arrived = state.arrived >> 4 * by | (state.arrived << 4 * (4 - by)) & 0xFFFF
    return state._replace(position=(a, b, c, d), seat=0, arrived=arrived)


def shows(case: Case, question: Question) -> tuple[Answer, Answer] | None:
    """Return what `shown` does, None where the checker has too much to do."""
    try:
        return shown(case, question)
    except TooMany:
        return None


def made_small(case: Case, question: Question) -> Question:
    """Return a question that shows *case* too, with as few steps and pawns as can be."""
    smaller = True
    while smaller:
        smaller = False
        for simpler in simplifications(question):
            if simpler != question and shows(case, simpler):
                question, smaller = simpler, True
                break
    return question


def simplifications(question: Question) -> Iterator[Question]:
    """Yield questions that are simpler than *question*, the boldest first."""
    for steps in range(len(question.steps)):
        yield replace(question, steps=question.steps[:steps])
    if question.repeats:
        yield replace(question, repeats=0, last_moved=None)
    if question.last_moved is not None:
        yield replace(question, last_moved=None)
    groups = [group.replace("+", "") for group in question.position.split("/")]
    for position in simpler_positions(groups, question.seat):
        yield replace(question, position=position)


def simpler_positions(groups: list[str], seat: int) -> Iterator[str]:
    """Yield positions with fewer seats, then with pawns taken off the ring."""
    yield "/".join(groups)
    for other, group in enumerate(groups):
        if other != seat and group != "-" and groups.count("-") < 2:
            yield "/".join(("-" if n == other else g) for n, g in enumerate(groups))
    for other, group in enumerate(groups):
        pawns = group.split(",")
        if other == seat and pawns.count("H") == len(pawns) - 1:
            continue  # with all pawns home the game is over
        for pawn, square in enumerate(pawns):
            rest = ("H", "N") if other == seat else ("N",)
            for simple in rest[: rest.index(square)] if square in rest else rest:
                less = [*pawns[:pawn], simple, *pawns[pawn + 1 :]]
                yield "/".join((",".join(less) if n == other else g) for n, g in enumerate(groups))


def pinned() -> tuple[dict[Case, Question], list[Case]]:
    """Return a question for each case that should have one, and the cases for which none was found."""
    kept = witnesses() if WITNESSES.exists() else {}
    pools: dict[str, list[Question]] = {}
    for case, question in kept.items():
        pools.setdefault(case.field, []).append(question)
    found: dict[Case, Question] = {}
    missing: list[Case] = []
    for case in cases():
        if silence_of(case):
            continue
        pool = pools.setdefault(case.field, [])
        at_hand = [kept[case]] if case in kept else [*STILL, *pool]
        known = next((question for question in at_hand if shows(case, question)), None)
        if known:
            found[case] = known
        elif large := found_in_families(case):
            found[case] = made_small(case, large)
            pool.append(found[case])
        else:
            print("nothing shows", *case, flush=True)
            missing.append(case)
    return found, missing


def write(found: dict[Case, Question]) -> None:
    """Write the witnesses, a line for each question about a field."""
    lines: dict[tuple[str, Question], dict[str, list[str]]] = {}
    for case, question in found.items():
        lines.setdefault((case.field, question), {}).setdefault(case.ruleset, []).append(case.value)
    texts = [
        json.dumps({"field": field} | question.as_json() | {"shows": names})
        for (field, question), names in lines.items()
    ]
    WITNESSES.write_text("\n".join(texts) + "\n")


def main() -> int:
    """Write the witnesses and the page made of them; return 1 if a case has none."""
    found, missing = pinned()
    write(found)
    PAGE.write_text(page(witnesses()))
    print(f"{len(found)} cases by {len(set(found.values()))} questions, {len(missing)} without")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
