"""docs/record.md, held against what it describes."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from referee.host.verify import verify
from referee.record.lines import header
from tests.fakes import a_setup
from tests.record.games import edited
from tests.record.test_lines import EVENTS

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "record.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the first block of code in *language*."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    assert found is not None
    return found[1]


def column(heading: str) -> list[str]:
    """Return what stands in backquotes in the first column of the table under *heading*."""
    section = re.split(r"^#+ ", PAGE.split(f"# {heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


class TestExample:
    def test_verifies(self, tmp_path: Path) -> None:
        """
        The game on the page is a record.
        """
        file = tmp_path / "example.jsonl"
        file.write_text(block("jsonl"), encoding="utf-8")

        assert verify(file).match.played_throws == 6

    def test_is_what_the_command_writes(self, tmp_path: Path) -> None:
        """
        Whoever types the command on the page gets the lines on the page; only versions may differ.
        """
        command = shlex.split(block("console").removeprefix("$ referee ").replace("\\\n", ""))

        subprocess.run(
            [sys.executable, "-m", "referee", *command], cwd=tmp_path, check=True, capture_output=True
        )

        written = (tmp_path / "example.jsonl").read_text(encoding="utf-8").splitlines()
        shown = block("jsonl").splitlines()
        assert written[1:] == shown[1:]
        versions = {key: json.loads(written[0])[key] for key in ("engine", "seats")}
        assert edited(shown[0], **versions) == written[0]


class TestFields:
    def test_of_the_header_are_told(self) -> None:
        """
        The page has every field of the header, in order, but for its type.
        """
        assert column("The header") == [field for field in json.loads(header(a_setup())) if field != "type"]

    def test_of_every_event_are_told(self) -> None:
        """
        The page has every event.
        """
        types = dict.fromkeys(json.loads(line)["type"] for _, line in EVENTS)

        assert column("The events") == list(types)

    @pytest.mark.parametrize("type_", ["stepped", "faulted"])
    def test_of_long_events_are_told(self, type_: str) -> None:
        """
        Where an event has many fields they have a table of their own.
        """
        fields = dict.fromkeys(
            field for _, line in EVENTS if (read := json.loads(line))["type"] == type_ for field in read
        )

        assert column(f"`{type_}`") == [field for field in fields if field not in ("type", "seat")]

    def test_of_short_events_are_told(self) -> None:
        """
        What the table of events says of an event names each of its fields.
        """
        for _, line in EVENTS:
            read = json.loads(line)
            row = next(row for row in PAGE.splitlines() if row.startswith(f"| `{read['type']}` |"))
            if "see below" not in row:
                for field in read.keys() - {"type", "seat"}:
                    assert f"`{field}`" in row, (read["type"], field)
