"""Answers each ask twice."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot, good_answer


class AnswersTwice(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[good_answer(ask), good_answer(ask)]))


if __name__ == "__main__":
    AnswersTwice().play()
