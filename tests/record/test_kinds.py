"""Whole games by the rules of each kind, from the first throw to the record and back."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.dice import SeededDice
from referee.host.verify import verify
from referee.match.ask import Ask
from referee.match.events import Begun, By, Ended, Event, Reason, Revealed, Stepped, Thrown
from referee.match.match import Match
from referee.match.setup import SEATS_OF
from referee.record.replay import replay_lines
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.notation import LAST
from referee.rules.state import Step
from referee.seats.strategies import strategy
from tests.fakes import RELAY, SEED, a_setup, played, recorded, rules_of, tables_of
from tests.properties.promises import finished, winners

KINDS = ("pressman_teams", "casual_classic_couples", RELAY.name, "casual_super", "hasbro", "pahrcheesi")
"""Teams of each sort, who came last of two, second laps, the other board."""


class Game:
    """A whole game of *name* between random players."""

    def __init__(self, name: str) -> None:
        rules = rules_of(name)
        seats = tables_of(rules.ruleset).get(3, SEATS)
        self.setup = replace(a_setup(rules, seats), number=5)
        self.match = Match(self.setup, rules)

        def choose(ask: Ask) -> Sequence[Step]:
            return strategy("random")(rules, ask)

        self.events: list[Event] = [*played(self.match, SeededDice(SEED), choose), Revealed(SEED)]
        self.lines = recorded(self.setup, self.events)


game = cache(Game)


@pytest.mark.parametrize("name", KINDS)
class TestEveryKind:
    def test_ends_with_one_winner_or_its_team(self, name: str) -> None:
        """
        Members of the winning team are first together and the others second; else every place is one's own.
        """
        ended = game(name).match.ended
        assert ended is not None
        first = [seat for seat, place in zip(ended.seats, ended.places, strict=True) if place == 1]

        assert first == winners(game(name).setup.ruleset, first[0])
        assert set(ended.places) == ({1, 2} if len(first) == 2 else {1, 2, 3})
        for seat, reason in zip(ended.seats, ended.reasons, strict=True):
            assert reason is (Reason.WON if seat in first else Reason.RACED)

    def test_is_replayed_to_the_same_events(self, name: str) -> None:
        """
        The record holds the ruleset and all that happened.
        """
        done = replay_lines(game(name).lines)

        assert done.finished
        assert done.events == game(name).events
        assert done.match.state == game(name).match.state
        assert done.setup.ruleset.digest() == game(name).setup.ruleset.digest()

    def test_is_proven(self, name: str, tmp_path: Path) -> None:
        """
        Rules, positions, commitment and dice agree.
        """
        file = tmp_path / "game.jsonl"
        file.write_text("".join(f"{line}\n" for line in game(name).lines), encoding="utf-8")

        assert verify(file).match.ended == game(name).match.ended

    def test_goes_on_from_any_line(self, name: str) -> None:
        """
        What a stopped game had come to leads to the same end: from each of the last lines, and others.
        """
        lines, rules = game(name).lines, rules_of(name)
        for length in (*range(1, len(lines), 17), *range(len(lines) - 12, len(lines))):
            match = replay_lines(lines[:length], rules=rules).match
            past = length - 1
            due = list(match.events)
            match.events.clear()

            def choose(ask: Ask, rules: Rules = rules) -> Sequence[Step]:
                return strategy("random")(rules, ask)

            rest = [*due, *played(match, SeededDice(SEED), choose)]

            assert [*game(name).events[:past], *rest][: len(lines) - 2] == game(name).events[:-1], length

    def test_tells_with_each_position_who_came_last(self, name: str) -> None:
        """
        `arrived` goes along where a board is told, and the text of that board marks the same pawns.
        """
        told = [event for event in game(name).events if isinstance(event, Begun | Thrown | Ended)]
        marks = [event.arrived for event in told]

        assert told[-1].arrived == game(name).match.state.arrived
        assert any(marks) == (name.startswith("casual"))
        lines = iter(game(name).lines[1:])
        for event, line in zip(game(name).events, lines, strict=True):
            if isinstance(event, Begun | Thrown | Ended):
                assert line.count(LAST) == event.arrived.bit_count()


def steps(name: str) -> Iterator[Stepped]:
    """Yield the steps of the game of *name*."""
    return (event for event in game(name).events if isinstance(event, Stepped))


def test_a_second_lap_is_run() -> None:
    """
    By `hasbro` a pawn stands between its tip and its entry, and the record names the square.
    """
    board = game("hasbro").setup.ruleset.board
    beyond = [step for step in steps("hasbro") if board.progress(step.seat, step.square) is None]

    assert beyond
    assert SEATS_OF[3] == game("hasbro").match.seats


def test_a_finished_seat_plays_on_with_its_partners_pawns() -> None:
    """
    Its steps are its own, the pawns its partner's: each goes on from where that pawn stood.
    """
    board = game(RELAY.name).setup.ruleset.board
    relayed = 0
    where: dict[tuple[int, int], int] = {}
    done: set[int] = set()
    for event in game(RELAY.name).events:
        if isinstance(event, Thrown):
            done = {seat for seat in SEATS if finished(board, event.position[seat])}
        if not isinstance(event, Stepped):
            continue
        hand = (event.seat + 2) % 4 if event.seat in done else event.seat
        relayed += hand != event.seat
        assert where.get((hand, event.pawn), 0) == event.origin or event.origin == 0
        where[hand, event.pawn] = event.square

    assert relayed
    assert {step.by for step in steps(RELAY.name)} == {By.BOT, By.FORCED}
