"""Speaks HTTP/2, and then something else on the same connection."""

from tests.bad_bots.bots.by_hand import ByHand


class BreaksTheConnection(ByHand):
    def misbehave(self) -> None:
        self.line.sendall(b"\xff" * 1000)


if __name__ == "__main__":
    BreaksTheConnection().play()
