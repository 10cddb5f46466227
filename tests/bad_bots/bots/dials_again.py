"""Hangs up in the middle of its first game, dials again at once, and plays well from then on."""

from queue import SimpleQueue

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import GOOD, Bot


class DialsAgain(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        if self.asks == GOOD + 1:
            self.channel.close()
        else:
            self.answer(ask)

    def stream_over(self) -> None:
        if self.asks == GOOD + 1:
            self.asks += 1
            self.outbox = SimpleQueue()  # what is left of the old stream still reads the old one
            self.channel = self.connect()
            self.play()


if __name__ == "__main__":
    DialsAgain().play()
