"""Opens one stream after the other without end, and says hello on each."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class FloodsStreams(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        while True:
            next(self.open(iter([pb.PlayRequest(hello=pb.Hello(name="again"))])))


if __name__ == "__main__":
    FloodsStreams().play()
