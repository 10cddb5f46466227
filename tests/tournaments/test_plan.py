"""What a plan says, and what is refused before anything starts."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.match.faults import TOURNAMENT, Cost, FaultKind
from referee.match.time_bank import Clock
from referee.rules.ruleset import MustEnter
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from tests.tournaments.cases import HEAD, plan, plan_text
from tournaments.plan import MOST_BYTES, load
from tournaments.runner.bots import entrants

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))
TWO = '[[entrants]]\nname = "a"\nbot = "builtin:random"\n[[entrants]]\nname = "b"\nbot = "builtin:random"\n'
GOOD = f"{HEAD}seats = 2\n{TWO}"


def with_top(*lines: str) -> str:
    return "\n".join([HEAD + "seats = 2", *lines, TWO])


def with_table(*lines: str) -> str:
    return "\n".join([GOOD, *lines])


class TestDefaults:
    def test_are_those_of_the_manual(self) -> None:
        """
        The shortest plan names a ruleset, the seats and the entrants.
        """
        short = plan(f'ruleset = "winning_moves"\nseats = 2\n{TWO}')

        assert (short.name, short.format.name, short.rounds, short.jobs) == (
            "tournament",
            "round_robin",
            1,
            1,
        )
        assert short.penalties == TOURNAMENT
        assert short.clock == Clock()
        assert (short.max_throws, short.ask_forced, short.same_dice) == (0, False, True)
        assert (short.seed, short.listen, short.workers) == (None, None, None)
        assert [entrant.name for entrant in short.entrants] == ["a", "b"]

    def test_name_is_that_of_the_file(self, tmp_path: Path) -> None:
        """
        A plan without a name is called like its file, and bots are looked for beside it.
        """
        file = tmp_path / "spring.toml"
        file.write_text(f'ruleset = "winning_moves"\nseats = 2\n{TWO}')

        assert (load(file).name, load(file).base) == ("spring", tmp_path.resolve())


class TestValues:
    @pytest.mark.parametrize(
        ("text", "time"),
        [
            pytest.param("'250ms'", timedelta(milliseconds=250), id="milliseconds"),
            pytest.param("'2s'", timedelta(seconds=2), id="seconds"),
            pytest.param("'1.5 s'", timedelta(seconds=1.5), id="a fraction, and a space before the unit"),
            pytest.param("'1m'", timedelta(minutes=1), id="minutes"),
            pytest.param("'1h'", timedelta(hours=1), id="hours"),
            pytest.param("3", timedelta(seconds=3), id="a whole number of seconds"),
            pytest.param("0.1", timedelta(milliseconds=100), id="a number of seconds"),
        ],
    )
    def test_times_have_a_unit_or_are_seconds(self, text: str, time: timedelta) -> None:
        assert plan(with_table("[time]", f"per_move = {text}")).clock.per_move == time

    def test_penalties_of_ones_own_begin_at_the_usual_ones(self) -> None:
        """
        A table of penalties says only what differs.
        """
        own = plan(with_table("[penalties]", "strikes = 5", "stale = 'note'")).penalties

        assert own.strikes == 5
        assert own.costs[FaultKind.STALE] is Cost.NOTE
        assert own.costs[FaultKind.LATE] is Cost.STRIKE
        assert own.costs[FaultKind.GONE] is Cost.SEAT

    def test_ruleset_of_ones_own_says_what_differs(self) -> None:
        """
        A table as ruleset extends a registered one.
        """
        own = plan(
            f'name = "x"\nseats = 2\n{TWO}[ruleset]\nextends = "winning_moves"\nname = "house"\n'
            'must_enter = "never"\nhome_bonus = 5\n'
        ).ruleset

        assert (own.name, own.must_enter, own.home_bonus) == ("house", MustEnter.NEVER, 5)
        assert own.capture_bonus == WINNING_MOVES.capture_bonus

    def test_ruleset_may_be_a_file(self, tmp_path: Path) -> None:
        """
        It is looked for beside the plan, also by a table that extends it.
        """
        (tmp_path / "house.toml").write_text("extends = 'winning_moves'\nhome_bonus = 5\n", encoding="utf-8")
        named, extended = tmp_path / "named.toml", tmp_path / "extended.toml"
        named.write_text(f"ruleset = 'house.toml'\nseats = 2\n{TWO}", encoding="utf-8")
        extended.write_text(
            f"seats = 2\n{TWO}[ruleset]\nextends = 'house.toml'\ncapture_bonus = 6\n", encoding="utf-8"
        )

        assert (load(named).ruleset.name, load(named).ruleset.home_bonus) == ("house", 5)
        assert (load(extended).ruleset.home_bonus, load(extended).ruleset.capture_bonus) == (5, 6)

    def test_ruleset_that_is_a_wrong_file_is_told_with_both_places(self, tmp_path: Path) -> None:
        """
        The plan names the file, and the mistake is in that file.
        """
        house, cup = tmp_path / "house.toml", tmp_path / "cup.toml"
        house.write_text("extends = 'winning_moves'\nhome_bonus = 500\n", encoding="utf-8")
        cup.write_text(f"seats = 2\nruleset = 'house.toml'\n{TWO}", encoding="utf-8")

        with pytest.raises(ConfigError) as told:
            load(cup)

        where = f"{cup}:2: ruleset: {house}:2: home_bonus"
        assert str(told.value) == f"{where} must be from 0 to 99, not 500"

    def test_ruleset_that_extends_a_missing_file_is_told_with_the_file_that_does(
        self, tmp_path: Path
    ) -> None:
        """
        The plan names a file, and that file names one that is not there.
        """
        house, cup = tmp_path / "house.toml", tmp_path / "cup.toml"
        house.write_text("name = 'ours'\nextends = 'base.toml'\n", encoding="utf-8")
        missing = f"extends: {tmp_path / 'base.toml'}: there is no such file"
        for text, where in (
            (f"seats = 2\nruleset = 'house.toml'\n{TWO}", f"{cup}:2: ruleset: {house}:2: {missing}"),
            (f"seats = 2\n{TWO}[ruleset]\nextends = 'base.toml'\n", f"ruleset.{missing}"),
        ):
            cup.write_text(text, encoding="utf-8")
            with pytest.raises(ConfigError) as told:
                load(cup)
            assert str(told.value).endswith(where)

    def test_seed_is_32_bytes(self) -> None:
        assert plan(with_top(f"seed = '{'0a' * 32}'")).seed == b"\x0a" * 32

    def test_remote_bots_dial_in(self) -> None:
        """
        A remote bot has a token, and the plan an address.
        """
        text = with_top("listen = '0.0.0.0:50051'").replace(
            'name = "b"\nbot = "builtin:random"', 'name = "b"\nbot = "remote:b"\ntoken = "correct-horse"'
        )

        assert plan(text).listen == "0.0.0.0:50051"
        assert plan(text).entrants[1].token == "correct-horse"
        assert "correct-horse" not in str(plan(text).resolved())


def second(*lines: str, top: str = "") -> str:
    """Return a plan whose second entrant is described by *lines*."""
    return with_top(top).replace('name = "b"\nbot = "builtin:random"', "\n".join(lines))


def own(*lines: str) -> str:
    """Return a plan with a ruleset of its own."""
    rules = 'ruleset = "winning_moves"\n'
    return with_table("[ruleset]", *lines).replace(rules, "")


RACKET = "extends = 'racket'"
TOKEN = "token = 'correct-horse'"
FREE = ("late", "illegal", "malformed", "stale")

MISTAKES = [
    pytest.param(
        with_top("round = 3"),
        "cup.toml:4: round is not a key of a plan; did you mean rounds?",
        id="a key with a slip",
    ),
    pytest.param(
        with_top("xyz = 3"),
        "cup.toml:4: xyz is not a key of a plan; the keys are: name, format,",
        id="a key out of the blue",
    ),
    pytest.param(
        with_table("[time]", "permove = 1"),
        "cup.toml:12: time.permove is not a key of this table; did you mean per_move?",
        id="a slip in a table",
    ),
    pytest.param(
        with_table("jobs = 2"),
        "cup.toml:11: entrants[2].jobs is not a key of this table: write jobs above the first [table]",
        id="a key of the plan behind the entrants",
    ),
    pytest.param(
        with_table("[penalties]", "latte = 'note'"),
        "penalties.latte is not a key of this table; did you mean late?",
        id="a kind of fault with a slip",
    ),
    pytest.param(
        GOOD.replace("seats = 2", "seats = '2'"),
        "cup.toml:3: seats must be a whole number, not '2'",
        id="a text for a number",
    ),
    pytest.param(
        GOOD.replace("seats = 2", "seats = true"),
        "seats must be a whole number, not true",
        id="a flag for a number",
    ),
    pytest.param(GOOD.replace("seats = 2", "seats = 5"), "seats must be from 2 to 4, not 5", id="five seats"),
    pytest.param(
        GOOD.replace("seats = 2", "seats = 2.0"), "seats must be a whole number, not 2.0", id="a fraction"
    ),
    pytest.param(GOOD.replace("seats = 2\n", ""), "cup.toml: seats is missing", id="no seats"),
    pytest.param(
        GOOD.replace('ruleset = "winning_moves"\n', ""), "cup.toml: ruleset is missing", id="no ruleset"
    ),
    pytest.param(
        GOOD.replace("winning_moves", "winning"),
        "cup.toml:2: ruleset: there is no ruleset called 'winning'; there are: casual_classic,",
        id="unknown ruleset",
    ),
    pytest.param(
        with_top("[x]").replace('ruleset = "winning_moves"', "ruleset = 7"),
        "x is not a key",
        id="a table out of the blue",
    ),
    pytest.param(
        GOOD.replace('"winning_moves"', "7"),
        "ruleset must be a text in quotes, not 7",
        id="a number for a text",
    ),
    pytest.param(
        with_top("format = 'swiss'"),
        "format: there is no format called 'swiss'; there are: round_robin",
        id="unknown format",
    ),
    pytest.param(
        with_top("penalties = 'mild'"),
        "penalties: there is no penalty table called 'mild'; there are: strict, tournament",
        id="unknown penalties",
    ),
    pytest.param(
        with_table("[penalties]", "late = 'free'"),
        "penalties.late must be 'note', 'strike' or 'seat', not 'free'",
        id="unknown cost",
    ),
    pytest.param(
        with_table("[penalties]", "gone = 'note'"),
        "penalties.gone must be 'seat', as nobody is left to play",
        id="a cost that cannot be",
    ),
    pytest.param(
        with_table("[penalties]", "strikes = 0"), "penalties.strikes must be from 1 to", id="no strikes"
    ),
    pytest.param(
        with_table("[penalties]", "strikes = 2", *(f"{kind} = 'note'" for kind in FREE)),
        "penalties.strikes has no effect: no fault costs a strike",
        id="strikes without effect",
    ),
    pytest.param(with_top("rounds = 0"), "rounds must be from 1 to", id="no rounds"),
    pytest.param(
        with_top("rounds = 1_000_000_000", TWO.replace('"a"', '"c"').replace('"b"', '"d"')),
        "rounds makes 12000000000 games of it, and 2147483647 is",
        id="more games than numbers",
    ),
    pytest.param(with_top("jobs = 0"), "jobs must be from 1 to 10000, not 0", id="no jobs"),
    pytest.param(with_top("workers = 0"), "workers must be from 1 to 10000, not 0", id="no workers"),
    pytest.param(with_top("workers = 'all'"), "workers must be a whole number, not 'all'", id="all workers"),
    pytest.param(with_top("max_throws = -1"), "max_throws must be from 0 to", id="negative limit"),
    pytest.param(
        with_top("ask_forced = 1"), "ask_forced must be true or false, not 1", id="a number for a flag"
    ),
    pytest.param(
        with_top("seed = 'xyz'"),
        "seed must be 64 hexadecimal digits, and is 3 characters",
        id="seed is no hex",
    ),
    pytest.param(
        with_top("seed = '00ff'"),
        "seed must be 64 hexadecimal digits, and is 4 characters",
        id="seed is short",
    ),
    pytest.param(
        with_top(f"seed = '{'é' * 64}'"), "seed must be 64 hexadecimal digits", id="seed of strange letters"
    ),
    pytest.param(with_top("seed = 7"), "seed must be a text in quotes, not 7", id="seed is a number"),
    pytest.param(
        with_top("deep = " + "[" * 5000), "cup.toml:4: nested too deeply: 16 arrays", id="no bottom"
    ),
    pytest.param(with_top("long = " + "9" * 5000), "cup.toml: not TOML that can be read", id="endless"),
    pytest.param(with_top("time = '2s'"), "time must be a table", id="time is no table"),
    pytest.param(
        with_table("[time]", "per_move = '5 parsecs'"),
        "cup.toml:12: time.per_move must be a time such as 250ms, 2s, 1m or 1h, or a number of seconds",
        id="a time without a known unit",
    ),
    pytest.param(with_table("[time]", "per_move = -1"), "time.per_move must be a time", id="negative time"),
    pytest.param(
        with_table("[time]", "per_move = nan"), "time.per_move must be a time", id="a time that is no number"
    ),
    pytest.param(with_table("[time]", "bank = inf"), "time.bank must be a time", id="endless time"),
    pytest.param(
        with_table("[time]", "per_move = true"), "time.per_move must be a time", id="a flag for a time"
    ),
    pytest.param(with_table("[time]", "per_move = 0"), "time.per_move must be more than 0", id="no time"),
    pytest.param(
        with_table("[time]", "bank = '25h'"), "time.bank must be a day at most", id="more than a day"
    ),
    pytest.param(
        with_table("[time]", "bank = 1e300"), "time.bank must be a day at most", id="more than there is"
    ),
    pytest.param(
        with_table("[time]", "bank = 0.0000001"),
        "time.bank is finer than a millisecond",
        id="finer than the clock",
    ),
    pytest.param(
        with_table("[time]", "per_move = '0.5ms'"),
        "time.per_move is finer than a millisecond",
        id="half a millisecond",
    ),
    pytest.param(
        with_table("[time]", "grace = 0", "grace_times = 2"),
        "time.grace_times has no effect: grace is 0",
        id="grace_times without effect",
    ),
    pytest.param(
        with_table("[time]", "grace = '5ms'", "grace_times = 0"),
        "time.grace has no effect: grace_times is 0",
        id="grace without effect",
    ),
    pytest.param(
        HEAD + "seats = 2\n", "cup.toml: there are no entrants: write [[entrants]]", id="no entrants"
    ),
    pytest.param(
        with_top("").replace(TWO, "entrants = 2"),
        "entrants must be tables: write [[entrants]]",
        id="entrants are a number",
    ),
    pytest.param(
        with_top("").replace(TWO, "entrants = ['a', 'b']"),
        "entrants must be tables: write [[entrants]]",
        id="entrants are texts",
    ),
    pytest.param(
        with_top("").replace(TWO, "[entrants]\nname = 'a'\n"),
        "entrants must be tables: write [[entrants]]",
        id="one pair of brackets",
    ),
    pytest.param(
        GOOD.replace("seats = 2", "seats = 3"),
        "cup.toml:4: entrants: 3 seats need at least 3 entrants, not 2",
        id="too few entrants",
    ),
    pytest.param(
        GOOD.replace('"b"', '"a"'),
        "cup.toml:8: entrants[2].name 'a' is that of entrants[1] already",
        id="the same name twice",
    ),
    pytest.param(
        GOOD.replace('name = "b"\n', ""),
        "cup.toml:7: entrants[2].name is missing",
        id="an entrant without a name",
    ),
    pytest.param(
        GOOD.replace('"b"', '" "'), "entrants[2].name must be 1 to 64 characters", id="an empty name"
    ),
    pytest.param(
        GOOD.replace('"b"', r'"b\u001b[31m"'),
        "entrants[2].name must be 1 to 64 characters",
        id="a name that colours the terminal",
    ),
    pytest.param(
        GOOD.replace('"b"', f'"{"b" * 65}"'), "entrants[2].name must be 1 to 64 characters", id="a long name"
    ),
    pytest.param(second("name = 'b'"), "entrants[2].bot is missing", id="an entrant without a bot"),
    pytest.param(second("name = 'b'", "bot = ''"), "entrants[2].bot must be a folder", id="an empty bot"),
    pytest.param(
        GOOD.replace('name = "b"', 'name = "b"\ntoken = "correct-horse"'),
        "entrants[2].token has no effect: only a remote: bot shows a token",
        id="a token for nothing",
    ),
    pytest.param(
        with_top("listen = '0.0.0.0:1'"),
        "listen has no effect: no entrant is a remote: bot",
        id="an address for nothing",
    ),
    pytest.param(
        second("name = 'b'", "bot = 'remote:b'", TOKEN),
        "entrants: 'b' dials in, so the plan must say where",
        id="nowhere to dial in",
    ),
    pytest.param(
        second("name = 'b'", "bot = 'remote:b'", TOKEN, top="listen = 'here'"),
        "listen must be an address and a port",
        id="no port",
    ),
    pytest.param(
        second("name = 'b'", "bot = 'remote:b'"),
        "entrants[2].bot: a remote: bot shows a token",
        id="a remote bot without a token",
    ),
    pytest.param(
        second("name = 'b'", "bot = 'remote:b'", "token = 'x'"),
        "entrants[2].token must be 8 to 256 printable characters",
        id="a token to be guessed",
    ),
    pytest.param(
        own("extends = 'chess'"),
        "ruleset.extends: there is no ruleset called 'chess'",
        id="extends what is not there",
    ),
    pytest.param(
        own(RACKET, "must_entr = 'most'"),
        "ruleset.must_entr is not a key of this table; did you mean must_enter?",
        id="a field with a slip",
    ),
    pytest.param(
        own("extends = 'pressman_teams'"),
        "cup.toml:2: seats: ruleset 'own' is for two teams of two, which take 4 seats, not 2",
        id="teams of one",
    ),
    pytest.param(
        own(RACKET, "dice = 1"),
        "ruleset.dice: with dice = 1 it has doublet_faces = both, extra_throw = doublet, but one die throws",
        id="fields that do not go together",
    ),
    pytest.param(
        own(RACKET, "must_enter = 'sometimes'"),
        "ruleset.must_enter must be never or when_possible or most, not 'sometimes'",
        id="a value that is not known",
    ),
    pytest.param(
        own(RACKET, "must_enter = [1]"),
        "ruleset.must_enter must be a text in quotes, not an array",
        id="a list for a field",
    ),
    pytest.param("name = 'x\n", "cup.toml:1: not TOML: ", id="a text that does not end"),
    pytest.param("name = 'x'\nseats 2\n", "cup.toml:2: not TOML: ", id="no equals sign"),
    pytest.param("name = 'x'\nname = 'y'\n", "cup.toml:2: not TOML: ", id="a key twice"),
    pytest.param("seats = [1,\n", "cup.toml:1: not TOML: ", id="an array that does not end"),
    pytest.param("# nothing", "cup.toml: there are no entrants", id="nothing at all"),
]


class TestMistakes:
    @pytest.mark.parametrize(("text", "sentence"), MISTAKES)
    def test_are_told_in_one_line(self, text: str, sentence: str) -> None:
        """
        What is wrong is said with file, line and key, and with what would be right.
        """
        with pytest.raises(ConfigError) as told:
            plan(text)

        assert sentence in str(told.value)
        assert str(told.value).startswith("cup.toml")
        assert "\n" not in str(told.value)

    def test_seed_is_not_repeated(self) -> None:
        """
        A message may be read by more people than the file.
        """
        with pytest.raises(ConfigError) as told:
            plan(with_top("seed = 'deadbeef'"))

        assert "deadbeef" not in str(told.value)

    def test_lines_are_found_past_texts_over_several_lines(self) -> None:
        """
        What stands inside a text is no key.
        """
        text = f'seed = """\nseats = 9\n"""\nruleset = "winning_moves"\nseats = 7\n{TWO}'

        with pytest.raises(ConfigError, match=r"^cup\.toml:5: seats must be from 2 to 4"):
            plan(text)

    def test_inline_tables_are_told_by_the_line_on_which_they_begin(self) -> None:
        with pytest.raises(ConfigError, match=r"^cup\.toml:4: time\.per_move must be a time"):
            plan(with_top("time = { per_move = 'x' }"))

    @pytest.mark.parametrize(
        ("make", "sentence"),
        [
            pytest.param(lambda path: None, "there is no such file", id="no file"),
            pytest.param(lambda path: path.mkdir(), "cannot be read: it is no file", id="a folder"),
            pytest.param(lambda path: path.write_bytes(b"a = 1\n\xff"), ":2: not UTF-8 text", id="not text"),
            pytest.param(os.mkfifo, "cannot be read: it is no file", id="a pipe that nobody writes to"),
            pytest.param(
                lambda path: path.write_bytes(b"#" * (MOST_BYTES + 1)),
                f"is too long for a plan: {MOST_BYTES} bytes are the most",
                id="too long",
            ),
            pytest.param(
                lambda path: path.write_text(f"seats = 2\n{'.'.join('a' * 200_000)} = 1"),
                ":2: a key of too many parts: 8 are the most",
                id="a key without an end",
            ),
        ],
    )
    def test_files_that_are_no_plan(self, tmp_path: Path, make: object, sentence: str) -> None:
        assert callable(make)
        path = tmp_path / "cup.toml"
        make(path)

        with pytest.raises(ConfigError, match=sentence):
            load(path)


class TestExamples:
    @pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
    def test_are_plans(self, path: Path) -> None:
        """
        What we show can be played, and its bots are there.
        """
        assert load(path).games > 0
        assert len(entrants(load(path))) == len(load(path).entrants)


def test_helper_is_a_plan() -> None:
    """
    The plan that other tests use is one.
    """
    assert plan(plan_text(("a", "b", "c", "d"), seats=4, rounds=3)).games == 12
