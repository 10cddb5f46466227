"""Does everything right: the one that sits beside the bad ones and must not suffer."""

from tests.bad_bots.bots.base import Bot

if __name__ == "__main__":
    Bot().play()
