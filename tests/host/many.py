"""
Many games between random players: each is watched state by state, and proven from its record.

`make many` (or `python -m tests.host.many 1000`) plays so many of each ruleset and each number of seats on
two cores, prints a line for each, and stops at the first promise that is broken with the seed that breaks it.

Knows: what holds in every state of every game. Does not know: which steps are legal.
"""

import asyncio
import hashlib
import logging
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self

import structlog

from referee.dice import SeededDice, commitment
from referee.host.host import Host
from referee.host.verify import verify
from referee.match.events import By, Reason
from referee.match.match import Match
from referee.match.phases import Phase
from referee.match.setup import Setup
from referee.match.tally import Tally
from referee.record.lines import header
from referee.record.stores.file import FileStore
from referee.rules.engine import Rules
from referee.rules.notation import state_from_text, state_text
from referee.rules.rulesets import ruleset
from referee.rules.state import Step
from referee.seats.builtin import BuiltinPlayer
from tests.fakes import NAMES, TABLES, a_setup
from tests.properties import promises

CORES = 2
CHUNK = 25
"""So many games are played by a process in one go."""
LATELY = 200_000
"""The texts of so many states are remembered, to hold their steps against those of the same text."""


class Memory(dict[bytes, int]):
    """The legal steps that a text was seen with, both as digests."""

    def hold(self, text: str, steps: tuple[Step, ...]) -> None:
        """Fail if *text* was seen with other steps."""
        key = hashlib.blake2b(text.encode(), digest_size=12).digest()
        if len(self) >= LATELY:
            self.clear()
        known = self.setdefault(key, hash(steps))
        assert known == hash(steps), f"the same text, and other steps than {steps}: {text}"


class Watched(Match):
    """A match that holds every state to its promises."""

    def __init__(self, setup: Setup, rules: Rules, memory: Memory) -> None:
        self.memory = memory
        super().__init__(setup, rules)

    def thrown(self, dice: tuple[int, ...]) -> None:
        super().thrown(dice)
        self.watch()

    def step(
        self, step: Step, by: By, ask: int = 0, elapsed: int | None = None, lag: int | None = None
    ) -> None:
        super().step(step, by, ask, elapsed, lag)
        self.watch()

    def watch(self) -> None:
        """Fail where the state cannot be, or its text does not tell all of it."""
        rules, state = self.rules, self.state
        here = [seat for seat, pawns in enumerate(state.position) if pawns is not None and len(pawns) == 4]
        assert here == list(self.seats)
        if self.phase is Phase.OVER:
            return
        rules.check(state)
        promises.board_in_order(rules.ruleset, state)
        text = state_text(rules.ruleset, state)
        assert state_from_text(rules.ruleset, text) == state
        if self.phase is Phase.CHOICE:
            assert self.legal
            self.memory.hold(repr(text), self.legal)


class Figures(NamedTuple):
    """What games came to."""

    games: int = 0
    throws: int = 0
    longest: int = 0

    def plus(self, other: Self) -> "Figures":
        """Return both together."""
        return Figures(self.games + other.games, self.throws + other.throws, max(self.longest, other.longest))


async def play(rules: Rules, seats: tuple[int, ...], numbers: Iterable[int], folder: Path) -> Figures:
    """Play the games *numbers* between random players, prove each from its record, and count."""
    figures, memory = Figures(), Memory()
    async with Host() as host:
        for number in numbers:
            seed = hashlib.sha256(f"{rules.ruleset.name} {len(seats)} {number}".encode()).digest()
            try:
                throws = await _played(host, rules, seats, seed, folder / f"game-{number}.jsonl", memory)
            except BaseException as problem:
                problem.add_note(f"{rules.ruleset.name}, seats {seats}, game {number}, seed {seed.hex()}")
                raise
            figures = figures.plus(Figures(1, throws, throws))
    return figures


async def _played(
    host: Host, rules: Rules, seats: tuple[int, ...], seed: bytes, file: Path, memory: Memory
) -> int:
    """Play one game to *file*, prove it, and return how many throws it took."""
    setup = a_setup(rules, seats, seed=seed, game=file.stem)
    store = FileStore(file)
    store.append([header(setup)])
    players = {seat: BuiltinPlayer(NAMES[seat], "random", rules) for seat in seats}
    match = Watched(setup, rules, memory)

    outcome = await host.play(match, players, SeededDice(seed), seed, store)

    ended = outcome.ended
    assert ended is not None, "the game did not end"
    first = [seat for seat, place in zip(ended.seats, ended.places, strict=True) if place == 1]
    won = [seat for seat, why in zip(ended.seats, ended.reasons, strict=True) if why is Reason.WON]
    assert first == won == promises.winners(rules.ruleset, won[0])
    done = verify(file, rules)
    assert done.setup.commitment == commitment(seed)
    assert done.match.ended == ended
    assert done.match.state == match.state
    tally = Tally(seats)
    tally.count(done.events)
    assert tally.seats == outcome.tally.seats
    assert all(not seat.faults for seat in tally.seats.values())
    return match.played_throws


# The command.

Task = tuple[str, tuple[int, ...], range]


def tasks(games: int) -> Iterator[Task]:
    """Yield what there is to play: *games* of each ruleset on each number of seats, in parts."""
    for name, seats in TABLES:
        for begin in range(0, games, CHUNK):
            yield name, seats, range(begin, min(games, begin + CHUNK))


def work(task: Task) -> tuple[str, int, Figures]:
    """Play one part."""
    name, seats, numbers = task
    if name not in _COMPILED:
        _COMPILED.clear()
        _COMPILED[name] = Rules(ruleset(name))
    with TemporaryDirectory() as folder:
        return name, len(seats), asyncio.run(play(_COMPILED[name], seats, numbers, Path(folder)))


_COMPILED: dict[str, Rules] = {}


def quiet() -> None:
    """Let the referee log nothing of each game."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


def main(games: int) -> None:
    """Play *games* of each, and print a line for each ruleset and number of seats."""
    total = Figures()
    with get_context("spawn").Pool(CORES, quiet) as pool:
        for (name, seats), parts in groupby(pool.imap(work, tasks(games)), itemgetter(0, 1)):
            figures = Figures()
            for _, _, part in parts:
                figures = figures.plus(part)
            total = total.plus(figures)
            print(
                f"{name:<22} {seats} seats  {figures.games:>5} games  {figures.throws:>8} throws  "
                f"longest {figures.longest:>5}  all verified",
                flush=True,
            )
    print(f"{total.games} games, {total.throws} throws, longest {total.longest}: all verified")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
