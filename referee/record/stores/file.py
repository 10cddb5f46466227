"""One game, one file of JSON lines."""

import os
from collections.abc import Sequence
from pathlib import Path

from referee.errors import StoreError


def sync_folder(folder: Path) -> None:
    """Make the names in *folder* survive a power cut."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class FileStore:
    """
    Appends whole lines to a file, one write a call.

    Raises:
        StoreError: The file cannot be made or opened.
    """

    def __init__(self, path: Path, *, keep: int | None = None) -> None:
        """Open *path* for appending; with *keep*, cut it to that many bytes first (a torn last line)."""
        self._path = path
        self._fd = -1
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            if keep is not None:
                os.ftruncate(self._fd, keep)
        except OSError as error:
            self.close()
            raise StoreError(f"record {path} cannot be written: {error.strerror}") from None

    def append(self, lines: Sequence[str]) -> None:
        """Write *lines*, each with a line feed."""
        data = memoryview(("\n".join(lines) + "\n").encode())
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            raise StoreError(f"record {self._path} cannot be written: {error.strerror}") from None

    def seal(self) -> None:
        """Wait until the disk has the file, and its name in the folder."""
        try:
            os.fsync(self._fd)
            sync_folder(self._path.parent)
        except OSError as error:
            raise StoreError(f"record {self._path} cannot be brought to disk: {error.strerror}") from None

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
