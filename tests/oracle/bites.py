"""
What the rules do in a state, in words: to see that questions are worth asking.

Knows: each rule of section 5 and each excuse, what is special in section 4, and how to tell from the
checker's work that it had something to say.
Does not know: the engine.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    EntryCapture,
    Pairs,
    Partner,
    Ruleset,
    SingleNumber,
    SquareLimit,
)
from referee.rules.state import BROUGHT_HOME, GAVE_UP, State
from tests.oracle.checker import Checker
from tests.oracle.filters import ends_the_game, must_open_pawns, numbers_used, pawns_moved, uses
from tests.oracle.possible import Move, Moves, first_steps
from tests.oracle.squares import place_of
from tests.oracle.support import variation

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
    "racket bonus_timing=at_once": {
        "same_pair drops a step",
        "timing: a bonus comes before the next number",
        "timing: a bonus that cannot be used is lost with the next number",
    },
    "racket capture_bonus=3 bonus_timing=at_once": {
        "timing: a bonus that would break a rule does not hold a number back",
    },
    "racket use=maximal": {"use drops a step", "use: a win need not use the most"},
    "racket must_enter=when_possible": {"must_enter drops a step"},
    "racket must_enter=most": {"must_enter drops a step"},
    "racket fourteen=all_or_nothing": {"fourteen drops a step", "fourteen: nothing moves"},
    "racket doublet_home=with_fourteen": {
        "doublet_home drops a step",
        "doublet_home: a number of a doublet brings a pawn home",
        "doublet_home: a pawn came home before",
        "use: what would break a rule is excused",
    },
    "racket doublet_home=whole_fourteen": {
        "doublet_home drops a step",
        "doublet_home: a number of a doublet brings a pawn home",
        "use: what would break a rule is excused",
    },
    "racket single_number=larger": {"single_number drops a step"},
    "racket capture_bonus=19 single_number=larger": {"single_number: a win is kept"},
    "racket must_open=on_doublet": {
        "must_open drops a step",
        "must_open: no pair can",
        "must_open: a pair has been opened",
    },
    "racket second_lap=True": {"second_lap: two ways", "second_lap allows a step"},
    "racket double_one_breaks=True": {
        "double_one_breaks: captures a pair",
        "double_one_breaks allows a step",
    },
    "winning_moves capture=none": {"capture forbids a step"},
    "winning_moves capture=passing": {"capture: in passing", "capture: several"},
    "winning_moves entry_capture=when_full": {
        "entry_capture allows a step",
        "entry_capture: one of 2 is captured",
    },
    "pahrcheesi": {
        "capture: in passing",
        "capture: several",
        "safe_sharing allows a step",
        "square_limit allows a step",
        "same_pair drops a step",
        "entry_capture: one of 1 is captured",
        "three stand together on a square of the ring",
    },
    "selchow_righter": {
        "must_enter drops a step",
        "doublet_home drops a step",
        "fourteen drops a step",
        "use drops a step",
    },
    "hasbro": {
        "single_number drops a step",
        "second_lap: two ways",
        "double_one_breaks: captures a pair",
        "extra_throw_if: numbers are given up for a bonus",
    },
    "pressman": {"doublet_home drops a step", "single_number drops a step", "fourteen: nothing moves"},
    "pressman_gentle": {"capture forbids a step"},
    "pressman_teams": {"partner allows a step", "partner forbids a step"},
    "pressman_teams team_win=both_members": {
        "team_win: a seat moves its partner's pawns",
        "team_win: a seat finishes and the game goes on",
        "partner allows a step",
    },
    "casual_classic": {
        "six_counts_seven",
        "must_open drops a step",
        "must_open: no pair can",
        "must_enter drops a step",
        "entry_capture allows a step",
        "entry_capture: one of 2 is captured",
        "safe_sharing allows a step",
        "a bonus is lost",
    },
    "casual_super": {
        "same_pair drops a step",
        "must_open drops a step",
        "must_open: no pair can",
        "must_open: a pair has been opened",
        "must_enter drops a step",
        "entry_capture allows a step",
        "entry_capture: one of 2 is captured",
        "safe_sharing allows a step",
        "lane_pairs_block allows a step",
        "timing: a bonus comes before the next number",
        "timing: a bonus that cannot be used is lost with the next number",
        "a bonus is lost",
    },
    "casual_super_mixed": {"pairs forbids a step"},
    "casual_classic_mixed": {"pairs forbids a step"},
}
"""What must be met, by the name of the ruleset or of its variation."""


def bites(checker: Checker, state: State) -> set[str]:
    """Return what the rules did in *state*, in words."""
    stages = checker.stages(state)
    moves = checker.possible(state)
    found = {*by_section_4(checker, state, moves), *by_bonus_timing(checker, state, moves, stages[0][1])}
    found |= set(by_state(checker, state))
    for (_, before), (name, after) in pairwise(stages):
        if first_steps(before) != first_steps(after):
            found.add(f"{name} drops a step")
    by_name = dict(stages)
    kept, eligible = by_name["single_number"], by_name["must_open"]
    numbers = [move for move in moves if move.bonus is None]
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
    if kept == [()] and state.bonuses and not moves:
        found.add("a bonus is lost")
    by_doublet = [m for m in first_moves(kept) if m.bonus is None and len(set(state.dice)) == 1]
    if any(move.reaches_home for move in by_doublet):
        found.add("doublet_home: a number of a doublet brings a pawn home")
    pairs = must_open_pawns(checker, checker.moment(state))
    if pairs & pawns_moved(state.past):
        found.add("must_open: a pair has been opened")
    elif pairs and numbers and not any(m.bonus is None and m.step.pawn in pairs for s in eligible for m in s):
        found.add("must_open: no pair can")
    if keeps_a_win(checker, state, kept):
        found.add("single_number: a win is kept")
    return found


def keeps_a_win(checker: Checker, state: State, kept: list[Moves]) -> bool:
    """Return whether rule 7 asks for the larger number, and a win without it is *kept*."""
    if checker.rules.single_number is SingleNumber.EITHER or len(set(state.numbers)) != 2:
        return False
    larger = max(state.numbers)
    return (
        all(numbers_used(sequence) < 2 for sequence in kept)
        and any(uses(sequence, larger) for sequence in kept)
        and any(ends_the_game(sequence) and not uses(sequence, larger) for sequence in kept)
    )


def first_moves(sequences: list[Moves]) -> list[Move]:
    """Return the moves with which *sequences* begin."""
    return [moves[0] for moves in sequences if moves]


def by_bonus_timing(
    checker: Checker, state: State, moves: list[Move], sequences: list[Moves]
) -> Iterator[str]:
    """Yield what `bonus_timing` did with the possible *moves*, of which *sequences* were made."""
    timing = checker.rules.bonus_timing
    begins_with_number = any(move.bonus is None for move in first_moves(sequences))
    begins_with_bonus = any(move.bonus is not None for move in first_moves(sequences))
    number = any(move.bonus is None for move in moves)
    bonus = any(move.bonus is not None for move in moves)
    if bonus and not begins_with_bonus:
        yield "timing: a bonus waits for the numbers"
    if number and not begins_with_number:
        yield "timing: a bonus comes before the next number"
    if timing is BonusTiming.AT_ONCE:
        if state.bonuses and begins_with_number and not bonus:
            yield "timing: a bonus that cannot be used is lost with the next number"
        if bonus and begins_with_number:
            yield "timing: a bonus that would break a rule does not hold a number back"
    if timing is BonusTiming.AFTER_NUMBERS and begins_with_bonus and begins_with_number:
        yield "timing: a number that would break a rule does not hold a bonus back"


def by_state(checker: Checker, state: State) -> Iterator[str]:
    """Yield what the state tells by itself."""
    if state.numbers == (7,):
        yield "six_counts_seven"
    if state.past & GAVE_UP:
        yield "extra_throw_if: numbers are given up for a bonus"
    if state.past & BROUGHT_HOME and state.numbers:
        yield "doublet_home: a pawn came home before"
    if checker.hand(state.position, state.seat) != state.seat:
        yield "team_win: a seat moves its partner's pawns"


NEUTRAL = {
    "capture": Capture.LANDING,
    "entry_capture": EntryCapture.ALONE,
    "safe_sharing": False,
    "square_limit": SquareLimit.TWO,
    "pairs": Pairs.SAME_COLOUR,
    "lane_pairs_block": True,
    "second_lap": False,
    "double_one_breaks": False,
    "partner": Partner.CAPTURE,
}
"""The value of each field of section 4 with which the others are compared."""

NEEDS = {"safe_sharing": ("square_limit", "pairs")}
"""The fields that have no meaning without another: they are neutral where it is."""


def by_section_4(checker: Checker, state: State, moves: list[Move]) -> Iterator[str]:
    """Yield what is special about the possible *moves*, and which field makes them so."""
    here = {move.step for move in moves}
    for field, value in NEUTRAL.items():
        if getattr(checker.rules, field) != value:
            there = {move.step for move in possible_with(checker.rules, field).possible(state)}
            if here - there:
                yield f"{field} allows a step"
            if there - here:
                yield f"{field} forbids a step"
    if len({(step.pawn, step.use) for step in here}) < len(here):
        yield "second_lap: two ways"
    for move in moves:
        place = place_of(move.after.men, move.man)
        there_before = move.before.men.get(place, ())
        if move.finishes and not move.wins:
            yield "team_win: a seat finishes and the game goes on"
        if any(man not in there_before for man in move.captured):
            yield "capture: in passing"
        if len(move.captured) > 1:
            yield "capture: several"
        if len(set(move.captured) & set(there_before)) == 2:
            yield "double_one_breaks: captures a pair"
        if move.enters and move.captured:
            yield f"entry_capture: one of {len(there_before)} is captured"
        if place.kind != "home" and len(move.after.men[place]) > 2:
            yield f"three stand together on a square of the {place.kind}"


@cache
def possible_with(ruleset: Ruleset, field: str) -> Checker:
    """Return a checker of *ruleset* with the neutral value in *field*."""
    return Checker(variation(ruleset, **{name: NEUTRAL[name] for name in (field, *NEEDS.get(field, ()))}))
