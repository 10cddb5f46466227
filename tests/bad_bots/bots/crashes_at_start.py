"""Ends before it has said hello."""

import os
import sys

from tests.bad_bots.bots.base import Bot


class CrashesAtStart(Bot):
    def hello(self) -> None:
        print("there is no opening book here", file=sys.stderr, flush=True)
        os._exit(3)


if __name__ == "__main__":
    CrashesAtStart().play()
