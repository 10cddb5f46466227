"""
The bots of a plan: found before anything starts, and known again after a stop.

A tournament whose bots change under it proves nothing, so the plan is frozen together with a digest of
each file in the folder of a bot. Building and playing write files too, and those may change. So what
counts are the files that the first build found and left as they were.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from referee.errors import ConfigError
from referee.seats.specs import Local, parse_bot
from referee.server.hall import Entrant
from tournaments.plan import Plan

Digests = Mapping[str, str]
"""SHA-256 in hexadecimal of each file, by its name within the folder."""

MADE = frozenset({"node_modules", "target", "build", "dist", "__pycache__", ".venv", ".git"})
"""Folders that hold what tools make of the sources."""


def entrants(plan: Plan) -> list[Entrant]:
    """
    Return the entrants with what their bots are.

    Raises:
        ConfigError: A bot does not exist or cannot be; with its line in the plan.
    """
    found = []
    for index, planned in enumerate(plan.entrants):
        try:
            found.append(Entrant(planned.name, parse_bot(planned.bot, plan.base, planned.token)))
        except ConfigError as error:
            raise plan.wrong_bot(index, str(error)) from None
    return found


def digests(taking_part: list[Entrant]) -> dict[str, Digests]:
    """Return the digests of the files of each entrant that has a folder of its own."""
    return {
        entrant.name: _digests(entrant.bot.folder)
        for entrant in taking_part
        if isinstance(entrant.bot, Local) and not entrant.bot.name.startswith("exec:")
    }


def unchanged(before: Mapping[str, Digests], after: Mapping[str, Digests]) -> dict[str, Digests]:
    """Return the digests that are in both."""
    return {
        name: {file: digest for file, digest in files.items() if after.get(name, {}).get(file) == digest}
        for name, files in before.items()
    }


def first_difference(known: Mapping[str, Digests], now: Mapping[str, Digests]) -> tuple[str, str] | None:
    """Return the entrant and the file that is not any more as it is *known*, None if all are."""
    for name, files in known.items():
        for file, digest in files.items():
            if now.get(name, {}).get(file) != digest:
                return name, file
    return None


def together(files: Digests) -> str:
    """Return one digest for all *files*: SHA-256 over the sorted lines `digest  name`."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _digests(folder: Path) -> Digests:
    found = {}
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if MADE.isdisjoint(name.parts) and file.is_file():
            with file.open("rb") as opened:
                found[str(name)] = hashlib.file_digest(opened, "sha256").hexdigest()
    return found
