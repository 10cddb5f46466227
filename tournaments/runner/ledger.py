"""
`results.jsonl`: one line for each game that was played, and nothing that could not be derived from it.

A line is written with one call to a file opened for appending, and is on disk before anybody learns of
the result. A process that dies within that call leaves a line without its end; the next one cuts it
off. The game behind it is not lost: its record is complete, and its result is made from that.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.errors import ConfigError, RecordError, StoreError
from referee.record.stores.file import sync_folder
from tournaments.results import Result
from tournaments.runner import disk


class Seen:
    """Which games have been seen: one bit for each, so that a million cost little."""

    def __init__(self) -> None:
        """Begin with none."""
        self._bits: Final = bytearray()
        self.count = 0

    def __contains__(self, number: int) -> bool:
        """Tell whether game *number* has been seen."""
        byte = number >> 3
        return byte < len(self._bits) and bool(self._bits[byte] & (1 << (number & 7)))

    def add(self, number: int) -> None:
        """Note game *number*, which must not have been seen."""
        missing = (number >> 3) + 1 - len(self._bits)
        if missing > 0:
            self._bits.extend(bytes(missing))
        self._bits[number >> 3] |= 1 << (number & 7)
        self.count += 1


def results(path: Path) -> Iterator[Result]:
    """
    Return the results that *path* holds, in the order in which the games ended; a torn last line is
    passed over. One line is held at a time.

    Raises:
        ConfigError: The file cannot be read, or a line in it is no result, or tells of a game twice.
    """
    seen = Seen()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    result = Result.from_line(line.decode())
                except (RecordError, UnicodeDecodeError) as error:
                    raise ConfigError(f"{path}:{number}: {error}") from None
                if result.number in seen:
                    raise ConfigError(f"{path}:{number}: game {result.game} is told of a second time")
                seen.add(result.number)
                yield result
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


class Ledger:
    """
    The results of a tournament, open for writing. May be called from any thread.

    Raises:
        StoreError: The file cannot be opened or mended.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, and cut off a last line that was not written whole."""
        self._path: Final = path
        self._lock: Final = threading.Lock()
        self._number: int | None = None
        try:
            self._number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            self.torn: Final = disk.mend(self._number)
            sync_folder(path.parent)
        except OSError as error:
            self.close()
            raise StoreError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, new: Sequence[Result]) -> None:
        """
        Keep *new*; on return they are on disk.

        Raises:
            StoreError: None of them was kept.
        """
        data = "".join(f"{result.line()}\n" for result in new).encode()
        with self._lock:
            if self._number is None:
                raise StoreError(f"{self._path} was closed")
            disk.append(self._number, data, self._path)

    def close(self) -> None:
        """Close the file, after a write that is under way."""
        with self._lock:
            if self._number is not None:
                os.close(self._number)
                self._number = None
