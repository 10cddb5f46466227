"""Accepts its game again and again."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.floods import Floods


class FloodsReadies(Floods):
    def drop(self) -> pb.PlayRequest:
        return pb.PlayRequest(readies=[pb.Ready(game=1)])


if __name__ == "__main__":
    FloodsReadies().play()
