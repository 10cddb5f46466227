"""Plays well, and prints megabytes to its standard output and error."""

import sys

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import GOOD, Bot


class Chatters(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        if self.asks == GOOD + 1:
            for _ in range(256):
                sys.stdout.write("thinking about it\n" * 2000)
                sys.stderr.write("thinking harder\n" * 2000)
        self.answer(ask)


if __name__ == "__main__":
    Chatters().play()
