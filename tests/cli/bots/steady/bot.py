"""
Takes the first step that is offered. With a file `stop` beside it, which holds a signal and the number
of an ask, it sends that signal to the referee at that ask, once, and does not answer.
"""

import os
import signal
import sys
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
from parcheesi.v1 import bot_gateway_pb2 as pb
from parcheesi.v1.bot_gateway_pb2_grpc import BotGatewayStub

STOP = Path("stop")


def stopped(ask: int) -> bool:
    if not STOP.exists():
        return False
    number, at = map(int, STOP.read_text().split())
    if ask < at:
        return False
    STOP.unlink()
    os.kill(os.getppid(), number)
    return True


def main() -> None:
    outbox: SimpleQueue[pb.PlayRequest] = SimpleQueue()
    outbox.put(pb.PlayRequest(hello=pb.Hello(name="steady", version="1")))
    token = f"Bearer {os.environ['PARCHEESI_TOKEN']}"
    with grpc.insecure_channel(os.environ["PARCHEESI_ADDRESS"]) as channel:
        stub: Any = BotGatewayStub(channel)  # type: ignore[arg-type]
        inbox = stub.Play(iter(outbox.get, None), metadata=[("authorization", token)])
        for message in inbox:
            readies = [pb.Ready(game=offer.game) for offer in message.offers]
            answers = [
                pb.Answer(game=ask.game, ask=ask.ask, steps=ask.steps[:1])
                for ask in message.asks
                if not stopped(ask.ask)
            ]
            if readies or answers:
                outbox.put(pb.PlayRequest(readies=readies, answers=answers))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"the stream ended: {error.code().name}")
