"""The register of tournament formats: a name for each, and the right names for a wrong one."""

from collections.abc import Mapping
from typing import Final

from referee.errors import UnknownName
from tournaments.formats.port import Format
from tournaments.formats.round_robin import RoundRobin

FORMATS: Final[Mapping[str, Format]] = {f.name: f for f in (RoundRobin(),)}


def tournament_format(name: str) -> Format:
    """
    Return the format called *name*.

    Raises:
        UnknownName: There is none; the message lists those there are.
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise UnknownName("format", name, FORMATS) from None
