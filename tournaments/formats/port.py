"""What a tournament format promises to whoever plays its tables."""

from collections.abc import Iterator
from typing import Protocol

from tournaments.results import Field, Table


class Format(Protocol):
    """
    Who plays whom, decided by the field alone.

    The tables are known beforehand and always come out the same, so a tournament that was stopped
    finds its place again by counting. They are made one at a time: a million of them cost no memory.
    """

    name: str

    def check(self, field: Field) -> None:
        """
        Refuse a field that this format cannot play.

        Raises:
            ConfigError: Says what is missing.
        """

    def count(self, field: Field) -> int:
        """Return how many tables there are."""

    def block(self, field: Field) -> int:
        """Return how many tables make up one block."""

    def tables(self, field: Field) -> Iterator[Table]:
        """
        Return all tables in the order of play, numbered from 1.

        The tables of a block follow each other. Names of games sort in the order of play, and are
        made of small letters, digits and hyphens. Nobody sits at a table twice.
        """
