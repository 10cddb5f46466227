"""Accepts its game ten thousand times over, in one message that is not too large."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class FloodsInAList(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(readies=[pb.Ready(game=1)] * 10_000))


if __name__ == "__main__":
    FloodsInAList().play()
