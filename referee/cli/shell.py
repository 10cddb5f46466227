"""
What every command has in common: its parser, its streams, its exit code.

Knows: how a command is started and how its end is told. Does not know: single commands.
"""

import argparse
import asyncio
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import structlog

from referee.errors import RefereeError
from referee.server import logs

DONE: Final = 0
NO: Final = 1
WRONG: Final = 2
BUG: Final = 70

log: structlog.stdlib.BoundLogger = structlog.get_logger("referee.cli")


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what was wrong."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(WRONG)


def command(
    commands: Any, name: str, text: str, example: str, run: Callable[..., int], level: str = "warning"
) -> Parser:
    """Add the command *name*, which does *run*, to *commands*; logs are shown from *level* on."""
    parser: Parser = commands.add_parser(name, help=text, description=text, epilog=f"example: {example}")
    parser.add_argument(
        "--log", choices=logs.FORMATS, default="console", help="how logs look (default: console)"
    )
    parser.add_argument(
        "--log-level",
        choices=logs.LEVELS,
        default=level,
        help=f"from which level on logs are shown (default: {level})",
    )
    parser.set_defaults(command=run)
    return parser


def steady_streams() -> None:
    """
    Let a command run to its end however its standard output and error are set up: whether or not they are
    open, whatever characters they take, and however slowly they are read.
    """
    for number in range(3):  # a file that is opened later must not become one of them
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - for as long as the process lives
    # Python drops without a word what a pipe that does not block has no room for.
    os.set_blocking(1, True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may hold what the encoding has not
    if not isinstance(sys.stderr, logs.Remarks):
        sys.stderr = logs.Remarks(sys.stderr)


def start(parser: Parser, arguments: Sequence[str] | None) -> int:
    """Do what *arguments* (None: those of this process) ask of *parser*'s program; return the exit code."""
    steady_streams()
    options = parser.parse_args(arguments)
    logs.configure(options.log, options.log_level)
    return run(parser.prog, lambda: int(options.command(options)))


def run(program: str, command: Callable[[], int]) -> int:
    """Run a *command* of *program*; turn what it may raise into an exit code and one line."""
    try:
        code = command()
        sys.stdout.flush()
    except RefereeError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return WRONG
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone; nothing more can be told
        return DONE
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except OSError as error:
        _drop_output()
        where = error.filename or "standard output"
        print(f"{program}: {where}: {error.strerror or error}", file=sys.stderr)
        return WRONG
    except Exception as error:
        log.debug("bug", exc_info=error)
        print(
            f"{program}: {mistake(error)}; what is on disk is kept; --log-level debug shows where",
            file=sys.stderr,
        )
        return BUG
    return code


def mistake(error: Exception) -> str:
    """Return what is said of an *error* that should not have come about."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return f"a mistake of this program, not of yours: {type(error).__name__}: {error}"


def _drop_output() -> None:
    """Let what is still to be printed go nowhere, so that leaving does not try once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def on_signals(act: Callable[[], object]) -> None:
    """Do *act* when this process is asked to stop; the loop must be running."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, act)
