"""Ends with an exception that nobody catches."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Raises(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        raise IndexError("pawn 4 of 0 to 3")


if __name__ == "__main__":
    Raises().play()
