"""Sends empty messages without end."""

from collections.abc import Iterator

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import GOOD, Bot, Request


class Floods(Bot):
    def open(self, outbox: Iterator[Request]) -> Iterator[pb.PlayResponse]:
        return super().open(self.without_end(outbox))

    def without_end(self, outbox: Iterator[Request]) -> Iterator[Request]:
        for request in outbox:
            yield request
            while self.asks > GOOD:
                yield self.drop()

    def drop(self) -> pb.PlayRequest:
        return pb.PlayRequest()


if __name__ == "__main__":
    Floods().play()
