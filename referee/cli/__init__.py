"""The `referee` command: play, serve, replay, verify, rules, plays."""

from collections.abc import Sequence

from referee import __version__
from referee.cli.play import add_play
from referee.cli.plays import add_plays
from referee.cli.records import add_replay, add_verify
from referee.cli.rules import add_rules
from referee.cli.serve import add_serve
from referee.cli.shell import Parser, start


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return start(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(
        prog="referee",
        description="Referees games of Parcheesi between bots.",
        epilog="example: referee play --rules winning_moves --seat builtin:careful --seat builtin:racer",
    )
    parser.add_argument("--version", action="version", version=f"parcheesi-referee {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    add_play(commands)
    add_serve(commands)
    add_replay(commands)
    add_verify(commands)
    add_rules(commands)
    add_plays(commands)
    return parser
