"""
A bot that kills the process that started it: python -m tests.server.killer FOLDER DEATHS

It does so at its fourth ask, and leaves a note of itself in FOLDER. Where DEATHS notes are there, it plays
well.
"""

import os
import signal
import sys

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot, forever


class Killer(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        deaths = len(list(self.scratch.glob("*.pid")))
        if deaths >= int(sys.argv[2]):
            self.answer(ask)
            return
        (self.scratch / f"{deaths}.pid").write_text(str(os.getpid()))
        os.kill(os.getppid(), signal.SIGKILL)
        forever()


if __name__ == "__main__":
    Killer().play()
