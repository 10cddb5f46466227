"""The summary for programs: one JSON object, or a CSV table with a row for each entrant."""

import csv
import io
import json
from typing import Any

from referee.match.faults import FaultKind
from tournaments.reports.summary import INTERVAL, ORDER, FaultNote, Summary
from tournaments.scoring.standings import Row


def as_json(summary: Summary) -> dict[str, Any]:
    """Return *summary* as what `json` can write. Times end in `_us`: whole microseconds."""
    settings = summary.settings
    names = [row.name for row in summary.rows]
    said: dict[str, Any] = {
        "name": settings["name"],
        "ruleset": settings["ruleset"]["name"],
        "format": settings["format"],
        "seats": settings["seats"],
        "games": summary.scores.games,
        "planned": settings["games"],
        "complete": summary.complete,
        "order": list(ORDER),
        "interval": INTERVAL,
        "standings": [_row(row) for row in summary.rows],
        "against": {name: _against(summary, name, names) for name in names},
        "secret": summary.secret,
    }
    if summary.faults is not None:
        said["faults"] = [_fault(note) for note in summary.faults]
    if summary.voids is not None:
        said["void"] = list(summary.voids)
    return said


def json_text(summary: Summary) -> str:
    """Return *summary* as JSON, ended by a line feed."""
    return json.dumps(as_json(summary), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def csv_text(summary: Summary) -> str:
    """Return the standings as CSV with a header line; what cannot be said yet is empty."""
    seats = int(summary.settings["seats"])
    columns = ["rank", "name", "games", "points", "mean", "low", "high", "share", "blocks", "wins"]
    columns += [f"place_{place}" for place in range(1, seats + 1)]
    columns += ["captures", "captured", "steps", "answers", "mean_us", "slowest_us", "lag_us", "lost"]
    columns += [f"faults_{kind.value}" for kind in FaultKind]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for row in summary.rows:
        said = _row(row)
        places, faults = said.pop("places"), said.pop("faults")
        said |= {f"place_{place}": count for place, count in enumerate(places, start=1)}
        said |= {f"faults_{kind.value}": faults.get(kind.value, 0) for kind in FaultKind}
        writer.writerow(said)
    return out.getvalue()


def _fault(note: FaultNote) -> dict[str, Any]:
    return {
        "game": note.game,
        "seat": note.seat,
        "name": note.name,
        "kind": note.kind.value,
        "count": note.count,
        "lost_the_seat": note.lost,
        "record": note.record,
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "name": row.name,
        "games": row.games,
        "points": row.points,
        "mean": _rounded(row.mean),
        "low": _rounded(row.low),
        "high": _rounded(row.high),
        "share": _rounded(row.share),
        "blocks": row.blocks,
        "wins": row.wins,
        "places": list(row.places),
        "captures": row.captures,
        "captured": row.captured,
        "steps": row.steps,
        "answers": row.answers,
        "mean_us": row.mean_us,
        "slowest_us": row.slowest_us,
        "lag_us": row.lag_us,
        "faults": {kind.value: count for kind, count in row.faults.items()},
        "lost": row.lost,
    }


def _against(summary: Summary, name: str, names: list[str]) -> dict[str, dict[str, float]]:
    met = {other: summary.scores.against(name, other) for other in names if other != name}
    return {other: {"points": points, "games": games} for other, (points, games) in met.items() if games}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
