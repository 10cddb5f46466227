"""Records in memory, for tests and for games whose record nobody wants."""

from collections.abc import Sequence


class MemoryStore:
    """Keeps lines in a list."""

    def __init__(self) -> None:
        """Begin empty."""
        self.lines: list[str] = []
        self.sealed = False

    def append(self, lines: Sequence[str]) -> None:
        """Keep *lines*."""
        self.lines.extend(lines)

    def seal(self) -> None:
        """Remember that it was asked for."""
        self.sealed = True

    def close(self) -> None:
        """Do nothing: memory needs no closing."""
