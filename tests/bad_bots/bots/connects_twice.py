"""Opens a second stream in the middle of a game."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class ConnectsTwice(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        second = self.open(iter([pb.PlayRequest(hello=pb.Hello(name="again"))]))
        next(iter(second))
        self.answer(ask)


if __name__ == "__main__":
    ConnectsTwice().play()
