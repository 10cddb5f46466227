"""Plays well, and starts a child in a session of its own that knows nothing of the referee."""

from collections.abc import Mapping

from tests.bad_bots.bots.leaves_a_child import LeavesAChild


class LeavesAChildUnmarked(LeavesAChild):
    APART = True
    ENVIRONMENT: Mapping[str, str] | None = {}


if __name__ == "__main__":
    LeavesAChildUnmarked().play()
