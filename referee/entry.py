"""
Where a command begins: Ctrl-C ends it quietly from its first moment to its last.

Knows: what to do about Ctrl-C before a command is there, and when it has done its work.
Does not know: what a command does. All else is imported when that is arranged, as it takes a while.
"""

import os
import signal
from collections.abc import Callable

INTERRUPTED = 128 + signal.SIGINT


def main() -> int:
    """Run `referee`; return its exit code."""
    return begin(_referee)


def _referee() -> Callable[[], int]:
    from referee.cli import main  # noqa: PLC0415 - see above

    return main


def begin(load: Callable[[], Callable[[], int]]) -> int:
    """Run the command that *load* imports; return its exit code."""
    try:
        return _begun(load)
    except KeyboardInterrupt:
        return INTERRUPTED


def _begun(load: Callable[[], Callable[[], int]]) -> int:
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler:
        return load()()  # whoever has started us wants it ignored
    signal.signal(signal.SIGINT, _leave)
    command = load()
    try:
        signal.signal(signal.SIGINT, usual)
        return command()
    finally:
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)
