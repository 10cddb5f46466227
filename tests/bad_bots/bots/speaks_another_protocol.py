"""Dials in and speaks no gRPC at all."""

import os
import socket

from tests.bad_bots.bots.base import forever

if __name__ == "__main__":
    host, _, port = os.environ["PARCHEESI_ADDRESS"].rpartition(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n" + os.urandom(100_000))
        forever()
