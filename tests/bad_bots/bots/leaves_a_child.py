"""Plays well, and starts a child that stays when it leaves."""

import subprocess
from collections.abc import Mapping

from tests.bad_bots.bots.base import Bot


class LeavesAChild(Bot):
    APART = False
    ENVIRONMENT: Mapping[str, str] | None = None

    def hello(self) -> None:
        child = subprocess.Popen(["/bin/sleep", "1000"], start_new_session=self.APART, env=self.ENVIRONMENT)
        (self.scratch / "child.pid").write_text(str(child.pid))
        super().hello()


if __name__ == "__main__":
    LeavesAChild().play()
