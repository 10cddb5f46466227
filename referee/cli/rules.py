"""`referee rules`: which rulesets there are."""

import argparse
import json
from typing import Any

from referee.cli.shell import DONE, Parser, command
from referee.rules.rulesets import RULESETS, ruleset


def add_rules(commands: Any) -> None:
    """Add the command `rules`."""
    parser = command(
        commands, "rules", "Tells which rulesets there are.", "referee rules show winning_moves", _rules_list
    )
    actions = parser.add_subparsers(metavar="ACTION", parser_class=Parser)
    listing = command(actions, "list", "Lists the rulesets.", "referee rules list", _rules_list)
    listing.add_argument("--json", action="store_true")
    showing = command(
        actions, "show", "Shows all fields of a ruleset.", "referee rules show racket", _rules_show
    )
    showing.add_argument("name", metavar="NAME")
    showing.add_argument("--json", action="store_true")


def _rules_list(options: argparse.Namespace) -> int:
    if getattr(options, "json", False):
        print(json.dumps([{"name": r.name, "source": r.source} for r in RULESETS.values()]))
        return DONE
    width = max(map(len, RULESETS))
    for r in RULESETS.values():
        print(f"{r.name:{width}}  {r.source}")
    return DONE


def _rules_show(options: argparse.Namespace) -> int:
    r = ruleset(options.name)
    if options.json:
        texts = {"name": r.name, "source": r.source, "digest": r.digest().hex(), "fields": r.as_text()}
        print(json.dumps(texts))
        return DONE
    print(f"{r.name}: {r.source}")
    for name, text in r.as_text().items():
        print(f"  {name:20} {text}")
    print(f"  {'digest':20} {r.digest().hex()}")
    return DONE
