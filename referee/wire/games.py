"""Offers, verdicts, endings and rulesets to protobuf: the quiet half of the wire."""

from functools import lru_cache
from typing import Final, assert_never

from parcheesi.v1 import board_pb2, bot_gateway_pb2 as pb

from referee.match.events import Reason
from referee.match.faults import Cost, FaultKind, Penalties
from referee.match.setup import Setup
from referee.match.time_bank import Clock, micros
from referee.match.verdict import Ending, Over, Verdict
from referee.rules.board import Board
from referee.rules.ruleset import Ruleset
from referee.wire.asks import step_codes

_KINDS: Final = 64
"""So many rulesets, clocks and penalties are kept as messages, as most games have the same."""


def fault_kind(kind: FaultKind) -> board_pb2.FaultKind:
    """Return *kind* as the wire has it."""
    match kind:
        case FaultKind.LATE:
            return board_pb2.FAULT_KIND_LATE
        case FaultKind.ILLEGAL:
            return board_pb2.FAULT_KIND_ILLEGAL
        case FaultKind.MALFORMED:
            return board_pb2.FAULT_KIND_MALFORMED
        case FaultKind.STALE:
            return board_pb2.FAULT_KIND_STALE
        case FaultKind.GONE:
            return board_pb2.FAULT_KIND_GONE
        case FaultKind.NO_SHOW:
            return board_pb2.FAULT_KIND_NO_SHOW
        case FaultKind.FLOOD:
            return board_pb2.FAULT_KIND_FLOOD
        case FaultKind.TOO_LARGE:
            return board_pb2.FAULT_KIND_TOO_LARGE
        case FaultKind.RESIGNED:
            return board_pb2.FAULT_KIND_RESIGNED
        case _:
            assert_never(kind)


def cost(value: Cost) -> board_pb2.Cost:
    """Return *value* as the wire has it."""
    match value:
        case Cost.NOTE:
            return board_pb2.COST_NOTE
        case Cost.STRIKE:
            return board_pb2.COST_STRIKE
        case Cost.SEAT:
            return board_pb2.COST_SEAT
        case _:
            assert_never(value)


def reason(value: Reason) -> board_pb2.Reason:
    """Return *value* as the wire has it."""
    match value:
        case Reason.WON:
            return board_pb2.REASON_WON
        case Reason.RACED:
            return board_pb2.REASON_RACED
        case Reason.LIMIT:
            return board_pb2.REASON_LIMIT
        case Reason.FAULT:
            return board_pb2.REASON_FAULT
        case Reason.LAST_STANDING:
            return board_pb2.REASON_LAST_STANDING
        case _:
            assert_never(value)


def ending(value: Ending) -> pb.Ending:
    """Return *value* as the wire has it."""
    match value:
        case Ending.FINISHED:
            return pb.ENDING_FINISHED
        case Ending.SEAT_LOST:
            return pb.ENDING_SEAT_LOST
        case Ending.ADJOURNED:
            return pb.ENDING_ADJOURNED
        case Ending.VOID:
            return pb.ENDING_VOID
        case _:
            assert_never(value)


def board(value: Board) -> board_pb2.Board:
    """Return *value* as a message."""
    return board_pb2.Board(
        name=value.name,
        ring=value.ring,
        lane=value.lane,
        entries=value.entries,
        tips=value.tips,
        safe=sorted(value.safe),
    )


@lru_cache(_KINDS)
def ruleset(value: Ruleset) -> board_pb2.Ruleset:
    """Return *value* as a message, the same one each time: it is not to be changed."""
    return board_pb2.Ruleset(
        name=value.name, digest=value.digest(), fields=value.as_text(), board=board(value.board)
    )


@lru_cache(_KINDS)
def clock(value: Clock) -> board_pb2.Clock:
    """Return *value* as a message, the same one each time: it is not to be changed."""
    return board_pb2.Clock(
        startup_ms=micros(value.startup) // 1000,
        ready_ms=micros(value.ready) // 1000,
        per_move_ms=micros(value.per_move) // 1000,
        bank_ms=micros(value.bank) // 1000,
        increment_ms=micros(value.increment) // 1000,
        grace_ms=micros(value.grace) // 1000,
        grace_times=value.grace_times,
    )


@lru_cache(_KINDS)
def penalties(value: Penalties) -> board_pb2.Penalties:
    """Return *value* as a message, the same one each time: it is not to be changed."""
    kinds = list(value.costs)
    return board_pb2.Penalties(
        name=value.name,
        kinds=[fault_kind(kind) for kind in kinds],
        costs=[cost(value.costs[kind]) for kind in kinds],
        strikes=value.strikes,
    )


def add_offer(response: pb.PlayResponse, setup: Setup, seat: int, recorded: int, record_format: int) -> None:
    """Add the offer of *seat* in a game to a message; its record is written in *record_format*."""
    response.offers.add(
        game=setup.number,
        game_id=setup.game,
        seat=seat,
        seats=[seated.seat for seated in setup.seats],
        names=[seated.name for seated in setup.seats],
        ruleset=ruleset(setup.ruleset),
        clock=clock(setup.clock),
        penalties=penalties(setup.penalties),
        commitment=setup.commitment,
        ask_forced=setup.ask_forced,
        max_throws=setup.max_throws,
        recorded=recorded,
        record_format=record_format,
    )


def add_verdict(response: pb.PlayResponse, verdict: Verdict) -> None:
    """Add *verdict* to a message."""
    response.verdicts.add(
        game=verdict.game,
        ask=verdict.ask,
        fault=board_pb2.FAULT_KIND_UNSPECIFIED if verdict.kind is None else fault_kind(verdict.kind),
        detail=verdict.detail,
        cost=board_pb2.COST_UNSPECIFIED if verdict.cost is None else cost(verdict.cost),
        elapsed_us=verdict.elapsed,
        bank_ms=verdict.bank // 1000,
        played=step_codes(verdict.played),
        strikes_left=verdict.strikes_left,
    )


def add_over(response: pb.PlayResponse, over: Over) -> None:
    """Add the end of a game to a message."""
    ended = over.ended
    message = response.game_overs.add(
        game=over.game, ending=ending(over.ending), seed=over.seed or b"", detail=over.detail
    )
    if ended is not None:
        message.seats.extend(ended.seats)
        message.places.extend(ended.places)
        message.reasons.extend(reason(value) for value in ended.reasons)
