"""Plays well, but neither the end of its stream nor SIGTERM makes it leave."""

import signal

from tests.bad_bots.bots.base import Bot, forever


class Stays(Bot):
    def hello(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().hello()

    def stream_over(self) -> None:
        forever()


if __name__ == "__main__":
    Stays().play()
