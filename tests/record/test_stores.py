"""What a store of records promises, held against every store in the register."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from referee.errors import StoreError
from referee.record.stores import STORES
from referee.record.stores.file import FileStore
from referee.record.stores.memory import MemoryStore
from referee.record.stores.store import RecordStore

LINES = ["{}", '{"name":"naïve 🎲"}', '{"text":"two\\nlines"}', "x" * 300_000]


class Kept:
    """A store, and how to see what it has kept without its help."""

    def __init__(self, store: RecordStore, lines: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self.lines = lines


@pytest.fixture(params=STORES)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    """Return an empty store of each kind."""
    kind = STORES[request.param]
    if kind is FileStore:
        file = tmp_path / "game.jsonl"
        store: RecordStore = FileStore(file)
        yield Kept(store, lambda: file.read_text(encoding="utf-8").split("\n")[:-1])
    else:
        assert kind is MemoryStore, "a new store needs a way to look into it, here"
        memory = MemoryStore()
        store = memory
        yield Kept(store, lambda: memory.lines)
    store.close()


def test_a_sealed_file_is_on_disk_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    After a power cut a record is there: its lines, and its name in the folder.
    """
    synced: list[Path] = []
    sync = os.fsync

    def noting(number: int) -> None:
        synced.append(Path(f"/proc/self/fd/{number}").resolve())
        sync(number)

    monkeypatch.setattr(os, "fsync", noting)
    store = FileStore(tmp_path / "game.jsonl")
    store.append(["{}"])
    assert synced == []

    store.seal()
    store.close()

    assert synced == [tmp_path / "game.jsonl", tmp_path]


class TestEveryStore:
    def test_keeps_lines_in_order(self, kept: Kept) -> None:
        """
        What was appended is there when the call returns, behind what was there before.
        """
        for number, line in enumerate(LINES, 1):
            kept.store.append([line])

            assert kept.lines() == LINES[:number]

    def test_keeps_many_lines_at_once(self, kept: Kept) -> None:
        """
        Lines that come together are kept as if one by one.
        """
        kept.store.append(LINES)
        kept.store.append(LINES[::-1])

        assert kept.lines() == LINES + LINES[::-1]

    def test_can_be_sealed_at_any_time(self, kept: Kept) -> None:
        """
        To seal changes nothing in what is kept, and more may come behind.
        """
        kept.store.seal()
        kept.store.append(LINES[:2])
        kept.store.seal()
        kept.store.append(LINES[2:])
        kept.store.seal()

        assert kept.lines() == LINES

    def test_can_be_closed_twice(self, kept: Kept) -> None:
        """
        Whoever closes need not know whether somebody did before.
        """
        kept.store.append(LINES)

        kept.store.close()
        kept.store.close()

        assert kept.lines() == LINES


class TestFileStore:
    def test_goes_on_behind_what_is_there(self, tmp_path: Path) -> None:
        """
        A file that is there is not written over.
        """
        file = tmp_path / "game.jsonl"
        file.write_text("one\n")

        store = FileStore(file)
        store.append(["two"])
        store.close()

        assert file.read_text() == "one\ntwo\n"

    def test_makes_no_folder(self, tmp_path: Path) -> None:
        """
        One that was moved away during a tournament must not come back without the other records.
        """
        with pytest.raises(StoreError, match=r"game\.jsonl cannot be written: No such file or directory"):
            FileStore(tmp_path / "a" / "game.jsonl")

        assert not (tmp_path / "a").exists()

    def test_that_is_closed_keeps_nothing_more(self, tmp_path: Path) -> None:
        """
        What comes after the closing is refused, not lost.
        """
        store = FileStore(tmp_path / "game.jsonl")
        store.close()

        with pytest.raises(StoreError, match="Bad file descriptor"):
            store.append(["one"])
