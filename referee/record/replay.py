"""
A record read back: the lines are fed into a `Match`, and what it makes of them must be the lines.

So replay, verification and going on after a stop share one way, and a record is checked against
the rules by the code that plays them. Throws are taken from the record; nothing here knows a seed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.errors import ConfigError, PositionError, RecordError, RefereeBug
from referee.match.events import By, Event, Faulted, FirstThrown, Revealed, Stepped, Thrown, Voided
from referee.match.faults import FaultKind
from referee.match.match import Absence, Match
from referee.match.phases import Phase
from referee.match.setup import Setup
from referee.record.lines import Lines, header, setup_from
from referee.rules.engine import Rules
from referee.rules.state import Step


@dataclass(slots=True)
class Replayed:
    """
    A record, replayed. `lines` are whole lines without line feeds, the header first; `events` those
    behind it. `torn` holds the last line where it was not whole. `seed` is None until revealed.
    """

    setup: Setup
    match: Match
    lines: list[str]
    events: list[Event]
    seed: bytes | None
    torn: str

    @property
    def complete(self) -> bool:
        """Tell whether the game has ended and all of that is recorded, be it for the seed."""
        return self.match.ended is not None and not self.match.events

    @property
    def finished(self) -> bool:
        """Tell whether nothing is left to be written: the end and the seed are there, or it is void."""
        return self.match.phase is Phase.OVER and (self.seed is not None or self.match.ended is None)


def read(path: Path) -> tuple[list[str], str]:
    """
    Return the whole lines of a record, and the torn last one ("" if there is none).

    Raises:
        RecordError: The file cannot be read, or is not text.
    """
    try:
        if path.is_char_device() or path.is_block_device():
            raise RecordError(f"{path}: not a record: it is a device")
        *whole, rest = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    lines = []
    for number, line in enumerate(whole, 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            raise RecordError(f"{path}: line {number}: not a record: the line is not UTF-8 text") from None
    return lines, rest.decode(errors="replace")  # it may end in the middle of a character


def replay(path: Path, rules: Rules | None = None) -> Replayed:
    """
    Return the record at *path*, replayed under its own ruleset.

    *rules* spares compiling the ruleset again where it is the same.

    Raises:
        RecordError: Where and how the record does not hold together.
    """
    lines, torn = read(path)
    if not lines:
        raise RecordError(f"{path}: empty: a record begins with a header line")
    try:
        return replay_lines(lines, torn, rules)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def replay_lines(lines: Sequence[str], torn: str = "", rules: Rules | None = None) -> Replayed:
    """Return *lines* replayed; see `replay`. Errors name the line, counted from 1."""
    try:
        setup = setup_from(_object(lines[0]))
        if rules is None or rules.ruleset.digest() != setup.ruleset.digest():
            rules = Rules(setup.ruleset)
        match = Match(setup, rules)
    except (ConfigError, RecordError) as error:
        raise RecordError(f"line 1: {error}") from None
    if lines[0] != header(setup):
        engine = json.dumps(_object(lines[0]).get("engine"), ensure_ascii=False)
        if lines[0] != header(setup).replace(_engine_of(header(setup)), f'"engine":{engine}', 1):
            raise RecordError("line 1: the header is not as this referee writes it: the record was edited")
    done = Replayed(setup, match, list(lines), [], None, torn)
    feed = _Feed(done, Lines(setup.ruleset))
    for feeding in (feed.parse, feed.line):
        for number, line in enumerate(lines[1:], 2):
            try:
                feeding(line)
            except (RecordError, ConfigError, PositionError, RefereeBug) as error:
                raise RecordError(f"line {number}: {error}") from None
    return done


def _engine_of(line: str) -> str:
    return f'"engine":{json.dumps(json.loads(line)["engine"])}'


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not a record: the line is not a JSON object") from None
    if not isinstance(value, dict):
        raise RecordError("not a record: the line is not a JSON object")
    return value


class _Feed:
    """Feeds recorded events into a match and holds what comes out against the lines."""

    def __init__(self, done: Replayed, lines: Lines) -> None:
        self._done = done
        self._lines = lines
        self._fed = 0
        self._noted = 0  # the ask in whose course a fault was charged that did not spend it

    def parse(self, line: str) -> None:
        """Read one line into an event."""
        self._done.events.append(self._lines.event(_object(line)))

    def line(self, line: str) -> None:
        """Hold the next event, which *line* was read into, against what the match makes of it."""
        done, match = self._done, self._done.match
        event = done.events[self._fed]
        self._fed += 1
        if done.seed is not None:
            raise RecordError("something follows the seed, which ends a record")
        if isinstance(event, Revealed):
            if match.phase is not Phase.OVER or match.events:
                raise RecordError("the seed is told before the game is over")
            if self._lines.line(event) != line:
                raise RecordError("the seed is not as this referee writes it: the record was edited")
            done.seed = event.seed
            return
        if isinstance(event, Voided):
            match.events.clear()  # what was about to happen when the game was stopped
        if not match.events:
            self._cause(event)
        if not match.events:
            raise RecordError(f"{type(event).__name__.lower()} cannot happen here")
        expected = self._lines.line(match.events.pop(0))
        if expected != line:
            raise RecordError(f"the rules lead to {expected}, the record has {line}")

    def _cause(self, event: Event) -> None:
        """Feed in what made *event* happen."""
        match = self._done.match
        match event:
            case FirstThrown(seat, number, dice):
                self._throw(seat, number, dice, Phase.SEATING)
            case Thrown(seat, number, dice, _):
                self._throw(seat, number, dice, Phase.THROW)
            case Stepped():
                self._step(event)
            case Faulted(kind=FaultKind.NO_SHOW):
                match.no_show([Absence(e.seat, e.detail, e.stderr) for e in self._absences()])
            case Faulted(seat, ask, kind, _, detail, elapsed, _, raw, stderr):
                if ask:
                    self._asked(ask, again=True)  # in the middle of an answer, or twice for one ask
                elif elapsed is not None:
                    raise RecordError("a seat that was not asked has taken no time over an answer")
                match.fault(seat, kind, detail, elapsed=elapsed, raw=raw, stderr=stderr)
                self._noted = 0 if match.spends_ask(kind) else ask
            case Voided(detail):
                if match.phase is Phase.OVER:
                    raise RecordError("the game is over already")
                match.void(detail)
            case _:
                pass

    def _absences(self) -> Iterator[Faulted]:
        """Yield the no-shows from the current event on, which were charged at one moment."""
        for event in self._done.events[self._fed - 1 :]:
            if not isinstance(event, Faulted) or event.kind is not FaultKind.NO_SHOW:
                return
            yield event

    def _throw(self, seat: int, number: int, dice: tuple[int, ...], phase: Phase) -> None:
        match = self._done.match
        if match.phase is not phase or match.to_throw != (seat, number, len(dice)):
            raise RecordError(f"seat {seat} cannot make throw {number} with {len(dice)} dice here")
        if not set(dice) <= {1, 2, 3, 4, 5, 6}:
            raise RecordError(f"{list(dice)} is no throw: each die shows 1 to 6")
        match.thrown(dice)

    def _step(self, event: Stepped) -> None:
        match = self._done.match
        step = Step(event.pawn, event.use, event.square)
        if match.phase is not Phase.CHOICE or match.state.seat != event.seat:
            raise RecordError(f"seat {event.seat} is not to step here")
        if step not in match.legal:
            raise RecordError(f"the step of pawn {event.pawn} with use {event.use} is not legal here")
        if event.by is By.FORCED and (len(match.legal) > 1 or event.ask):
            raise RecordError("a step is called forced though there was a choice")
        if event.by is By.SUBSTITUTE:
            raise RecordError("a substitute is played though there was no fault")
        if event.elapsed is not None:
            if event.by is not By.BOT:
                raise RecordError("a step that the bot did not choose has no time")
            self._asked(event.ask, again=event.ask == self._noted)
            if event.elapsed > match.prices.deadline(match.banks[event.seat]):
                raise RecordError(f"the answer took {event.elapsed} us, longer than the clock allows")
        elif event.by is By.BOT and event.ask != match.asks:
            raise RecordError(f"a step of the answer to ask {event.ask} cannot come here")
        match.step(step, event.by, event.ask, event.elapsed, event.lag)

    def _asked(self, ask: int, *, again: bool) -> None:
        """Let *ask* be the open question: the next one, or, *again*, the one that was put last."""
        match = self._done.match
        if ask != match.asks + 1 and not (again and ask == match.asks):
            raise RecordError(f"ask {ask} cannot be open here: ask {match.asks} was the last")
        match.asks = ask
