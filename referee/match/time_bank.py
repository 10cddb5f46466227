"""
A seat's thinking time, as a value.

Knows: the settings of a clock; how an answer's time is paid for. Does not know: what time it is.
"""

import re
from dataclasses import dataclass, fields
from datetime import timedelta
from decimal import Decimal
from typing import Final, NamedTuple

from referee.errors import ConfigError

ZERO: Final = timedelta(0)

LONGEST: Final = timedelta(days=1)
"""The longest time that can be set: beyond, it is a mistake in the unit."""

_FINEST: Final = timedelta(milliseconds=1)

_UNITS: Final = {
    "ms": Decimal("0.001"),
    "s": Decimal(1),
    "m": Decimal(60),
    "h": Decimal(3600),
    "": Decimal(1),
}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h|)")


def duration(text: str) -> timedelta:
    """
    Return the time that *text* gives: `250ms`, `2s`, `1m`, `1h`, or a plain number of seconds.

    Raises:
        ConfigError: It goes on after what was set: what the text must be, and what it is.
    """
    told = repr(text if len(text) <= 40 else f"{text[:37]}...")
    if not (match := _DURATION.fullmatch(text.strip())):
        raise ConfigError(f"must be a time such as 250ms, 2s, 1m or 1h, or a number of seconds, not {told}")
    seconds = Decimal(match[1]) * _UNITS[match[2]]
    if seconds > LONGEST.total_seconds():
        raise ConfigError(f"must be a day at most, not {told}")
    whole = seconds * 1000
    if whole != whole.to_integral_value():
        raise ConfigError(f"is finer than a millisecond: {told}")
    return timedelta(milliseconds=int(whole))


def micros(time: timedelta) -> int:
    """Return *time* in whole microseconds."""
    return time // timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """
    The time settings of a game.

    `per_move` is free at every answer; what exceeds it comes out of `bank`, to which `increment` is
    added after each answer in time; beyond both, `grace` is forgiven `grace_times` times a game.
    All are whole milliseconds, as bots are told them, and at most `LONGEST`.

    Raises:
        ConfigError: A time that is negative, too long or finer than a millisecond, or no time at all
            for a move, the start or the ready.
    """

    startup: timedelta = timedelta(seconds=10)
    ready: timedelta = timedelta(seconds=10)
    per_move: timedelta = timedelta(seconds=1)
    bank: timedelta = ZERO
    increment: timedelta = ZERO
    grace: timedelta = timedelta(milliseconds=20)
    grace_times: int = 3

    def __post_init__(self) -> None:
        """Refuse times that nobody could keep."""
        for setting in fields(self):
            value = getattr(self, setting.name)
            if not isinstance(value, timedelta):
                continue
            if value < ZERO:
                raise ConfigError(f"time {setting.name} must not be negative")
            if value > LONGEST:
                raise ConfigError(f"time {setting.name} must be a day at most")
            if value % _FINEST:
                raise ConfigError(f"time {setting.name} is finer than a millisecond")
        for name in ("startup", "ready", "per_move"):
            if getattr(self, name) == ZERO:
                raise ConfigError(f"time {name} must be more than 0")
        if self.grace_times < 0:
            raise ConfigError("grace_times must not be negative")


class TimeBank(NamedTuple):
    """What a seat has left. Whole microseconds; `graces` counts how often it may still be forgiven."""

    bank: int
    graces: int

    @classmethod
    def full(cls, clock: Clock) -> "TimeBank":
        """Return what a seat begins with."""
        return cls(micros(clock.bank), clock.grace_times if clock.grace else 0)


class Prices(NamedTuple):
    """A clock's settings in whole microseconds, as the hot path wants them."""

    per_move: int
    increment: int
    grace: int

    @classmethod
    def of(cls, clock: Clock) -> "Prices":
        """Return the settings of *clock*."""
        return cls(micros(clock.per_move), micros(clock.increment), micros(clock.grace))

    def deadline(self, left: TimeBank) -> int:
        """Return how long a seat may take for one answer before it is late."""
        return self.per_move + left.bank + (self.grace if left.graces else 0)

    def paid(self, left: TimeBank, elapsed: int) -> TimeBank:
        """Return what is left after an answer that took *elapsed*, which was in time."""
        over = elapsed - self.per_move
        if over <= 0:
            return TimeBank(left.bank + self.increment, left.graces) if self.increment else left
        if over <= left.bank:
            return TimeBank(left.bank - over + self.increment, left.graces)
        return TimeBank(self.increment, left.graces - 1)
