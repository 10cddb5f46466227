"""`referee replay` and `referee verify`: what is done with records."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from referee.cli.shell import DONE, NO, command
from referee.errors import ConfigError, RecordError
from referee.host.verify import verify
from referee.record.replay import Replayed, replay
from referee.record.show import plain, show
from referee.rules.engine import Rules


def add_replay(commands: Any) -> None:
    """Add the command `replay`."""
    parser = command(
        commands,
        "replay",
        "Shows a recorded game in the terminal.",
        "referee replay game.jsonl --to 40",
        _replay,
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--to", type=int, metavar="N", help="stop after the Nth event")


def _replay(options: argparse.Namespace) -> int:
    if options.to is not None and options.to < 0:
        raise ConfigError("--to must not be negative")
    done = replay(options.file)
    if done.torn:
        print(f"referee: {options.file}: the last line was torn and is left out", file=sys.stderr)
    show(done, options.to, sys.stdout)
    return DONE


def add_verify(commands: Any) -> None:
    """Add the command `verify`."""
    parser = command(
        commands,
        "verify",
        "Proves records: seed, commitment, every roll, every step, every position.",
        "referee verify games/*.jsonl",
        _verify,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print one JSON object a record")
    parser.add_argument("--quiet", action="store_true", help="name only records that do not verify")


def _verify(options: argparse.Namespace) -> int:
    rules: dict[bytes, Rules] = {}
    bad = 0
    for path in options.files:
        detail = None
        try:
            done = verify(path, next(iter(rules.values()), None))
            rules.setdefault(done.setup.ruleset.digest(), done.match.rules)
            text = plain(_proven(done))
        except RecordError as error:
            bad += 1
            detail = text = plain(str(error))
        if options.json:
            print(json.dumps({"record": str(path), "verifies": detail is None, "detail": detail}))
        elif detail is not None:
            print(f"NO   {text}")
        elif not options.quiet:
            print(f"yes  {path}: {text}")
    if not options.json:
        print(f"{len(options.files) - bad} of {len(options.files)} records verify")
    return NO if bad else DONE


def _proven(done: Replayed) -> str:
    ended = done.match.ended
    assert ended is not None
    names = {seated.seat: seated.name for seated in done.setup.seats}
    first = [names[s] for s, place in zip(ended.seats, ended.places, strict=True) if place == 1]
    winner = ("won by " if len(first) == 1 else "first place shared by ") + ", ".join(first)
    if not first:
        winner = "nobody is left"
    return f"{done.setup.ruleset.name}, {done.match.played_throws} throws, {winner}"
