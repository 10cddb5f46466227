"""Asks as bytes: the library reads from them what it would have written."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from parcheesi.v1 import bot_gateway_pb2 as pb

from referee.match.ask import Ask
from referee.rules.board import SEATS, SQUARE_ABSENT, Board
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset, Teams, TeamWin
from referee.rules.rulesets import RULESETS
from referee.rules.state import BROUGHT_HOME, GAVE_UP, Pawns, Position, State, Step, arrival
from referee.wire.asks import ask_bytes, squares_of

RULES = {name: Rules(ruleset) for name, ruleset in RULESETS.items()}


def by_the_library(ask: Ask, rules: Rules) -> pb.PlayResponse:
    """Return *ask* as a message, field by field."""
    state, board = ask.state, rules.board
    plays = ask.plays or []
    mover = rules.mover(state.position, state.seat)
    response = pb.PlayResponse()
    response.asks.add(
        game=ask.game,
        ask=ask.number,
        seat=state.seat,
        squares=squares(board, state.position),
        steps=[step.code for step in ask.steps],
        step_pawns=[step.pawn for step in ask.steps],
        step_uses=[step.use for step in ask.steps],
        step_squares=[step.square for step in ask.steps],
        dice=state.dice,
        numbers=state.numbers,
        bonuses=state.bonuses,
        time_limit_ms=ask.limit // 1000,
        bank_ms=ask.bank // 1000,
        strikes_left=ask.strikes_left,
        last_answer_us=ask.last,
        repeats=state.repeats,
        at_throw=[board.square(mover, progress) for progress in state.at_throw],
        last_moved=0 if state.last_moved is None else state.last_moved + 1,
        play_lengths=[len(play.steps) for play in plays],
        play_steps=[step.code for play in plays for step in play.steps],
        play_squares=[code for play in plays for code in squares(board, play.position)],
        plays_cut=ask.cut,
        came_last=[
            4 * seat + pawn for seat in SEATS for pawn in range(4) if state.arrived & arrival(seat, pawn)
        ],
        moved=[pawn for pawn in range(4) if state.past & 1 << pawn],
        brought_home=state.past & BROUGHT_HOME != 0,
        gave_up=state.past & GAVE_UP != 0,
    )
    return response


def squares(board: Board, position: Position) -> list[int]:
    return [
        SQUARE_ABSENT if pawns is None else board.square(seat, pawns[pawn])
        for seat, pawns in zip(SEATS, position, strict=True)
        for pawn in range(4)
    ]


def choices(rules: Rules, seats: tuple[int, ...], chance: Random) -> Iterator[State]:
    """Yield states in which a seat has a choice, from a game that is played by lot."""
    count = rules.ruleset.dice
    state = rules.start(seats, seats[0])
    while True:
        if not state.dice:
            state = rules.throw(state, tuple(chance.randint(1, 6) for _ in range(count))).state
        elif not (legal := rules.steps(state)):
            state = rules.play_over(state)
        else:
            yield state
            applied = rules.apply(state, chance.choice(legal))
            if applied.won:
                return
            state = applied.state


def an_ask(state: State, steps: tuple[Step, ...], **changes: Any) -> Ask:
    ask = Ask(game=1, number=1, state=state, steps=steps, limit=10**6, bank=0, strikes_left=3, last=0)
    return ask._replace(**changes)


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        (name, seats)
        for seats in ((0, 2), (0, 1, 2), SEATS)
        for name, rules in RULES.items()
        if rules.ruleset.teams is Teams.NONE or seats == SEATS
    ],
    ids=str,
)
def test_holds_what_the_library_would_have_written(name: str, seats: tuple[int, ...]) -> None:
    """
    Whatever comes up in a game reaches the bot as the contract says.
    """
    rules = RULES[name]

    for number, state in enumerate(islice(choices(rules, seats, Random(3)), 300), 1):
        ask = an_ask(state, rules.steps(state), number=number)
        written = ask_bytes(ask, squares_of(rules.ruleset))
        assert pb.PlayResponse.FromString(written) == by_the_library(ask, rules)


@pytest.mark.parametrize("value", [0, 1, 127, 128, 16_383, 16_384, 2_097_152, 4_294_967_295])
@pytest.mark.parametrize("field", ["game", "number", "limit", "bank", "strikes_left", "last"])
def test_holds_numbers_of_any_size(field: str, value: int) -> None:
    """
    A number may take from one byte to five.
    """
    rules = next(iter(RULES.values()))
    state = next(choices(rules, (0, 2), Random(4)))
    ask = an_ask(state, rules.steps(state), **{field: value})

    assert pb.PlayResponse.FromString(ask_bytes(ask, squares_of(rules.ruleset))) == by_the_library(ask, rules)


DAY = 86_400_000_000
"""Microseconds."""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("limit", DAY, id="a day for each answer"),
        pytest.param("last", 72 * 60 * 10**6, id="an answer that took 72 minutes"),
        pytest.param("last", 2 * DAY, id="an answer that took the limit and the bank"),
        pytest.param("bank", DAY, id="a day in the bank"),
        pytest.param("bank", 50 * DAY, id="a day saved up at each of 49 answers"),
        pytest.param("bank", 10**6 * DAY, id="and at each of a million"),
    ],
)
def test_holds_the_longest_times(field: str, value: int) -> None:
    """
    Whatever a legal clock leads to can be told, though it takes more than 32 bits.
    """
    rules = next(iter(RULES.values()))
    state = next(choices(rules, (0, 2), Random(4)))
    ask = an_ask(state, rules.steps(state), **{field: value})

    read = pb.PlayResponse.FromString(ask_bytes(ask, squares_of(rules.ruleset)))

    assert read == by_the_library(ask, rules)


def test_holds_all_plays_with_their_positions() -> None:
    """
    A bot that wished for plays gets them behind everything else.
    """
    rules = next(iter(RULES.values()))
    for state in islice(choices(rules, (0, 2), Random(5)), 50):
        plays, cut = rules.plays(state, 3)
        ask = an_ask(state, rules.steps(state))._replace(plays=plays, cut=cut)

        read = pb.PlayResponse.FromString(ask_bytes(ask, squares_of(rules.ruleset)))

        assert read == by_the_library(ask, rules)


@pytest.mark.parametrize(
    ("arrived", "past", "told"),
    [
        pytest.param(arrival(0, 0), 0, {"came_last": [0]}, id="the first pawn came last"),
        pytest.param(
            arrival(0, 1) | arrival(2, 3) | arrival(3, 3), 0, {"came_last": [1, 11, 15]}, id="three squares"
        ),
        pytest.param(0, 0b1010, {"moved": [1, 3]}, id="pawns that were moved"),
        pytest.param(0, BROUGHT_HOME, {"brought_home": True}, id="a pawn was brought home"),
        pytest.param(0, GAVE_UP, {"gave_up": True}, id="numbers were given up"),
        pytest.param(
            arrival(3, 0),
            0b0001 | BROUGHT_HOME | GAVE_UP,
            {"came_last": [12], "moved": [0], "brought_home": True, "gave_up": True},
            id="all of it",
        ),
    ],
)
def test_holds_what_has_happened(arrived: int, past: int, told: dict[str, object]) -> None:
    """
    What few rulesets ask for comes behind everything else; without it nothing of it is in the bytes.
    """
    rules = next(iter(RULES.values()))
    state = next(choices(rules, (0, 2), Random(4)))
    steps, squares = rules.steps(state), squares_of(rules.ruleset)
    ask = an_ask(state._replace(arrived=arrived, past=past), steps)

    (read,) = pb.PlayResponse.FromString(ask_bytes(ask, squares)).asks
    (without,) = pb.PlayResponse.FromString(ask_bytes(an_ask(state, steps), squares)).asks

    fields = ("came_last", "moved", "brought_home", "gave_up")
    found = {field.name: value for field, value in read.ListFields() if field.name in fields}
    assert {name: list(v) if name in fields[:2] else v for name, v in found.items()} == told
    for name in fields:
        read.ClearField(name)
    assert read == without
    assert pb.PlayResponse.FromString(ask_bytes(ask, squares)) == by_the_library(ask, rules)


BOTH = replace(RULESETS["pressman_teams"], team_win=TeamWin.BOTH_MEMBERS)


@pytest.mark.parametrize(
    ("ruleset", "partner", "told"),
    [
        pytest.param(BOTH, (1, 10, 65, 72), [39, 48, 71, 99], id="of its partner, who plays on"),
        pytest.param(BOTH, None, [5, 14, 71, 99], id="its own, where the partner was lost"),
        pytest.param(RULESETS["racket"], (1, 10, 65, 72), [5, 14, 71, 99], id="its own, without a partner"),
    ],
)
def test_tells_whose_pawns_stood_where(ruleset: Ruleset, partner: Pawns | None, told: list[int]) -> None:
    """
    A seat that has finished plays with its partner's pawns, whose squares are counted from their entry.
    """
    home = ruleset.board.home
    position: Position = ((home, home, home, home), None, partner, None)
    ask = an_ask(State(position, 0, 0, None, (1, 2), (1, 2), (), (1, 10, 65, 72)), (Step(0, 1, 40),))

    (read,) = pb.PlayResponse.FromString(ask_bytes(ask, squares_of(ruleset))).asks

    assert list(read.at_throw) == told


def test_are_one_message_when_laid_end_to_end() -> None:
    """
    Asks and whatever else waits for a bot go out in one message.
    """
    rules = next(iter(RULES.values()))
    states = list(islice(choices(rules, (0, 2), Random(6)), 5))
    asks = [an_ask(state, rules.steps(state), game=game) for game, state in enumerate(states, 1)]
    rest = pb.PlayResponse(drain=pb.Drain(detail="the referee stops"))

    written = b"".join(ask_bytes(ask, squares_of(rules.ruleset)) for ask in asks) + rest.SerializeToString()

    read = pb.PlayResponse.FromString(written)
    assert [ask.game for ask in read.asks] == [1, 2, 3, 4, 5]
    assert read.drain.detail == "the referee stops"


@pytest.mark.parametrize("name", ["winning_moves", "pahrcheesi"])
def test_every_square_of_a_board_has_its_code(name: str) -> None:
    """
    The tables agree with the board at every progress of every seat.
    """
    board, squares = RULESETS[name].board, squares_of(RULESETS[name])
    for seat in SEATS:
        for progress in range(board.last + 1):
            pawns = (progress,) * 4
            assert list(squares.of_seat(seat, pawns)) == [board.square(seat, progress)] * 4
