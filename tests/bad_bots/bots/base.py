"""
A well-behaved bot, to be made bad in a few lines.

Each file beside this one overrides one hook and is started as a process of its own:

    python -m tests.bad_bots.bots.sleeps FOLDER

FOLDER is scratch space, where a bot may leave a note for the test. A bot answers its first `GOOD`
asks well; from then on `misbehave` is called for each.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb

METHOD = "/parcheesi.v1.BotGateway/Play"
GOOD = 3

Request = pb.PlayRequest | bytes
"""What goes to the referee: a message, or bytes that are meant to be none."""


def serialized(request: Request) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


class Bot:
    """Plays the last of the offered steps."""

    def __init__(self) -> None:
        self.asks = 0
        self.outbox: SimpleQueue[Request | None] = SimpleQueue()  # None closes our side of the stream
        self.channel = self.connect()
        self.scratch = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()

    # What a bad bot overrides.

    def hello(self) -> None:
        self.send(pb.PlayRequest(hello=pb.Hello(name=type(self).__name__, version="1", language="python")))

    def offered(self, offer: pb.Offer) -> None:
        self.send(pb.PlayRequest(readies=[pb.Ready(game=offer.game)]))

    def misbehave(self, ask: pb.Ask) -> None:
        self.answer(ask)

    def stream_over(self) -> None:
        pass

    # What it is made of.

    def connect(self) -> grpc.Channel:
        return grpc.insecure_channel(os.environ["PARCHEESI_ADDRESS"])

    def open(self, outbox: Iterator[Request]) -> Iterator[pb.PlayResponse]:
        play = self.channel.stream_stream(
            METHOD, request_serializer=serialized, response_deserializer=pb.PlayResponse.FromString
        )
        stream: Iterator[pb.PlayResponse] = play(
            outbox, metadata=(("authorization", f"Bearer {os.environ['PARCHEESI_TOKEN']}"),)
        )
        return stream

    def send(self, request: Request) -> None:
        self.outbox.put(request)

    def answer(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[good_answer(ask)]))

    def play(self) -> None:
        self.inbox = self.open(iter(self.outbox.get, None))
        self.hello()
        try:
            for message in self.inbox:
                self.heard(message)
        except grpc.RpcError:
            pass
        self.stream_over()

    def heard(self, message: pb.PlayResponse) -> None:
        for offer in message.offers:
            self.offered(offer)
        for ask in message.asks:
            self.asks += 1
            if self.asks <= GOOD:
                self.answer(ask)
            else:
                self.misbehave(ask)


def good_answer(ask: pb.Ask) -> pb.Answer:
    return pb.Answer(game=ask.game, ask=ask.ask, steps=[ask.steps[-1]])


def forever() -> None:
    """Do nothing, for as long as the process lives."""
    SimpleQueue[None]().get()
