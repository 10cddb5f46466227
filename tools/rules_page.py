"""
Make what stands in docs/rules.md as data, or compare what is there with what would be made.

    python -m tools.rules_page            # writes the two boards and the tables of the page
    python -m tools.rules_page --check    # changes nothing; exit 1 if something would change

The boards are files of their own. A table stands between two comments, `<!-- made: NAME -->` and
`<!-- end -->`, and takes the place of whatever stood there. `<!-- made: varies use same_pair -->` makes one
of these two fields.

Knows: which files are made, and what the tables hold. Does not know: how a board is drawn (`boards.py`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from referee.rules.board import BOARDS
from referee.rules.meanings import MEANINGS, differences
from referee.rules.ruleset import Ruleset, Teams, kinds
from referee.rules.rulesets import RULESETS
from tools.boards import draw

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = Path("docs/rules.md")
PLACE: Final = re.compile(r"<!-- made: (?P<name>[^>]*?) -->.*?<!-- end -->", re.DOTALL)
"""Where a table stands on the page."""


def main() -> int:
    """Make the files, or with `--check` only say whether they are what would be made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if something would change"
    )
    check = parser.parse_args().check
    stale = {path: text for path, text in made(ROOT).items() if _read(ROOT / path) != text}
    for path, text in stale.items():
        if check:
            print(f"{path} is not what the board and the rulesets make: run `make boards`", file=sys.stderr)
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


def made(root: Path) -> Mapping[Path, str]:
    """Return the text of every file that is made, by its path from *root*, where the page is read."""
    files = {Path("docs/boards") / f"{board.name}.svg": draw(board) for board in BOARDS.values()}
    return {**files, PAGE: with_tables(_read(root / PAGE))}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def with_tables(page: str) -> str:
    """
    Return *page* with every table made anew.

    Raises:
        KeyError: A place names a table that there is not, or a field.
    """

    def table(place: re.Match[str]) -> str:
        name, *details = place["name"].split()
        return f"<!-- made: {place['name']} -->\n\n{TABLES[name](*details)}\n\n<!-- end -->"

    return PLACE.sub(table, page)


# Tables.


def base_of(ruleset: Ruleset) -> Ruleset | None:
    """Return the main ruleset that *ruleset* varies, None for a main one: its name begins like that one's."""
    bases = [other for other in RULESETS.values() if ruleset.name.startswith(f"{other.name}_")]
    return min(bases, key=lambda base: len(base.name), default=None)


MAIN: Final = tuple(ruleset for ruleset in RULESETS.values() if base_of(ruleset) is None)
"""The rulesets that vary no other."""


def fields() -> str:
    """Return the table of all fields: a line each, a column for each main ruleset."""
    texts = [ruleset.as_text() for ruleset in MAIN]
    rows = [
        [
            f"`{field}`",
            *(_cell(ruleset, field, text[field]) for ruleset, text in zip(MAIN, texts, strict=True)),
        ]
        for field in kinds()
    ]
    return _table(["field", *(f"`{ruleset.name}`" for ruleset in MAIN)], rows)


def _cell(ruleset: Ruleset, field: str, text: str) -> str:
    return f"{text} *" if field in dict(ruleset.readings) else text


def variants() -> str:
    """Return the table of the rulesets that vary another: what they change."""
    rows = []
    for ruleset in RULESETS.values():
        base = base_of(ruleset)
        if base is not None:
            changes = ", ".join(f"`{field}`: {was} → {now}" for field, was, now in differences(base, ruleset))
            rows.append([f"`{ruleset.name}`", f"`{base.name}`", changes])
    return _table(["ruleset", "varies", "changes"], rows)


def sources() -> str:
    """Return the table of the main rulesets and where they are from."""
    return _table(["ruleset", "source"], [[f"`{ruleset.name}`", ruleset.source] for ruleset in MAIN])


def varies(*names: str) -> str:
    """Return the table of some fields: each value, what it means, and who plays by it."""
    rows = []
    for name in names:
        head = f"`{name}`"
        for value, sentence in MEANINGS[name].values.items():
            told = "any other" if value == "*" else f"`{value}`"
            rows.append([head, told, sentence, _players(name, value)])
            head = ""
    return _table(["field", "value", "means", "rulesets"], rows)


OF_TEAMS: Final = frozenset({"team_win", "partner"})
"""Fields that mean nothing without teams."""


def _players(field: str, value: str) -> str:
    """Return who has *value*: the main rulesets, and of those that vary one who has it in its stead."""
    named = set(MEANINGS[field].values)
    found = []
    for ruleset in RULESETS.values():
        base = base_of(ruleset)
        text = ruleset.as_text()[field]
        if field in OF_TEAMS:
            if ruleset.teams is Teams.NONE:
                continue
        elif base is not None and text == base.as_text()[field]:
            continue
        if text == value or (value == "*" and text not in named):
            found.append(f"`{ruleset.name}`" + (f" ({text})" if value == "*" else ""))
    return ", ".join(found) or "an organiser's own"


def boards() -> str:
    """Return the table of the boards: what each has where."""
    rows = [
        [
            f"`{board.name}`",
            f"1 to {board.ring}",
            ", ".join(map(str, board.entries)),
            ", ".join(map(str, board.tips)),
            ", ".join(map(str, sorted(board.safe))),
            f"L1 to L{board.lane}",
            str(board.home - 1),
        ]
        for board in BOARDS.values()
    ]
    head = ["board", "ring", "entries of seats 0 to 3", "tips", "safe squares", "lane", "entry to home"]
    return _table(head, rows)


def readings() -> str:
    """Return the table of the readings: where a sheet is silent or contradicts itself, and why read so."""
    rows = [
        [f"`{ruleset.name}`", f"`{field}`", ruleset.as_text()[field], why]
        for ruleset in MAIN
        for field, why in ruleset.readings
    ]
    return _table(["ruleset", "field", "read as", "why it was a choice"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: Final[Mapping[str, Callable[..., str]]] = {
    "boards": boards,
    "varies": varies,
    "fields": fields,
    "variants": variants,
    "readings": readings,
    "sources": sources,
}
"""The tables of the page by name; what stands behind the name is handed on."""


if __name__ == "__main__":
    sys.exit(main())
