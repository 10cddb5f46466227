"""Answers with a step that was not offered."""

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class AnswersIllegally(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        used = {(step >> 16, step >> 8 & 0xFF) for step in ask.steps}
        pawn, use = next((p, u) for u in range(1, 7) for p in range(4) if (p, u) not in used)
        step = pawn << 16 | use << 8 | 68
        print(f"now {step} is sent", flush=True)
        self.send(pb.PlayRequest(answers=[pb.Answer(game=ask.game, ask=ask.ask, steps=[step])]))


if __name__ == "__main__":
    AnswersIllegally().play()
