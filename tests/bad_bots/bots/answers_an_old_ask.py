"""Answers the game's first ask again before the open one."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersAnOldAsk(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[pb.Answer(game=ask.game, ask=1, steps=ask.steps[:1])]))
        self.answer(ask)


if __name__ == "__main__":
    AnswersAnOldAsk().play()
