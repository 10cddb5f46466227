"""Plays well, and starts a child that stays when it leaves."""

import subprocess

from tests.bad_bots.bots.base import Bot


class LeavesAChild(Bot):
    APART = False

    def hello(self) -> None:
        child = subprocess.Popen(["sleep", "1000"], start_new_session=self.APART)
        (self.scratch / "child.pid").write_text(str(child.pid))
        super().hello()


if __name__ == "__main__":
    LeavesAChild().play()
