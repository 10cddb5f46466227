"""The worked cases of the rule book, section 8, for the rulesets that are played."""

from collections.abc import Sequence

import pytest

from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, step_text
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.state import State

RULES = {name: Rules(ruleset(name)) for name in RULESETS}
BOTH = ("winning_moves", "racket")


def thrown(name: str, position: str, dice: Sequence[int], repeats: int = 0) -> State:
    """Return the state after seat 0 of *position* threw *dice*."""
    rules = RULES[name]
    before = State(position_from_text(rules.ruleset, position)[0], 0, repeats)
    rules.check(before)
    return rules.throw(before, dice).state


def legal(name: str, position: str, dice: Sequence[int]) -> set[str]:
    """Return the legal first steps as text."""
    state = thrown(name, position, dice)
    return {step_text(RULES[name].board, state, step) for step in RULES[name].steps(state)}


def ends(name: str, position: str, dice: Sequence[int]) -> set[str]:
    """Return what seat 0's pawns can look like after a legal play, each as squares in ascending order."""
    rules = RULES[name]
    plays, cut = rules.plays(thrown(name, position, dice))
    assert not cut
    return {_squares(position_text(rules.board, play.position)) for play in plays}


def _squares(text: str) -> str:
    return ",".join(sorted(text.split("/", 1)[0].split(",")))


ANY_PAWN = {f"{pawn}: N to 5 with 1 and 4" for pawn in range(4)}

CASES = [
    pytest.param(
        "winning_moves",
        "N,N,N,N/-/N,N,N,N/-",
        (4, 1),
        ANY_PAWN,
        {"5,N,N,N"},
        id="1: 4 and 1 enter one pawn together, and nothing is left",
    ),
    pytest.param(
        "winning_moves",
        "N,N,N,N/-/N,N,N,N/-",
        (5, 2),
        {f"{pawn}: N to 5 with 5" for pawn in range(4)},
        {"7,N,N,N"},
        id="2: a pawn enters with the 5, then the 2 advances it",
    ),
    pytest.param(
        "winning_moves",
        "5,N,N,N/-/N,N,N,N/-",
        (5, 5),
        {f"{pawn}: N to 5 with 5" for pawn in (1, 2, 3)},
        {"10,5,N,N"},
        id="3: entering comes first, then the entry is shut and a 5 advances",
    ),
    pytest.param(
        "racket",
        "5,N,N,N/-/N,N,N,N/-",
        (5, 5),
        {"0: 5 to 10 with 5", *(f"{pawn}: N to 5 with 5" for pawn in (1, 2, 3))},
        {"10,5,N,N", "15,N,N,N"},
        id="3: nobody must enter where entering is free",
    ),
    pytest.param(
        "winning_moves",
        "10,H,H,H/-/12,N,N,N/-",
        (2, 1),
        {"0: 10 to 11 with 1"},
        {"13,H,H,H"},
        id="5: 12 is safe and held: the 1 first, then the 2",
    ),
    pytest.param(
        "racket",
        "10,H,H,H/-/12,N,N,N/-",
        (2, 1),
        {"0: 10 to 11 with 1"},
        {"13,H,H,H"},
        id="5: the same where the throw need not be used up",
    ),
    pytest.param(
        "winning_moves",
        "L6,L7,H,H/-/N,N,N,N/-",
        (1, 1),
        set(),
        set(),
        id="9: fourteen that cannot be completed: nothing moves",
    ),
    pytest.param(
        "winning_moves",
        "29,30,30,N/-/N,N,N,N/-",
        (3, 4),
        {f"{pawn}: 30 to {30 + n} with {n}" for pawn in (1, 2) for n in (3, 4)},
        None,
        id="12: a pawn cannot pass a pair of its own: one of the pair must move",
    ),
    pytest.param(
        "racket",
        "29,30,30,N/-/N,N,N,N/-",
        (3, 4),
        {f"{pawn}: 30 to {30 + n} with {n}" for pawn in (1, 2) for n in (3, 4)},
        None,
        id="12: a pair of one's own blocks in every ruleset",
    ),
    pytest.param(
        "winning_moves",
        "10,30,H,H/-/-/13,N,N,N",
        (3, 1),
        {"0: 10 to 11 with 1", "0: 10 to 13 with 3", "1: 30 to 31 with 1", "1: 30 to 33 with 3"},
        None,
        id="20: nobody must capture",
    ),
    pytest.param(
        "winning_moves",
        "5,5,N,30/-/N,N,N,N/-",
        (5, 2),
        {
            "0: 5 to 10 with 5",
            "0: 5 to 7 with 2",
            "1: 5 to 10 with 5",
            "1: 5 to 7 with 2",
            "3: 30 to 35 with 5",
            "3: 30 to 32 with 2",
        },
        None,
        id="21: the entry is shut, so the 5 may move another pawn",
    ),
]


@pytest.mark.parametrize(("name", "position", "dice", "steps", "final"), CASES)
def test_worked_case(
    name: str, position: str, dice: tuple[int, int], steps: set[str], final: set[str] | None
) -> None:
    """
    The rule book says in plain words what is legal here.
    """
    assert legal(name, position, dice) == steps
    if final is not None:
        assert ends(name, position, dice) == final


@pytest.mark.parametrize("name", BOTH)
def test_landing_on_a_single_opponent_captures_it(name: str) -> None:
    """
    4: 10 to 15 with the 5 sends the opponent home and earns 20.
    """
    rules = RULES[name]
    state = thrown(name, "10,H,H,H/-/-/15,N,N,N", (5, 1))
    step = next(step for step in rules.steps(state) if step.use == 5)

    applied = rules.apply(state, step)

    assert (applied.captured, applied.earned) == (((3, 0),), (20,))
    assert position_text(rules.board, applied.state.position) == "15,H,H,H/-/-/N,N,N,N"
    assert applied.state.bonuses == (20,)


@pytest.mark.parametrize("name", BOTH)
def test_entering_captures_an_opponent_on_the_entry(name: str) -> None:
    """
    6: the entry is safe for everybody but from the pawn that enters.
    """
    rules = RULES[name]
    state = thrown(name, "N,N,N,N/-/5,N,N,N/-", (5, 3))
    step = next(step for step in rules.steps(state) if step.use == 5)

    applied = rules.apply(state, step)

    assert (applied.captured, applied.earned) == (((2, 0),), (20,))


@pytest.mark.parametrize("name", BOTH)
def test_third_doublet_returns_the_pawn_nearest_home(name: str) -> None:
    """
    17: L3 returns to the nest, the turn ends, nothing else moves; pawns at home have left the race.
    """
    rules = RULES[name]
    before = State(position_from_text(rules.ruleset, "20,L3,H,N/-/N,N,N,N/-")[0], 0, 2)

    thrown_third = rules.throw(before, (4, 4))

    assert (thrown_third.third, thrown_third.returned) == (True, 1)
    assert position_text(rules.board, thrown_third.state.position) == "20,N,H,N/-/N,N,N,N/-"
    assert (thrown_third.state.seat, thrown_third.state.repeats, thrown_third.state.dice) == (2, 0, ())


def test_a_bonus_may_end_the_game_before_the_other_number() -> None:
    """
    19: L6 home with the 2, then 66 home with the bonus of 10; the 3 is void.
    """
    rules = RULES["racket"]
    state = thrown("racket", "66,L6,H,H/-/N,N,N,N/-", (2, 3))
    home = next(step for step in rules.steps(state) if step.pawn == 1 and step.use == 2)
    after = rules.apply(state, home).state
    bonus = next(step for step in rules.steps(after) if step.use == 110)

    applied = rules.apply(after, bonus)

    assert applied.won
    assert rules.steps(applied.state) == ()


def test_pawns_at_home_count_as_out_for_the_opposite_faces() -> None:
    """
    A doublet gives four numbers when no pawn is in its nest, home ones included.
    """
    assert thrown("winning_moves", "20,40,H,H/-/N,N,N,N/-", (2, 2)).numbers == (2, 2, 5, 5)
    assert thrown("winning_moves", "20,40,H,N/-/N,N,N,N/-", (2, 2)).numbers == (2, 2)


def test_forfeited_fourteen_still_throws_again() -> None:
    """
    9: the seat throws again although nothing could be played.
    """
    rules = RULES["winning_moves"]
    state = thrown("winning_moves", "L6,L7,H,H/-/N,N,N,N/-", (1, 1))

    after = rules.play_over(state)

    assert (after.seat, after.repeats, after.dice) == (0, 1, ())
