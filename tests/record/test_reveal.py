"""The seed that is told when the last game with it is over."""

from pathlib import Path

import pytest

from referee.errors import RecordError
from referee.record.replay import replay
from referee.record.reveal import nothing_follows, reveal
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from tests.record.games import a_record, seed_of

SEED = seed_of(1)


def a_file(tmp_path: Path, lines: int | None, torn: str = "") -> Path:
    """Return the record of a whole game, cut to its first *lines*, with *torn* behind them."""
    file = tmp_path / "game.jsonl"
    file.write_text("".join(line + "\n" for line in a_record(1).lines[:lines]) + torn, encoding="utf-8")
    return file


def test_a_file_without_a_bottom_ends_no_record(tmp_path: Path) -> None:
    """
    What is no record is left alone, whatever it is.
    """
    file = tmp_path / "game.jsonl"
    file.write_text("[" * 5000 + "\n")

    assert not nothing_follows(file)


class TestReveal:
    def test_ends_a_record(self, tmp_path: Path) -> None:
        """
        A record without its seed becomes the one that it would have been.
        """
        file = a_file(tmp_path, -1)
        before = replay(file)
        assert (before.complete, before.finished) == (True, False)

        reveal(file, WINNING_MOVES, SEED)

        assert file.read_text(encoding="utf-8").splitlines() == a_record(1).lines
        assert replay(file).finished

    def test_ends_a_record_whose_last_line_is_torn(self, tmp_path: Path) -> None:
        """
        Whoever was stopped while telling the seed tells it again.
        """
        file = a_file(tmp_path, -1, '{"type":"rev')

        reveal(file, WINNING_MOVES, SEED)

        assert file.read_text(encoding="utf-8").splitlines() == a_record(1).lines

    def test_does_nothing_twice(self, tmp_path: Path) -> None:
        """
        Whoever is not sure whether the seed was told can tell it again.
        """
        file = a_file(tmp_path, None)
        before = file.read_bytes()

        reveal(file, WINNING_MOVES, SEED)

        assert file.read_bytes() == before

    @pytest.mark.parametrize(
        ("lines", "torn"),
        [
            pytest.param(-2, "", id="the game goes on"),
            pytest.param(1, "", id="only a header"),
            pytest.param(0, "", id="empty"),
            pytest.param(-2, '{"type":"rev', id="the game goes on, torn"),
            pytest.param(-1, "\n", id="an empty line"),
            pytest.param(-1, "[]\n", id="no object"),
        ],
    )
    def test_refuses_a_game_that_has_not_ended(self, tmp_path: Path, lines: int, torn: str) -> None:
        """
        Before the end the seed is a secret, and a record that is damaged is not written to.
        """
        file = a_file(tmp_path, lines, torn)
        before = file.read_bytes()

        with pytest.raises(RecordError, match=r"game\.jsonl: the (seed cannot be told|end of the record)"):
            reveal(file, WINNING_MOVES, SEED)
        assert file.read_bytes() == before

    def test_refuses_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        """
        A record that is missing is named.
        """
        with pytest.raises(RecordError, match=r"no\.jsonl: the end of the record cannot be read"):
            reveal(tmp_path / "no.jsonl", WINNING_MOVES, SEED)
