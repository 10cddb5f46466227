"""Sends bytes that are no message."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersGarbage(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(b"\xff\xff\xff not a message")


if __name__ == "__main__":
    AnswersGarbage().play()
