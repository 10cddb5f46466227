"""`referee replay` and `referee verify`: records shown and proven."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee import __version__
from referee.dice import SeededDice
from referee.match.events import Revealed
from referee.match.match import Match
from referee.record.replay import replay
from referee.record.show import show
from referee.rules.engine import Rules
from referee.rules.rulesets import RULESETS
from tests.cli.command import DONE, NO, WRONG, referee, refused
from tests.fakes import SEED, a_setup, played, recorded, rules_of
from tests.record.games import edited


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Return the lines of a whole game."""
    match = Match(a_setup("winning_moves", max_throws=30), rules_of("winning_moves"))
    events = played(match, SeededDice(SEED))
    return recorded(match.setup, [*events, Revealed(SEED)])


def write(file: Path, lines: Sequence[str], torn: str = "") -> Path:
    file.write_text("".join(line + "\n" for line in lines) + torn, encoding="utf-8")
    return file


class TestReplay:
    def test_shows_the_game(self, tmp_path: Path, lines: list[str]) -> None:
        """
        Every event is told, and nothing else is printed.
        """
        file = write(tmp_path / "game.jsonl", lines)

        code, out, err = referee("replay", file, cwd=tmp_path)

        assert (code, err) == (DONE, "")
        with open(os.devnull, "w") as nowhere:
            show(replay(file), None, nowhere)
        assert out.splitlines()[0].startswith("game by winning_moves, commitment ")
        assert out.splitlines()[-1].endswith(f"the seed was {SEED.hex()}")
        assert len(out.splitlines()) == 3 + len(lines) - 1

    def test_stops_where_it_is_told_to(self, tmp_path: Path, lines: list[str]) -> None:
        """
        --to N shows the first N events.
        """
        file = write(tmp_path / "game.jsonl", lines)

        code, out, _ = referee("replay", file, "--to", 4, cwd=tmp_path)

        assert code == DONE
        assert len(out.splitlines()) == 3 + 4

    def test_shows_an_unfinished_game_without_its_torn_line(self, tmp_path: Path, lines: list[str]) -> None:
        """
        What is whole is shown; that something was torn is said on standard error.
        """
        file = write(tmp_path / "game.jsonl", lines[:9], '{"type":"st')

        code, out, err = referee("replay", file, cwd=tmp_path)

        assert code == DONE
        assert out.splitlines()[-1].strip() == "the game is not finished"
        assert err == f"referee: {file}: the last line was torn and is left out\n"

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            pytest.param(b"", "empty: a record begins with a header line", id="empty"),
            pytest.param(b"hello\n", "line 1: not a record", id="a text"),
            pytest.param(b"\x00\xff\n", "line 1: not a record: the line is not UTF-8 text", id="bytes"),
            pytest.param(b"{}\n", "line 1: the first line is not a record's header", id="another object"),
            pytest.param(b'{"type":"game","format":7}\n', "use a newer referee", id="a later format"),
        ],
    )
    def test_refuses_what_is_no_record(self, tmp_path: Path, content: bytes, words: str) -> None:
        """
        The message names the file and says what it is not.
        """
        (tmp_path / "game.jsonl").write_bytes(content)

        assert f"game.jsonl: {words}" in refused("replay", "game.jsonl", cwd=tmp_path) or words == (
            "use a newer referee"
        )

    def test_refuses_an_edited_record(self, tmp_path: Path, lines: list[str]) -> None:
        """
        A record that does not hold together is refused with the line.
        """
        number = next(n for n, line in enumerate(lines) if '"type":"thrown"' in line)
        file = write(
            tmp_path / "game.jsonl",
            [*lines[:number], edited(lines[number], number=9), *lines[number + 1 :]],
        )

        assert f"{file}: line {number + 1}: " in refused("replay", file, cwd=tmp_path)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            pytest.param(("replay",), "the following arguments are required: FILE", id="no file"),
            pytest.param(("replay", "no.jsonl"), "no.jsonl: cannot be read: No such file", id="missing"),
            pytest.param(("replay", "."), ".: cannot be read: Is a directory", id="a folder"),
            pytest.param(("replay", "no.jsonl", "--to", "x"), "argument --to: invalid int", id="--to x"),
            pytest.param(("replay", "no.jsonl", "--to=-1"), "--to must not be negative", id="--to -1"),
            pytest.param(("replay", "a", "b"), "unrecognized arguments: b", id="two files"),
            pytest.param(("verify",), "the following arguments are required: FILE", id="verify nothing"),
        ],
    )
    def test_refuses_a_bad_command(self, tmp_path: Path, arguments: Sequence[str], words: str) -> None:
        """
        One line says what was wrong.
        """
        assert words in refused(*arguments, cwd=tmp_path)


class TestVerify:
    def test_says_yes(self, tmp_path: Path, lines: list[str]) -> None:
        """
        A record that is proven is told with its rules, its length and its winner; exit code 0.
        """
        write(tmp_path / "game.jsonl", lines)

        code, out, err = referee("verify", "game.jsonl", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        yes, sum_ = out.splitlines()
        assert yes.startswith("yes  game.jsonl: winning_moves, 30 throws, won by ")
        assert sum_ == "1 of 1 records verify"

    def test_says_no_to_one_of_many(self, tmp_path: Path, lines: list[str]) -> None:
        """
        Every record has its line; one that is not proven makes the exit code 1, with what and where.
        """
        header = edited(lines[0], commitment="00" * 32)
        write(tmp_path / "a.jsonl", lines)
        write(tmp_path / "b.jsonl", [header, *lines[1:]])
        write(tmp_path / "c.jsonl", lines[:-1])
        write(tmp_path / "d.jsonl", lines, "{")
        write(tmp_path / "e.jsonl", lines)
        (tmp_path / "f.jsonl").write_bytes(b"\xff\n")

        code, out, err = referee("verify", *[f"{n}.jsonl" for n in "abcdefg"], cwd=tmp_path)

        assert (code, err) == (NO, "")
        told = out.splitlines()
        answers = zip(("yes", "NO", "NO", "NO", "yes", "NO", "NO"), "abcdefg", strict=True)
        assert [line.partition(".")[0] for line in told[:7]] == [f"{yes:3}  {name}" for yes, name in answers]
        assert told[1] == "NO   b.jsonl: the seed is not the one that the header committed to"
        assert told[2] == "NO   c.jsonl: the game is not finished: its seed is not told yet"
        assert told[3] == "NO   d.jsonl: the last line is torn; the game is not finished"
        assert told[6] == "NO   g.jsonl: cannot be read: No such file or directory"
        assert told[7] == "2 of 7 records verify"

    def test_tells_programs_in_json(self, tmp_path: Path, lines: list[str]) -> None:
        """
        With --json each record is one object on one line.
        """
        write(tmp_path / "a.jsonl", lines)
        write(tmp_path / "b.jsonl", lines[:5])

        code, out, err = referee("verify", "--json", "a.jsonl", "b.jsonl", cwd=tmp_path)

        assert (code, err) == (NO, "")
        told = [json.loads(line) for line in out.splitlines()]
        assert [(x["record"], x["verifies"]) for x in told] == [("a.jsonl", True), ("b.jsonl", False)]
        assert told[0]["detail"] is None
        assert told[1]["detail"].startswith("b.jsonl: ")

    def test_is_quiet_about_what_is_proven(self, tmp_path: Path, lines: list[str]) -> None:
        """
        With --quiet only what is not proven has a line.
        """
        write(tmp_path / "a.jsonl", lines)
        write(tmp_path / "b.jsonl", lines[:5])

        _, out, _ = referee("verify", "--quiet", "a.jsonl", "b.jsonl", cwd=tmp_path)

        assert [line.split(":")[0] for line in out.splitlines()] == ["NO   b.jsonl", "1 of 2 records verify"]

    def test_reads_records_of_different_rules(self, tmp_path: Path) -> None:
        """
        Each record is replayed under its own rules, in whatever order they come.
        """
        for name in ("winning_moves", "racket", "winning_moves_highest"):
            match = Match(a_setup(name, max_throws=10), rules_of(name))
            events = played(match, SeededDice(SEED))
            write(tmp_path / f"{name}.jsonl", recorded(match.setup, [*events, Revealed(SEED)]))

        names = sorted(os.listdir(tmp_path)) * 2
        code, out, _ = referee("verify", *names, cwd=tmp_path)

        assert code == DONE
        assert out.splitlines()[-1] == "6 of 6 records verify"

    def test_says_no_to_house_rules_under_the_name_of_a_sheet(self, tmp_path: Path) -> None:
        """
        The name is all that most look at; and whoever has the record shown is told too.
        """
        own = replace(RULESETS["winning_moves"], name="house", capture_bonus=10, home_bonus=5)
        setup = replace(a_setup(max_throws=9), ruleset=own)
        house, *rest = recorded(setup, [*played(Match(setup, Rules(own)), SeededDice(SEED)), Revealed(SEED)])
        write(tmp_path / "house.jsonl", [house, *rest])
        write(tmp_path / "sheet.jsonl", [edited(house, ruleset="winning_moves"), *rest])
        said = (
            f"the rules are called 'winning_moves' but are not those of winning_moves in this version, "
            f"{__version__}: capture_bonus is 10, not 20, and one more field differs; either they were given "
            "that name, or they are winning_moves as another version had it"
        )

        code, out, _ = referee("verify", "house.jsonl", "sheet.jsonl", cwd=tmp_path)
        shown, told, _ = referee("replay", "sheet.jsonl", cwd=tmp_path)

        assert (code, shown) == (NO, DONE)
        assert out.splitlines()[0].startswith("yes  house.jsonl: house, 9 throws")
        assert out.splitlines()[1] == f"NO   sheet.jsonl: line 1: {said}; all else agrees"
        assert told.splitlines()[1] == f"  {said}"
        assert said not in referee("replay", "house.jsonl", cwd=tmp_path)[1]

    def test_of_a_void_game_says_why_it_is_not_proven(self, tmp_path: Path) -> None:
        """
        A void game is not proven: nobody knows its seed.
        """
        match = Match(a_setup(), rules_of("winning_moves"))
        match.void("the machine broke")
        write(tmp_path / "void.jsonl", recorded(match.setup, match.events))

        code, out, _ = referee("verify", "void.jsonl", cwd=tmp_path)

        assert code == NO
        assert "void.jsonl: the game is void; its seed is not told and its dice cannot be checked" in out


def test_exit_codes_are_three() -> None:
    """
    0 is done, 1 is no, 2 is wrong.
    """
    assert (DONE, NO, WRONG) == (0, 1, 2)
