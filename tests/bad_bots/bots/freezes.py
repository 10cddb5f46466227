"""Stops itself, as a debugger or a full machine would."""

import os
import signal

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Freezes(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    Freezes().play()
