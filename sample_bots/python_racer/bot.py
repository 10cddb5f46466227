"""
A bot that runs: home, else over an opponent, else out of the nest, else with the pawn furthest on.

It needs no rules: the ask lists the legal steps. The offer describes the board, which tells how far
along its way a pawn is. The same definition for any language is in ../STRATEGIES.md.
"""

import os
import signal
import sys
from queue import SimpleQueue

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb
from parcheesi.v1.bot_gateway_pb2_grpc import BotGatewayStub

HELLO = pb.Hello(name="python_racer", version="1.0.0", language="python", games_at_once=64)

NEST, LANE, HOME = 0, 70, 99  # codes of squares, see board.proto
COMES_HOME, CAPTURES, ENTERS = 300, 200, 100


def progress(board, seat, square):
    """Return how far a pawn of *seat* on *square* has come: 0 in the nest, 1 on its entry, and on."""
    if square == NEST:
        return 0
    entry, tip = board.entries[seat], board.tips[seat]
    from_entry_to_tip = (tip - entry) % board.ring + 1
    if square == HOME:
        return from_entry_to_tip + board.lane + 1
    if square > LANE:
        return from_entry_to_tip + square - LANE
    return (square - entry) % board.ring + 1


def score(ask, board, index):
    """Return what the step at *index* is worth."""
    pawn, square = ask.step_pawns[index], ask.step_squares[index]
    others = ask.squares[: 4 * ask.seat] + ask.squares[4 * ask.seat + 4 :]
    enters = ask.squares[4 * ask.seat + pawn] == NEST
    captures = square in others and square <= board.ring and (enters or square not in board.safe)
    bonus = COMES_HOME * (square == HOME) + CAPTURES * captures + ENTERS * enters
    return progress(board, ask.seat, square) + bonus


def choose(ask, board):
    """Return the best step; of equals the first."""
    best = max(range(len(ask.steps)), key=lambda index: score(ask, board, index))
    return [ask.steps[best]]


def play():
    """Play all games that are offered, until the referee closes the stream."""
    outbox = SimpleQueue()  # what is put here goes to the referee
    outbox.put(pb.PlayRequest(hello=HELLO))
    boards = {}  # by game
    token = f"Bearer {os.environ['PARCHEESI_TOKEN']}"
    with grpc.insecure_channel(os.environ["PARCHEESI_ADDRESS"]) as channel:
        inbox = BotGatewayStub(channel).Play(iter(outbox.get, None), metadata=[("authorization", token)])
        for message in inbox:
            for verdict in message.verdicts:
                print(f"game {verdict.game}, ask {verdict.ask}: {verdict.detail}", file=sys.stderr)
            for over in message.game_overs:
                boards.pop(over.game, None)
            reply = pb.PlayRequest()
            for offer in message.offers:
                boards[offer.game] = offer.ruleset.board
                reply.readies.add(game=offer.game)
            for ask in message.asks:
                reply.answers.add(game=ask.game, ask=ask.ask, steps=choose(ask, boards[ask.game]))
            if reply.readies or reply.answers:
                outbox.put(reply)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    try:
        play()
    except grpc.RpcError as error:
        sys.exit(f"the stream ended: {error.code().name}: {error.details()}")
