"""The port that a store fits."""

from collections.abc import Sequence
from typing import Protocol


class RecordStore(Protocol):
    """Keeps the lines of one game, finished or not."""

    def append(self, lines: Sequence[str]) -> None:
        """
        Keep *lines* behind those already kept. On return they survive the death of this process.

        Raises:
            StoreError: They may not all have been kept; the game must stop here.
        """

    def seal(self) -> None:
        """
        Make what was kept survive a loss of power too. Blocks for as long as the disk takes.

        Raises:
            StoreError: It could not be made sure.
        """

    def close(self) -> None:
        """Let go of what is open. Nothing may be appended after it."""
