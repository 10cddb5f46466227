"""`referee rules`, `--help` and `--version`: what needs no game."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee import __version__
from referee.rules.meanings import meaning
from referee.rules.rulesets import RULESETS
from tests.cli.command import DONE, ROOT, referee, refused

COMMANDS = ["", "play", "serve", "replay", "verify", "plays", "rules"]
COMMANDS += [f"rules {action}" for action in ("list", "show", "diff", "check")]
PAGE = (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8")
HOUSE = PAGE.partition("```toml\n")[2].partition("```")[0]
"""The ruleset that the page shows."""

OWN = {"must_enter": "never", "capture_bonus": "10", "third_throw": "none"}
"""What differs in it."""


class TestRules:
    def test_list_has_every_ruleset(self, tmp_path: Path) -> None:
        """
        Each ruleset has its name and where it is from.
        """
        code, out, err = referee("rules", "list", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert [line.split()[0] for line in out.splitlines()] == list(RULESETS)
        assert all(r.source in out for r in RULESETS.values())

    def test_without_an_action_lists(self, tmp_path: Path) -> None:
        """
        `referee rules` alone is `referee rules list`.
        """
        assert referee("rules", cwd=tmp_path) == referee("rules", "list", cwd=tmp_path)

    def test_list_tells_programs_in_json(self, tmp_path: Path) -> None:
        """
        With --json the list is one array.
        """
        _, out, _ = referee("rules", "list", "--json", cwd=tmp_path)

        assert [r["name"] for r in json.loads(out)] == list(RULESETS)

    @pytest.mark.parametrize("name", ["winning_moves", "pahrcheesi", "casual_classic_couples"])
    def test_show_has_every_field(self, tmp_path: Path, name: str) -> None:
        """
        A ruleset is shown with all its fields and its digest.
        """
        code, out, err = referee("rules", "show", name, "--json", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        shown = json.loads(out)
        assert shown["fields"] == RULESETS[name].as_text()
        assert shown["digest"] == RULESETS[name].digest().hex()

    def test_show_is_for_people_too(self, tmp_path: Path) -> None:
        """
        Without --json each field has a line, and below it what it means.
        """
        _, out, _ = referee("rules", "show", "racket", cwd=tmp_path)

        lines = [line.split() for line in out.splitlines()]
        for field, text in RULESETS["racket"].as_text().items():
            assert lines[lines.index([field, text]) + 1] == meaning(field, text).split()
        assert "reading" not in out

    def test_show_tells_what_is_a_reading(self, tmp_path: Path) -> None:
        """
        Where a sheet is silent the reader learns it, and so does a program.
        """
        _, out, _ = referee("rules", "show", "hasbro", cwd=tmp_path)
        _, told, _ = referee("rules", "show", "hasbro", "--json", cwd=tmp_path)

        assert out.count("This is a reading: ") == 2
        assert "    This is a reading: the sheet as told is silent.\n" in out
        assert json.loads(told)["readings"]["third_throw"] == "the sheet as told is silent"
        assert json.loads(told)["meanings"]["third_throw"] == meaning("third_throw", "none")

    def test_show_takes_a_file(self, tmp_path: Path) -> None:
        """
        An organiser's own is shown like any other.
        """
        (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")

        _, text, _ = referee("rules", "show", "house.toml", cwd=tmp_path)
        _, out, _ = referee("rules", "show", "house.toml", "--json", cwd=tmp_path)

        assert text.startswith("house rules: how we play at home; it extends winning_moves\n")
        assert json.loads(out)["name"] == "house rules"
        assert json.loads(out)["extends"] == "winning_moves"
        assert json.loads(out)["fields"] == RULESETS["winning_moves"].as_text() | OWN


class TestDiff:
    def test_tells_every_field_that_differs(self, tmp_path: Path) -> None:
        """
        Each with both values, and what they mean.
        """
        code, out, err = referee("rules", "diff", "winning_moves", "pressman", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert out.startswith("winning_moves and pressman differ in 4 fields:\n")
        assert re.findall(r"^  (\w+): ", out, re.MULTILINE) == [
            "first_player",
            "turn_order",
            "doublet_home",
            "single_number",
        ]
        for name, text in (("winning_moves", "either"), ("pressman", "larger")):
            told = meaning("single_number", text)
            assert re.search(rf"^    {name} +{text} +{re.escape(told)}$", out, re.MULTILINE)

    def test_tells_that_there_is_no_difference(self, tmp_path: Path) -> None:
        """
        A ruleset does not differ from itself, and that is an answer like any other.
        """
        code, out, _ = referee("rules", "diff", "racket", "racket", cwd=tmp_path)

        assert (code, out) == (DONE, "racket and racket are the same rules\n")

    def test_tells_programs_in_json(self, tmp_path: Path) -> None:
        """
        A file may be on either side.
        """
        (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")

        _, out, _ = referee("rules", "diff", "house.toml", "winning_moves", "--json", cwd=tmp_path)

        told = json.loads(out)
        assert (told["a"]["name"], told["b"]["name"]) == ("house rules", "winning_moves")
        assert told["b"]["digest"] == RULESETS["winning_moves"].digest().hex()
        assert {d["field"]: d["a"]["value"] for d in told["differences"]} == OWN
        assert told["differences"][0]["b"] == {
            "value": "when_possible",
            "means": meaning("must_enter", "when_possible"),
        }


class TestCheck:
    def test_says_what_the_page_says(self, tmp_path: Path) -> None:
        """
        The page shows a file and what is said of it.
        """
        (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")

        code, out, err = referee("rules", "check", "house.toml", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert f"```text\n{out}```\n" in PAGE

    def test_tells_programs_in_json(self, tmp_path: Path) -> None:
        """
        With all fields, and those that differ from the parent.
        """
        (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")

        _, out, _ = referee("rules", "check", "house.toml", "--json", cwd=tmp_path)

        told = json.loads(out)
        assert (told["name"], told["extends"]) == ("house rules", "winning_moves")
        assert told["fields"] == RULESETS["winning_moves"].as_text() | OWN
        assert {d["field"]: d["b"]["value"] for d in told["differences"]} == OWN

    def test_says_that_teams_take_four_seats(self, tmp_path: Path) -> None:
        """
        A ruleset of teams can be played, but not by two or three.
        """
        (tmp_path / "ours.toml").write_text("extends = 'pressman_teams'\n", encoding="utf-8")
        (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")

        _, text, _ = referee("rules", "check", "ours.toml", cwd=tmp_path)
        told = [
            json.loads(referee("rules", "check", name, "--json", cwd=tmp_path)[1])["seats"]
            for name in ("ours.toml", "house.toml")
        ]

        assert text.startswith("ours.toml: ours can be played, by four seats and no fewer; it extends press")
        assert told == [[4], [2, 3, 4]]

    def test_refuses_in_one_line(self, tmp_path: Path) -> None:
        """
        What is wrong is told with file and line.
        """
        (tmp_path / "house.toml").write_text("extends = 'racket'\ndice = 1\n", encoding="utf-8")

        assert refused("rules", "check", "house.toml", cwd=tmp_path).startswith(
            "referee: house.toml:2: dice: with dice = 1 it has doublet_faces = both, "
        )
        assert (
            refused("rules", "check", "none.toml", cwd=tmp_path)
            == "referee: none.toml: there is no such file"
        )


class TestBadCommand:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            pytest.param(
                ("rules", "show", "ludo"),
                f"there is no ruleset called 'ludo'; there are: {', '.join(sorted(RULESETS))}",
                id="unknown ruleset",
            ),
            pytest.param(("rules", "show"), "the following arguments are required: NAME", id="no name"),
            pytest.param(("rules", "burn"), "invalid choice: 'burn'", id="unknown action"),
            pytest.param(("--verbose",), "the following arguments are required: COMMAND", id="unknown flag"),
        ],
    )
    def test_is_refused(self, tmp_path: Path, arguments: Sequence[str], words: str) -> None:
        """
        One line says what was wrong.
        """
        assert words in refused(*arguments, cwd=tmp_path)


class TestHelp:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_has_an_example(self, tmp_path: Path, command: str) -> None:
        """
        Every command explains itself, with an example to type.
        """
        code, out, err = referee(*command.split(), "--help", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert out.startswith(f"usage: referee {command}".rstrip())
        assert "example: referee" in out

    @pytest.mark.parametrize("command", ["play", "serve"])
    def test_says_the_default_of_every_option(self, tmp_path: Path, command: str) -> None:
        """
        Whoever leaves an option out knows what it is then, and what a number or a time counts.
        """
        _, out, _ = referee(command, "--help", cwd=tmp_path, env={"COLUMNS": "200"})
        usage, _, told = out.partition("options:")
        optional = re.findall(r"\[(--[a-z-]+)(?: [A-Z]+| \{[^}]*\})?\]", usage)
        options = dict(re.findall(r"^  (--[a-z-]+)(.*?(?:\n {20,}.*)*)$", told, re.MULTILINE))

        assert {"--penalties", "--max-throws", "--per-move", "--grace"} <= set(optional)
        assert [name for name in optional if "default: " not in options[name]] in ([], ["--resume"])
        assert "TIME is a number and its unit, such as 250ms, 2s, 1m" in told
        assert "(default: 20ms)" in options["--grace"]

    def test_is_beside_the_version(self, tmp_path: Path) -> None:
        """
        The version is that of the package.
        """
        assert referee("--version", cwd=tmp_path) == (DONE, f"parcheesi-referee {__version__}\n", "")
