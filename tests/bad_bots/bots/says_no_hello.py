"""Opens a stream and says nothing."""

from tests.bad_bots.bots.base import Bot


class SaysNoHello(Bot):
    def hello(self) -> None:
        pass


if __name__ == "__main__":
    SaysNoHello().play()
