"""Is ended by the kernel."""

import os
import signal

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class Segfaults(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    Segfaults().play()
