"""
A bot that runs: home, else over an opponent, else out of the nest, else with the pawn furthest on.

It needs no rules: the ask lists the legal steps. The offer describes the board, which tells how far
along its way a pawn is, and the ruleset, which tells what a step captures.
The same definition for any language is in ../STRATEGIES.md.
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
    from_entry = (square - entry) % board.ring + 1
    return from_entry if from_entry <= from_entry_to_tip else from_entry - board.ring


class Sight:
    """What an ask shows to the pawns that it is about."""

    def __init__(self, ask, ruleset):
        self.board, self.fields, self.squares = ruleset.board, ruleset.fields, ask.squares
        partner = (ask.seat + 2) % 4
        self.seat = ask.seat
        if (
            list(self.pawns(ask.seat)) == [HOME] * 4
        ):  # a seat that has finished plays with its partner's pawns
            self.seat, partner = partner, ask.seat
        mates = (self.seat, partner) if self.fields["teams"] == "pairs" else (self.seat,)
        self.opponents = {s for seat in range(4) if seat not in mates for s in self.pawns(seat)}

    def pawns(self, seat):
        """Return the four squares of *seat*."""
        return self.squares[4 * seat : 4 * seat + 4]

    def score(self, pawn, square):
        """Return what it is worth to move *pawn* to *square*."""
        origin = self.pawns(self.seat)[pawn]
        come = progress(self.board, self.seat, square)
        enters = origin == NEST
        if enters:
            captures = square in self.opponents and self.entering_captures(square)
        else:
            ahead = come > progress(self.board, self.seat, origin)
            captures = ahead and any(s in self.opponents for s in self.hunted(origin, square))
        return come + COMES_HOME * (square == HOME) + CAPTURES * captures + ENTERS * enters

    def entering_captures(self, entry):
        """Return whether to enter captures an opponent who stands on the entry."""
        if self.fields["entry_capture"] == "when_full":
            return list(self.squares).count(entry) == 2
        return self.fields["entry_capture"] == "alone"

    def hunted(self, origin, square):
        """Return the squares on which a pawn captures that advances from *origin* to *square*."""
        ring, tip = self.board.ring, self.board.tips[self.seat]
        if self.fields["capture"] == "none" or origin > ring:
            return []
        squares = [square]
        if self.fields["capture"] == "passing":
            last = square if square <= ring else tip
            squares = [(origin + n) % ring + 1 for n in range((last - origin) % ring)]
        return [s for s in squares if s <= ring and s not in self.board.safe]


def choose(ask, ruleset):
    """Return the best step; of equals the first."""
    sight = Sight(ask, ruleset)
    scores = [
        sight.score(pawn, square) for pawn, square in zip(ask.step_pawns, ask.step_squares, strict=True)
    ]
    return [ask.steps[scores.index(max(scores))]]


def play():
    """Play all games that are offered, until the referee closes the stream."""
    outbox = SimpleQueue()  # what is put here goes to the referee
    outbox.put(pb.PlayRequest(hello=HELLO))
    rulesets = {}  # by game
    token = f"Bearer {os.environ['PARCHEESI_TOKEN']}"
    with grpc.insecure_channel(os.environ["PARCHEESI_ADDRESS"]) as channel:
        inbox = BotGatewayStub(channel).Play(iter(outbox.get, None), metadata=[("authorization", token)])
        for message in inbox:
            for verdict in message.verdicts:
                print(f"game {verdict.game}, ask {verdict.ask}: {verdict.detail}", file=sys.stderr)
            for over in message.game_overs:
                rulesets.pop(over.game, None)
            reply = pb.PlayRequest()
            for offer in message.offers:
                rulesets[offer.game] = offer.ruleset
                reply.readies.add(game=offer.game)
            for ask in message.asks:
                reply.answers.add(game=ask.game, ask=ask.ask, steps=choose(ask, rulesets[ask.game]))
            if reply.readies or reply.answers:
                outbox.put(reply)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    try:
        play()
    except grpc.RpcError as error:
        sys.exit(f"the stream ended: {error.code().name}: {error.details()}")
