"""
How many questions a second `referee plays --json` answers, through its standard input and output.

    python -m benchmarks.plays [--seconds N]

The questions are of games of two (of teams: four) that are played at random, each as the dice have just
fallen. They are asked twice: for the legal steps with all plays and their positions, and for the steps
alone. The process has answered some before the clock runs, and is asked as fast as it reads. 2,000 a
second are wanted.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Final

from benchmarks._timing import table
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.notation import state_text
from referee.rules.ruleset import Teams
from referee.rules.rulesets import RULESETS

COMMAND: Final = (sys.executable, "-m", "referee", "plays", "--json")
TWO: Final = (0, 2)
WARM: Final = 200
"""So many questions are answered before the clock runs."""

ROUNDS: Final = 3
WANTED: Final = 2000


def questions(rules: Rules, seed: int) -> Iterator[dict[str, object]]:
    """Yield questions from games played at random, without an end."""
    chance = random.Random(seed).random
    seats = TWO if rules.ruleset.teams is Teams.NONE else SEATS
    state = rules.start(seats, seats[0])
    while True:
        dice = [int(chance() * 6) + 1 for _ in range(rules.ruleset.dice)]
        yield {"rules": rules.ruleset.name, **state_text(rules.ruleset, state), "throw": dice}
        state, third, _ = rules.throw(state, dice)
        if third:
            continue
        while steps := rules.steps(state):
            state, _, _, won = rules.apply(state, steps[int(chance() * len(steps))])
            if won:
                state = rules.start(seats, seats[0])
                break
        else:
            state = rules.play_over(state)


def rate(process: "subprocess.Popen[bytes]", lines: Sequence[bytes]) -> float:
    """Return how many of *lines* a *process* that runs already answers in a second."""
    assert process.stdin is not None
    assert process.stdout is not None
    begun = perf_counter()
    asking = Thread(target=_ask, args=(process.stdin.fileno(), b"".join(lines)))
    asking.start()
    for line in islice(process.stdout, len(lines)):
        if b'"error"' in line:
            raise AssertionError(line)
    spent = perf_counter() - begun
    asking.join()
    return len(lines) / spent


def _ask(pipe: int, text: bytes) -> None:
    while text:
        text = text[os.write(pipe, text) :]


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1, help="about so long for each rate (default 1)")
    count = WARM + int(parser.parse_args().seconds * WANTED / ROUNDS)
    rows = []
    for name, ruleset in RULESETS.items():
        asked = list(islice(questions(Rules(ruleset), 1), count))
        kinds = [[_line(question | more) for question in asked] for more in ({}, {"plays": False})]
        with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for lines in kinds:
                rate(process, lines[:WARM])
            rounds = [[rate(process, lines[WARM:]) for lines in kinds] for _ in range(ROUNDS)]
            process.communicate()
        rates = [median(found) for found in zip(*rounds, strict=True)]
        rows.append([name, *(f"{found:,.0f}" for found in rates), f"{rates[0] / WANTED:.2f}"])
    print(f"Lines a second, one process, median of {ROUNDS} rounds:\n")
    print(table(["ruleset", "with plays", "steps alone", f"with plays / {WANTED:,}"], rows))


def _line(question: dict[str, object]) -> bytes:
    return f"{json.dumps(question)}\n".encode()


if __name__ == "__main__":
    main()
