"""The summary for people, in the terminal: standings, who took what from whom, and what went wrong."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.record.show import plain, printed_lines
from tournaments.reports.summary import ORDER, FaultNote, Summary
from tournaments.scoring.standings import Row

NOTHING: Final = "-"
MOST_COLUMNS: Final = 16
"""A cross table with more columns is not readable in a terminal."""
MOST_NOTES: Final = 20
"""So many faults are listed; the rest is counted."""


def report(summary: Summary, root: Path) -> str:
    """Return the whole report, ended by a line feed; *root* is put before the names of files."""
    settings = summary.settings
    title = f"{settings['name']}: {settings['ruleset']['name']}, {settings['seats']} seats, "
    title += f"{summary.scores.games} of {settings['games']} games"
    parts = [title, standings(summary), cross_table(summary), faults(summary, root), _dice(summary)]
    return "\n\n".join(part for part in parts if part) + "\n"


def standings(summary: Summary) -> str:
    """Return the table of the standings, and how it is sorted."""
    head = ["#", "bot", "games", "points", "a game", "95 %", "wins", "places", "captures"]
    head += ["faults", "ms/move", "worst ms", "lag ms"]
    lines = [_standing(row) for row in summary.rows]
    order = f"order: {', '.join(ORDER)}"
    return f"{_table(head, lines, left={1})}\n{order}\n95 %: where points a game lie, from blocks of games"


def cross_table(summary: Summary) -> str:
    """Return the part of the points that each row took from each column, in percent."""
    rows = summary.rows
    if len(rows) > MOST_COLUMNS:
        return f"The cross table of {len(rows)} bots is too wide for a terminal: see --json."
    head = ["%", "bot", *(str(index) for index in range(1, len(rows) + 1))]
    lines = [
        [str(index), row.name, *(_share(summary, row.name, other.name) for other in rows)]
        for index, row in enumerate(rows, start=1)
    ]
    return _table(head, lines, left={1})


def faults(summary: Summary, root: Path) -> str:
    """Return the list of faults and of games that did not count, each with its record."""
    notes, voids = summary.faults or (), summary.voids or ()
    lines = [_note(note, root) for note in notes[:MOST_NOTES]]
    if (more := len(notes) - MOST_NOTES) > 0:
        lines.append(f"and {more} more: see --json")
    lines += [f"did not count: {root / record}" for record in voids[:MOST_NOTES]]
    if (more := len(voids) - MOST_NOTES) > 0:
        lines.append(f"and {more} more that did not count: see --json")
    return "\n".join(["faults", *(f"  {line}" for line in lines)]) if lines else ""


def _note(note: FaultNote, root: Path) -> str:
    times = f" {note.count} times" if note.count > 1 else ""
    cost = ", and lost the seat" if note.lost else ""
    told = f"{note.name}: {note.kind.value}{times} on seat {note.seat}{cost}: {root / note.record}"
    return "\n    ".join([told, *_why(note, root)])


def _why(note: FaultNote, root: Path) -> list[str]:
    """Return what the record says of the last of these faults, and what the bot printed last."""
    try:
        lines = (root / note.record).read_text(encoding="utf-8").splitlines()
        faulted = [json.loads(line) for line in lines if line.startswith('{"type":"faulted"')]
        fault = [f for f in faulted if (f["seat"], f["kind"]) == (note.seat, note.kind)][-1]
        return [
            plain(fault["detail"]),
            *(f"it printed last: {line}" for line in printed_lines(fault["stderr"])[-1:]),
        ]
    except (OSError, ValueError, LookupError):
        return []


def _dice(summary: Summary) -> str:
    return f"secret of the dice: {summary.secret}" if summary.secret else ""


def _standing(row: Row) -> list[str]:
    return [
        str(row.rank),
        row.name,
        str(row.games),
        f"{row.points:g}",
        _decimal(row.mean, 3),
        NOTHING if row.low is None or row.high is None else f"{row.low:.2f}-{row.high:.2f}",
        str(row.wins),
        "/".join(map(str, row.places)),
        str(row.captures),
        str(sum(row.faults.values())),
        _millis(row.mean_us),
        _millis(row.slowest_us),
        _millis(row.lag_us),
    ]


def _share(summary: Summary, one: str, other: str) -> str:
    points, games = summary.scores.against(one, other)
    return f"{100 * points / games:.0f}" if games else NOTHING


def _decimal(value: float | None, places: int) -> str:
    return NOTHING if value is None else f"{value:.{places}f}"


def _millis(micros: int | None) -> str:
    return NOTHING if micros is None else f"{micros / 1000:.2f}"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], left: set[int]) -> str:
    """Return columns under their heads; those in *left* are set to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (head, *lines)
    )
