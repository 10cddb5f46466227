"""Where the command `tournament` begins; see `referee.entry`."""

from collections.abc import Callable

from referee.entry import begin


def main() -> int:
    """Run `tournament`; return its exit code."""
    return begin(_tournament)


def _tournament() -> Callable[[], int]:
    from tournaments.cli import main  # noqa: PLC0415 - imported when Ctrl-C is seen to

    return main
