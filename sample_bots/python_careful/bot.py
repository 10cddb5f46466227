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
HITS = {  # throws of 36 that bring a pawn 1, 2, 3 ... squares ahead, by dice and by how pawns are captured
    ("2", "landing"): [0, 11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1],
    ("1", "landing"): [0, 6, 6, 6, 6, 6, 6],
    ("2", "passing"): [0, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1],
    ("1", "passing"): [0, 36, 30, 24, 18, 12, 6],
}
HITS_FROM_NEST = {"2": 15, "1": 6}  # throws of 36 with a five
AT_HOME, WON, SAFE = 360, 1_000_000, 180


class Table:
    """A board as the pawns see it that an ask is about."""

    def __init__(self, ask, ruleset):
        self.board, self.fields = ruleset.board, ruleset.fields
        self.safe = set(self.board.safe)
        self.from_entry_to_tip = (self.board.tips[0] - self.board.entries[0]) % self.board.ring + 1
        self.home = self.from_entry_to_tip + self.board.lane + 1
        self.hits = HITS.get((self.fields["dice"], self.fields["capture"]), [])
        self.hits_from_nest = HITS_FROM_NEST[self.fields["dice"]]
        self.seat = ask.seat
        if of_seat(ask.squares, ask.seat) == [HOME] * 4:  # it has finished and plays with its partner's pawns
            self.seat = (ask.seat + 2) % 4
        teams = self.fields["teams"] == "pairs"
        self.partner = (self.seat + 2) % 4 if teams else None
        self.paired_with = self.partner if self.fields["partner"] == "pair" else None
        self.opponents = [seat for seat in range(4) if seat not in (self.seat, self.partner)]

    def progress(self, seat, square):
        """Return how far a pawn of *seat* on *square* has come: 0 in the nest, 1 on its entry, and on."""
        if square == NEST:
            return 0
        if square == HOME:
            return self.home
        if square > LANE:
            return self.from_entry_to_tip + square - LANE
        from_entry = (square - self.board.entries[seat]) % self.board.ring + 1
        return from_entry if from_entry <= self.from_entry_to_tip else from_entry - self.board.ring

    # How well it stands.

    def standing(self, squares):
        """Return how well the seat stands when all pawns stand on *squares*."""
        own = of_seat(squares, self.seat)
        playing = [seat for seat in self.opponents if squares[4 * seat] != ABSENT]
        hunters = [(seat, square) for seat in playing for square in of_seat(squares, seat)]
        weight = CHANCES // max(1, len(playing))
        value = WON if own.count(HOME) == 4 else 0
        for pawn, square in enumerate(own):
            others = squares[: 4 * self.seat] + own[:pawn] + own[pawn + 1 :] + squares[4 * self.seat + 4 :]
            value += self.worth(square, self.is_paired(square, own, squares), hunters, square in others)
        if self.partner is not None and squares[4 * self.partner] != ABSENT:
            value += weight * sum(self.progress(self.partner, s) for s in of_seat(squares, self.partner))
        return value - weight * sum(self.progress(seat, square) for seat, square in hunters)

    def is_paired(self, square, own, squares):
        """Return whether two pawns that count as own stand on *square*."""
        if self.paired_with is not None and square in of_seat(squares, self.paired_with):
            return True
        return own.count(square) > 1

    def worth(self, square, paired, hunters, shared):
        """Return what an own pawn on *square* is worth, *paired* or not, *shared* with any other or not."""
        progress = self.progress(self.seat, square)
        value = CHANCES * progress
        if square == HOME:
            return value + AT_HOME
        if square == NEST or square > LANE:
            return value
        if paired:
            return value + SAFE
        safe = square in self.safe
        hits = self.hits_on_entry(square, hunters, shared)
        hits += 0 if safe else self.hits_on_ring(square, hunters)
        gain = int(self.fields["capture_bonus"])
        return value + (SAFE if safe else 0) - min(CHANCES, hits) * (progress + gain)

    def hits_on_entry(self, square, hunters, shared):
        """Return in how many of 36 throws a pawn enters on *square* and captures there."""
        entering = any(other == NEST and self.board.entries[seat] == square for seat, other in hunters)
        captures = {"alone": True, "when_full": shared, "none": False}[self.fields["entry_capture"]]
        return self.hits_from_nest if entering and captures else 0

    def hits_on_ring(self, square, hunters):
        """Return in how many of 36 throws *hunters* reach *square*, each counted by itself."""
        hits = 0
        for seat, other in hunters:
            ahead = (square - other) % self.board.ring
            turns_off = self.progress(seat, other) + ahead > self.from_entry_to_tip
            if NEST < other < LANE and 0 < ahead < len(self.hits) and not turns_off:
                hits += self.hits[ahead]
        return hits

    # What a step does.

    def after(self, ask, pawn, square):
        """Return the squares of all pawns after *pawn* has moved to *square*."""
        squares, moved = list(ask.squares), 4 * self.seat + pawn
        captured = self.captured(ask, squares[moved], square)
        return [square if i == moved else NEST if i in captured else s for i, s in enumerate(squares)]

    def captured(self, ask, origin, square):
        """Return which of the 16 pawns a step from *origin* to *square* captures."""
        there = [i for i, s in enumerate(ask.squares) if s == square <= self.board.ring]
        prey = {i for i in range(16) if i // 4 not in (self.seat, self.paired_with)}
        if origin == NEST:
            if self.fields["entry_capture"] != "when_full":
                return prey.intersection(there if self.fields["entry_capture"] == "alone" else ())
            theirs = prey.intersection(there if len(there) == 2 else ())
            return theirs.intersection(ask.came_last) if len(theirs) == 2 else theirs
        hunted = self.hunted(origin, square)
        return {i for i in prey if ask.squares[i] in hunted}

    def hunted(self, origin, square):
        """Return the squares on which a pawn captures that advances from *origin* to *square*."""
        ring, tip = self.board.ring, self.board.tips[self.seat]
        if self.fields["capture"] == "none" or origin > ring:
            return []
        squares = [square]
        if self.fields["capture"] == "passing":
            last = square if square <= ring else tip
            squares = [(origin + n) % ring + 1 for n in range((last - origin) % ring)]
        return [s for s in squares if s <= ring and s not in self.safe]


def of_seat(squares, seat):
    """Return the four of 16 *squares* that are those of *seat*."""
    return list(squares[4 * seat : 4 * seat + 4])


def plays(ask):
    """Yield each legal play, and the squares of all pawns after it."""
    begin = 0
    for index, length in enumerate(ask.play_lengths):
        squares = list(ask.play_squares[16 * index : 16 * index + 16])
        yield ask.play_steps[begin : begin + length], squares
        begin += length


def first_steps(ask, table):
    """Yield each legal step as a play, and the squares after it: for an ask that lists no plays."""
    for step, pawn, square in zip(ask.steps, ask.step_pawns, ask.step_squares, strict=True):
        yield [step], table.after(ask, pawn, square)


def choose(ask, ruleset):
    """Return the steps of the best play; of equals the first."""
    table = Table(ask, ruleset)
    choices = plays(ask) if ask.play_lengths else first_steps(ask, table)
    best, _ = max(choices, key=lambda choice: table.standing(choice[1]))
    return best


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
