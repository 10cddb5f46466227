"""
Questions about the rules in the words of a sheet: a position as text, dice, and what is legal then, as text.

Knows: how the engine is asked. Does not know: what is right.

Seats that a position leaves out are: seat 2 in its nest, seats 1 and 3 absent; in teams all are there.
"""

from functools import cache

from referee.rules.engine import Rules
from referee.rules.notation import position_from_text, position_text, step_text
from referee.rules.ruleset import Ruleset, Teams
from referee.rules.rulesets import ruleset
from referee.rules.state import Applied, State

NESTS = "N,N,N,N"
"""A seat whose pawns do not matter."""


@cache
def rules_of(of: str | Ruleset) -> Rules:
    """Return a ruleset compiled, once for all tests."""
    return Rules(ruleset(of) if isinstance(of, str) else of)


def between(of: str | Ruleset, text: str, repeats: int = 0, last_moved: int | None = None) -> State:
    """Return the state in which seat 0 of the position *text* is to throw."""
    rules = rules_of(of)
    groups = text.split("/")
    groups += ["-", NESTS, "-"][len(groups) - 1 :]
    if rules.ruleset.teams is not Teams.NONE:
        groups = [NESTS if group == "-" else group for group in groups]
    position, arrived = position_from_text(rules.ruleset, "/".join(groups))
    state = State(position, 0, repeats, last_moved, arrived=arrived)
    rules.check(state)
    return state


def thrown(
    of: str | Ruleset, text: str, *dice: int, repeats: int = 0, last_moved: int | None = None
) -> State:
    """Return the state after seat 0 threw *dice*."""
    return rules_of(of).throw(between(of, text, repeats, last_moved), dice).state


def steps(of: str | Ruleset, state: State) -> set[str]:
    """Return the legal steps in *state*, as `0: 10 to 15 with 5`."""
    rules = rules_of(of)
    return {step_text(rules.ruleset, state, step) for step in rules.steps(state)}


def legal(of: str | Ruleset, text: str, *dice: int) -> set[str]:
    """Return the legal first steps after seat 0 threw *dice*."""
    return steps(of, thrown(of, text, *dice))


def taken(of: str | Ruleset, state: State, *texts: str) -> Applied:
    """Return what the last of the steps *texts* does, each of which must be legal."""
    rules = rules_of(of)
    *before, last = texts
    for text in before:
        state = taken(of, state, text).state
    offered = {step_text(rules.ruleset, state, step): step for step in rules.steps(state)}
    assert last in offered, f"{last} is not legal, but {sorted(offered)}"
    return rules.apply(state, offered[last])


def after(of: str | Ruleset, state: State, *texts: str) -> State:
    """Return the state after the steps *texts*, each of which must be legal."""
    return taken(of, state, *texts).state


def ends(of: str | Ruleset, text: str, *dice: int) -> set[str]:
    """Return what seat 0's pawns look like after each legal play, as `squares` writes them."""
    rules = rules_of(of)
    plays, cut = rules.plays(thrown(of, text, *dice))
    assert not cut
    return {squares(position_text(rules.board, play.position).split("/")[0]) for play in plays}


def squares(text: str) -> str:
    """Return the four squares of a seat with the pawns alike: in one order."""
    return ",".join(sorted(text.split(",")))


def pawns_of(of: str | Ruleset, state: State, seat: int = 0) -> str:
    """Return the four squares of *seat*."""
    return position_text(rules_of(of).board, state.position).split("/")[seat]


def numbered(pawns: str, what: str) -> set[str]:
    """Return the step *what* for each pawn whose number is in *pawns*."""
    return {f"{pawn}: {what}" for pawn in pawns}
