"""
A record proven, and every way in which it may be disproven.

Knows: which fields a referee can be held to, and which are its word alone (docs/record.md).
Does not know: the command line.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee import __version__
from referee.dice import SeededDice, commitment
from referee.errors import RecordError
from referee.host.verify import verify
from referee.match.events import Revealed, Voided
from referee.match.match import Match
from referee.rules.engine import Rules
from referee.rules.rulesets import RULESETS
from tests.fakes import SEED, ScriptedDice, a_setup, played, recorded, rules_of
from tests.record.games import a_record, edited, seed_of

WORD = {
    "game": {"engine", "game", "number", "ruleset", "seats", "clock", "penalties", "ask_forced"},
    "stepped": {"by", "elapsed_us", "lag_us"},
    "faulted": {"seat", "kind", "detail", "elapsed_us", "raw", "stderr"},
    "voided": {"detail"},
}
"""For each type of line, the fields that are the referee's word: another value may be as true."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def write(file: Path, lines: Sequence[str]) -> Path:
    """Write *lines* as a record; return its path."""
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return file


def refused(file: Path, lines: Sequence[str]) -> str:
    """Return the sentence with which *lines* are refused, without the name of the file."""
    with pytest.raises(RecordError) as caught:
        verify(write(file, lines), rules_of(name_of(lines[0])))
    text = str(caught.value)
    assert text.startswith(f"{file}: ")
    assert "\n" not in text
    return text.removeprefix(f"{file}: ")


def name_of(header: str) -> str:
    """Return the name of the ruleset that *header* names, or one that will do."""
    found = re.search('"ruleset":"(.*?)"', header)
    return found[1] if found else "racket"


def line_of(sentence: str) -> int:
    """Return the number of the line that *sentence* names, 0 if none."""
    found = re.match(r"line (\d+): ", sentence)
    return int(found[1]) if found else 0


def a_game(rules: str = "winning_moves", seats: tuple[int, ...] = (0, 1, 2), throws: int = 15) -> list[str]:
    """Return a short record without faults, with the dice of `SEED`."""
    match = Match(a_setup(rules, seats, max_throws=throws), rules_of(rules))
    events = played(match, SeededDice(SEED))
    return recorded(match.setup, [*events, Revealed(SEED)])


def others(field: str, value: Any) -> Iterator[Any]:
    """Yield other values of the same kind that *field* could have."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value:
            yield value - 1
    elif field in ("from", "to"):
        yield from ({"5", "N", "L1", "H", "12"} - {value})
    elif field == "position":
        yield value.replace("N", "5", 1) if "N" in value else value.replace("H", "L7", 1)
        groups = value.split("/")
        yield "/".join([*groups[1:], groups[0]])
    elif field in ("commitment", "seed", "digest"):
        yield ("1" if value[0] == "0" else "0") + value[1:]
        yield value[2:]
        yield value.upper() if value.upper() != value else value + "00"
    elif isinstance(value, list):
        yield value[:-1]
        yield [*value, value[-1]]
        if len(set(map(str, value))) > 1:
            yield value[::-1]
        if value and isinstance(value[0], int):
            yield [value[0] % 6 + 1, *value[1:]]
    elif value is None:
        yield 0
    elif isinstance(value, str):
        yield value + "x"


class TestWholeGame:
    @pytest.mark.parametrize("trouble", [0.0, 0.005, 0.05])
    def test_verifies(self, file: Path, trouble: float) -> None:
        """
        What was played is proven, with trouble and without; a void game is not proven, and it is said why.
        """
        ended = 0
        for number in range(20):
            match, events, lines = a_record(number, trouble)
            if match.ended is None:
                assert refused(file, lines).startswith("the game is void; its seed is not told")
                continue
            ended += 1

            done = verify(write(file, lines), match.rules)

            assert done.seed == seed_of(number)
            assert done.events == events
        assert ended

    def test_needs_no_rules_at_hand(self, file: Path) -> None:
        """
        A record brings its rules along.
        """
        for rules in ("winning_moves", "winning_moves_highest", "racket"):
            assert verify(write(file, a_game(rules))).setup.ruleset.name == rules


class TestUnfinished:
    def test_is_not_proven(self, file: Path) -> None:
        """
        Without its last line a game is not proven, wherever it stops.
        """
        lines = a_game()

        for length in range(1, len(lines)):
            sentence = refused(file, lines[:length])
            assert re.match("the game is not finished|the record stops before", sentence), sentence

    def test_line_is_not_proven(self, file: Path) -> None:
        """
        A torn last line is told as what it is.
        """
        file.write_text("\n".join(a_game()))

        with pytest.raises(RecordError, match="the last line is torn; the game is not finished"):
            verify(file)

    def test_may_be_void(self, file: Path) -> None:
        """
        A void game tells no seed, and its dice cannot be checked.
        """
        match = Match(a_setup(), rules_of("winning_moves"))
        match.void("the machine broke")

        assert refused(file, recorded(match.setup, match.events)) == (
            "the game is void; its seed is not told and its dice cannot be checked"
        )


class TestEdited:
    @pytest.mark.parametrize("rules", ["winning_moves", "racket"])
    def test_field_is_found(self, file: Path, rules: str) -> None:
        """
        Another value in any field that can be held against rules and dice is found, there or behind.
        """
        lines = a_game(rules)
        tried = set()
        for number, line in enumerate(lines, 1):
            fields = json.loads(line)
            kind = fields["type"]
            for field, value in fields.items():
                if field in WORD.get(kind, ()):
                    continue
                for other in others(field, value):
                    wrong = [*lines[: number - 1], edited(line, **{field: other}), *lines[number:]]

                    sentence = refused(file, wrong)

                    assert not line_of(sentence) or line_of(sentence) >= number, sentence
                    tried.add((kind, field))
        assert {kind for kind, _ in tried} >= {"game", "begun", "thrown", "stepped", "ended", "revealed"}

    def test_field_is_found_in_games_with_faults(self, file: Path) -> None:
        """
        Costs, strikes and lost seats follow from the kind of fault and the table of penalties.
        """
        found = set()
        for game in range(60):
            match, _, lines = a_record(game, 0.1, throws=6)
            if match.ended is None:
                continue
            for number, line in enumerate(lines, 1):
                fields = json.loads(line)
                kind = fields["type"]
                if kind not in ("faulted", "seat_lost"):
                    continue
                for field in fields.keys() - WORD.get(kind, set()):
                    for other in others(field, fields[field]):
                        wrong = [*lines[: number - 1], edited(line, **{field: other}), *lines[number:]]
                        if (kind, field) == ("faulted", "ask") and other and fields[field]:
                            continue  # which of two asks was open is seen by what follows, if anything does

                        refused(file, wrong)
                        found.add((kind, field))
        assert found >= {
            ("faulted", "cost"),
            ("faulted", "strikes"),
            ("faulted", "ask"),
            ("seat_lost", "seat"),
            ("seat_lost", "kind"),
        }

    def test_header_field_is_found_where_it_matters(self, file: Path) -> None:
        """
        Rules, seats and the limit are proven by the game that was played with them.
        """
        lines = a_game()
        header = json.loads(lines[0])
        names = [seat | {"seat": seat["seat"] + 1} for seat in header["seats"]]
        wrong = {
            "fields": header["fields"] | {"capture_bonus": "10"},
            "seats": names,
            "max_throws": header["max_throws"] + 1,
            "commitment": commitment(bytes(32)).hex(),
        }

        for field, value in wrong.items():
            refused(file, [edited(lines[0], **{field: value}), *lines[1:]])

    def test_throw_with_all_that_follows_is_found(self, file: Path) -> None:
        """
        A game that was played by the rules with other dice is found by its dice, and the line is named.
        """
        match = Match(a_setup("racket", max_throws=9), rules_of("racket"))
        events = played(match, ScriptedDice([(5, 5)], SEED))
        lines = recorded(match.setup, [*events, Revealed(SEED)])
        right = list(SeededDice(SEED).throw(0, 1, 2))

        assert refused(file, lines) == f"line 3: seat 0's throw 1 is [5, 5], the seed gives {right}"

    def test_seed_is_found(self, file: Path) -> None:
        """
        A seed other than the one committed to is refused, though the game holds together.
        """
        lines = a_game()

        assert refused(file, [*lines[:-1], edited(lines[-1], seed=bytes(32).hex())]) == (
            "the seed is not the one that the header committed to"
        )

    @pytest.mark.parametrize("length", [0, 31, 33])
    def test_seed_of_another_length_is_found(self, file: Path, length: int) -> None:
        """
        Whoever commits to a seed of the wrong length has thrown no dice from it.
        """
        seed = bytes(length)
        lines = a_game()
        header = edited(lines[0], commitment=commitment(seed).hex())

        assert refused(file, [header, *lines[1:-1], edited(lines[-1], seed=seed.hex())]) == (
            f"the seed has {length} bytes, not 32"
        )

    def test_time_beyond_the_clock_is_found(self, file: Path) -> None:
        """
        An answer that took longer than the clock allows cannot have been accepted.
        """
        lines = a_game()
        number, line = next((n, x) for n, x in enumerate(lines) if '"elapsed_us"' in x)

        sentence = refused(file, [*lines[:number], edited(line, elapsed_us=1_020_001), *lines[number + 1 :]])

        assert sentence == f"line {number + 1}: the answer took 1020001 us, longer than the clock allows"

    def test_chooser_is_found_where_it_cannot_be(self, file: Path) -> None:
        """
        A step is forced only where there was no choice, and a substitute only after a fault.
        """
        lines = a_game()
        asked = [n for n, line in enumerate(lines) if '"by":"bot"' in line]
        assert asked

        for number in asked:
            without = {k: v for k, v in json.loads(lines[number]).items() if not k.endswith("_us")}
            for by in ("forced", "substitute"):
                for fields in ({"by": by}, {"by": by, "ask": 0}):
                    for line in (lines[number], json.dumps(without)):
                        wrong = [*lines[:number], edited(line, **fields), *lines[number + 1 :]]

                        assert line_of(refused(file, wrong)) == number + 1

    def test_answer_without_its_time_is_found(self, file: Path) -> None:
        """
        The first step of an answer has a time, and a step without one belongs to the answer before it.
        """
        lines = a_game()
        asked = [n for n, line in enumerate(lines) if '"by":"bot"' in line]

        for number in asked:
            without = {k: v for k, v in json.loads(lines[number]).items() if not k.endswith("_us")}
            sentence = refused(file, [*lines[:number], edited(json.dumps(without)), *lines[number + 1 :]])

            assert line_of(sentence) == number + 1


class TestName:
    """What the rules are called in the header, where nothing but the name is seen at a glance."""

    def a_game(self, name: str, **fields: Any) -> list[str]:
        """Return a record by rules of this *name* that are `winning_moves` but for *fields*."""
        own = replace(RULESETS["winning_moves"], name=name, **fields)
        setup = replace(a_setup(max_throws=15), ruleset=own)
        match = Match(setup, Rules(own))
        return recorded(setup, [*played(match, SeededDice(SEED)), Revealed(SEED)])

    def test_may_be_that_of_house_rules(self, file: Path) -> None:
        """
        A name of their own is proven like any other.
        """
        done = verify(write(file, self.a_game("house", capture_bonus=10)))

        assert done.setup.ruleset.name == "house"

    @pytest.mark.parametrize("name", ["hasbro", "Hasbro", "winning_moves"])
    def test_of_a_registered_ruleset_is_not_proven_for_others(self, file: Path, name: str) -> None:
        """
        A game by house rules does not pass for one by a sheet, whoever gave it the name; nor is anybody
        accused, as the game may be of a version in which the sheet was read otherwise.
        """
        house, *rest = self.a_game("house", capture_bonus=10)

        with pytest.raises(RecordError) as caught:
            verify(write(file, [edited(house, ruleset=name), *rest]))

        told = str(caught.value).removeprefix(f"{file}: ")
        known = name.lower()
        assert told.startswith(
            f"line 1: the rules are called '{name}' but are not those of {known} in this version, "
            f"{__version__}: "
        )
        assert "capture_bonus is 10, not 20" in told or "fields differ; " in told
        assert told.endswith(
            f"; either they were given that name, or they are {known} as another version had it"
            "; all else agrees"
        )

    def test_is_looked_at_last(self, file: Path) -> None:
        """
        What is wrong otherwise is told first: then not all else agrees.
        """
        house, *rest = self.a_game("house", capture_bonus=10)

        told = refused(file, [edited(house, ruleset="hasbro"), *rest[:-1]])

        assert told == "the game is not finished: its seed is not told yet"

    @pytest.mark.parametrize(
        "name", ["", " ", "a\n", "\x1b[2Jx", "x" * 100_000, "x.toml", "r\u0430cket", "racket ", "\ud800"]
    )
    def test_that_no_ruleset_can_have_is_refused(self, file: Path, name: str) -> None:
        """
        No file could give it, so no referee has written it.
        """
        house, *rest = self.a_game("house", capture_bonus=10)
        file.write_bytes(
            "".join(f"{x}\n" for x in [edited(house, ruleset=name), *rest]).encode(errors="replace")
        )

        with pytest.raises(RecordError) as caught:
            verify(file)

        told = str(caught.value).removeprefix(f"{file}: ")
        assert told.startswith("line 1: the name in ruleset ")
        assert len(told) < 300


class TestLines:
    @pytest.mark.parametrize("rules", ["winning_moves", "racket"])
    def test_that_are_missing_are_found(self, file: Path, rules: str) -> None:
        """
        No line can be left out.
        """
        lines = a_game(rules)

        for number in range(len(lines)):
            refused(file, [*lines[:number], *lines[number + 1 :]])

    @pytest.mark.parametrize("rules", ["winning_moves", "racket"])
    def test_that_are_there_twice_are_found(self, file: Path, rules: str) -> None:
        """
        No line can be there twice.
        """
        lines = a_game(rules)

        for number in range(len(lines)):
            refused(file, [*lines[: number + 1], *lines[number:]])

    @pytest.mark.parametrize("rules", ["winning_moves", "racket"])
    def test_that_have_changed_places_are_found(self, file: Path, rules: str) -> None:
        """
        No two lines that follow each other can change places.
        """
        lines = a_game(rules)

        for number, (one, two) in enumerate(pairwise(lines)):
            assert one != two
            refused(file, [*lines[:number], two, one, *lines[number + 2 :]])

    def test_of_another_game_are_found(self, file: Path) -> None:
        """
        Two games cannot be mixed, though they are alike.
        """
        one, two = a_game(), a_game(throws=16)

        for number in range(2, len(one) - 2):
            refused(file, [*two[:number], *one[number:]])

    def test_of_other_bytes_are_found(self, file: Path) -> None:
        """
        A line with the same meaning in other bytes was not written by a referee.
        """
        lines = a_game()

        for number in range(len(lines)):
            spaced = lines[number].replace('":', '": ', 1)
            refused(file, [*lines[:number], spaced, *lines[number + 1 :]])

    def test_that_are_no_objects_are_found(self, file: Path) -> None:
        """
        Each line is one object; the message names the one that is not.
        """
        lines = a_game()

        for wrong in ("", "[]", "null", "{", '{"type":"rolled"}', '{"type":[]}', '{"no":"type"}'):
            assert line_of(refused(file, [*lines[:5], wrong, *lines[6:]])) == 6

    def test_after_the_end_are_found(self, file: Path) -> None:
        """
        Nothing comes behind the seed.
        """
        lines = a_game()

        for line in (lines[-1], lines[3], '{"type":"voided","detail":"too late"}'):
            assert line_of(refused(file, [*lines, line])) == len(lines) + 1


def test_a_void_after_the_end_is_found(file: Path) -> None:
    """
    A game that has ended cannot be made void afterwards, to be played again.
    """
    lines = a_game()
    void = recorded(a_setup(), [Voided("the winner was the wrong one")])[1]

    assert refused(file, [*lines[:-1], void]) == f"line {len(lines)}: the game is over already"
