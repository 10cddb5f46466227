"""One line for each event, and back."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from referee import __version__
from referee.errors import ConfigError, NotBuilt, PositionError, RecordError
from referee.match.events import (
    Begun,
    By,
    Ended,
    Event,
    Faulted,
    FirstThrown,
    Penalised,
    Reason,
    Revealed,
    SeatLost,
    Stepped,
    Thrown,
    Voided,
)
from referee.match.faults import STRICT, TOURNAMENT, Cost, FaultKind, Penalties
from referee.match.setup import Seated
from referee.match.time_bank import Clock
from referee.record.lines import FORMAT, Lines, header, setup_from
from referee.rules.rulesets import RULESETS
from referee.rules.rulesets.winning_moves import WINNING_MOVES
from tests.fakes import SEED, a_setup, rules_of
from tests.match.driver import TEXTS
from tests.record.games import a_record

LINES = Lines(WINNING_MOVES)
NEST = (0, 0, 0, 0)
BOARD = ((1, 0, 66, 72), None, (10, 64, 0, 0), None)

EVENTS: list[tuple[Event, str]] = [
    (FirstThrown(2, 1, (4,)), '{"type":"first_thrown","seat":2,"number":1,"dice":[4]}'),
    (FirstThrown(2, 3, (4, 1)), '{"type":"first_thrown","seat":2,"number":3,"dice":[4,1]}'),
    (
        Begun(0, (NEST, None, NEST, None)),
        '{"type":"begun","seat":0,"position":"N,N,N,N/-/N,N,N,N/-"}',
    ),
    (
        Thrown(0, 12, (6, 6), BOARD),
        '{"type":"thrown","seat":0,"number":12,"dice":[6,6],"position":"5,N,L2,H/-/48,34,N,N/-"}',
    ),
    (Penalised(3, 1), '{"type":"penalised","seat":3,"pawn":1}'),
    (Penalised(3, None), '{"type":"penalised","seat":3,"pawn":null}'),
    (
        Stepped(0, 3, 14, 0, 5, (), By.FORCED, 0, None, None, None),
        '{"type":"stepped","seat":0,"pawn":3,"use":14,"from":"N","to":"5","by":"forced","ask":0}',
    ),
    (
        Stepped(1, 0, 120, 68, 77, ((0, 2), (3, 1)), By.BOT, 31, 1500, 20, 400),
        (
            '{"type":"stepped","seat":1,"pawn":0,"use":120,"from":"68","to":"L7","by":"bot","ask":31,'
            '"captured":[[0,2],[3,1]],"elapsed_us":1500,"lag_us":20,"bank_us":400}'
        ),
    ),
    (
        Stepped(2, 1, 5, 72, 99, (), By.SUBSTITUTE, 9, None, None, None),
        '{"type":"stepped","seat":2,"pawn":1,"use":5,"from":"L2","to":"H","by":"substitute","ask":9}',
    ),
    (
        Faulted(2, 9, FaultKind.ILLEGAL, Cost.STRIKE, "why", 700, 2, "steps [1]", "last\nwords"),
        (
            '{"type":"faulted","seat":2,"ask":9,"kind":"illegal","cost":"strike","detail":"why",'
            '"elapsed_us":700,"strikes":2,"raw":"steps [1]","stderr":"last\\nwords"}'
        ),
    ),
    (
        Faulted(2, 0, FaultKind.GONE, Cost.SEAT, "naïve 🎲", None, 0, "", ""),
        (
            '{"type":"faulted","seat":2,"ask":0,"kind":"gone","cost":"seat","detail":"naïve 🎲",'
            '"elapsed_us":null,"strikes":0,"raw":"","stderr":""}'
        ),
    ),
    (SeatLost(2, FaultKind.TOO_LARGE), '{"type":"seat_lost","seat":2,"kind":"too_large"}'),
    (
        Ended((0, 2), (1, 2), (Reason.LAST_STANDING, Reason.FAULT), (NEST, None, None, None)),
        (
            '{"type":"ended","seats":[0,2],"places":[1,2],"reasons":["last_standing","fault"],'
            '"position":"N,N,N,N/-/-/-"}'
        ),
    ),
    (Voided("the machine broke"), '{"type":"voided","detail":"the machine broke"}'),
    (
        Revealed(bytes(range(32))),
        '{"type":"revealed","seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}',
    ),
]


class TestEvent:
    @pytest.mark.parametrize(("event", "line"), EVENTS, ids=[json.loads(line)["type"] for _, line in EVENTS])
    def test_is_written_like_this(self, event: Event, line: str) -> None:
        """
        The format is a promise: a field more or less is a new version of it.
        """
        assert LINES.line(event) == line

    @pytest.mark.parametrize(("event", "line"), EVENTS, ids=[json.loads(line)["type"] for _, line in EVENTS])
    def test_is_read_back(self, event: Event, line: str) -> None:
        """
        A line holds all of its event.
        """
        assert LINES.event(json.loads(line)) == event

    def test_of_every_kind_is_among_them(self) -> None:
        """
        Every kind of event has its line above.
        """
        assert {type(event) for event, _ in EVENTS} == set(Event.__args__)

    @pytest.mark.parametrize("text", TEXTS)
    def test_keeps_any_text_on_one_line(self, text: str) -> None:
        """
        Whatever a bot sent or said: it is kept to the letter, and never breaks the line.
        """
        event = Faulted(0, 1, FaultKind.MALFORMED, Cost.NOTE, text, 1, 0, text, text)

        line = LINES.line(event)

        assert "\n" not in line
        assert LINES.event(json.loads(line)) == event

    def test_replaces_what_is_no_text(self) -> None:
        """
        A name from a command line may hold bytes that are no text; a record is UTF-8 all the same.
        """
        line = LINES.line(Voided("a\udcffb"))

        assert line.encode() == b'{"type":"voided","detail":"a?b"}'

    @pytest.mark.parametrize("trouble", [0.0, 0.1])
    def test_of_whole_games_is_read_back(self, trouble: float) -> None:
        """
        All events of games by chance come back as they were.
        """
        for number in range(30):
            match, events, lines = a_record(number, trouble)
            read = Lines(match.setup.ruleset).event

            assert [read(json.loads(line)) for line in lines[1:]] == events

    @pytest.mark.parametrize(("event", "line"), EVENTS, ids=[json.loads(line)["type"] for _, line in EVENTS])
    def test_without_one_of_its_fields_is_refused(self, event: Event, line: str) -> None:
        """
        A line lacks nothing but what a step may leave out.
        """
        fields = json.loads(line)
        for field in fields.keys() - {"type", "captured", "elapsed_us", "lag_us", "bank_us"}:
            rest = {key: value for key, value in fields.items() if key != field}

            with pytest.raises(RecordError, match=f"the event lacks '{field}'"):
                LINES.event(rest)

    @pytest.mark.parametrize(("event", "line"), EVENTS, ids=[json.loads(line)["type"] for _, line in EVENTS])
    def test_with_null_in_a_field_says_what_it_should_be(self, event: Event, line: str) -> None:
        """
        The key, what would be right, and what is there, in the words of the record.
        """
        fields = json.loads(line)
        for field in fields.keys() - {"elapsed_us", "pawn" if fields["type"] == "penalised" else ""}:
            with pytest.raises(RecordError) as caught:
                LINES.event(fields | {field: None})

            told = str(caught.value)
            assert re.fullmatch(f"{field} should be .*, not null|unknown type of event null", told), told

    @pytest.mark.parametrize(("event", "line"), EVENTS, ids=[json.loads(line)["type"] for _, line in EVENTS])
    @pytest.mark.parametrize("wrong", [-1, 1.5, True, "x", [1], {"a": 1}, "1", [[0]]], ids=str)
    def test_never_raises_anything_but_a_record_error(self, event: Event, line: str, wrong: object) -> None:
        """
        Whatever stands in a field: it is read, or refused as a record is, and breaks nothing else.
        """
        fields = json.loads(line)
        for field in fields:
            with suppress(RecordError, PositionError):
                LINES.event(fields | {field: wrong})


NESTED: Any = 1
for _ in range(20_000):
    NESTED = [NESTED]


def header_of(**fields: object) -> dict[str, object]:
    """Return a header line, read, with other *fields*."""
    read: dict[str, object] = json.loads(header(a_setup()))
    return read | fields


class TestHeader:
    @pytest.mark.parametrize("name", RULESETS)
    @pytest.mark.parametrize("seats", [(0, 2), (0, 1, 2), (0, 1, 2, 3)], ids=str)
    @pytest.mark.parametrize("table", [STRICT, TOURNAMENT], ids=lambda table: table.name)
    def test_is_read_back(self, name: str, seats: tuple[int, ...], table: Penalties) -> None:
        """
        The header holds everything that was fixed before the first throw, the ruleset whole.
        """
        setup = a_setup(name, seats, penalties=table, ask_forced=True, max_throws=300)

        read = setup_from(json.loads(header(setup)))

        assert replace(read, ruleset=replace(read.ruleset, source=setup.ruleset.source)) == setup
        assert header(read) == header(setup)

    def test_keeps_what_the_bots_call_themselves(self) -> None:
        """
        Names and versions are kept to the letter.
        """
        who = Seated(seat=0, name="naïve “ann”", bot="🎲", version='1"2', author="a\\b", language="c++")
        setup = a_setup()
        setup = replace(setup, seats=(who, setup.seats[1]))

        assert setup_from(json.loads(header(setup))).seats[0] == who

    def test_refuses_what_a_terminal_would_obey(self) -> None:
        """
        Names are shown in terminals: a record from elsewhere must not clear the screen there.
        """
        setup = a_setup()
        evil = header(setup).replace('"name":"ann"', '"name":"\\u001b[2Jevil"', 1)

        with pytest.raises(ConfigError, match=r"evil' holds characters that cannot be printed"):
            setup_from(json.loads(evil))

    def test_keeps_every_time(self) -> None:
        """
        Times are whole microseconds, named with their unit.
        """
        times = [timedelta(milliseconds=n) for n in (11, 12, 13, 14, 15, 16)]
        clock = Clock(
            startup=times[0],
            ready=times[1],
            per_move=times[2],
            bank=times[3],
            increment=times[4],
            grace=times[5],
            grace_times=17,
        )

        read = json.loads(header(a_setup(clock=clock)))

        assert read["clock"] == {
            "startup_us": 11_000,
            "ready_us": 12_000,
            "per_move_us": 13_000,
            "bank_us": 14_000,
            "increment_us": 15_000,
            "grace_us": 16_000,
            "grace_times": 17,
        }
        assert setup_from(read).clock == clock

    def test_names_format_and_engine(self) -> None:
        """
        A reader sees first what it is about to read, and who wrote it.
        """
        read = header_of()

        assert list(read)[:3] == ["type", "format", "engine"]
        assert (read["type"], read["format"], read["engine"]) == ("game", FORMAT, __version__)

    def test_does_not_hold_the_seed(self) -> None:
        """
        The seed is told at the end; the header commits to it.
        """
        assert SEED.hex() not in header(a_setup())

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            pytest.param({"type": "thrown"}, "not a record's header", id="another line"),
            pytest.param({"format": FORMAT + 1}, "use a newer referee", id="a later format"),
            pytest.param({"format": "1"}, "format should be a whole number", id="format is no number"),
            pytest.param({"ruleset": 5}, "ruleset should be a text", id="ruleset is no text"),
            pytest.param({"digest": "00" * 32}, "digest does not fit its fields", id="another digest"),
            pytest.param({"fields": {}}, "lacks the field", id="no fields"),
            pytest.param({"fields": []}, r"^fields should be an object, not \[\]$", id="fields are a list"),
            pytest.param({"seats": []}, "seats should ascend", id="no seats"),
            pytest.param(
                {"seats": "02"},
                "^seats should be a list of objects, one for each taken seat",
                id="seats are a text",
            ),
            pytest.param({"clock": {}}, "lacks 'startup_us'", id="no clock"),
            pytest.param({"clock": None}, "^clock should be an object, not null$", id="clock is nothing"),
            pytest.param({"penalties": {}}, "lacks 'costs'", id="no penalties"),
            pytest.param(
                {"commitment": "xyz"},
                'should be 64 hexadecimal digits in lower case, not "xyz"',
                id="commitment is no hexadecimal",
            ),
            pytest.param(
                {"commitment": 5},
                "should be 64 hexadecimal digits in lower case, not 5",
                id="commitment is a number",
            ),
            pytest.param(
                {"ask_forced": "no"}, "ask_forced should be true or false", id="ask_forced is a text"
            ),
            pytest.param({"max_throws": -1}, "max_throws should be a whole number", id="a limit below none"),
            pytest.param(
                {"max_throws": "9"}, "max_throws should be a whole number", id="the limit is a text"
            ),
            pytest.param({"number": True}, "number should be a whole number", id="number is a truth"),
            pytest.param({"game": None}, "game should be a text", id="no game"),
            pytest.param({"fields": None}, "^fields should be an object, not null$", id="fields are nothing"),
            pytest.param(
                {"fields": {"capture_bonus": None}},
                r"^fields\.capture_bonus should be a text, not null$",
                id="a field is nothing",
            ),
            pytest.param({"digest": None}, "^digest should be 64 hexadecimal digits", id="no digest"),
            pytest.param(
                {"seats": [None]}, r"^seats should be a list of objects.*, not \[null\]$", id="no seat"
            ),
            pytest.param({"seats": None}, "^seats should be a list of objects.*, not null$", id="nobody"),
            pytest.param(
                {"penalties": None}, "^penalties should be an object, not null$", id="nothing costs"
            ),
            pytest.param(
                {"penalties": {"costs": None}},
                r"^penalties\.costs should be an object, not null$",
                id="costs are nothing",
            ),
            pytest.param(
                {"penalties": {"costs": {"late": True}}},
                r"^penalties\.costs\.late should be note, strike or seat, not true$",
                id="a cost is a truth",
            ),
            pytest.param(
                {"penalties": {"costs": {"slow": "seat"}}},
                r'^penalties\.costs has the key "slow": it should be late, illegal,',
                id="a fault that there is not",
            ),
            pytest.param({"engine": None}, "^engine should be a text, not null$", id="nobody wrote it"),
            pytest.param({"ruleset": ""}, "^the name in ruleset must be 1 to 64", id="rules without a name"),
            pytest.param({"game": [[0]] * 99}, r"^game should be a text, not \[\[0\], .*\.\.\.$", id="much"),
            pytest.param(
                {"game": NESTED}, "^game should be a text, not what is nested so deeply$", id="deep"
            ),
        ],
    )
    def test_that_is_wrong_is_refused(self, fields: dict[str, object], words: str) -> None:
        """
        A header that cannot be played from is refused with what is wrong with it.
        """
        with pytest.raises((RecordError, NotBuilt), match=words):
            setup_from(header_of(**fields))

    @pytest.mark.parametrize("field", header_of())
    def test_without_one_of_its_fields_is_refused(self, field: str) -> None:
        """
        A header lacks nothing; only the engine is for people.
        """
        fields = {key: value for key, value in header_of().items() if key != field}

        if field == "engine":
            assert setup_from(fields).game == "game"
        else:
            with pytest.raises(RecordError):
                setup_from(fields)

    @pytest.mark.parametrize(
        ("seats", "words"),
        [
            pytest.param([2, 0], "seats should ascend", id="descending"),
            pytest.param([0, 0], "seats should ascend", id="twice"),
            pytest.param([0, -2], "seat should be a whole number", id="negative"),
            pytest.param([0, "2"], "seat should be a whole number", id="a text"),
        ],
    )
    def test_with_wrong_seats_is_refused(self, seats: list[object], words: str) -> None:
        """
        Seats ascend, and each is taken once.
        """
        texts = {"name": "", "bot": "", "version": "", "author": "", "language": ""}

        with pytest.raises(RecordError, match=words):
            setup_from(header_of(seats=[{"seat": seat, **texts} for seat in seats]))

    def test_with_a_time_beyond_all_times_is_refused(self) -> None:
        """
        A number may be a whole number and still be no time.
        """
        clock = json.loads(header(a_setup()))["clock"]

        for time in (86_400_001_000, 10**30):
            with pytest.raises(
                RecordError, match=f"^bank_us should be a day at most, 86400000000, not {time}$"
            ):
                setup_from(header_of(clock=clock | {"bank_us": time}))

    def test_with_a_time_that_no_game_can_have_is_refused(self) -> None:
        """
        The clock of a game that is gone on with is told to bots in whole milliseconds.
        """
        clock = json.loads(header(a_setup()))["clock"]

        with pytest.raises(RecordError, match=r"^clock: time bank"):
            setup_from(header_of(clock=clock | {"bank_us": 1500}))


def test_a_line_is_what_a_json_library_would_write() -> None:
    """
    Lines of the hot path are put together as text; they are compact JSON, to the byte.
    """
    for number in range(20):
        for line in a_record(number, 0.05).lines:
            assert json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False) == line


def test_the_ruleset_in_a_record_is_the_one_that_was_played() -> None:
    """
    The digest in the header is that of the ruleset, which the fields lead to again.
    """
    for name in RULESETS:
        read = json.loads(header(a_setup(name)))

        assert read["digest"] == rules_of(name).ruleset.digest().hex()
        assert read["fields"] == rules_of(name).ruleset.as_text()
