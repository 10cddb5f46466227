"""
A bot that speaks HTTP/2 by hand, to be made bad below gRPC.

It knows what a game takes and no more: no flow control.
"""

import os
import socket
import struct

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.base import GOOD, METHOD, forever, good_answer

DATA, HEADERS, SETTINGS, PING, GOODBYE = 0, 1, 4, 6, 7
END_OF_HEADERS, ACKNOWLEDGED = 4, 1


class ByHand:
    def __init__(self) -> None:
        host, _, port = os.environ["PARCHEESI_ADDRESS"].rpartition(":")
        self.line = socket.create_connection((host, int(port)))
        self.buffer = b""
        self.asks = 0

    def answer(self, ask: pb.Ask) -> None:
        """Answer the first asks well, then misbehave."""
        self.asks += 1
        if self.asks > GOOD:
            self.misbehave()
            forever()
        self.good(ask)

    def good(self, ask: pb.Ask) -> None:
        self.send(pb.PlayRequest(answers=[good_answer(ask)]))

    def misbehave(self) -> None:
        """Do as a bad bot does; nothing more will be heard."""

    def play(self) -> None:
        self.line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.frame(SETTINGS, 0, 0, b"")
        self.frame(HEADERS, END_OF_HEADERS, 1, b"".join(map(literal, headers().items())))
        self.send(pb.PlayRequest(hello=pb.Hello(name="by hand")))
        while True:
            kind, flags, payload = self.heard()
            if kind in (SETTINGS, PING) and not flags & ACKNOWLEDGED:
                self.frame(kind, ACKNOWLEDGED, 0, payload if kind == PING else b"")
            if kind == GOODBYE:
                return
            if kind != DATA:
                continue
            self.buffer += payload
            while len(self.buffer) >= 5 and len(self.buffer) >= (size := self.size()):
                message, self.buffer = self.buffer[5:size], self.buffer[size:]
                response = pb.PlayResponse.FromString(message)
                self.send(pb.PlayRequest(readies=[pb.Ready(game=offer.game) for offer in response.offers]))
                for ask in response.asks:
                    self.answer(ask)

    def size(self) -> int:
        return 5 + int.from_bytes(self.buffer[1:5])

    def send(self, request: pb.PlayRequest) -> None:
        data = request.SerializeToString()
        if data:
            self.frame(DATA, 0, 1, b"\0" + struct.pack(">I", len(data)) + data)

    def frame(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        self.line.sendall(len(payload).to_bytes(3) + struct.pack(">BBI", kind, flags, stream) + payload)

    def heard(self) -> tuple[int, int, bytes]:
        head = self.read(9)
        return head[3], head[4], self.read(int.from_bytes(head[:3]))

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.line.recv(size - len(data))
            if not more:
                forever()
            data += more
        return data


def headers() -> dict[str, str]:
    return {
        ":method": "POST",
        ":scheme": "http",
        ":path": METHOD,
        ":authority": "referee",
        "content-type": "application/grpc",
        "te": "trailers",
        "authorization": f"Bearer {os.environ['PARCHEESI_TOKEN']}",
    }


def literal(field: tuple[str, str]) -> bytes:
    """Return a header field as HPACK writes it when it remembers nothing; texts are below 127 bytes."""
    name, value = (text.encode() for text in field)
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value
