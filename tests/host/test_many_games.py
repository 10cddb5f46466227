"""
Whole games between built-in players, played to files and proven from them.

A run plays a few of each kind; `MANY_GAMES=200`, which `make check` sets, plays as many as it says of each.
"""

import hashlib
import os
from pathlib import Path

import pytest

from referee.dice import SeededDice, commitment
from referee.host.host import Host
from referee.host.verify import verify
from referee.match.events import Reason
from referee.match.match import Match
from referee.match.setup import SEATS_OF
from referee.match.tally import Tally
from referee.record.lines import header
from referee.record.stores.file import FileStore
from referee.seats.builtin import BuiltinPlayer
from tests.fakes import NAMES, a_setup, rules_of

GAMES = int(os.environ.get("MANY_GAMES", "5"))


@pytest.mark.parametrize("name", ["winning_moves", "racket"])
@pytest.mark.parametrize("seats", SEATS_OF.values(), ids=lambda seats: f"{len(seats)} seats")
async def test_games_of_random_players_are_proven(tmp_path: Path, name: str, seats: tuple[int, ...]) -> None:
    """
    Every game that is played to its end is proven by its record: rules, positions, commitment, dice, figures.
    """
    rules = rules_of(name)
    async with Host() as host:
        for number in range(GAMES):
            seed = hashlib.sha256(f"{name} {len(seats)} {number}".encode()).digest()
            setup = a_setup(rules, seats, seed=seed, game=f"game-{number}")
            file = tmp_path / f"game-{number}.jsonl"
            store = FileStore(file)
            store.append([header(setup)])
            players = {seat: BuiltinPlayer(NAMES[seat], "random", rules) for seat in seats}

            outcome = await host.play(Match(setup, rules), players, SeededDice(seed), seed, store)

            assert outcome.ended is not None, f"seed {seed.hex()}"
            assert outcome.ended.places.count(1) == outcome.ended.reasons.count(Reason.WON) == 1
            done = verify(file, rules)
            assert done.setup.commitment == commitment(seed)
            assert done.match.ended == outcome.ended
            tally = Tally(seats)
            tally.count(done.events)
            assert tally.seats == outcome.tally.seats
            assert all(not seat.faults for seat in tally.seats.values())
