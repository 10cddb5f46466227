"""
One line of a record for each event, and back.

A line is one JSON object in compact form, keys in a fixed order, so that a replay that leads to the
same events leads to the same bytes. Lines of the hot path are written as text, not as objects: that
is three times as fast, and nothing lives on for the garbage collector to walk over.
"""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import lru_cache
from itertools import product
from typing import Any, Final

from referee import __version__
from referee.errors import ConfigError, RecordError
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
from referee.match.faults import Cost, FaultKind, Penalties
from referee.match.setup import Seated, Setup
from referee.match.time_bank import LONGEST, Clock, micros
from referee.record.shapes import check_event, check_header, shown
from referee.rules.names import wrong_with_name
from referee.rules.notation import position_from_text, position_text, square_code, square_text
from referee.rules.ruleset import Ruleset, from_text

FORMAT: Final = 1
"""The version of the format; a reader refuses a higher one."""

_TIMES: Final = ("startup", "ready", "per_move", "bank", "increment", "grace")


def _dump(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="replace").decode()  # a name from a command line may be no text


def _whole(x: Mapping[str, Any], key: str) -> int:
    value = x[key]
    if type(value) is not int or value < 0:
        raise RecordError(f"{key} should be a whole number, not {shown(value)}")
    return value


def _whole_or_null(x: Mapping[str, Any], key: str) -> int | None:
    return None if x[key] is None else _whole(x, key)


def _whole_if_there(x: Mapping[str, Any], key: str) -> int | None:
    return _whole(x, key) if key in x else None


def _text(x: Mapping[str, Any], key: str) -> str:
    value = x[key]
    if not isinstance(value, str):
        raise RecordError(f"{key} should be a text, not {shown(value)}")
    return value


def _dice(x: Mapping[str, Any]) -> tuple[int, ...]:
    dice = tuple(x["dice"])
    if any(type(die) is not int for die in dice):
        raise TypeError
    return dice


@lru_cache(64)
def _described(ruleset: Ruleset) -> tuple[str, Mapping[str, str]]:
    return ruleset.digest().hex(), ruleset.as_text()


def header(setup: Setup) -> str:
    """Return the first line of a record: everything that is fixed before the first throw."""
    digest, fields = _described(setup.ruleset)
    return _dump(
        {
            "type": "game",
            "format": FORMAT,
            "engine": __version__,
            "game": setup.game,
            "number": setup.number,
            "ruleset": setup.ruleset.name,
            "digest": digest,
            "fields": fields,
            "seats": [
                {
                    "seat": s.seat,
                    "name": s.name,
                    "bot": s.bot,
                    "version": s.version,
                    "author": s.author,
                    "language": s.language,
                }
                for s in setup.seats
            ],
            "clock": {f"{name}_us": micros(getattr(setup.clock, name)) for name in _TIMES}
            | {"grace_times": setup.clock.grace_times},
            "penalties": {
                "name": setup.penalties.name,
                "costs": dict(setup.penalties.costs),
                "strikes": setup.penalties.strikes,
            },
            "ask_forced": setup.ask_forced,
            "max_throws": setup.max_throws,
            "commitment": setup.commitment.hex(),
        }
    )


def setup_from(line: Mapping[str, Any]) -> Setup:
    """
    Return the setup that `header` wrote.

    Raises:
        RecordError: A missing or wrong field, or a format newer than this version knows.
        NotBuilt: A ruleset that this version cannot play.
    """
    if line.get("type") != "game":
        raise RecordError('the first line is not a record\'s header: it should have "type": "game"')
    if "format" not in line:
        raise RecordError('the header has no "format" number')
    if _whole(line, "format") > FORMAT:
        raise RecordError(
            f"the record has format {line['format']}, this version reads up to {FORMAT}: use a newer referee"
        )
    check_header(line)
    try:
        if wrong := wrong_with_name(line["ruleset"]):
            raise RecordError(f"the name in ruleset{wrong}")
        ruleset = from_text(line["ruleset"], line["fields"])
        if ruleset.digest().hex() != line["digest"]:
            raise RecordError("the header's ruleset digest does not fit its fields: the record was edited")
        seats = tuple(_seated(seated) for seated in line["seats"])
        if not seats or [s.seat for s in seats] != sorted({s.seat for s in seats}):
            raise RecordError("the header's seats should ascend, from 0 to 3")
        table = line["penalties"]
        costs = {FaultKind(kind): Cost(cost) for kind, cost in table["costs"].items()}
        return Setup(
            number=line["number"],
            game=line["game"],
            ruleset=ruleset,
            seats=seats,
            clock=_clock(line["clock"]),
            penalties=Penalties(_text(table, "name"), costs, _whole(table, "strikes")),
            ask_forced=line["ask_forced"],
            max_throws=line["max_throws"],
            commitment=bytes.fromhex(line["commitment"]),
        )
    except KeyError as error:
        raise RecordError(f"the header lacks {error}") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise RecordError(f"the header is damaged: {error}") from None


def _clock(x: Mapping[str, Any]) -> Clock:
    try:
        return Clock(
            **{name: _time(x, f"{name}_us") for name in _TIMES}, grace_times=_whole(x, "grace_times")
        )
    except ConfigError as error:
        raise RecordError(f"clock: {error}") from None


def _time(x: Mapping[str, Any], key: str) -> timedelta:
    if (value := _whole(x, key)) > micros(LONGEST):
        raise RecordError(f"{key} should be a day at most, {micros(LONGEST)}, not {shown(value)}")
    return timedelta(microseconds=value)


def _seated(x: Mapping[str, Any]) -> Seated:
    texts = {key: _text(x, key) for key in ("name", "bot", "version", "author", "language")}
    return Seated(seat=_whole(x, "seat"), **texts)


_SQUARES: Final = tuple(square_text(code) for code in range(128))
_DICE: Final = {
    dice: ",".join(map(str, dice)) for count in (1, 2) for dice in product(range(1, 7), repeat=count)
}


class Lines:
    """Writes and reads the events of games by one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Make the tables for games by *ruleset*."""
        self._ruleset: Final = ruleset
        self._board: Final = ruleset.board
        self._writers: Final[Mapping[type[Event], Callable[[Any], str]]] = {
            FirstThrown: self._first_thrown,
            Begun: self._begun,
            Thrown: self._thrown,
            Penalised: self._penalised,
            Stepped: self._stepped,
            Faulted: self._faulted,
            SeatLost: self._seat_lost,
            Ended: self._ended,
            Voided: self._voided,
            Revealed: self._revealed,
        }

    def line(self, event: Event) -> str:
        """Return *event* as one line, without the line feed."""
        return self._writers[type(event)](event)

    def _first_thrown(self, e: FirstThrown) -> str:
        dice = ",".join(map(str, e.dice))
        return f'{{"type":"first_thrown","seat":{e.seat},"number":{e.number},"dice":[{dice}]}}'

    def _begun(self, e: Begun) -> str:
        position = position_text(self._board, e.position, e.arrived)
        return f'{{"type":"begun","seat":{e.seat},"position":"{position}"}}'

    def _thrown(self, e: Thrown) -> str:
        seat, number, dice, position, arrived = e
        return (
            f'{{"type":"thrown","seat":{seat},"number":{number},"dice":[{_DICE[dice]}],'
            f'"position":"{position_text(self._board, position, arrived)}"}}'
        )

    def _penalised(self, e: Penalised) -> str:
        return f'{{"type":"penalised","seat":{e.seat},"pawn":{"null" if e.pawn is None else e.pawn}}}'

    def _stepped(self, e: Stepped) -> str:
        seat, pawn, use, origin, square, captured, by, ask, elapsed, lag, bank = e
        line = (
            f'{{"type":"stepped","seat":{seat},"pawn":{pawn},"use":{use},'
            f'"from":"{_SQUARES[origin]}","to":"{_SQUARES[square]}","by":"{by!s}","ask":{ask}'
        )
        if captured:
            line += f',"captured":[{",".join(f"[{s},{p}]" for s, p in captured)}]'
        if elapsed is None:
            return line + "}"
        return f'{line},"elapsed_us":{elapsed},"lag_us":{lag or 0},"bank_us":{bank or 0}}}'

    def _faulted(self, e: Faulted) -> str:
        return _dump(
            {
                "type": "faulted",
                "seat": e.seat,
                "ask": e.ask,
                "kind": e.kind,
                "cost": e.cost,
                "detail": e.detail,
                "elapsed_us": e.elapsed,
                "strikes": e.strikes,
                "raw": e.raw,
                "stderr": e.stderr,
            }
        )

    def _seat_lost(self, e: SeatLost) -> str:
        return f'{{"type":"seat_lost","seat":{e.seat},"kind":"{e.kind.value}"}}'

    def _ended(self, e: Ended) -> str:
        return _dump(
            {
                "type": "ended",
                "seats": e.seats,
                "places": e.places,
                "reasons": e.reasons,
                "position": position_text(self._board, e.position, e.arrived),
            }
        )

    def _voided(self, e: Voided) -> str:
        return _dump({"type": "voided", "detail": e.detail})

    def _revealed(self, e: Revealed) -> str:
        return f'{{"type":"revealed","seed":"{e.seed.hex()}"}}'

    def event(self, line: Mapping[str, Any]) -> Event:
        """
        Return the event that a line holds.

        Raises:
            RecordError: An unknown type, or a field that is missing or wrong.
        """
        try:
            return self._event(line)
        except KeyError as error:
            raise RecordError(f"the event lacks {error}") from None
        except (TypeError, ValueError, AttributeError) as error:
            check_event(line)
            raise RecordError(f"the event is damaged: {error}") from None

    def _event(self, x: Mapping[str, Any]) -> Event:
        match x["type"]:
            case "first_thrown":
                return FirstThrown(_whole(x, "seat"), _whole(x, "number"), _dice(x))
            case "begun":
                return Begun(_whole(x, "seat"), *position_from_text(self._ruleset, _text(x, "position")))
            case "thrown":
                placed = position_from_text(self._ruleset, _text(x, "position"))
                return Thrown(_whole(x, "seat"), _whole(x, "number"), _dice(x), *placed)
            case "penalised":
                return Penalised(_whole(x, "seat"), _whole_or_null(x, "pawn"))
            case "stepped":
                return Stepped(
                    _whole(x, "seat"),
                    _whole(x, "pawn"),
                    _whole(x, "use"),
                    square_code(_text(x, "from")),
                    square_code(_text(x, "to")),
                    tuple((seat, pawn) for seat, pawn in x.get("captured", ())),
                    By(x["by"]),
                    _whole(x, "ask"),
                    _whole_if_there(x, "elapsed_us"),
                    _whole_if_there(x, "lag_us"),
                    _whole_if_there(x, "bank_us"),
                )
            case "faulted":
                return Faulted(
                    _whole(x, "seat"),
                    _whole(x, "ask"),
                    FaultKind(x["kind"]),
                    Cost(x["cost"]),
                    _text(x, "detail"),
                    _whole_or_null(x, "elapsed_us"),
                    _whole(x, "strikes"),
                    _text(x, "raw"),
                    _text(x, "stderr"),
                )
            case "seat_lost":
                return SeatLost(_whole(x, "seat"), FaultKind(x["kind"]))
            case "ended":
                return Ended(
                    tuple(x["seats"]),
                    tuple(x["places"]),
                    tuple(Reason(reason) for reason in x["reasons"]),
                    *position_from_text(self._ruleset, _text(x, "position")),
                )
            case "voided":
                return Voided(_text(x, "detail"))
            case "revealed":
                return Revealed(bytes.fromhex(x["seed"]))
            case other:
                raise RecordError(f"unknown type of event {shown(other)}")
