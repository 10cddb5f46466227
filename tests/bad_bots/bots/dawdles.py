"""Does not answer until it is told that it is late, and plays well ever after."""

from parcheesi.v1 import bot_gateway_pb2 as pb
from parcheesi.v1.board_pb2 import FAULT_KIND_LATE

from tests.bad_bots.bots.base import Bot


class Dawdles(Bot):
    awake = False

    def misbehave(self, ask: pb.Ask) -> None:
        if self.awake:
            self.answer(ask)
        else:
            self.overslept = ask

    def heard(self, message: pb.PlayResponse) -> None:
        if any(verdict.fault == FAULT_KIND_LATE for verdict in message.verdicts):
            self.awake = True
            self.answer(self.overslept)
        super().heard(message)


if __name__ == "__main__":
    Dawdles().play()
