"""Never answers again."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot, forever


class Sleeps(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        forever()


if __name__ == "__main__":
    Sleeps().play()
