"""
The seed of a game that is not over: a file beside its record, for its owner's eyes only.

Without it a game cannot be gone on with; who reads it knows all throws that are still to come.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

from referee.errors import StoreError
from referee.record.stores.file import sync_folder

SUFFIX: Final = ".secret"
"""What the file's name has behind that of the record."""


def secret_file(record: Path) -> Path:
    """Return where the seed of the game at *record* is kept."""
    return record.with_name(record.name + SUFFIX)


def keep_seed(record: Path, seed: bytes) -> None:
    """
    Keep *seed* until `forget_seed`; on return it survives the machine.

    Raises:
        StoreError: The file cannot be written; what was written of it is gone.
    """
    secret = secret_file(record)
    try:
        record.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "w") as file:
            os.fchmod(fd, 0o600)  # it may have been there, open to others
            file.write(seed.hex() + "\n")
            file.flush()
            os.fsync(fd)
        sync_folder(record.parent)
    except OSError as error:
        forget_seed(record)
        raise StoreError(f"{secret} cannot be written: {error.strerror}") from None


def kept_seed(record: Path) -> bytes | None:
    """Return the seed that is kept for the game at *record*, None if there is none to be read."""
    try:
        return bytes.fromhex(secret_file(record).read_text("ascii").strip()) or None
    except (OSError, ValueError):
        return None


def forget_seed(record: Path) -> None:
    """Remove the seed's file, if there is one: the game is over, or was never begun."""
    with contextlib.suppress(OSError):
        secret_file(record).unlink(missing_ok=True)
