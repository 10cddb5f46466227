"""Sends a message so large that the transport refuses it."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class SendsHuge(Bot):
    BYTES = 100_000_000

    def misbehave(self, ask: pb.Ask) -> None:
        self.send(b"\0" * self.BYTES)


if __name__ == "__main__":
    SendsHuge().play()
