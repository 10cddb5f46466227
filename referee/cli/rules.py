"""`referee rules`: which rulesets there are, what they say, how they differ; an organiser's own, checked."""

import argparse
import json
from pathlib import Path
from typing import Any

from referee.cli.shell import DONE, Parser, command
from referee.files.rulesets import ENDING, own_ruleset, ruleset_called
from referee.record.show import plain
from referee.rules.board import SEATS
from referee.rules.combinations import may_seat
from referee.rules.meanings import MEANINGS, differences, meaning
from referee.rules.ruleset import Ruleset
from referee.rules.rulesets import RULESETS

_NAME = "a name of `referee rules list`, or a file FILE.toml"
_JSON = "print one JSON value (default: as text)"


def add_rules(commands: Any) -> None:
    """Add the command `rules`."""
    parser = command(
        commands,
        "rules",
        "Tells which rulesets there are, what they say and how they differ.",
        "referee rules show winning_moves",
        _rules_list,
    )
    actions = parser.add_subparsers(metavar="ACTION", parser_class=Parser)
    listing = command(actions, "list", "Lists the rulesets.", "referee rules list", _rules_list)
    showing = command(
        actions,
        "show",
        "Shows all fields of a ruleset and what they mean.",
        "referee rules show racket",
        _rules_show,
    )
    showing.add_argument("name", metavar="NAME", help=_NAME)
    comparing = command(
        actions,
        "diff",
        "Tells in which fields two rulesets differ.",
        "referee rules diff winning_moves pressman",
        _rules_diff,
    )
    comparing.add_argument("one", metavar="A", help=_NAME)
    comparing.add_argument("other", metavar="B", help=_NAME)
    checking = command(
        actions,
        "check",
        "Checks a file with a ruleset of your own, and tells how it differs from what it extends.",
        "referee rules check house.toml",
        _rules_check,
    )
    checking.add_argument("file", type=Path, metavar="FILE")
    for action in (listing, showing, comparing, checking):
        action.add_argument("--json", action="store_true", help=_JSON)


def _rules_list(options: argparse.Namespace) -> int:
    if getattr(options, "json", False):
        print(json.dumps([{"name": r.name, "source": r.source} for r in RULESETS.values()]))
        return DONE
    width = max(map(len, RULESETS))
    for r in RULESETS.values():
        print(f"{r.name:{width}}  {r.source}")
    return DONE


def _rules_show(options: argparse.Namespace) -> int:
    r, parent = _with_parent(options.name)
    readings = dict(r.readings)
    extends = {"extends": parent.name} if parent else {}
    if options.json:
        texts = r.as_text()
        meanings = {field: meaning(field, text) for field, text in texts.items()}
        told = {"fields": texts, "meanings": meanings, "readings": readings}
        print(json.dumps(_described(r) | extends | told))
        return DONE
    print(f"{r.name}: {r.source}" + (f"; it extends {parent.name}" if parent else ""))
    for field, text in r.as_text().items():
        print(f"\n  {field:20} {text}")
        print(f"    {meaning(field, text)}")
        if field in readings:
            print(f"    This is a reading: {readings[field]}.")
    print(f"\n  {'digest':20} {r.digest().hex()}")
    return DONE


def _with_parent(text: str) -> tuple[Ruleset, Ruleset | None]:
    """Return the ruleset that *text* names, and what it extends if it is a file."""
    return own_ruleset(Path(text)) if text.endswith(ENDING) else (ruleset_called(text, Path()), None)


def _rules_diff(options: argparse.Namespace) -> int:
    one, other = (ruleset_called(name, Path()) for name in (options.one, options.other))
    if options.json:
        both = {"a": _described(one), "b": _described(other)}
        print(json.dumps(both | {"differences": _told_apart(one, other)}))
    else:
        _print_differences(one, other)
    return DONE


def _rules_check(options: argparse.Namespace) -> int:
    own, parent = own_ruleset(options.file)
    seats = [seats for seats in range(2, len(SEATS) + 1) if may_seat(own, seats)]
    if options.json:
        extends = {"extends": parent.name, "differences": _told_apart(parent, own)}
        print(json.dumps(_described(own) | extends | {"seats": seats, "fields": own.as_text()}))
        return DONE
    takes = ", by four seats and no fewer" if seats == [len(SEATS)] else ""
    print(f"{plain(str(options.file))}: {own.name} can be played{takes}; it extends {parent.name}")
    _print_differences(parent, own)
    return DONE


def _described(r: Ruleset) -> dict[str, Any]:
    return {"name": r.name, "source": r.source, "digest": r.digest().hex()}


def _told_apart(one: Ruleset, other: Ruleset) -> list[dict[str, Any]]:
    """Return the differences of *other* from *one*, each with what the two values mean."""
    return [
        {
            "field": field,
            "a": {"value": a, "means": meaning(field, a)},
            "b": {"value": b, "means": meaning(field, b)},
        }
        for field, a, b in differences(one, other)
    ]


def _print_differences(one: Ruleset, other: Ruleset) -> None:
    found = differences(one, other)
    if not found:
        print(f"{one.name} and {other.name} are the same rules")
        return
    print(f"{one.name} and {other.name} differ in {len(found)} {'field' if len(found) == 1 else 'fields'}:")
    width = max(len(one.name), len(other.name))
    values = max(len(text) for difference in found for text in difference[1:])
    for field, a, b in found:
        print(f"\n  {field}: {MEANINGS[field].decides}")
        for r, text in ((one, a), (other, b)):
            print(f"    {r.name:{width}}  {text:{values}}  {meaning(field, text)}")
