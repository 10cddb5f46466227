"""Sends a message that the transport refuses, and lives on."""

from tests.bad_bots.bots.base import forever
from tests.bad_bots.bots.sends_huge import SendsHuge


class SendsHugeAndStays(SendsHuge):
    BYTES = 5_000_000

    def stream_over(self) -> None:
        forever()


if __name__ == "__main__":
    SendsHugeAndStays().play()
