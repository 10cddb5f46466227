"""The `tournament` command: run, resume, report."""

import argparse
import asyncio
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee import __version__
from referee.cli.shell import DONE, NO, Parser, command, start
from referee.errors import ConfigError
from tournaments.plan import load
from tournaments.reports import text
from tournaments.reports.data import csv_text, json_text
from tournaments.reports.summary import standing, summary
from tournaments.runner.folder import Begun, Folder
from tournaments.runner.play import Ending
from tournaments.runner.progress import Progress, Silence
from tournaments.runner.session import Session
from tournaments.scoring.standings import Scores

LOCAL: Final = "local"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return start(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(
        prog="tournament",
        description="Plays many games of Parcheesi between bots, and says who is better.",
        epilog="example: tournament run examples/demo.toml --out out/demo",
    )
    parser.add_argument("--version", action="version", version=f"parcheesi-referee {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    run = _command(
        commands,
        "run",
        "Plays a tournament from its beginning.",
        "tournament run examples/demo.toml --out out/demo --jobs 2",
        _run,
    )
    run.add_argument("plan", type=Path, metavar="FILE.toml", help="the plan; see docs/tournaments.md")
    run.add_argument("--out", required=True, type=Path, metavar="DIR", help="a folder that is new or empty")
    _playing(run)
    resume = _command(
        commands,
        "resume",
        "Goes on with a tournament after any stop; what was played stays played.",
        "tournament resume out/demo",
        _resume,
    )
    resume.add_argument("folder", type=Path, metavar="DIR", help="the folder of the tournament")
    _playing(resume)
    resume.add_argument(
        "--base", type=Path, metavar="DIR", help="where to look for bot folders, if they have been moved"
    )
    resume.add_argument(
        "--changed-bots", action="store_true", help="go on although files of a bot have changed"
    )
    report = _command(
        commands,
        "report",
        "Tells standings, who took what from whom, and faults; also while games are played.",
        "tournament report out/demo --csv standings.csv",
        _report,
    )
    report.add_argument("folder", type=Path, metavar="DIR", help="the folder of the tournament")
    report.add_argument("--csv", metavar="FILE", help="write the standings as CSV; - is standard output")
    return parser


def _command(commands: Any, name: str, does: str, example: str, run: Callable[..., int]) -> Parser:
    parser = command(commands, name, does, example, run, level="error")
    parser.add_argument("--json", action="store_true", help="print one JSON object, and no progress")
    return parser


def _playing(parser: Parser) -> None:
    parser.add_argument("--jobs", type=_number, metavar="N", help="games side by side, instead of the plan's")
    parser.add_argument(
        "--workers",
        type=_number,
        metavar="N",
        help="processes among which the games are shared out, instead of the plan's",
    )
    parser.add_argument("--engine", type=_engine, default=LOCAL, help="where games are played: local")


def _number(given: str) -> int:
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= 10_000:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to 10000, not {given!r}")
    return int(given)


def _engine(given: str) -> str:
    if given != LOCAL:
        raise argparse.ArgumentTypeError(f"this version plays on this machine only: say local, not {given!r}")
    return given


# run and resume


def _run(options: argparse.Namespace) -> int:
    plan = load(options.plan)
    folder = Folder(options.out)
    return _ended(asyncio.run(_session(options).run(plan, folder)), folder, options)


def _resume(options: argparse.Namespace) -> int:
    folder = Folder(options.folder)
    if options.base is not None and not options.base.is_dir():
        raise ConfigError(f"--base {options.base}: there is no such folder")
    base = options.base.resolve() if options.base else None
    going_on = _session(options).resume(folder, base, changed_bots=options.changed_bots)
    return _ended(asyncio.run(going_on), folder, options)


def _session(options: argparse.Namespace) -> Session:
    watch = Silence() if options.json else Progress(sys.stderr, terminal=sys.stderr.isatty())
    return Session(jobs=options.jobs, workers=options.workers, watch=watch, publish=publish)


def publish(begun: Begun, folder: Folder, scores: Scores) -> Mapping[Path, bytes]:
    """Return the files in which the standings are published."""
    told = standing(folder, begun.plan.resolved(), scores)
    return {
        folder.root / "standings.json": json_text(told).encode(),
        folder.root / "standings.csv": csv_text(told).encode(),
    }


def _ended(ending: Ending, folder: Folder, options: argparse.Namespace) -> int:
    """Tell how a session ended; return the exit code."""
    if folder.plan_json.exists():
        _tell(folder, options)
    if ending.damaged:
        more = f", and {len(ending.damaged) - 1} more like it" if len(ending.damaged) > 1 else ""
        print(
            f"tournament: results stand, but records are damaged: {ending.damaged[0]}{more}", file=sys.stderr
        )
    if ending.complete:
        if ending.trouble:
            print(f"tournament: all games are played, but {ending.trouble}", file=sys.stderr)
        return NO if ending.damaged or ending.trouble else DONE
    again = f"go on with: tournament resume {shlex.quote(str(folder.root))}"
    stopped = f"stopped after {ending.done} of {ending.total} games"
    if ending.trouble:
        print(f"tournament: {stopped}: {ending.trouble}; {again}", file=sys.stderr)
    elif not folder.plan_json.exists():
        print("tournament: stopped before the first game; nothing was kept", file=sys.stderr)
    elif ending.signal is not None:
        print(f"tournament: {stopped}; {again}", file=sys.stderr)
    else:
        (game, why), *others = ending.unplayed
        more = f", and {len(others)} more" if others else ""
        if folder.record(game).exists():  # that of a game that did not count was put aside
            why += "; move its record away, and it is played anew"
        print(f"tournament: {game} could not be played: {why}{more}; {again}", file=sys.stderr)
    return NO if ending.signal is None else 128 + ending.signal


def _tell(folder: Folder, options: argparse.Namespace) -> None:
    """Print what is known when a session ends."""
    told = summary(folder)
    if options.json:
        print(json_text(told), end="")
        return
    print(text.report(told, folder.root), end="")
    print(f"\nrecords: {folder.games}, results: {folder.results}")


# report


def _report(options: argparse.Namespace) -> int:
    told = summary(Folder(options.folder))
    if options.csv == "-":
        print(csv_text(told), end="")
    elif options.csv:
        try:
            Path(options.csv).write_text(csv_text(told), encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"--csv {options.csv} cannot be written: {error.strerror}") from None
    if options.json:
        print(json_text(told), end="")
    elif not options.csv:
        print(text.report(told, Path(options.folder)), end="")
    return DONE
