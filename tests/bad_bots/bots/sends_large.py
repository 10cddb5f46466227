"""Sends a message over the limit that `Welcome` told."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class SendsLarge(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(declines=[pb.Decline(reason="x" * 100_000)]))


if __name__ == "__main__":
    SendsLarge().play()
