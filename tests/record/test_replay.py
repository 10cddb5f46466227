"""A record read back: whole, in part, and gone on with."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from referee.dice import SeededDice
from referee.errors import RecordError
from referee.host.host import Host
from referee.host.outcome import Outcome
from referee.match.ask import Ask
from referee.match.events import Revealed, Voided
from referee.match.match import Absence, Match
from referee.match.setup import SEATS_OF, Setup
from referee.record.lines import Lines, header
from referee.record.replay import read, replay, replay_lines
from referee.record.stores.memory import MemoryStore
from referee.rules.engine import Rules
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from referee.rules.state import Step
from referee.seats.builtin import AbsentPlayer, BuiltinPlayer
from referee.seats.player import Player
from tests.fakes import NAMES, SEED, Choice, FakePlayer, ScriptedDice, a_setup, played, recorded, rules_of
from tests.record.games import a_record, edited, seed_of

GAMES = 20


class TestWholeGame:
    @pytest.mark.parametrize("trouble", [0.0, 0.02, 0.2])
    def test_replays_to_the_same_events(self, trouble: float) -> None:
        """
        A record leads to the events it was written from, to the same end, and nothing is left over.
        """
        for number in range(GAMES):
            match, events, lines = a_record(number, trouble)

            done = replay_lines(lines, rules=match.rules)

            assert done.events == events, f"game {number}"
            assert done.match.ended == match.ended, f"game {number}"
            assert done.match.events == [], f"game {number}"
            assert done.finished, f"game {number}"

    @pytest.mark.parametrize("trouble", [0.0, 0.05])
    def test_leaves_the_match_as_it_was(self, trouble: float) -> None:
        """
        Banks, strikes, throws and asks are what they were when the game was played.
        """
        for number in range(GAMES):
            match, _, lines = a_record(number, trouble)

            again = replay_lines(lines, rules=match.rules).match

            assert again.state == match.state
            assert again.banks == match.banks
            assert again.strikes == match.strikes
            assert again.throws == match.throws
            assert again.played_throws == match.played_throws
            assert again.lost == match.lost
            assert again.asks in (match.asks, match.asks - 1)  # the last may have been put in vain

    def test_tells_the_seed_when_it_has_it(self) -> None:
        """
        The seed is there from the last line on, and not before.
        """
        _, _, lines = a_record(1)

        assert replay_lines(lines).seed == seed_of(1)
        assert replay_lines(lines[:-1]).seed is None

    def test_uses_the_rules_it_is_given_if_they_fit(self) -> None:
        """
        Rules that were compiled before are used again; others are not, whatever they are called.
        """
        match, _, lines = a_record(1)
        others = rules_of("racket" if match.rules.ruleset.name != "racket" else "winning_moves")

        assert replay_lines(lines, rules=match.rules).match.rules is match.rules
        assert replay_lines(lines, rules=others).match.rules.ruleset.digest() == match.rules.ruleset.digest()


class TestPrefix:
    @pytest.mark.parametrize("trouble", [0.0, 0.05, 0.3])
    def test_of_whole_lines_is_a_record(self, trouble: float) -> None:
        """
        However many lines are there, they can be read; only a whole record is finished.
        """
        for number in range(6):
            match, events, lines = a_record(number, trouble, throws=40)
            for length in range(1, len(lines)):
                done = replay_lines(lines[:length], rules=match.rules)

                assert done.events == events[: length - 1]
                assert not done.finished or length == len(lines)

    def test_knows_what_its_last_line_led_to(self) -> None:
        """
        What a line leads to is known before it is there: it is the next to be written.

        Two seats that nobody took are the exception: the second is not known from the first.
        """
        for number in range(12):
            match, _, lines = a_record(number, 0.1)
            for length in range(1, len(lines)):
                done = replay_lines(lines[:length], rules=match.rules)
                write = Lines(done.setup.ruleset).line
                due = [write(event) for event in done.match.events]

                if not all('"kind":"no_show"' in line for line in lines[length - 1 : length + 1]):
                    assert lines[length : length + len(due)] == due, f"game {number}, {length} lines"


LOOSE = {"by", "ask", "elapsed_us", "lag_us", "bank_us", "detail", "raw"}
"""What depends on how often a seat was asked: an answer of several steps may be cut in two."""


def same(lines: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return lines without what depends on how often somebody was asked."""
    return [{key: value for key, value in json.loads(line).items() if key not in LOOSE} for line in lines]


def builtins(rules: Rules, *strategies: str) -> dict[int, Player]:
    """Return a built-in player for each seat, by the names of their strategies."""
    seats = SEATS_OF[len(strategies)]
    return {
        seat: BuiltinPlayer(NAMES[seat], name, rules) for seat, name in zip(seats, strategies, strict=True)
    }


def clumsy(rules: Rules, forced: bool) -> Choice:
    """
    Return a choice that follows from the state alone: whole plays, with a mistake in one of ten steps.

    Where there is no choice the mistake is made only if *forced* steps are asked for.
    """

    def choose(ask: Ask) -> Sequence[Step]:
        steps: list[Step] = []
        state = ask.state
        legal = ask.steps
        while legal:
            chance = crc32(repr(state).encode())
            if chance % 20 < len(MISTAKES) and (forced or len(legal) > 1):
                return [*steps, MISTAKES[chance % 20]]
            steps.append(legal[chance // 20 % len(legal)])
            state = rules.apply(state, steps[-1]).state
            legal = rules.steps(state)
        return steps

    return choose


MISTAKES = (Step(3, 7, 99), Step(0, 0, 0))
"""A step that is never offered, and the number of none."""


class Table:
    """One game that can be played from anywhere."""

    outcome: Outcome

    def __init__(self, setup: Setup, rules: Rules, players: Callable[[], Mapping[int, Player]]) -> None:
        self.setup = setup
        self._rules = rules
        self._players = players

    async def played(self, host: Host, past: Sequence[str] = ()) -> list[str]:
        """Go on from the lines of *past*, or begin; return all lines."""
        done = replay_lines(past or [header(self.setup)], rules=self._rules)
        lost = {seat for together in done.match.lost for seat in together}
        players = {seat: player for seat, player in self._players().items() if seat not in lost}
        store = MemoryStore()
        store.append(done.lines)
        outcome = await host.play(done.match, players, SeededDice(SEED), SEED, store, done.events)
        assert outcome.ended is not None
        assert store.sealed
        self.outcome = outcome
        return store.lines


class TestGoingOn:
    @pytest.mark.parametrize(
        ("name", "strategies", "throws"),
        [
            pytest.param("winning_moves", ("racer", "random"), 0, id="two by winning_moves"),
            pytest.param("racket", ("random", "racer", "random"), 60, id="three by racket"),
            pytest.param("winning_moves_highest", ("racer",) * 4, 40, id="four by winning_moves_highest"),
        ],
    )
    async def test_from_every_line_leads_to_the_same_record(
        self, name: str, strategies: tuple[str, ...], throws: int
    ) -> None:
        """
        A game that was stopped anywhere ends as if it had not been: the same lines, to the byte.
        """
        rules = rules_of(name)
        table = Table(
            a_setup(rules, SEATS_OF[len(strategies)], max_throws=throws),
            rules,
            lambda: builtins(rules, *strategies),
        )
        async with Host() as host:
            whole = await table.played(host)
            for length in range(1, len(whole)):
                assert await table.played(host, whole[:length]) == whole, f"from {length} lines"

    @pytest.mark.parametrize("name", ["winning_moves", "racket"])
    async def test_leads_to_the_same_end_where_answers_hold_several_steps(self, name: str) -> None:
        """
        An answer that was cut in two is asked for again; a player that plays by the board plays the same.
        """
        rules = rules_of(name)
        table = Table(
            a_setup(rules, (0, 2), max_throws=24), rules, lambda: builtins(rules, "careful", "racer")
        )
        async with Host() as host:
            whole = await table.played(host)
            for length in range(1, len(whole)):
                assert same(await table.played(host, whole[:length])) == same(whole), f"from {length} lines"

    @pytest.mark.parametrize("name", ["winning_moves", "racket"])
    @pytest.mark.parametrize("forced", [False, True], ids=["forced steps are played", "all steps are asked"])
    async def test_leads_to_the_same_end_with_faults(self, name: str, forced: bool) -> None:
        """
        Strikes, substitutes, lost seats and one who never came: each is where it was.
        """
        rules = rules_of(name)

        def players() -> dict[int, Player]:
            fakes: dict[int, Player] = {
                seat: FakePlayer(NAMES[seat], clumsy(rules, forced)) for seat in (0, 1, 2)
            }
            return fakes | {3: AbsentPlayer("dan", "fake", "never came", "last words")}

        setup = a_setup(rules, (0, 1, 2, 3), max_throws=60, ask_forced=forced)
        table = Table(setup, rules, players)
        async with Host() as host:
            whole = await table.played(host)
            kinds = [line["kind"] for line in same(whole) if line["type"] == "faulted"]
            assert {"no_show", "illegal", "malformed"} <= set(kinds)
            assert any(line["type"] == "seat_lost" and line["kind"] != "no_show" for line in same(whole))
            for length in range(1, len(whole)):
                assert same(await table.played(host, whole[:length])) == same(whole), f"from {length} lines"

    async def test_keeps_the_figures(self) -> None:
        """
        What a seat did before the stop is in its figures at the end.
        """
        rules = rules_of("winning_moves")
        table = Table(a_setup(rules), rules, lambda: builtins(rules, "racer", "random"))
        async with Host() as host:
            whole = await table.played(host)
            figures, throws = table.outcome.tally.seats, table.outcome.throws
            for length in range(1, len(whole), 20):
                await table.played(host, whole[:length])

                assert table.outcome.tally.seats == figures
                assert table.outcome.throws == throws


class TestTorn:
    def test_line_is_set_apart(self, tmp_path: Path) -> None:
        """
        What comes behind the last line feed is no line: it is told, and not read.
        """
        _, events, lines = a_record(1)
        file = tmp_path / "game.jsonl"
        whole = "\n".join(lines[:9]) + "\n"
        file.write_text(whole + lines[9][:-4])

        done = replay(file)

        assert done.torn == lines[9][:-4]
        assert done.lines == lines[:9]
        assert done.events == events[:8]
        assert not done.finished
        assert sum(len(line.encode()) + 1 for line in done.lines) == len(whole.encode())

    def test_line_may_be_whole_but_for_its_end(self, tmp_path: Path) -> None:
        """
        A line counts when its line feed is there; without it nobody knows that it is all of it.
        """
        _, _, lines = a_record(1)
        file = tmp_path / "game.jsonl"
        file.write_text("\n".join(lines))

        done = replay(file)

        assert done.torn == lines[-1]
        assert done.seed is None

    def test_character_is_refused_as_no_text(self, tmp_path: Path) -> None:
        """
        A file that ends in the middle of a character can be read up to its last line feed.
        """
        file = tmp_path / "game.jsonl"
        file.write_bytes((recorded(a_setup(), [])[0] + "\n").encode() + "🎲".encode()[:2])

        done = replay(file)

        assert len(done.lines) == 1
        assert done.torn


class TestNotARecord:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            pytest.param(b"", "empty: a record begins with a header line", id="empty"),
            pytest.param(b'{"type":"game"', "empty: a record begins", id="one torn line"),
            pytest.param(b"\n", "line 1: not a record: the line is not a JSON object", id="an empty line"),
            pytest.param(b"hello\n", "line 1: not a record: the line is not a JSON object", id="a text"),
            pytest.param(b"[1,2]\n", "line 1: not a record: the line is not a JSON object", id="a list"),
            pytest.param(b"{}\n", "line 1: the first line is not a record's header", id="an empty object"),
            pytest.param(b"\x00\x01\xff\xfe\n", "line 1: not a record: the line is not UTF-8", id="bytes"),
            pytest.param(b"\x7fELF\x02\x01\x01\x00\n", "line 1: not a record", id="a program"),
            pytest.param(b"[" * 200_000 + b"\n", "line 1: not a record", id="too deep"),
            pytest.param(b'{"a":' + b"9" * 5000 + b"}\n", "line 1: not a record", id="too long a number"),
        ],
    )
    def test_is_said_in_one_sentence(self, tmp_path: Path, content: bytes, words: str) -> None:
        """
        Whatever the file holds: the message names it, says where, and what would be right.
        """
        file = tmp_path / "game.jsonl"
        file.write_bytes(content)

        with pytest.raises(RecordError) as caught:
            replay(file)
        assert str(caught.value).startswith(f"{file}: {words}")
        assert "\n" not in str(caught.value)

    def test_can_have_anything_in_any_field(self) -> None:
        """
        Whatever stands where something else should: a sentence names the line, none speaks as Python does.
        """
        match, _, lines = a_record(3, 0.2, throws=6)
        strange = [None, True, 1.5, "", "x", [], {}, [None], [[1], 2], {"a": 1}, "9" * 20]
        python = re.compile(
            "None|True|NoneType|object has no|argument|not a valid|unhashable|iterable|unpack"
        )
        for number, line in enumerate(lines):
            for field, value in json.loads(line).items():
                others = strange + ([value | {key: None} for key in value] if isinstance(value, dict) else [])
                for other in others:
                    wrong = [*lines[:number], edited(line, **{field: other}), *lines[number + 1 :]]
                    try:
                        replay_lines(wrong, rules=match.rules)
                    except RecordError as error:
                        told = str(error)
                        assert told.startswith("line "), told
                        assert not python.search(told), told

    def test_can_be_a_folder(self, tmp_path: Path) -> None:
        """
        A folder is no record.
        """
        with pytest.raises(RecordError, match="cannot be read: Is a directory"):
            read(tmp_path)

    def test_can_be_missing(self, tmp_path: Path) -> None:
        """
        A file that is not there is named.
        """
        with pytest.raises(RecordError, match=r"no\.jsonl: cannot be read: No such file"):
            read(tmp_path / "no.jsonl")

    def test_can_come_from_later_times(self) -> None:
        """
        A later format is refused with what would help.
        """
        lines = [edited(recorded(a_setup(), [])[0], format=2)]

        with pytest.raises(RecordError, match="line 1: the record has format 2, this version reads up to 1"):
            replay_lines(lines)

    def test_can_have_rules_from_later_times(self) -> None:
        """
        A ruleset with a value that is not known here is refused by name.
        """
        line = recorded(a_setup(), [])[0]
        fields = json.loads(line)["fields"] | {"third_throw": "everybody_goes_home"}

        with pytest.raises(RecordError, match=r"line 1: .*third_throw = 'everybody_goes_home'"):
            replay_lines([edited(line, fields=fields)])

    def test_can_have_seats_that_cannot_play(self) -> None:
        """
        Two players sit opposite each other; a header that says otherwise is refused, not played.
        """
        line = recorded(a_setup(), [])[0]
        seats = json.loads(line)["seats"]
        seats[1]["seat"] = 1

        with pytest.raises(RecordError, match=r"line 1: seats .* cannot play"):
            replay_lines([edited(line, seats=seats)])

    def test_can_be_written_in_another_way(self) -> None:
        """
        A header with the same meaning in other bytes was not written by a referee.
        """
        line = recorded(a_setup(), [])[0]

        with pytest.raises(RecordError, match="line 1: the header is not as this referee writes it"):
            replay_lines([line.replace(":", ": ", 1)])


class TestEngine:
    def test_of_another_version_is_read(self) -> None:
        """
        The version that wrote a record is for people: another one reads it.
        """
        _, events, lines = a_record(1)

        done = replay_lines([edited(lines[0], engine="0.0.1"), *lines[1:]])

        assert done.events == events


class TestVoid:
    def test_may_cut_off_what_was_to_come(self) -> None:
        """
        A game may break at any moment, between a throw and what it led to.
        """
        match = Match(a_setup("racket"), rules_of("racket"))
        lines = recorded(match.setup, [Voided("the machine broke")])
        assert match.events  # who begins was not written any more

        done = replay_lines(lines)

        assert done.finished
        assert done.match.ended is None
        assert done.seed is None

    def test_comes_once_and_last(self) -> None:
        """
        A game that is over cannot become void.
        """
        _, _, lines = a_record(1)
        end = [Lines(WINNING_MOVES).line(Voided("too late"))]

        for wrong in ([*lines[:-1], *end], [*lines, *end], [lines[0], *end, *end]):
            with pytest.raises(RecordError, match=f"line {len(wrong)}: "):
                replay_lines(wrong)


class TestSeed:
    def test_comes_at_the_end_only(self) -> None:
        """
        A seed in the middle of a game was told too early, and nothing comes behind it.
        """
        _, _, lines = a_record(1)

        with pytest.raises(RecordError, match="line 6: the seed is told before the game is over"):
            replay_lines([*lines[:5], lines[-1], *lines[5:]])
        with pytest.raises(RecordError, match="something follows the seed"):
            replay_lines([*lines, lines[-1]])

    def test_is_not_told_of_a_void_game(self) -> None:
        """
        A void game is over without its seed.
        """
        match = Match(a_setup(), rules_of("winning_moves"))
        match.void("the machine broke")

        done = replay_lines(recorded(match.setup, match.events))

        assert done.finished
        assert done.seed is None


class TestNoShow:
    def test_of_two_at_once_is_read_as_one_moment(self) -> None:
        """
        Those who did not come share a place, in the replay as in the game.
        """
        match = Match(a_setup("winning_moves", (0, 1, 2, 3)), rules_of("winning_moves"))
        match.no_show([Absence(1, "not there", ""), Absence(3, "not there", "tail")])
        events = played(match, ScriptedDice())

        done = replay_lines(recorded(match.setup, [*events, Revealed(SEED)]))

        assert done.match.ended == match.ended
        assert done.match.lost == [(1, 3)]
