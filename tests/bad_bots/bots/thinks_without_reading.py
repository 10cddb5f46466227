"""Plays well, but hears nothing while it thinks, as a program does that has one thread for both."""

import sys
import time

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.by_hand import ByHand

SECONDS = 2.5


class ThinksWithoutReading(ByHand):
    def answer(self, ask: pb.Ask) -> None:
        if self.asks == 0:
            print("thinking", file=sys.stderr, flush=True)
            time.sleep(SECONDS)
        self.asks += 1
        self.good(ask)


if __name__ == "__main__":
    ThinksWithoutReading().play()
