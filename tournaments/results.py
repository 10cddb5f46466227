"""
The words of a tournament: a table that is to be played, a result that was.

Knows: what one line of `results.jsonl` says.
Does not know: why these sit together (`formats`), what a result is worth (`scoring`), files.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from referee.errors import RecordError
from referee.match.events import Ended, Reason
from referee.match.faults import FaultKind
from referee.match.tally import SeatTally, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What a format makes its tables from: who takes part, how many sit at a table, how often."""

    names: tuple[str, ...]
    seats: int
    rounds: int
    same_dice: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """
    A planned game. `number` counts from 1 in the order of play, `game` is its name in files.

    `block` names the games that are counted as one when luck is judged. `dice` names the dice: two
    tables with the same text see the same throws at the same seats.
    """

    number: int
    game: str
    block: str
    dice: str
    seats: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """How a game ended for one seat; `figures` are what it added up to."""

    seat: int
    name: str
    place: int
    reason: Reason
    figures: SeatTally

    @property
    def lost_by_fault(self) -> bool:
        """Tell whether the seat was lost by a fault."""
        return self.reason is Reason.FAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A game that was played to its end: one line of `results.jsonl`."""

    number: int
    game: str
    block: str
    throws: int
    seats: tuple[SeatResult, ...]

    @classmethod
    def of(cls, table: Table, ended: Ended, tally: Tally, throws: int) -> Self:
        """Return what became of *table*."""
        seats = tuple(
            SeatResult(
                seat=seat, name=table.seats[seat], place=place, reason=reason, figures=tally.seats[seat]
            )
            for seat, place, reason in zip(ended.seats, ended.places, ended.reasons, strict=True)
        )
        return cls(number=table.number, game=table.game, block=table.block, throws=throws, seats=seats)

    def line(self) -> str:
        """Return the result as one line of JSON, without its line feed."""
        return json.dumps(
            {
                "number": self.number,
                "game": self.game,
                "block": self.block,
                "throws": self.throws,
                "seats": [_seat_as_json(seat) for seat in self.seats],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_line(cls, line: str) -> Self:
        """
        Return the result that *line* holds.

        Raises:
            RecordError: It holds none; the text says why.
        """
        try:
            said = json.loads(line)
            return cls(
                number=int(said["number"]),
                game=str(said["game"]),
                block=str(said["block"]),
                throws=int(said["throws"]),
                seats=tuple(_seat_from_json(seat) for seat in said["seats"]),
            )
        except json.JSONDecodeError as error:
            raise RecordError(f"not JSON: {error.msg}") from None
        except KeyError as error:
            raise RecordError(f"no result: {error.args[0]!r} is missing") from None
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"no result: {error}") from None


def _seat_as_json(seat: SeatResult) -> dict[str, object]:
    figures = seat.figures
    return {
        "seat": seat.seat,
        "name": seat.name,
        "place": seat.place,
        "reason": seat.reason.value,
        "steps": figures.steps,
        "captures": figures.captures,
        "captured": figures.captured,
        "answers": figures.answers,
        "elapsed_us": figures.elapsed,
        "slowest_us": figures.slowest,
        "lag_us": figures.lag,
        "faults": {kind.value: count for kind, count in sorted(figures.faults.items())},
    }


def _seat_from_json(said: Mapping[str, Any]) -> SeatResult:
    figures = SeatTally(
        steps=int(said["steps"]),
        captures=int(said["captures"]),
        captured=int(said["captured"]),
        answers=int(said["answers"]),
        elapsed=int(said["elapsed_us"]),
        slowest=int(said["slowest_us"]),
        lag=int(said["lag_us"]),
        faults={FaultKind(kind): int(count) for kind, count in said["faults"].items()},
    )
    return SeatResult(
        seat=int(said["seat"]),
        name=str(said["name"]),
        place=int(said["place"]),
        reason=Reason(said["reason"]),
        figures=figures,
    )
