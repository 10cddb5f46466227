"""Sends answers to one ask without end."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import good_answer
from tests.bad_bots.bots.floods import Floods


class FloodsAnswers(Floods):
    def misbehave(self, ask: pb.Ask) -> None:
        self.open_ask = ask
        self.answer(ask)

    def drop(self) -> pb.PlayRequest:
        return pb.PlayRequest(answers=[good_answer(self.open_ask)])


if __name__ == "__main__":
    FloodsAnswers().play()
