"""
Everything there is to tell about a tournament, gathered once for all printers.

Knows: the folder of a tournament, in progress or complete.
Does not know: how anything looks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.errors import ConfigError, RecordError
from referee.match.faults import FaultKind
from referee.rules.ruleset import Teams
from tournaments.formats import tournament_format
from tournaments.results import Field, Result
from tournaments.runner.folder import Folder, read_frozen
from tournaments.runner.ledger import results
from tournaments.scoring.standings import Row, Scores

ORDER: Final = (
    "points a game",
    "wins a game",
    "points a game among those who are level",
    "fewer faults",
)
"""What the standings are sorted by. Who is level in all of it shares a rank."""

INTERVAL: Final = "95 %, Student's over blocks, with one block of nothing and one of everything added"


@dataclass(frozen=True, slots=True)
class FaultNote:
    """What an entrant did wrong in one game, and where it is written down."""

    game: str
    seat: int
    name: str
    kind: FaultKind
    count: int
    lost: bool
    record: str


@dataclass(frozen=True, slots=True)
class Summary:
    """
    A tournament: its settings, its standings, and what went wrong. Files are named within the folder.

    `secret` is None while games are still to be played; `faults` and `voids` are None where only the
    standings were asked for.
    """

    settings: Mapping[str, Any]
    scores: Scores
    rows: tuple[Row, ...]
    faults: tuple[FaultNote, ...] | None
    voids: tuple[str, ...] | None
    secret: str | None

    @property
    def complete(self) -> bool:
        """Tell whether all games have been played."""
        return self.scores.games == int(self.settings["games"])


def summary(folder: Folder) -> Summary:
    """
    Return the summary of what lies in *folder*; somebody may be playing on meanwhile.

    Raises:
        ConfigError: There is no tournament, or its results cannot be read.
    """
    settings = read_frozen(folder)
    names = tuple(str(entrant["name"]) for entrant in settings["entrants"])
    field = Field(
        names=names, seats=settings["seats"], rounds=settings["rounds"], same_dice=settings["same_dice"]
    )
    block = tournament_format(settings["format"]).block(field)
    teams = settings["ruleset"]["fields"]["teams"] != Teams.NONE.value
    scores = Scores(names, field.seats, block, teams=teams)
    faults: list[FaultNote] = []
    try:
        for result in results(folder.results):
            scores.add(result)
            faults.extend(_faults(result))
    except RecordError as error:
        raise ConfigError(f"{folder.results}: {error}") from None
    voids = sorted(folder.games.glob("*.void*.jsonl"))
    return replace(
        standing(folder, settings, scores),
        faults=tuple(faults),
        voids=tuple(str(path.relative_to(folder.root)) for path in voids),
    )


def standing(folder: Folder, settings: Mapping[str, Any], scores: Scores) -> Summary:
    """Return the standings of a tournament whose results have been counted already."""
    return Summary(
        settings=settings,
        scores=scores,
        rows=tuple(scores.standings()),
        faults=None,
        voids=None,
        secret=_secret(folder) if scores.games == settings["games"] else None,
    )


def _faults(result: Result) -> list[FaultNote]:
    return [
        FaultNote(
            result.game, seat.seat, seat.name, kind, count, seat.lost_by_fault, f"games/{result.game}.jsonl"
        )
        for seat in result.seats
        for kind, count in sorted(seat.figures.faults.items())
    ]


def _secret(folder: Folder) -> str | None:
    """Return the secret, None where only its owner may read it and somebody else asks."""
    try:
        return folder.secret.read_text("ascii").strip()
    except OSError:
        return None
