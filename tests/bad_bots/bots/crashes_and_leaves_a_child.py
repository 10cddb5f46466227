"""Crashes in the middle of a game, while a child of its own holds its standard error open."""

import os

from parcheesi.v1 import bot_gateway_pb2 as pb

from tests.bad_bots.bots.leaves_a_child import LeavesAChild


class CrashesAndLeavesAChild(LeavesAChild):
    def misbehave(self, ask: pb.Ask) -> None:
        os._exit(4)


if __name__ == "__main__":
    CrashesAndLeavesAChild().play()
