"""Answers without a step."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersNoSteps(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[pb.Answer(game=ask.game, ask=ask.ask)]))


if __name__ == "__main__":
    AnswersNoSteps().play()
