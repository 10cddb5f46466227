"""One line for each game, whole or not there."""

import os
from pathlib import Path

import pytest

from referee.errors import ConfigError, StoreError
from referee.match.faults import FaultKind
from tests.tournaments.cases import result
from tournaments.results import Result
from tournaments.runner.ledger import Ledger, Seen, results

LINE = result(3, {"a": 1, "b": 2}).line()


def numbers(path: Path) -> list[int]:
    return [kept.number for kept in results(path)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a ledger of two games."""
    path = tmp_path / "results.jsonl"
    ledger = Ledger(path)
    ledger.append([result(1, {"a": 1, "b": 2}), result(2, {"b": 1, "a": 2})])
    ledger.close()
    return path


class TestLine:
    def test_holds_the_whole_result(self) -> None:
        """
        What is written is what is read back.
        """
        one = result(3, {"Zoë": 1, "b": 2}, faults={"b": {FaultKind.LATE: 2, FaultKind.ILLEGAL: 1}})

        assert Result.from_line(one.line()) == one
        assert "\n" not in one.line()


class TestTornLine:
    @pytest.mark.parametrize(
        "torn",
        [
            pytest.param(b"{", id="one byte"),
            pytest.param(b'{"number":3,"game":"game-3"', id="half a line"),
            pytest.param(LINE.encode(), id="a line without its end"),
            pytest.param(b"\0" * 4096, id="what a power cut may leave"),
            pytest.param(b"x" * 200_000, id="a line longer than one look back"),
        ],
    )
    def test_is_passed_over_by_readers_and_cut_off_by_the_next_writer(self, path: Path, torn: bytes) -> None:
        whole = path.read_bytes()
        path.write_bytes(whole + torn)

        assert numbers(path) == [1, 2]
        ledger = Ledger(path)
        assert ledger.torn == len(torn)
        assert path.read_bytes() == whole
        ledger.append([result(3, {"a": 1, "b": 2})])
        ledger.close()
        assert numbers(path) == [1, 2, 3]

    def test_may_be_all_there_is(self, tmp_path: Path) -> None:
        path = tmp_path / "results.jsonl"
        path.write_bytes(b'{"number":1')

        Ledger(path).close()

        assert path.read_bytes() == b""

    def test_is_not_seen_in_a_whole_file(self, path: Path) -> None:
        ledger = Ledger(path)
        ledger.close()

        assert ledger.torn == 0


class TestBadLine:
    @pytest.mark.parametrize(
        ("line", "sentence"),
        [
            pytest.param("{]", ":3: not JSON", id="not JSON"),
            pytest.param("[]", ":3: no result", id="another JSON"),
            pytest.param('{"number":3}', ":3: no result: 'game' is missing", id="a field is missing"),
            pytest.param("\xff\xfe", ":3: ", id="strange letters"),
            pytest.param(LINE.replace('"won"', '"bribed"'), "'bribed'", id="a strange reason"),
            pytest.param(
                result(1, {"a": 1, "b": 2}).line(), ":3: game game-1 is told of a second time", id="twice"
            ),
        ],
    )
    def test_is_told_with_its_number(self, path: Path, line: str, sentence: str) -> None:
        """
        A whole line that is no result was not written by us: nothing is guessed.
        """
        with path.open("ab") as file:
            file.write(line.encode("latin-1") + b"\n")

        with pytest.raises(ConfigError, match=sentence):
            numbers(path)


class TestFullDisk:
    def test_leaves_nothing_of_the_line(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """
        A write that was cut short is taken back, and the caller learns of it.
        """
        whole = path.read_bytes()
        ledger = Ledger(path)
        write = os.write
        monkeypatch.setattr(os, "write", lambda number, data: write(number, data[:10]))

        with pytest.raises(StoreError, match="the disk is full"):
            ledger.append([result(3, {"a": 1, "b": 2})])

        ledger.close()
        assert path.read_bytes() == whole

    def test_tells_what_the_system_says(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(number: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        ledger = Ledger(path)
        monkeypatch.setattr(os, "write", refuse)

        with pytest.raises(StoreError, match="cannot be written: No space left on device"):
            ledger.append([result(3, {"a": 1, "b": 2})])
        ledger.close()

    def test_nothing_is_written_after_the_end(self, path: Path) -> None:
        ledger = Ledger(path)
        ledger.close()

        with pytest.raises(StoreError, match="was closed"):
            ledger.append([result(3, {"a": 1, "b": 2})])


def test_seen_keeps_one_bit_a_game() -> None:
    """
    Games end in any order; those seen are told from those that were not.
    """
    seen = Seen()
    for number in (1, 64, 1_000_000, 7):
        seen.add(number)

    assert seen.count == 4
    assert all(number in seen for number in (1, 7, 64, 1_000_000))
    assert not any(number in seen for number in (0, 2, 63, 999_999, 2_000_000))
