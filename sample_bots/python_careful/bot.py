"""
A bot that weighs where each legal play leaves it, and answers with a whole play.

It needs no rules: it wishes for plays, and so the ask lists every legal play with the position after
it. A pawn is worth what it has come, more on a safe square or in a pair, less where it can be
captured. All sums are whole numbers, in 36ths of a square, because two dice fall in 36 ways. The same
definition for any language is in ../STRATEGIES.md.
"""

import os
import signal
import sys
from queue import SimpleQueue

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb
from parcheesi.v1.bot_gateway_pb2_grpc import BotGatewayStub

HELLO = pb.Hello(
    name="python_careful", version="1.0.0", language="python", games_at_once=32, wishes=[pb.WISH_PLAYS]
)

NEST, LANE, HOME, ABSENT = 0, 70, 99, 127  # codes of squares, see board.proto

CHANCES = 36
HITS = [0, 11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1]  # throws of 36 that give this distance, 0 to 12
HITS_FROM_NEST = 15  # throws of 36 with a five
AT_HOME, WON, SAFE, CAPTOR_GAINS = 360, 1_000_000, 180, 20


class Table:
    """A board as one seat sees it."""

    def __init__(self, board, seat):
        self.board, self.seat = board, seat
        self.safe = set(board.safe)
        self.from_entry_to_tip = (board.tips[0] - board.entries[0]) % board.ring + 1
        self.home = self.from_entry_to_tip + board.lane + 1

    def progress(self, seat, square):
        """Return how far a pawn of *seat* on *square* has come: 0 in the nest, 1 on its entry, and on."""
        if square == NEST:
            return 0
        if square == HOME:
            return self.home
        if square > LANE:
            return self.from_entry_to_tip + square - LANE
        return (square - self.board.entries[seat]) % self.board.ring + 1

    def standing(self, squares):
        """Return how well the seat stands when all pawns stand on *squares*."""
        own = squares[4 * self.seat : 4 * self.seat + 4]
        others = [seat for seat in range(4) if seat != self.seat and squares[4 * seat] != ABSENT]
        pawns = [(seat, square) for seat in others for square in squares[4 * seat : 4 * seat + 4]]
        value = WON if own.count(HOME) == 4 else 0
        for square in own:
            value += self.worth(square, own.count(square) > 1, pawns)
        weight = CHANCES // max(1, len(others))
        return value - weight * sum(self.progress(seat, square) for seat, square in pawns)

    def worth(self, square, paired, pawns):
        """Return what an own pawn on *square* is worth, alone or paired, with *pawns* of others about."""
        progress = self.progress(self.seat, square)
        value = CHANCES * progress
        if square == HOME:
            return value + AT_HOME
        if square == NEST or square > LANE:
            return value
        if paired:
            return value + SAFE
        safe = square in self.safe
        hits = self.hits_on_entry(square, pawns) + (0 if safe else self.hits_on_ring(square, pawns))
        return value + (SAFE if safe else 0) - min(CHANCES, hits) * (progress + CAPTOR_GAINS)

    def hits_on_entry(self, square, pawns):
        """Return in how many of 36 throws a pawn enters on *square*."""
        entering = any(other == NEST and self.board.entries[seat] == square for seat, other in pawns)
        return HITS_FROM_NEST if entering else 0

    def hits_on_ring(self, square, pawns):
        """Return in how many of 36 throws *pawns* reach *square*, each counted by itself."""
        hits = 0
        for seat, other in pawns:
            ahead = (square - other) % self.board.ring
            turns_off = self.progress(seat, other) + ahead > self.from_entry_to_tip
            if other != NEST and 0 < ahead < len(HITS) and not turns_off:
                hits += HITS[ahead]
        return hits


def plays(ask):
    """Yield each legal play, and the squares of all pawns after it."""
    begin = 0
    for index, length in enumerate(ask.play_lengths):
        yield ask.play_steps[begin : begin + length], ask.play_squares[16 * index : 16 * index + 16]
        begin += length


def first_steps(ask, board):
    """Yield each legal step as a play, and the squares after it: for an ask that lists no plays."""
    own = range(4 * ask.seat, 4 * ask.seat + 4)
    for step, pawn, square in zip(ask.steps, ask.step_pawns, ask.step_squares, strict=True):
        squares = list(ask.squares)
        enters = squares[own[pawn]] == NEST
        if 1 <= square <= board.ring and (enters or square not in board.safe):
            squares = [NEST if s == square and i not in own else s for i, s in enumerate(squares)]
        squares[own[pawn]] = square
        yield [step], squares


def choose(ask, board):
    """Return the steps of the best play; of equals the first."""
    table = Table(board, ask.seat)
    choices = plays(ask) if ask.play_lengths else first_steps(ask, board)
    best, _ = max(choices, key=lambda choice: table.standing(choice[1]))
    return best


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
