"""
The few things that are done to files, each of them safe against the death of the process.

Everything the runner writes goes through here, so a test can end the process before, within or after
each of these steps and see what is left.
"""

import os
from pathlib import Path

from referee.errors import StoreError
from referee.record.stores.file import sync_folder


def make_folder(folder: Path) -> None:
    """
    Make *folder* and those above it where they are missing, so that they survive a power cut.

    Raises:
        StoreError: It cannot be made.
    """
    try:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for each in missing:
            sync_folder(each.parent)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}") from None


def create(path: Path, data: bytes, mode: int = 0o644) -> None:
    """
    Write a new file.

    Raises:
        StoreError: There is one already, or it cannot be written.
    """
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            _write(number, data)
            os.fsync(number)
        finally:
            os.close(number)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None


def replace(path: Path, data: bytes) -> None:
    """
    Write a file whole or not at all: readers see the old one or the new one.

    Raises:
        StoreError: It cannot be written.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        number = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            _write(number, data)
            os.fsync(number)
        finally:
            os.close(number)
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None


def rename(path: Path, to: Path) -> None:
    """
    Give a file another name in its folder.

    Raises:
        StoreError: It cannot be renamed.
    """
    try:
        path.rename(to)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be renamed: {error.strerror}") from None


def append(number: int, data: bytes, name: Path) -> None:
    """
    Write *data* behind what the open file *number* holds: one write, on disk when this returns.

    Raises:
        StoreError: It was not kept, and nothing of it is left.
    """
    before = os.fstat(number).st_size
    try:
        written = os.write(number, data)
        if written == len(data):
            os.fsync(number)
            return
        reason = f"only {written} of {len(data)} bytes were taken: the disk is full"
    except OSError as error:
        reason = error.strerror or str(error)
    os.ftruncate(number, before)
    raise StoreError(f"{name} cannot be written: {reason}")


def mend(number: int) -> int:
    """Cut off what stands behind the last line feed of an open file; return how many bytes that was."""
    size = end = os.fstat(number).st_size
    while end:
        start = max(0, end - 64 * 1024)
        found = os.pread(number, end - start, start).rfind(b"\n")
        if found >= 0:
            end = start + found + 1
            break
        end = start
    if end < size:
        os.ftruncate(number, end)
        os.fsync(number)
    return size - end


def _write(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]
