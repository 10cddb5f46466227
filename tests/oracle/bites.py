"""
What the rules of section 5 do in a state, in words: to see that questions are worth asking.

Knows: each rule, each excuse, and how to tell from the checker's work that it had something to say.
Does not know: the engine.
"""

from itertools import pairwise

from referee.rules.state import State
from tests.oracle.checker import Checker
from tests.oracle.filters import numbers_used
from tests.oracle.possible import first_steps

EXPECTED = {
    "winning_moves": {
        "same_pair drops a step",
        "fourteen drops a step",
        "fourteen: nothing moves",
        "must_enter drops a step",
        "use drops a step",
        "use: the seat may not stop",
        "use: what would break a rule is excused",
        "use: a win need not use the most",
        "timing: a bonus waits for the numbers",
        "timing: a number that would break a rule does not hold a bonus back",
        "a bonus is lost",
    },
    "racket": {
        "same_pair drops a step",
        "use: the seat may not stop",
        "use: what would break a rule is excused",
        "a bonus is lost",
    },
    "winning_moves bonus_timing=any_time": {
        "same_pair drops a step",
        "fourteen drops a step",
        "must_enter drops a step",
        "use drops a step",
        "use: the seat may not stop",
        "use: a win need not use the most",
        "a bonus is lost",
    },
    "racket bonus_timing=after_numbers": {
        "same_pair drops a step",
        "timing: a bonus waits for the numbers",
        "timing: a number that would break a rule does not hold a bonus back",
    },
    "racket use=maximal": {"use drops a step", "use: a win need not use the most"},
    "racket must_enter=when_possible": {"must_enter drops a step"},
    "racket fourteen=all_or_nothing": {"fourteen drops a step", "fourteen: nothing moves"},
}
"""What must be met, by the name of the ruleset or of its variation."""


def bites(checker: Checker, state: State) -> set[str]:
    """Return what the rules of section 5 did in *state*, in words."""
    stages = checker.stages(state)
    found = set()
    for (_, before), (name, after) in pairwise(stages):
        if first_steps(before) != first_steps(after):
            found.add(f"{name} drops a step")
    by_name = dict(stages)
    kept, eligible = by_name["single_number"], by_name["must_open"]
    moves = checker.possible(state)
    numbers = [move for move in moves if move.bonus is None]
    bonuses = [move for move in moves if move.bonus is not None]
    comes_in = any(first[0].bonus is not None for first in by_name["all"] if first)
    nothing_moves = by_name["fourteen"] == [()] != by_name["doublet_home"]
    if nothing_moves:
        found.add("fourteen: nothing moves")
    if () in eligible and () not in kept:
        found.add("use: the seat may not stop")
    if () in kept and numbers and not nothing_moves:
        found.add("use: what would break a rule is excused")
    most = max((numbers_used(sequence) for sequence in eligible), default=0)
    if any(sequence and sequence[-1].wins and numbers_used(sequence) < most for sequence in kept):
        found.add("use: a win need not use the most")
    if bonuses and not comes_in:
        found.add("timing: a bonus waits for the numbers")
    if comes_in and numbers and state.numbers:
        found.add("timing: a number that would break a rule does not hold a bonus back")
    if kept == [()] and state.bonuses and not moves:
        found.add("a bonus is lost")
    return found
