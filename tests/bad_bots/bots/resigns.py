"""Gives up its seat."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Resigns(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(resigns=[pb.Resign(game=ask.game)]))


if __name__ == "__main__":
    Resigns().play()
