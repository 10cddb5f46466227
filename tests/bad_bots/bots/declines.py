"""Turns every offer down."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Declines(Bot):
    def offered(self, offer: pb.Offer) -> None:
        self.send(pb.PlayRequest(declines=[pb.Decline(game=offer.game, reason="not on a Monday")]))


if __name__ == "__main__":
    Declines().play()
