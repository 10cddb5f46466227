"""The stand-alone checker, run as the process that anybody can run."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from referee.dice import SeededDice
from referee.match.events import Revealed
from referee.match.match import Match
from tests.fakes import SEED, a_setup, played, recorded, rules_of
from tests.record.games import edited

CHECK = Path(__file__).resolve().parents[2] / "examples" / "check_dice.py"


@pytest.fixture(scope="module")
def game() -> list[str]:
    """Return the record of a whole game."""
    match = Match(a_setup("winning_moves", (0, 1, 2)), rules_of("winning_moves"))
    events = played(match, SeededDice(SEED))
    return recorded(match.setup, [*events, Revealed(SEED)])


def check(path: Path) -> tuple[int, str]:
    """Run the example on *path*, without our packages; return its exit code and what it printed."""
    command = [sys.executable, "-I", "-S", str(CHECK), str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    return done.returncode, done.stdout.removeprefix(f"{path}: ").strip()


def write(tmp_path: Path, lines: Sequence[str]) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return file


def first(lines: Sequence[str], kind: str) -> int:
    """Return the index of the first line of type *kind*."""
    return next(n for n, line in enumerate(lines) if json.loads(line)["type"] == kind)


def replaced(lines: Sequence[str], kind: str, **fields: object) -> list[str]:
    """Return *lines* with other *fields* in the first line of type *kind*."""
    n = first(lines, kind)
    return [*lines[:n], edited(lines[n], **fields), *lines[n + 1 :]]


class TestCheckDice:
    def test_proves_a_real_record(self, tmp_path: Path, game: list[str]) -> None:
        """
        Every throw of a whole game follows from its seed.
        """
        throws = sum('thrown"' in line for line in game)

        code, said = check(write(tmp_path, game))

        assert (code, said) == (
            0,
            f"the seed is the one committed to, and all {throws} throws follow from it",
        )

    @pytest.mark.parametrize(
        ("tamper", "words"),
        [
            pytest.param(
                lambda lines: replaced(lines, "thrown", dice=[6, 6]),
                "does not follow from the seed",
                id="dice",
            ),
            pytest.param(
                lambda lines: replaced(lines, "first_thrown", dice=[2]), "does not follow", id="a first throw"
            ),
            pytest.param(
                lambda lines: replaced(lines, "thrown", number=1),
                "does not follow",
                id="the number of a throw",
            ),
            pytest.param(
                lambda lines: lines[: first(lines, "thrown")] + lines[first(lines, "thrown") + 1 :],
                "does not follow",
                id="a throw left out",
            ),
            pytest.param(
                lambda lines: replaced(lines, "revealed", seed="00" * 32),
                "the seed is not the one committed to",
                id="the seed",
            ),
            pytest.param(
                lambda lines: replaced(lines, "game", commitment="00" * 32),
                "the seed is not the one committed to",
                id="the commitment",
            ),
            pytest.param(lambda lines: lines[:-1], "no record of a finished game", id="not finished"),
            pytest.param(lambda lines: [*lines, "{"], "no record of a finished game", id="a torn line"),
            pytest.param(lambda lines: ["hello"], "no record of a finished game", id="no record"),
            pytest.param(lambda lines: [], "no record of a finished game", id="empty"),
        ],
    )
    def test_finds(
        self, tmp_path: Path, game: list[str], tamper: Callable[[list[str]], list[str]], words: str
    ) -> None:
        """
        What was changed is found and said in one line; the exit code is 1.
        """
        code, said = check(write(tmp_path, tamper(game)))

        assert code == 1
        assert words in said

    def test_finds_nothing_where_there_is_nothing(self, tmp_path: Path) -> None:
        """
        A file that is not there is no record.
        """
        assert check(tmp_path / "no.jsonl")[0] == 1

    def test_is_short_enough_to_be_read(self) -> None:
        """
        The example is 30 lines at most, and needs the standard library only.
        """
        text = CHECK.read_text(encoding="utf-8")

        assert len(text.splitlines()) <= 30
        assert {line.split()[1] for line in text.splitlines() if line.startswith("import")} == {
            "hashlib",
            "hmac",
            "json",
            "sys",
        }
