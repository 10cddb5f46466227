"""A bot that takes any offered step: a hash of the game and the ask chooses it."""

import os
import signal
import sys
from queue import SimpleQueue

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb
from parcheesi.v1.bot_gateway_pb2_grpc import BotGatewayStub


def choose(ask):
    h = (ask.game * 2654435761 + ask.ask * 40503) % 2**32
    h = (h ^ h >> 15) * 2246822519 % 2**32
    return ask.steps[(h ^ h >> 13) % len(ask.steps)]


def main():
    outbox = SimpleQueue()  # what is put here goes to the referee
    outbox.put(pb.PlayRequest(hello=pb.Hello(name="python_random", version="1.0.0", games_at_once=64)))
    token = f"Bearer {os.environ['PARCHEESI_TOKEN']}"
    with grpc.insecure_channel(os.environ["PARCHEESI_ADDRESS"]) as channel:
        inbox = BotGatewayStub(channel).Play(iter(outbox.get, None), metadata=[("authorization", token)])
        for message in inbox:
            readies = [pb.Ready(game=offer.game) for offer in message.offers]
            answers = [pb.Answer(game=ask.game, ask=ask.ask, steps=[choose(ask)]) for ask in message.asks]
            if readies or answers:
                outbox.put(pb.PlayRequest(readies=readies, answers=answers))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"the stream ended: {error.code().name}: {error.details()}")
