"""Opens streams without end and says nothing on them."""

from queue import SimpleQueue

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import Bot


class FloodsSilentStreams(Bot):
    def misbehave(self, ask: pb.Ask) -> None:
        silence: SimpleQueue[pb.PlayRequest] = SimpleQueue()
        streams = []
        while True:
            streams.append(self.open(iter(silence.get, None)))


if __name__ == "__main__":
    FloodsSilentStreams().play()
