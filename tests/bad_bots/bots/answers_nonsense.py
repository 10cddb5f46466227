"""Answers with a number that is no step."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersNonsense(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[pb.Answer(game=ask.game, ask=ask.ask, steps=[0xFFFFFFFF])]))


if __name__ == "__main__":
    AnswersNonsense().play()
