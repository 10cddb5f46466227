"""`referee rules`, `--help` and `--version`: what needs no game."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee import __version__
from referee.rules.rulesets import RULESETS
from tests.cli.command import DONE, referee, refused

COMMANDS = ["", "play", "serve", "replay", "verify", "rules", "rules list", "rules show"]


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

    @pytest.mark.parametrize("name", RULESETS)
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
        Without --json each field has a line.
        """
        _, out, _ = referee("rules", "show", "racket", cwd=tmp_path)

        for field, text in RULESETS["racket"].as_text().items():
            assert [field, text] in [line.split() for line in out.splitlines()]


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
