"""Turns its game down, again and again, when it is being played."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.floods import Floods


class FloodsDeclines(Floods):
    def drop(self) -> pb.PlayRequest:
        return pb.PlayRequest(declines=[pb.Decline(game=1)])


if __name__ == "__main__":
    FloodsDeclines().play()
