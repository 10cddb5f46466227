"""An organiser's own ruleset: what a file says, and what is refused."""

import os
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from referee.errors import ConfigError, UnknownName
from referee.files.rulesets import MOST_BYTES, MOST_FILES, own_ruleset, ruleset_called
from referee.rules.board import PAHRCHEESI56
from referee.rules.ruleset import ExtraThrow, MustEnter, ThirdThrow
from referee.rules.rulesets import RULESETS, ruleset

WINNING_MOVES = ruleset("winning_moves")
EXTENDS = "extends = 'winning_moves'\n"

QUOTED = '"a\\"b"'
"""A part of a key that holds a quote."""


def write(folder: Path, text: str, name: str = "house.toml") -> Path:
    """Return the file *name* in *folder*, which holds *text* now."""
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def refusal(file: Path) -> str:
    """Return why *file* is refused, one sentence, without the folder that it lies in."""
    with pytest.raises(ConfigError) as caught:
        own_ruleset(file)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{file.parent}/")


class TestFile:
    def test_differs_in_what_it_says(self, tmp_path: Path) -> None:
        """
        All other fields are those of the parent.
        """
        text = f"name = 'ours'\nsource = 'us'\ncapture_bonus = 10\nmust_enter = 'never'\n{EXTENDS}"

        own, parent = own_ruleset(write(tmp_path, text))

        expected = replace(
            WINNING_MOVES, name="ours", source="us", capture_bonus=10, must_enter=MustEnter.NEVER
        )
        assert (own, parent) == (expected, WINNING_MOVES)

    def test_may_change_every_kind_of_field(self, tmp_path: Path) -> None:
        """
        A text, a number, a truth and a board.
        """
        text = f"{EXTENDS}third_throw = 'none'\nhome_bonus = 0\nsecond_lap = true\nboard = 'pahrcheesi56'\n"

        own = own_ruleset(write(tmp_path, text)).ruleset

        assert (own.third_throw, own.home_bonus, own.second_lap) == (ThirdThrow.NONE, 0, True)
        assert own.board is PAHRCHEESI56

    def test_is_called_like_the_file(self, tmp_path: Path) -> None:
        """
        Without a name of its own; and its source says whose it is.
        """
        own = own_ruleset(write(tmp_path, f"{EXTENDS}home_bonus = 5\n")).ruleset

        assert own.name == "house"
        assert own.source == "house.toml, an organiser's own"

    def test_may_bear_the_name_of_the_rules_that_it_is(self, tmp_path: Path) -> None:
        """
        A file that changes nothing may be called like its parent.
        """
        assert own_ruleset(write(tmp_path, EXTENDS, "winning_moves.toml")).ruleset == replace(
            WINNING_MOVES, source="winning_moves.toml, an organiser's own"
        )

    @pytest.mark.parametrize(
        "name",
        ["Racket 2", "winning moves, at home", "Mum & Dad's (2026)", "x", "racket+5", "5", "1.0-beta!"],
    )
    def test_may_have_any_name_that_is_told_apart(self, tmp_path: Path, name: str) -> None:
        """
        Letters, digits, spaces and some punctuation; it may begin as a registered name does.
        """
        text = f'{EXTENDS}home_bonus = 5\nname = "{name}"\nsource = "как дома"\n'

        own = own_ruleset(write(tmp_path, text)).ruleset

        assert (own.name, own.source) == (name, "как дома")

    def test_keeps_the_readings_that_it_does_not_change(self, tmp_path: Path) -> None:
        """
        Who sets a field has read the sheet.
        """
        text = "extends = 'hasbro'\nthird_throw = 'nearest_home'\n"

        own = own_ruleset(write(tmp_path, text)).ruleset

        assert [field for field, _ in ruleset("hasbro").readings] == ["third_throw", "double_one_breaks"]
        assert [field for field, _ in own.readings] == ["double_one_breaks"]

    def test_may_extend_a_file(self, tmp_path: Path) -> None:
        """
        It is looked for beside the file that names it.
        """
        write(tmp_path, f"{EXTENDS}capture_bonus = 3\nhome_bonus = 3\n", "shared/base.toml")
        file = write(tmp_path, "extends = 'shared/base.toml'\nhome_bonus = 4\n")

        own, parent = own_ruleset(file)

        assert (own.capture_bonus, own.home_bonus) == (3, 4)
        assert (parent.name, parent.capture_bonus, parent.home_bonus) == ("base", 3, 3)

    def test_two_may_extend_one(self, tmp_path: Path) -> None:
        """
        Meeting a file twice is no circle.
        """
        write(tmp_path, EXTENDS, "base.toml")
        for name in ("one.toml", "two.toml"):
            write(tmp_path, "extends = 'base.toml'\n", name)

            assert own_ruleset(tmp_path / name).parent.name == "base"

    def test_may_say_what_looks_like_a_long_key_or_deep_nesting(self, tmp_path: Path) -> None:
        """
        Texts and comments may hold anything, and where they end is known.
        """
        long, deep = ".".join("a" * 40), "[" * 40
        text = (
            f'# {long} {deep} """ \'\n{EXTENDS}source = """{long} {deep} \\" \'""""" # \'\'\'\n'
            f"name = '{long[:30]}' # \"\n"
        )

        assert own_ruleset(write(tmp_path, text)).ruleset.source == f'{long} {deep} " \'""'

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(f"x = [\n[{' ' * 15_000}\n1]]\n", id="blanks behind a bracket"),
            pytest.param(f"x = [\n[{'1 ' * 7_000}", id="an array without commas"),
            pytest.param('x = """' + '\\"' * 8_000, id="quotes without an end"),
            pytest.param('x = "' + '\\"' * 8_000, id="a text without an end"),
            pytest.param("'" * 16_001, id="single quotes"),
            pytest.param(" " * 16_000, id="blanks"),
            pytest.param("\n" * 16_000, id="empty lines"),
            pytest.param("a" * 16_000, id="a name"),
            pytest.param("a." * 8_000, id="names"),
            pytest.param("[a]\n" * 4_000, id="headers"),
            pytest.param("[[a]]\n" * 2_700, id="tables"),
            pytest.param("x=[" + "{}," * 5_000 + "]", id="many tables"),
            pytest.param(f"{'9' * 16_000} = 1\n", id="a key of digits"),
            pytest.param(f"x = {'9' * 16_000}\n", id="digits"),
            pytest.param(f"x = 1.{'0' * 16_000}\n", id="a fraction"),
            pytest.param(f"x = {'1_' * 8_000}\n", id="parts of a number"),
            pytest.param(f"x = '{' ' * 16_000}'\n", id="a text"),
        ],
    )
    def test_takes_no_time_whatever_is_in_it(self, tmp_path: Path, text: str) -> None:
        """
        Anybody may send a file, so one that may be sent is read or refused in a moment.
        """
        assert len(text) <= MOST_BYTES
        file = write(tmp_path, text)
        start = process_time()

        refusal(file)

        assert process_time() - start < 1


class TestCalled:
    def test_by_a_name_is_a_registered_one(self, tmp_path: Path) -> None:
        """
        A file of that name is not looked at.
        """
        write(tmp_path, EXTENDS, "racket")

        assert ruleset_called("racket", tmp_path) is RULESETS["racket"]

    def test_by_a_file_is_looked_for_from_the_base(self, tmp_path: Path) -> None:
        """
        What ends in .toml is a file.
        """
        write(tmp_path, f"{EXTENDS}extra_throw = 'none'\nthird_throw = 'none'\n")

        assert ruleset_called("house.toml", tmp_path).extra_throw is ExtraThrow.NONE

    def test_by_a_wrong_name_is_refused(self, tmp_path: Path) -> None:
        """
        There is no ruleset, and the message lists those there are.
        """
        with pytest.raises(UnknownName):
            ruleset_called("ludo", tmp_path)


class TestRefusal:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            pytest.param("extends = winning_moves\n", "house.toml:1: not TOML: ", id="no quotes"),
            pytest.param(EXTENDS * 2, "house.toml:2: not TOML: ", id="a key twice"),
            pytest.param("", "house.toml: extends is missing: write extends = ", id="nothing"),
            pytest.param("home_bonus = 5\n", "house.toml: extends is missing", id="no parent"),
            pytest.param("extends = 5\n", "house.toml:1: extends must be a text in quotes", id="a number"),
            pytest.param(
                "name = 'x'\nextends = 'winnig_moves'\n",
                "house.toml:2: extends: there is no ruleset called 'winnig_moves'; did you mean winning_",
                id="a slip in the parent",
            ),
            pytest.param(
                "extends = 'Racket'\n",
                "house.toml:1: extends: there is no ruleset called 'Racket'; did you mean racket?",
                id="a parent in capitals",
            ),
            pytest.param(
                "extends = 'zzzzz'\n",
                "there is no ruleset called 'zzzzz'; there are: casual_classic, ",
                id="an unknown parent",
            ),
            pytest.param(
                f"extends = '{'x' * 5000}'\n", f"called '{'x' * 61}...'; there are", id="a long parent"
            ),
            pytest.param(
                f"{EXTENDS}must_entr = 'most'\n",
                "house.toml:2: must_entr is not a key of a ruleset; did you mean must_enter?",
                id="a slip in a field",
            ),
            pytest.param(
                f"{EXTENDS}readings = []\n", "readings is not a key of a ruleset", id="what is no rule"
            ),
            pytest.param(
                f"{EXTENDS}must_enter = 'always'\n",
                "house.toml:2: must_enter must be never or when_possible or most, not 'always'",
                id="a value that there is not",
            ),
            pytest.param(
                f"{EXTENDS}use = 'Greedy'\n", "not 'Greedy'; did you mean greedy?", id="a value in capitals"
            ),
            pytest.param(
                f"{EXTENDS}board = 'ludo'\n",
                "board must be parcheesi68 or pahrcheesi56, not 'ludo'",
                id="a board that there is not",
            ),
            pytest.param(f"{EXTENDS}dice = '2'\n", "dice must be a whole number, not '2'", id="a text"),
            pytest.param(f"{EXTENDS}dice = true\n", "dice must be a whole number, not true", id="a truth"),
            pytest.param(f"{EXTENDS}home_bonus = 2.0\n", "must be a whole number, not 2.0", id="a fraction"),
            pytest.param(
                f"{EXTENDS}second_lap = 'true'\n", "second_lap must be true or false, not 'true'", id="quotes"
            ),
            pytest.param(f"{EXTENDS}use = 1\n", "use must be a text in quotes, not 1", id="no text"),
            pytest.param(f"{EXTENDS}[use]\n", "house.toml:2: use must be a text in quotes", id="a table"),
            pytest.param(
                f"{EXTENDS}\nhome_bonus = 100\n",
                "house.toml:3: home_bonus must be from 0 to 99, not 100",
                id="too much",
            ),
            pytest.param(f"{EXTENDS}capture_bonus = -1\n", "must be from 0 to 99, not -1", id="too little"),
            pytest.param(f"{EXTENDS}dice = 3\n", "dice must be from 1 to 2, not 3", id="three dice"),
            pytest.param(
                f"{EXTENDS}dice = 1\n",
                "house.toml:2: dice: with dice = 1 it has doublet_faces = both, fourteen = all_or_nothing, "
                "extra_throw = doublet, but",
                id="doublets with one die",
            ),
            pytest.param(
                f"{EXTENDS}home_bonus = 5\nmust_open = 'on_six'\n",
                "house.toml:3: must_open: with dice = 2 it has must_open = on_six, but",
                id="a six with two dice",
            ),
            pytest.param(
                f"{EXTENDS}name = 'racket'\n",
                "house.toml:2: name 'racket' is that of a registered ruleset with other fields",
                id="a name that is taken",
            ),
            pytest.param(f"{EXTENDS}name = ''\n", "name must be 1 to 64 characters", id="no name"),
            pytest.param(f"{EXTENDS}name = ' x'\n", "name must be 1 to 64 characters", id="a space before"),
            pytest.param(f'{EXTENDS}name = "a\\nb"\n', "name must be 1 to 64 characters", id="two lines"),
            pytest.param(f"{EXTENDS}name = '{'x' * 65}'\n", "name must be 1 to 64", id="a long name"),
            pytest.param(f"{EXTENDS}name = 'x.toml'\n", "would be taken for a file", id="like a file"),
            pytest.param(f"{EXTENDS}name = 'x.TOML'\n", "would be taken for a file", id="like a FILE"),
            pytest.param(
                f"{EXTENDS}name = 'r\u0430cket'\n",
                "house.toml:2: name must be 1 to 64 characters, letters of the English alphabet, digits, any "
                "of _-.,'+&()! and spaces, with none at either end, not 'r\u0430cket'",
                id="a letter of another script",
            ),
            pytest.param(f"{EXTENDS}name = '\uff52acket'\n", "letters of the English", id="a wide letter"),
            pytest.param(
                f"{EXTENDS}name = 'racke\u0074\u0323'\n", "letters of the English", id="a dot below"
            ),
            pytest.param(f"{EXTENDS}name = 'pahrchees\u0131'\n", "letters of the English", id="no dot"),
            pytest.param(f"{EXTENDS}name = 'a\u00a0b'\n", "letters of the English", id="another space"),
            *(
                pytest.param(
                    f"{EXTENDS}name = '{name}'\n",
                    f"house.toml:2: name '{name}' can be taken for {known}, a registered ruleset with other "
                    "fields: write name = and one of your own",
                    id=name,
                )
                for name, known in (
                    ("Racket", "racket"),
                    ("HASBRO", "hasbro"),
                    ("hasbr0", "hasbro"),
                    ("ha5bro", "hasbro"),
                    ("casua1_super", "casual_super"),
                    ("casuaI_super", "casual_super"),
                    ("pahrcheesl", "pahrcheesi"),
                    ("casual super", "casual_super"),
                    ("casual-super", "casual_super"),
                    ("racket.", "racket"),
                    ("(racket)", "racket"),
                    ("vvinning_moves_highest", "winning_moves_highest"),
                )
            ),
            pytest.param(f"{EXTENDS}source = 5\n", "source must be a text in quotes", id="no source"),
            pytest.param(
                "extends = 'house.toml'\n",
                "house.toml:1: extends: a file cannot extend itself: house.toml > house.toml",
                id="itself",
            ),
            pytest.param(
                f"name = 'x'\n{EXTENDS}[ruleset]\nhome_bonus = 3\n",
                "house.toml:3: ruleset is a table, and a file with a ruleset has none: write its keys",
                id="the table of a plan",
            ),
            pytest.param(
                "[ruleset]\nextends = 'winning_moves'\n",
                "house.toml:1: ruleset is a table, and a file with a ruleset has none: write its keys",
                id="nothing but the table of a plan",
            ),
            pytest.param(
                f"extends = '{'x' * 300}.toml'\n",
                "house.toml:1: extends: ",
                id="the name of a file that is too long",
            ),
            pytest.param(
                f"{EXTENDS}{'.'.join('a' * 8000)} = 1",
                "house.toml:2: a key of too many parts: 8 are the most",
                id="a long key",
            ),
            pytest.param(
                f"{EXTENDS}[{' . '.join('a' * 4000)}]",
                "house.toml:2: a key of too many parts: 8 are the most",
                id="a long header",
            ),
            pytest.param(
                f'{EXTENDS}x = """"\n"""""\ny = {{ {".".join(["a", QUOTED] * 9)} = 1 }}',
                "house.toml:4: a key of too many parts: 8 are the most",
                id="a long key behind a text that ends in quotes",
            ),
            pytest.param(
                f"{EXTENDS}x = '''\n'''''\n'a'.{'.'.join('a' * 9)} = 1",
                "house.toml:4: a key of too many parts: 8 are the most",
                id="a long key behind a text in single quotes",
            ),
            pytest.param(
                f"{EXTENDS}x = {'[' * 17}{']' * 17}",
                "house.toml:2: nested too deeply: 16 arrays and tables in each other are the most",
                id="deep arrays",
            ),
            pytest.param(
                f"{EXTENDS}x = {'{a = ' * 17}1{'}' * 17}",
                "house.toml:2: nested too deeply: 16 arrays",
                id="deep tables",
            ),
        ],
    )
    def test_says_what_is_wrong_and_where(self, tmp_path: Path, text: str, words: str) -> None:
        """
        One sentence with the file, the line and the key, and with what would be right.
        """
        assert words in refusal(write(tmp_path, text))

    def test_of_what_it_extends_names_the_line_that_does(self, tmp_path: Path) -> None:
        """
        A file that is not there is missed where it is named; what is wrong in one that is, stands there.
        """
        file = write(tmp_path, "name = 'y'\nextends = 'base.toml'\n", "y.toml")
        base = tmp_path / "base.toml"

        assert refusal(file) == f"y.toml:2: extends: {base}: there is no such file"

        base.mkdir()
        assert refusal(file) == f"y.toml:2: extends: {base}: cannot be read: it is no file"

        base.rmdir()
        base.write_text("extends = 'racket'\ndice = 3\n", encoding="utf-8")
        assert refusal(file).startswith("base.toml:2: dice must be")

    def test_of_the_name_of_a_file_asks_for_one_in_it(self, tmp_path: Path) -> None:
        """
        A file that is called like a registered ruleset has to have a name of its own.
        """
        file = write(tmp_path, f"{EXTENDS}home_bonus = 5\n", "winning_moves.toml")

        assert refusal(file).startswith("winning_moves.toml: name 'winning_moves' is that of a registered")

    def test_of_the_name_of_a_file_in_other_letters_asks_for_one_in_it(self, tmp_path: Path) -> None:
        """
        A file may be called as people write; the rules in it have a name that is told apart everywhere.
        """
        wrong = refusal(write(tmp_path, EXTENDS, "r\u00e8gles.toml"))

        assert wrong.startswith("r\u00e8gles.toml: name must be 1 to 64 characters, letters of the English")
        assert wrong.endswith("not 'r\u00e8gles': write name = and one that is")

    def test_of_a_circle_names_the_files(self, tmp_path: Path) -> None:
        """
        Several files that extend each other come to no end; those before the circle are not named.
        """
        for name, parent in (("a", "b"), ("b", "c"), ("c", "b")):
            write(tmp_path, f"extends = '{parent}.toml'\n", f"{name}.toml")

        assert (
            refusal(tmp_path / "a.toml")
            == "c.toml:1: extends: a file cannot extend itself: b.toml > c.toml > b.toml"
        )

    def test_of_a_circle_sees_through_links(self, tmp_path: Path) -> None:
        """
        A file with two names is one file.
        """
        file = write(tmp_path, "extends = 'other.toml'\n")
        (tmp_path / "other.toml").symlink_to(file)

        assert "a file cannot extend itself: house.toml > other.toml" in refusal(file)

    def test_of_a_long_chain(self, tmp_path: Path) -> None:
        """
        So many files may extend each other, and one more may not.
        """
        for number in range(MOST_FILES):
            write(tmp_path, f"extends = '{number + 1}.toml'\n", f"{number}.toml")
        write(tmp_path, EXTENDS, f"{MOST_FILES}.toml")

        assert own_ruleset(tmp_path / "1.toml").ruleset.name == "1"
        assert f"more than {MOST_FILES} files extend each other" in refusal(tmp_path / "0.toml")

    def test_of_what_is_no_file(self, tmp_path: Path) -> None:
        """
        A folder, nothing, a pipe that nobody writes to, a file that never ends.
        """
        os.mkfifo(tmp_path / "pipe.toml")
        (tmp_path / "folder.toml").mkdir()
        write(tmp_path, "#" * (MOST_BYTES + 1), "long.toml")

        assert refusal(tmp_path / "none.toml") == "none.toml: there is no such file"
        assert refusal(tmp_path / "folder.toml") == "folder.toml: cannot be read: it is no file"
        assert refusal(tmp_path / "pipe.toml") == "pipe.toml: cannot be read: it is no file"
        assert refusal(tmp_path / "long.toml").startswith("long.toml: is too long for a ruleset")
        assert "cannot be read: File name too long" in refusal(tmp_path / f"{'x' * 300}.toml")

    def test_of_what_is_no_text(self, tmp_path: Path) -> None:
        """
        The line is told on which it stops to be text.
        """
        file = tmp_path / "house.toml"
        file.write_bytes(EXTENDS.encode() + b"name = '\xff'\n")

        assert refusal(file) == "house.toml:2: not UTF-8 text: save the file as UTF-8"
