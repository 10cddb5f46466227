"""What a user sees of a mistake of our own."""

import pytest

from referee.cli.shell import BUG, run


class Oops(Exception):
    """Something that should not happen."""


@pytest.mark.parametrize(
    "error", [Oops("no such pawn"), ExceptionGroup("two", [Oops("no such pawn"), Oops("nor such a seat")])]
)
def test_a_mistake_of_our_own_is_told_in_one_line(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    It is named as ours, without a traceback, and has an exit code of its own.
    """

    def command() -> int:
        raise error

    code = run("referee", command)
    _, told = capsys.readouterr()

    assert code == BUG
    assert told == (
        "referee: a mistake of this program, not of yours: Oops: no such pawn; what is on disk is kept; "
        "--log-level debug shows where\n"
    )
