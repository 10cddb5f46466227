"""Ends in the middle of a game as if all were well."""

import os

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Exits(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        os._exit(0)


if __name__ == "__main__":
    Exits().play()
