"""Answers for a game that is none of its own."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersAnotherGame(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[pb.Answer(game=999_999, ask=ask.ask, steps=ask.steps[:1])]))


if __name__ == "__main__":
    AnswersAnotherGame().play()
