"""What a game adds up to for each seat: the figures that tables are made of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.match.events import By, Event, Faulted, Stepped
from referee.match.faults import FaultKind


@dataclass(slots=True)
class SeatTally:
    """
    One seat's figures. `answers` counts asks that were answered, `elapsed` and `lag` are the bot's
    time and the referee's own delay over those, in whole microseconds; `slowest` the longest answer.
    """

    steps: int = 0
    captures: int = 0
    captured: int = 0
    answers: int = 0
    elapsed: int = 0
    slowest: int = 0
    lag: int = 0
    faults: dict[FaultKind, int] = field(default_factory=dict)


class Tally:
    """The figures of all seats, counted up event by event."""

    def __init__(self, seats: Iterable[int]) -> None:
        """Begin at nothing."""
        self.seats: Mapping[int, SeatTally] = {seat: SeatTally() for seat in seats}
        self.faulted: list[Faulted] = []

    def count(self, events: Iterable[Event]) -> None:
        """Add *events*."""
        seats = self.seats
        for event in events:
            if isinstance(event, Stepped):
                seat, _, _, _, _, captured, by, _, elapsed, lag, _ = event
                mine = seats[seat]
                mine.steps += 1
                if captured:
                    mine.captures += len(captured)
                    for victim, _ in captured:
                        seats[victim].captured += 1
                if elapsed is not None and by is By.BOT:
                    mine.answers += 1
                    mine.elapsed += elapsed
                    mine.lag += lag or 0
                    if elapsed > mine.slowest:
                        mine.slowest = elapsed
            elif isinstance(event, Faulted):
                self.faulted.append(event)
                faults = seats[event.seat].faults
                faults[event.kind] = faults.get(event.kind, 0) + 1
