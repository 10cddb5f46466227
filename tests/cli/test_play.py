"""`referee play`: one game on this machine."""

import json
import os
import re
import signal
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.dice import commitment
from referee.host.verify import verify
from referee.rules.rulesets import RULESETS
from tests.cli.command import DONE, NO, a_bot, referee, refused, squeezed

SEED = "5eed" * 16
GAME = ("play", "--rules", "winning_moves", "--seed", SEED)
BUILTINS = ("--seat", "builtin:racer", "--seat", "builtin:random")
MYBOT = (*GAME, "--seat", "mybot", "--seat", "builtin:racer")
PLAY = (*GAME, *BUILTINS)
INTERRUPTED = 128 + signal.SIGINT
TIMES = {"elapsed_us", "lag_us", "bank_us"}


def lines_of(record: Path) -> list[dict[str, Any]]:
    """Return the lines of a record, without the times that no two games share."""
    read = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in TIMES} for line in read]


class TestPlay:
    def test_prints_the_result_and_keeps_the_record(self, tmp_path: Path) -> None:
        """
        One command, one game: who came where, how long they took, what they did wrong; and a record.
        """
        code, out, err = referee(*GAME, *BUILTINS, "--record", "games/one.jsonl", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        first, *seats = out.splitlines()
        assert re.fullmatch(r"one: ended after \d+ throws \(rules: winning_moves\)", first)
        assert len(seats) == 2
        for seat, name, line in zip((0, 2), ("builtin:racer", "builtin:random"), seats, strict=True):
            assert re.match(rf"  seat {seat}  place [12] \((won|raced)\)  {name}: ", line)
            assert line.endswith("faults: none")
        assert os.listdir(tmp_path / "games") == ["one.jsonl"]
        done = verify(tmp_path / "games" / "one.jsonl")
        assert done.setup.commitment == commitment(bytes.fromhex(SEED))
        assert done.setup.game == "one"

    def test_takes_the_rules_from_a_file(self, tmp_path: Path) -> None:
        """
        A record holds all rules by which it was played, so that the file is not needed to prove it.
        """
        house = tmp_path / "house.toml"
        house.write_text("extends = 'winning_moves'\nname = 'ours'\nhome_bonus = 5\n", encoding="utf-8")

        code, out, _ = referee(
            "play", "--rules", "house.toml", *BUILTINS, "--record", "one.jsonl", cwd=tmp_path
        )

        assert (code, out.splitlines()[0].endswith("(rules: ours)")) == (DONE, True)
        house.unlink()
        done = verify(tmp_path / "one.jsonl")
        assert (done.setup.ruleset.name, done.setup.ruleset.home_bonus) == ("ours", 5)

    def test_refuses_rules_that_a_file_gets_wrong(self, tmp_path: Path) -> None:
        """
        As `referee rules check` does.
        """
        (tmp_path / "house.toml").write_text("extends = 'winning_moves'\nbonus = 5\n", encoding="utf-8")

        line = refused("play", "--rules", "house.toml", *BUILTINS, cwd=tmp_path)

        assert line.startswith("referee: house.toml:2: bonus is not a key of a ruleset; did you mean ")

    def test_needs_no_record(self, tmp_path: Path) -> None:
        """
        Without --record nothing is left behind.
        """
        code, out, err = referee(*GAME, *BUILTINS, cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert out.startswith("game: ended after ")
        assert os.listdir(tmp_path) == []

    def test_is_repeated_by_its_seed(self, tmp_path: Path) -> None:
        """
        The same seed and the same built-in players lead to the same record, to the byte.
        """
        for name in ("a", "b"):
            folder = tmp_path / name
            folder.mkdir()
            assert referee(*GAME, *BUILTINS, "--record", "game.jsonl", cwd=folder)[0] == DONE

        one, two = ((tmp_path / name / "game.jsonl").read_bytes() for name in ("a", "b"))
        assert one == two

    def test_draws_a_seed_where_none_is_given(self, tmp_path: Path) -> None:
        """
        Two games without a seed have different dice.
        """
        for name in ("a.jsonl", "b.jsonl"):
            assert referee("play", "--rules", "racket", *BUILTINS, "--record", name, cwd=tmp_path)[0] == DONE

        assert verify(tmp_path / "a.jsonl").seed != verify(tmp_path / "b.jsonl").seed

    def test_prints_json_where_a_program_reads_it(self, tmp_path: Path) -> None:
        """
        With --json the result is one object on one line.
        """
        code, out, err = referee(*GAME, *BUILTINS, "--json", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert out.count("\n") == 1
        result = json.loads(out)
        assert (result["game"], result["state"]) == ("game", "ended")
        assert sorted(seat["place"] for seat in result["seats"]) == [1, 2]
        assert {seat["name"] for seat in result["seats"]} == {"builtin:racer", "builtin:random"}

    @pytest.mark.parametrize("seats", [3, 4])
    def test_seats_more_than_two(self, tmp_path: Path, seats: int) -> None:
        """
        Three and four can play, and one bot may sit on several seats.
        """
        same = ("--seat", "builtin:racer") * seats
        code, out, err = referee(*GAME, *same, "--json", cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert [seat["name"] for seat in json.loads(out)["seats"]] == [
            f"builtin:racer#{number}" for number in range(1, seats + 1)
        ]

    def test_keeps_to_its_options(self, tmp_path: Path) -> None:
        """
        Clock, penalties, limit and forced steps are in the record as they were given.
        """
        options = (
            "--per-move",
            "250ms",
            "--bank",
            "2m",
            "--increment",
            "0.5",
            "--grace",
            "0s",
            "--ready",
            "3s",
        )
        more = ("--penalties", "tournament", "--max-throws", "12", "--ask-forced")

        code, out, _ = referee(*GAME, *BUILTINS, *options, *more, "--record", "game.jsonl", cwd=tmp_path)

        assert code == DONE
        assert out.startswith("game: ended after 12 throws")
        header = lines_of(tmp_path / "game.jsonl")[0]
        clock = header["clock"]
        assert (clock["per_move_us"], clock["bank_us"], clock["increment_us"]) == (
            250_000,
            120_000_000,
            500_000,
        )
        assert (clock["grace_us"], clock["ready_us"]) == (0, 3_000_000)
        assert (header["penalties"]["name"], header["max_throws"], header["ask_forced"]) == (
            "tournament",
            12,
            True,
        )


class TestBadCommand:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            pytest.param((), "the following arguments are required: COMMAND", id="no command"),
            pytest.param(("dance",), "invalid choice: 'dance'", id="unknown command"),
            pytest.param(("play",), "arguments are required: --rules, --seat", id="no options"),
            pytest.param((*PLAY, "--sit", "x"), "unrecognized arguments: --sit", id="unknown flag"),
            pytest.param(
                ("play", "--rules", "ludo", *BUILTINS),
                f"there is no ruleset called 'ludo'; there are: {', '.join(sorted(RULESETS))}",
                id="unknown ruleset",
            ),
            pytest.param(
                (*GAME, "--seat", "builtin:racer", "--seat", "builtin:genius"),
                "there is no built-in player called 'genius'; there are: careful, racer, random",
                id="unknown built-in player",
            ),
            pytest.param((*GAME, *BUILTINS[:2]), "--seat must be given 2 to 4 times, not 1", id="one seat"),
            pytest.param(
                ("play", "--rules", "pressman_teams", *BUILTINS, "--record", "teams.jsonl"),
                "ruleset 'pressman_teams' is for two teams of two, which take 4 seats, not 2",
                id="teams of one",
            ),
            pytest.param((*GAME, *BUILTINS * 3), "--seat must be given 2 to 4 times, not 6", id="six seats"),
            pytest.param(
                (*PLAY, "--penalties", "mild"),
                "there is no penalty table called 'mild'; there are: strict, tournament",
                id="unknown penalties",
            ),
            pytest.param(
                (*PLAY, "--per-move", "soon"),
                "--per-move: must be a time such as 250ms, 2s, 1m or 1h, or a number of seconds, not 'soon'",
                id="bad duration",
            ),
            pytest.param((*PLAY, "--bank", "nan"), "of seconds, not 'nan'", id="a duration of nan"),
            pytest.param((*PLAY, "--bank", "1e99"), "of seconds, not '1e99'", id="an endless duration"),
            pytest.param((*PLAY, "--ready=-1s"), "--ready: must be a time", id="a negative duration"),
            pytest.param((*PLAY, "--per-move", "0"), "time per_move must be more than 0", id="no time"),
            pytest.param(
                ("play", "--rules", "racket", *BUILTINS, "--seed", "5eed"),
                "argument --seed: a seed is 64 hexadecimal digits, not '5eed'",
                id="short seed",
            ),
            pytest.param(
                ("play", "--rules", "racket", *BUILTINS, "--seed", "x" * 64),
                "argument --seed: a seed is 64 hexadecimal digits",
                id="seed of letters",
            ),
            pytest.param((*PLAY, "--max-throws", "few"), "argument --max-throws: ", id="a limit in words"),
            pytest.param((*PLAY, "--max-throws=-1"), "--max-throws: must be a whole number", id="below 0"),
            pytest.param(
                (*PLAY, "--max-throws", "5000000000"),
                "--max-throws: must be a whole number from 0 to 1000000000, not '5000000000'",
                id="a limit that no game reaches",
            ),
            pytest.param((*PLAY, "--resume"), "--resume goes with --record", id="resume nothing"),
            pytest.param(
                (*PLAY, "--resume", "--record", "no.jsonl"),
                "--resume goes with --record and the record of an unfinished game",
                id="resume what is not there",
            ),
            pytest.param((*PLAY, "--log", "xml"), "argument --log: invalid choice: 'xml'", id="log"),
        ],
    )
    def test_is_refused_in_one_line(self, tmp_path: Path, arguments: Sequence[str], words: str) -> None:
        """
        What was wrong and what would be right, on one line; nothing is left behind.
        """
        assert words in refused(*arguments, cwd=tmp_path)

        assert os.listdir(tmp_path) == []

    @pytest.mark.parametrize("options", [("--penalties", "mild"), ("--per-move", "0")], ids=" ".join)
    def test_leaves_no_seed_behind(self, tmp_path: Path, options: Sequence[str]) -> None:
        """
        A game that does not begin leaves nothing, not even its secret.
        """
        refused(*PLAY, *options, "--record", "game.jsonl", cwd=tmp_path)

        assert os.listdir(tmp_path) == []


class TestBadBot:
    @pytest.mark.parametrize(
        ("toml", "words"),
        [
            pytest.param(None, "the folder has no bot.toml", id="no bot.toml"),
            pytest.param("run = [", "bot.toml:1: not TOML: ", id="broken bot.toml"),
            pytest.param(b"\xff\xfe", "bot.toml:1: not UTF-8 text", id="bot.toml of bytes"),
            pytest.param(".".join("a" * 8000) + "=1", "bot.toml:1: a key of too many parts", id="a long key"),
            pytest.param(
                "#" * (1 << 20), "bot.toml: is too long for a bot.toml: 16384", id="a long bot.toml"
            ),
            pytest.param("", 'bot.toml must have run, such as run = ["python3", ', id="empty bot.toml"),
            pytest.param(
                "a = " + "[" * 5000,
                "bot.toml:1: nested too deeply: 16 arrays",
                id="bot.toml without a bottom",
            ),
            pytest.param(
                "a = " + "9" * 5000, "bot.toml: not TOML that can be read: ", id="an endless number"
            ),
            pytest.param(
                'name = "a\\u001b[2J"', "name holds characters that", id="a name that clears the screen"
            ),
            pytest.param('run = ["./bot.toml"]', "'./bot.toml' is not an executable file", id="no program"),
            pytest.param('ruN = ["x"]', "unknown key 'ruN'; did you mean 'run'?", id="misspelt key"),
            pytest.param('run = "x"', "run must be a list of texts", id="run is a text"),
            pytest.param("run = [1]", "run must be a list of texts", id="run is a number"),
            pytest.param('run = ["./no-such-bot"]', "'./no-such-bot' was not found", id="no such file"),
            pytest.param('run = ["no-such-bot"]', "'no-such-bot' was not found", id="no such command"),
            pytest.param(
                'build = ["no-such-compiler"]\nrun = ["./bot"]',
                "'no-such-compiler' was not found",
                id="no compiler",
            ),
        ],
    )
    def test_folder_is_refused_in_one_line(
        self, tmp_path: Path, toml: str | bytes | None, words: str
    ) -> None:
        """
        The message names the bot and what its folder lacks; no game is begun.
        """
        folder = tmp_path / "mybot"
        folder.mkdir()
        if toml is not None:
            (folder / "bot.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())

        line = refused(
            *GAME, "--seat", "mybot", "--seat", "builtin:racer", "--record", "a.jsonl", cwd=tmp_path
        )

        assert words in line
        assert "mybot" in line
        assert os.listdir(tmp_path) == ["mybot"]

    @pytest.mark.parametrize(
        ("bot", "words"),
        [
            pytest.param("nobody", "bot 'nobody': there is no such folder", id="no such folder"),
            pytest.param("", "a bot is named by printable characters, at least one", id="nothing"),
            pytest.param("exec:echo \x1b[2J", "a bot is named by printable characters", id="escapes"),
            pytest.param("bulitin:racer", "a bot is a folder with a bot.toml, builtin:NAME", id="kind"),
            pytest.param("exec:", "a command must follow", id="no command"),
            pytest.param("exec:'unclosed", "not a command line", id="no command line"),
            pytest.param("exec:no-such-bot", "'no-such-bot' was not found", id="no such command"),
            pytest.param("remote:alice", "plays in `referee serve` or a tournament", id="far away"),
        ],
    )
    def test_text_is_refused(self, tmp_path: Path, bot: str, words: str) -> None:
        """
        What is no bot is named, with what would be one.
        """
        assert words in refused(*GAME, "--seat", bot, "--seat", "builtin:racer", cwd=tmp_path)

    def test_whose_build_fails_is_shown_with_its_last_words(self, tmp_path: Path) -> None:
        """
        A build that fails is told in one line, which ends with what the build printed last.
        """
        folder = tmp_path / "mybot"
        folder.mkdir()
        code = "print('compiling'); print('bot.c:3: expected ;'); raise SystemExit(7)"
        (folder / "bot.toml").write_text(f'build = ["python3", "-c", "{code}"]\nrun = ["./bot"]')

        line = refused(*MYBOT, cwd=tmp_path)

        assert "bot 'mybot': the build" in line
        assert line.endswith("exit code 7; it said last: compiling / bot.c:3: expected ;")

    def test_that_dies_at_its_start_loses_as_a_no_show(self, tmp_path: Path) -> None:
        """
        A bot that cannot run loses its game, with the reason and its last words; the game has a result.
        """
        bot = "exec:python3 -c 'raise SystemExit(\"no licence found\")'"
        code, out, _ = referee(*GAME, "--seat", bot, "--seat", "builtin:racer", "--json", cwd=tmp_path)

        assert code == DONE
        seats = json.loads(out)["seats"]
        assert [seat["place"] for seat in seats] == [2, 1]
        assert seats[0]["faults"] == {"no_show": 1}


class TestRecordFile:
    def test_is_not_written_over(self, tmp_path: Path) -> None:
        """
        A record that is there is kept, with the way to go on with it.
        """
        (tmp_path / "game.jsonl").write_text("precious")

        line = refused(*GAME, *BUILTINS, "--record", "game.jsonl", cwd=tmp_path)

        assert line == (
            "referee: game.jsonl exists already: name another file, or add --resume to go on with it"
        )
        assert (tmp_path / "game.jsonl").read_text() == "precious"
        assert os.listdir(tmp_path) == ["game.jsonl"]

    def test_that_cannot_be_written_is_named(self, tmp_path: Path) -> None:
        """
        A place where nothing can be written is told before the game.
        """
        (tmp_path / "file").write_text("")

        assert "file/game.jsonl" in refused(*GAME, *BUILTINS, "--record", "file/game.jsonl", cwd=tmp_path)

    def test_of_another_game_is_not_gone_on_with(self, tmp_path: Path) -> None:
        """
        A record with another commitment is another game's.
        """
        record = tmp_path / "game.jsonl"
        assert referee(*GAME, *BUILTINS, "--record", record, cwd=tmp_path)[0] == DONE
        lines = record.read_text().splitlines(keepends=True)
        record.write_text("".join(lines[:9]))

        line = refused(
            *(
                "play",
                "--rules",
                "winning_moves",
                *BUILTINS,
                "--seed",
                "00" * 32,
                "--resume",
                "--record",
                record,
            ),
            cwd=tmp_path,
        )

        assert "the record is of another game" in line

    def test_without_its_seed_is_not_gone_on_with(self, tmp_path: Path) -> None:
        """
        Without the seed the dice to come are not known.
        """
        record = tmp_path / "game.jsonl"
        assert referee(*GAME, *BUILTINS, "--record", record, cwd=tmp_path)[0] == DONE
        lines = record.read_text().splitlines(keepends=True)
        record.write_text("".join(lines[:9]))

        line = refused(
            "play", "--rules", "winning_moves", *BUILTINS, "--resume", "--record", record, cwd=tmp_path
        )

        assert "the seed of the unfinished game is not there; give it with --seed" in line

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(("--rules", "winning_moves", "--seat", "builtin:racer", *BUILTINS), id="more seats"),
            pytest.param(("--rules", "racket", *BUILTINS), id="another ruleset"),
        ],
    )
    def test_of_another_table_is_not_gone_on_with(self, tmp_path: Path, other: Sequence[str]) -> None:
        """
        A record is gone on with by those who began it, and by the same rules.
        """
        record = tmp_path / "game.jsonl"
        assert referee(*PLAY, "--record", record, cwd=tmp_path)[0] == DONE
        lines = record.read_text().splitlines(keepends=True)
        record.write_text("".join(lines[:9]))

        assert "another game" in refused(
            "play", *other, "--seed", SEED, "--resume", "--record", record, cwd=tmp_path
        )

    def test_that_stopped_in_its_first_line_is_begun_anew(self, tmp_path: Path) -> None:
        """
        A referee that died while it wrote the header had not begun to play.
        """
        (tmp_path / "game.jsonl").write_text('{"type":"ga')
        (tmp_path / "game.jsonl.secret").write_text(SEED)

        again = ("play", "--rules", "winning_moves", *BUILTINS, "--resume", "--record", "game.jsonl")
        code, out, err = referee(*again, cwd=tmp_path)

        assert (code, err) == (DONE, "")
        assert out.startswith("game: ended after ")

    def test_that_is_none_is_not_gone_on_with(self, tmp_path: Path) -> None:
        """
        What is no record is named as such.
        """
        (tmp_path / "game.jsonl").write_text("hello\n")

        line = refused(*GAME, *BUILTINS, "--resume", "--record", "game.jsonl", cwd=tmp_path)

        assert "game.jsonl: line 1: not a record" in line


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the lines of a game of the steady bot against a built-in player that nothing stopped."""
    folder = tmp_path_factory.mktemp("whole")
    a_bot(folder)
    code, _, err = referee(*GAME, *STEADY, cwd=folder)
    assert (code, err) == (DONE, "")
    return lines_of(folder / "game.jsonl")


STEADY = ("--seat", "steady", "--seat", "builtin:racer", "--max-throws", "60", "--record", "game.jsonl")


class TestInterrupted:
    def stopped(self, tmp_path: Path, number: signal.Signals, ask: int = 12) -> tuple[int, str, str]:
        """Play until the bot sends the referee signal *number* at *ask*."""
        (a_bot(tmp_path) / "stop").write_text(f"{int(number)} {ask}")
        return referee(*GAME, *STEADY, cwd=tmp_path)

    def resumed(self, tmp_path: Path) -> list[dict[str, Any]]:
        """Go on to the end; return the lines of the record."""
        code, out, _ = referee("play", "--rules", "winning_moves", *STEADY, "--resume", cwd=tmp_path)
        assert code == DONE
        assert out.startswith("game: ended after ")
        assert sorted(os.listdir(tmp_path)) == ["game.jsonl", "steady"]
        verify(tmp_path / "game.jsonl")
        return lines_of(tmp_path / "game.jsonl")

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "termination"])
    def test_game_says_how_to_go_on_and_ends_as_if_nothing_had_been(
        self, tmp_path: Path, uninterrupted: list[dict[str, Any]], number: signal.Signals
    ) -> None:
        """
        A game that is stopped is kept, its seed for its owner's eyes only; resumed, it is the same game.
        """
        code, out, err = self.stopped(tmp_path, number)

        assert code == INTERRUPTED
        assert out.startswith("game: adjourned after ")
        assert err == (
            "referee: stopped before the end; go on with: the same command and --resume --record game.jsonl\n"
        )
        so_far = lines_of(tmp_path / "game.jsonl")
        assert so_far == uninterrupted[: len(so_far)]
        assert SEED not in (tmp_path / "game.jsonl").read_text()
        secret = tmp_path / "game.jsonl.secret"
        assert secret.read_text().strip() == SEED
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert self.resumed(tmp_path) == uninterrupted

    def test_game_that_was_killed_goes_on_from_its_last_whole_line(
        self, tmp_path: Path, uninterrupted: list[dict[str, Any]]
    ) -> None:
        """
        A referee that dies without a word leaves what it wrote; a torn line is cut off.
        """
        code, *_ = self.stopped(tmp_path, signal.SIGKILL, 40)
        assert code == -signal.SIGKILL
        record = tmp_path / "game.jsonl"
        assert lines_of(record) == uninterrupted[: len(lines_of(record))]
        with record.open("a") as file:
            file.write('{"type":"stepped","seat":0,"pa')

        assert self.resumed(tmp_path) == uninterrupted

    def test_game_may_be_interrupted_again(self, tmp_path: Path, uninterrupted: list[dict[str, Any]]) -> None:
        """
        A game may be stopped as often as anybody likes.
        """
        assert self.stopped(tmp_path, signal.SIGINT, 5)[0] == INTERRUPTED
        for ask in (6, 20):
            (tmp_path / "steady" / "stop").write_text(f"{int(signal.SIGINT)} {ask}")
            code, out, _ = referee("play", "--rules", "winning_moves", *STEADY, "--resume", cwd=tmp_path)
            assert code == INTERRUPTED
            assert "adjourned" in out

        assert self.resumed(tmp_path) == uninterrupted

    def test_game_that_is_over_is_told_again(
        self, tmp_path: Path, uninterrupted: list[dict[str, Any]]
    ) -> None:
        """
        To go on with a game that has ended tells its result and changes nothing.
        """
        a_bot(tmp_path)
        assert referee(*GAME, *STEADY, cwd=tmp_path)[0] == DONE
        before = (tmp_path / "game.jsonl").read_bytes()

        assert self.resumed(tmp_path) == uninterrupted

        assert (tmp_path / "game.jsonl").read_bytes() == before


class TestFullDisk:
    def test_stops_the_game_without_a_result(self, tmp_path: Path) -> None:
        """
        A game that cannot be kept has no result: exit code 1, and the reason; with room again it goes on.
        """
        done = squeezed(8, *PLAY, "--record", "game.jsonl", cwd=tmp_path)

        assert done.returncode == NO
        first, why, *_ = done.stdout.splitlines()
        assert first.startswith("game: adjourned after ")
        assert why.strip() == "record game.jsonl cannot be written: File too large"
        assert "place 1" not in done.stdout
        assert "Traceback" not in done.stderr
        assert done.stderr.splitlines()[-1].startswith("referee: stopped before the end; go on with: ")
        assert (tmp_path / "game.jsonl.secret").exists()

        code, out, _ = referee(*PLAY, "--resume", "--record", "game.jsonl", cwd=tmp_path)

        assert (code, out.split(" after ")[0]) == (DONE, "game: ended")
        verify(tmp_path / "game.jsonl")
