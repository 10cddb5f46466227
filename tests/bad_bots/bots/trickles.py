"""Sends an answer byte by byte, so slowly that it never ends."""

import struct
import threading

from tests.bad_bots.bots.by_hand import DATA, ByHand


class Trickles(ByHand):
    def misbehave(self) -> None:
        self.frame(DATA, 0, 1, b"\0" + struct.pack(">I", 60_000))
        never = threading.Event()
        while not never.wait(0.01):
            self.frame(DATA, 0, 1, b"\0")


if __name__ == "__main__":
    Trickles().play()
