"""`referee serve` with wrong input; how it serves is in tests/server."""

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import WRONG, refused, squeezed

DIGEST = hashlib.sha256(b"secret").hexdigest()
GOOD = f"alice {DIGEST}\nben {DIGEST[::-1]}\n"
SERVE = ("serve", "--rules", "winning_moves", "--tokens", "tokens.txt", "--listen")
FREE = "127.0.0.1:0"


@pytest.fixture
def taken() -> Iterator[str]:
    """Return an address on which somebody listens already."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        yield f"127.0.0.1:{busy.getsockname()[1]}"


class TestServe:
    @pytest.mark.parametrize(
        ("tokens", "words"),
        [
            pytest.param(None, "tokens.txt: cannot be read: ", id="no file"),
            pytest.param("", "tokens.txt: names 0 bots; at least 2 must be able to meet", id="nobody"),
            pytest.param(f"alice {DIGEST}\n", "tokens.txt: names 1 bots", id="one alone"),
            pytest.param("alice\n", "tokens.txt: line 1: should be a name, a space, and", id="no token"),
            pytest.param(
                "# who\n\nalice secret\n", "tokens.txt: line 3: should be a name", id="a token as it is"
            ),
            pytest.param(f"{DIGEST}\n", "tokens.txt: line 1: should be a name", id="no name"),
            pytest.param(f"a\x1b[2J {DIGEST}\n", "tokens.txt: line 1: a name is 1 to 64", id="escapes"),
            pytest.param(f"alice {DIGEST[:-2]}\n", "tokens.txt: line 1: should be", id="a short digest"),
            pytest.param(
                f"alice {DIGEST}\nben {DIGEST}\n",
                "tokens.txt: line 2: 'alice' has that token already",
                id="one token",
            ),
            pytest.param(
                GOOD + GOOD, "tokens.txt: line 3: there is a bot called 'alice'", id="the same name twice"
            ),
            pytest.param(b"\xff\xfe\n", "tokens.txt: cannot be read: ", id="bytes"),
        ],
    )
    def test_refuses_bad_tokens(self, tmp_path: Path, tokens: str | bytes | None, words: str) -> None:
        """
        The line is named, with what it should be; no secret is repeated.
        """
        if tokens is not None:
            (tmp_path / "tokens.txt").write_bytes(tokens if isinstance(tokens, bytes) else tokens.encode())

        line = refused(*SERVE, FREE, cwd=tmp_path)

        assert words in line
        assert "secret" not in line

    def test_refuses_bots_without_rules(self, tmp_path: Path) -> None:
        """
        Only whoever serves the rules alone may leave them out.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        line = refused("serve", "--tokens", "tokens.txt", "--listen", FREE, cwd=tmp_path)

        assert line == "referee: --rules is missing: what the bots of --tokens play, such as winning_moves"

    def test_refuses_fewer_bots_than_seats(self, tmp_path: Path) -> None:
        """
        Two bots cannot fill four seats.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        line = refused(*SERVE, FREE, "--seats", 4, cwd=tmp_path)

        assert line == "referee: tokens.txt: names 2 bots, a game has 4 seats"

    def test_refuses_a_port_that_is_taken(self, tmp_path: Path, taken: str) -> None:
        """
        The address is named.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        line = refused(*SERVE, taken, cwd=tmp_path)

        assert f"cannot listen on {taken}" in line or f"cannot listen on {taken!r}" in line

    @pytest.mark.parametrize(
        "address", ["nowhere", "127.0.0.1", "127.0.0.1:high", "127.0.0.1:70000", ":7777"]
    )
    def test_refuses_an_address_that_is_none(self, tmp_path: Path, address: str) -> None:
        """
        What would be an address is said.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        assert address in refused(*SERVE, address, cwd=tmp_path)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            pytest.param(("--rules", "ludo"), "there is no ruleset called 'ludo'", id="unknown ruleset"),
            pytest.param(
                ("--rules", "racket", "no.toml"), "no.toml: there is no such file", id="no file of rules"
            ),
            pytest.param(("--rules", "pressman_teams"), "which take 4 seats, not 2", id="teams of one"),
            pytest.param(("--seats", "5"), "argument --seats: invalid choice: 5", id="five seats"),
            pytest.param(
                ("--penalties", "mild"),
                "there is no penalty table called 'mild'",
                id="penalties",
            ),
            pytest.param(("--games", "0"), "--games: must be a whole number from 1", id="no game"),
            pytest.param(("--max-throws=-1",), "--max-throws: must be a whole number", id="below 0"),
            pytest.param(("--per-move", "x"), "--per-move: must be a time such as", id="bad duration"),
            pytest.param(
                ("--grace=-1s",),
                "--grace: must be a time such as",
                id="negative duration",
            ),
        ],
    )
    def test_refuses_bad_options(self, tmp_path: Path, options: tuple[str, ...], words: str) -> None:
        """
        One line, before anybody can dial in.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        assert words in refused(*SERVE, FREE, *options, cwd=tmp_path)

    @pytest.mark.parametrize(
        ("records", "words"),
        [
            pytest.param("tokens.txt", "in tokens.txt: File exists", id="a file"),
            pytest.param("tokens.txt/a", "in tokens.txt/a: Not a directory", id="below a file"),
        ],
    )
    def test_refuses_records_that_cannot_be_kept(self, tmp_path: Path, records: str, words: str) -> None:
        """
        It is said before anybody can dial in, not game by game.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)

        line = refused(*SERVE, FREE, "--records", records, cwd=tmp_path)

        assert line == f"referee: records cannot be kept {words}"

    def test_refuses_a_disk_that_is_full(self, tmp_path: Path) -> None:
        """
        A folder in which nothing can be written is found at the start.
        """
        (tmp_path / "tokens.txt").write_text(GOOD)
        done = squeezed(0, *SERVE, FREE, cwd=tmp_path)

        assert (done.returncode, done.stdout) == (WRONG, "")
        assert done.stderr == "referee: records cannot be kept in games: File too large\n"
