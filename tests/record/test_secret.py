"""The seed's own file, while a game is not over."""

import stat
from pathlib import Path

import pytest

from referee.errors import StoreError
from referee.record.secret import forget_seed, keep_seed, kept_seed, secret_file
from tests.fakes import SEED


class TestSecret:
    @pytest.mark.parametrize("before", [None, "an older one, open to all"], ids=["new", "there already"])
    def test_is_for_its_owner_only(self, tmp_path: Path, before: str | None) -> None:
        """
        Nobody else can read it, even where a file of that name could be read by all.
        """
        record = tmp_path / "games" / "game.jsonl"
        if before is not None:
            record.parent.mkdir()
            secret_file(record).write_text(before)
            secret_file(record).chmod(0o644)

        keep_seed(record, SEED)

        assert stat.S_IMODE(secret_file(record).stat().st_mode) == 0o600
        assert kept_seed(record) == SEED

    def test_can_be_forgotten_twice(self, tmp_path: Path) -> None:
        """
        Whoever is not sure whether it is gone forgets it again.
        """
        record = tmp_path / "game.jsonl"
        keep_seed(record, SEED)

        forget_seed(record)
        forget_seed(record)

        assert list(tmp_path.iterdir()) == []
        assert kept_seed(record) is None

    @pytest.mark.parametrize("data", [b"", b"no seed\n", b"\xff"], ids=["empty", "words", "bytes"])
    def test_is_not_there_where_it_is_none(self, tmp_path: Path, data: bytes) -> None:
        """
        What cannot be read as a seed is none.
        """
        record = tmp_path / "game.jsonl"
        secret_file(record).write_bytes(data)

        assert kept_seed(record) is None

    def test_is_named_where_it_cannot_be_written(self, tmp_path: Path) -> None:
        """
        A game whose seed cannot be kept is not begun.
        """
        (tmp_path / "games").write_text("a file")

        with pytest.raises(StoreError, match=r"game\.jsonl\.secret cannot be written"):
            keep_seed(tmp_path / "games" / "game.jsonl", SEED)
