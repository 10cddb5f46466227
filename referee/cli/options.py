"""Options that several commands have: times, limits, penalties."""

import argparse
from collections.abc import Callable
from datetime import timedelta

from referee.cli.shell import Parser
from referee.dice import SEED_BYTES
from referee.errors import ConfigError
from referee.match.faults import PENALTIES
from referee.match.setup import MOST_THROWS
from referee.match.time_bank import Clock, duration


def duration_option(text: str) -> timedelta:
    """Read a duration."""
    try:
        return duration(text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def seed_option(text: str) -> bytes:
    """Read a seed of the dice."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise argparse.ArgumentTypeError(f"a seed is {2 * SEED_BYTES} hexadecimal digits, not {text!r}")
    return seed


def count_from(least: int) -> Callable[[str], int]:
    """Return what reads a whole number from *least* on, up to what a message can carry."""

    def count(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_THROWS))
        if not digits or not least <= int(text) <= MOST_THROWS:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {least} to {MOST_THROWS}, not {text[:40]!r}"
            )
        return int(text)

    return count


def game_options(parser: Parser, table: str) -> None:
    """Add the options of a game; *table* is what faults cost if nothing is said."""
    parser.add_argument(
        "--penalties",
        default=table,
        metavar="TABLE",
        help=f"what faults cost: {' or '.join(PENALTIES)} (default: {table})",
    )
    parser.add_argument(
        "--max-throws",
        type=count_from(0),
        default=0,
        metavar="N",
        help="throws of all seats together after which a game ends without a winner (default: 0, no limit)",
    )
    clock_options(parser)


def _time_text(time: timedelta) -> str:
    seconds = time.total_seconds()
    return f"{seconds:g}s" if seconds >= 1 or not seconds else f"{seconds * 1000:g}ms"


def clock_options(parser: Parser) -> None:
    """Add the times of a game."""
    times = parser.add_argument_group(
        "time limits", "TIME is a number and its unit, such as 250ms, 2s, 1m or 1h; without a unit, seconds."
    )
    default = Clock()
    for name, text in (
        ("startup", "from the start of a bot, or its dialling in, to its hello"),
        ("ready", "from the offer of a seat to ready"),
        ("per_move", "for one answer"),
        ("bank", "for what exceeds that, in a whole game"),
        ("increment", "added to the bank after each answer"),
        ("grace", f"forgiven {default.grace_times} times a game when the bank is empty"),
    ):
        times.add_argument(
            f"--{name.replace('_', '-')}",
            type=duration_option,
            default=getattr(default, name),
            metavar="TIME",
            help=f"{text} (default: {_time_text(getattr(default, name))})",
        )


def clock_of(options: argparse.Namespace) -> Clock:
    """Return the clock that the options set."""
    names = ("startup", "ready", "per_move", "bank", "increment", "grace")
    return Clock(**{name: getattr(options, name) for name in names})
