"""
How many decisions a second the rules engine carries through, beside the backgammon of OpenSpiel.

    python -m benchmarks.engine [--seconds N]

A decision is what a referee does with one answer: find the legal steps, choose one at random, make sure
that it is among them, carry it out, and keep it in a list; throws and ends of turns are included. The
yardstick plays its games at random too, driven from Python, its moves found and carried out in C++.
It is installed by the extra `bench`.
"""

import argparse
import gc
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from time import process_time

from benchmarks._timing import Contender, compare, table
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.ruleset import Teams
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.state import State, Step

YARDSTICK = "OpenSpiel backgammon"
LIKE_ANOTHER = "winning_moves_highest"
"""Differs from another ruleset in who begins only."""

WANTED = {("winning_moves", 2): 1.5}
"""What the ratio should be at least, by ruleset and seats; 1.0 elsewhere."""


def cases() -> list[tuple[str, Sequence[int]]]:
    """Return the rulesets and seats to be measured: two seats, all four for teams, and both for some."""
    found: list[tuple[str, Sequence[int]]] = []
    for name, each in RULESETS.items():
        teams = each.teams is not Teams.NONE
        if name != LIKE_ANOTHER:
            found.append((name, SEATS if teams else SEATS[::2]))
        if name in ("winning_moves", "racket"):
            found.append((name, SEATS))
    return found


def games(rules: Rules, seats: Sequence[int], seed: int) -> Contender:
    """Return what plays one more game at random, and counts its decisions."""
    chance = random.Random(seed).random
    one = rules.ruleset.dice == 1

    def play() -> int:
        state = rules.start(seats, seats[0])
        history: list[Step] = []
        while True:
            die = int(chance() * 6) + 1
            state, third, _ = rules.throw(state, (die,) if one else (die, int(chance() * 6) + 1))
            if third:
                continue
            while steps := rules.steps(state):
                step = steps[int(chance() * len(steps))]
                if step not in steps:
                    raise AssertionError(step)
                history.append(step)
                state, _, _, won = rules.apply(state, step)
                if won:
                    return len(history)
            state = rules.play_over(state)

    return play


def yardstick(seed: int) -> Contender | None:
    """Return what plays one more game of backgammon, and counts its decisions; None without OpenSpiel."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon")
    chance = random.Random(seed).random

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(chance() * len(actions))])
        return decisions

    return play


def moments(rules: Rules, seats: Sequence[int], seed: int, count: int) -> list[State]:
    """Return *count* states, each just after a throw, from games played at random."""
    chance = random.Random(seed).random
    found: list[State] = []
    state = rules.start(seats, seats[0])
    while len(found) < count:
        state, third, _ = rules.throw(state, tuple(int(chance() * 6) + 1 for _ in range(rules.ruleset.dice)))
        if third:
            continue
        found.append(state)
        while steps := rules.steps(state):
            state, _, _, won = rules.apply(state, steps[int(chance() * len(steps))])
            if won:
                state = rules.start(seats, seats[0])
                break
        else:
            state = rules.play_over(state)
    return found


def slowest(call: Callable[[State], object], states: Sequence[State]) -> list[float]:
    """Return the median, the 999th of 1,000 and the longest time of *call*, in microseconds."""
    times = []
    for state in states:
        tries = []
        for _ in range(2):
            begun = process_time()
            call(state)
            tries.append((process_time() - begun) * 1e6)
        times.append(min(tries))
    times.sort()
    return [times[len(times) // 2], times[len(times) * 999 // 1000], times[-1]]


def main() -> None:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seconds", type=float, default=6, help="processor time for each contender (default 6)"
    )
    seconds = parser.parse_args().seconds

    chosen = cases()
    compiled = {name: Rules(ruleset(name)) for name, _ in chosen}
    gc.collect()
    gc.freeze()  # as a referee does: the tables of so many rulesets are not to be looked through again
    contenders = {f"{name}, {len(seats)} seats": games(compiled[name], seats, 1) for name, seats in chosen}
    peer = yardstick(1)
    if peer is None:
        print("OpenSpiel is not installed, so there is nothing to compare with: pip install -e '.[bench]'\n")
    else:
        contenders = {YARDSTICK: peer, **contenders}
    measured = compare(contenders, seconds, rounds=12, yardstick=YARDSTICK if peer else None)
    print("Decisions a second of processor time, one core, median of 12 rounds in turns:\n")
    wanted = {f"{name}, {seats} seats": least for (name, seats), least in WANTED.items()}
    rows = []
    for name, m in measured.items():
        least = wanted.get(name, 1.0)
        ratio = "-" if m.ratio is None else f"{m.ratio:.2f}"
        told = "" if m.ratio is None else "met" if round(m.ratio, 2) >= least else "missed"
        rows.append([name, f"{m.rate:,.0f}", ratio, f"{least:.1f}", told])
    print(table(["contender", "decisions/s", "x OpenSpiel", "wanted", ""], rows))

    print("\nOne call just after a throw, in microseconds:\n")
    rows = []
    for name, seats in chosen:
        rules = compiled[name]
        states = moments(rules, seats, 2, int(2000 * seconds))
        for label, call, some in (
            ("steps", rules.steps, states),
            ("plays", rules.plays, states[: len(states) // 10]),
        ):
            rows.append([f"{label}, {name}, {len(seats)} seats", *(f"{t:,.0f}" for t in slowest(call, some))])
    print(table(["call", "median", "99.9 %", "longest"], rows))


if __name__ == "__main__":
    main()
