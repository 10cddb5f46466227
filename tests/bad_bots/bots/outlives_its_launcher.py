"""Is started by another program, kills that in the middle of a game, and keeps the stream."""

import os
import signal
import subprocess
import sys

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot, forever

STARTED = "--started"


class OutlivesItsLauncher(Bot):
    def hello(self) -> None:
        (self.scratch / f"{os.getpid()}.pid").write_text(str(os.getpid()))
        super().hello()

    def misbehave(self, ask: pb.Ask) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        forever()


if __name__ == "__main__":
    if STARTED in sys.argv:
        OutlivesItsLauncher().play()
    else:
        subprocess.run(
            [sys.executable, "-m", "tests.bad_bots.bots.outlives_its_launcher", *sys.argv[1:], STARTED],
            check=False,
            start_new_session=True,
        )
