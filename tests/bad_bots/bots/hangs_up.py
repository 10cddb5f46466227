"""Cancels its stream in the middle of a game, and lives on."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot, forever


class HangsUp(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.channel.close()
        forever()


if __name__ == "__main__":
    HangsUp().play()
