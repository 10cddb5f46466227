"""Plays well, and starts a child in a session of its own, which no signal to its group reaches."""

from tests.bad_bots.bots.leaves_a_child import LeavesAChild


class LeavesAChildApart(LeavesAChild):
    APART = True


if __name__ == "__main__":
    LeavesAChildApart().play()
