"""Closes its side of the stream in the middle of a game."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class ClosesItsSide(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.outbox.put(None)


if __name__ == "__main__":
    ClosesItsSide().play()
