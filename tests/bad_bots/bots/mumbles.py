"""Says something every now and then, but never answers."""

import threading

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Mumbles(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        never = threading.Event()
        while not never.wait(0.02):
            self.send(pb.PlayRequest())


if __name__ == "__main__":
    Mumbles().play()
