"""The last line of a record that was kept back: the seed."""

import json
from pathlib import Path
from typing import Final

from referee.errors import RecordError
from referee.match.events import Revealed
from referee.record.lines import Lines
from referee.record.stores.file import FileStore
from referee.rules.ruleset import Ruleset

_TAIL: Final = 8192
"""So many bytes at the end of a record hold its last line, and a torn one after it."""


def reveal(path: Path, ruleset: Ruleset, seed: bytes) -> None:
    """
    End the record of a complete game by *ruleset* with its *seed*, if that is not there yet.

    Raises:
        RecordError: The record is not complete.
        StoreError: It cannot be written.
    """
    last, whole = _last_line(path)
    if last == "revealed":
        return
    if last != "ended":
        raise RecordError(f"{path}: the seed cannot be told: the game has not ended")
    store = FileStore(path, keep=whole)
    try:
        store.append([Lines(ruleset).line(Revealed(seed))])
        store.seal()
    finally:
        store.close()


def nothing_follows(path: Path) -> bool:
    """Tell whether the last whole line of the record at *path* ends it: the seed is told, or it is void."""
    try:
        return _last_line(path)[0] in ("revealed", "voided")
    except RecordError:  # it is no record, or its last line is longer than the tail that was read
        return False


def _last_line(path: Path) -> tuple[str | None, int]:
    """Return the type of the record's last whole line, None where there is none, and where it ends."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - _TAIL, 0))
            lines = file.read().split(b"\n")
        whole = size - len(lines[-1])
        return (str(json.loads(lines[-2])["type"]) if len(lines) > 1 else None), whole
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"{path}: the end of the record cannot be read: {error}") from None
