"""Says hello, and nothing more."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class IsNeverReady(Bot):
    def offered(self, offer: pb.Offer) -> None:
        pass


if __name__ == "__main__":
    IsNeverReady().play()
