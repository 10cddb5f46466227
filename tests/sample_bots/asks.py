"""
Questions as games put them, and as they travel.

Knows: games between built-in players, made positions, messages. Does not know: the bots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from parcheesi.v1 import board_pb2, bot_gateway_pb2 as pb

from referee.dice import SeededDice
from referee.match.ask import Ask
from referee.match.match import Match
from referee.match.setup import SEATS_OF
from referee.rules.board import SEATS
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset
from referee.rules.state import State, Step
from referee.seats.strategies import strategy
from referee.wire import games
from referee.wire.asks import ask_bytes, squares_of
from tests.fakes import a_setup, played, rules_of, tables_of
from tests.rules.positions import all_constructed

PLAYERS = {2: "random", 3: "racer", 4: "careful"}
"""Who plays the games of each number, so that quiet and crowded boards come up."""


def ruleset_of(rules: str) -> board_pb2.Ruleset:
    """Return *rules* as an offer describes them."""
    return games.ruleset(rules_of(rules).ruleset)


def with_plays(rules: Rules, ask: Ask) -> Ask:
    """Return *ask* as it is put to a bot that wished for plays."""
    plays, cut = rules.plays(ask.state)
    return ask._replace(plays=plays, cut=cut)


def on_wire(ruleset: Ruleset, *asks: Ask) -> pb.PlayResponse:
    """Return one message with all *asks*, from the very bytes that a referee sends."""
    return pb.PlayResponse.FromString(b"".join(ask_bytes(ask, squares_of(ruleset)) for ask in asks))


@cache
def asks_of_games(rules: str) -> Sequence[Ask]:
    """
    Return the asks of a game of two, one of three and one of four, with all plays listed.

    Teams play three games of four.
    """
    tables = tables_of(rules_of(rules).ruleset)
    return [ask for players in SEATS_OF for ask in asks_of_game(rules, players, tables.get(players, SEATS))]


def asks_of_game(rules: str, number: int, seats: Sequence[int]) -> list[Ask]:
    """Return the asks of game *number* on *seats*, between built-in players; the number tells which."""
    judge = rules_of(rules)
    asks: list[Ask] = []

    def choose(ask: Ask) -> Sequence[Step]:
        asks.append(with_plays(judge, ask))
        return strategy(PLAYERS[number])(judge, ask)

    match = Match(replace(a_setup(judge, seats), number=number), judge)
    played(match, SeededDice(bytes([number] * 32)), choose)
    return asks


@cache
def asks_on_purpose(rules: str) -> Sequence[Ask]:
    """Return asks at positions that games seldom reach, with all plays listed."""
    return list(_asks_on_purpose(rules_of(rules)))


def _asks_on_purpose(rules: Rules) -> Iterator[Ask]:
    for number, (_, _, question) in enumerate(all_constructed(rules.ruleset, each=10), start=1):
        before = State(question.position, question.seat, arrived=question.arrived)
        state = rules.throw(before, question.dice).state
        if steps := rules.steps(state):
            yield with_plays(rules, Ask(number, number, state, steps, 1_000_000, 0, 3, 0))
