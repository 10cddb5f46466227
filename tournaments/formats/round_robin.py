"""
Everybody meets everybody, at every seat, as often as there are rounds.

A **group** is one choice of as many entrants as a table has seats. In each round each group plays one
block: all rotations round the table, so that everybody sits once on each seat, with the same dice if
the plan says so. With three or four at a table it also matters who sits behind whom; rotations do not
change that, so each round takes the next order: after 2 rounds of three, or 6 of four, all have been.

The groups come in an order in which all entrants progress evenly, and which needs no memory. Think of
the entrants in a circle. Groups that are turned into each other by walking round the circle make up a
family; a whole family has everybody in it equally often. The groups are played family by family, so at
any moment no entrant has played more than one table's worth of blocks more than any other. (The usual
circle method does this for pairs only; choosing whoever has played least needs all groups in memory.)
The tables of one block stay together, so that a block is complete as soon as it can be.
"""

from collections.abc import Iterator
from itertools import combinations, count, permutations
from math import comb, factorial

from referee.errors import ConfigError
from referee.match.setup import SEATS_OF
from tournaments.results import Field, Table


class RoundRobin:
    """Every group of entrants, in every rotation, in every round."""

    name = "round_robin"

    def check(self, field: Field) -> None:
        """Refuse fewer entrants than seats."""
        entrants = len(field.names)
        if entrants < field.seats:
            raise ConfigError(f"{field.seats} seats need at least {field.seats} entrants, not {entrants}")

    def count(self, field: Field) -> int:
        """Return rounds times groups times rotations."""
        return field.rounds * comb(len(field.names), field.seats) * field.seats

    def block(self, field: Field) -> int:
        """Return the number of rotations."""
        return field.seats

    def tables(self, field: Field) -> Iterator[Table]:
        """Return the tables round by round, group by group."""
        round_width = max(3, len(str(field.rounds)))
        group_width = max(4, len(str(comb(len(field.names), field.seats))))
        numbers = count(1)
        for round_ in range(1, field.rounds + 1):
            for group, members in enumerate(groups(len(field.names), field.seats), start=1):
                block = f"r{round_:0{round_width}}-g{group:0{group_width}}"
                names = [field.names[member] for member in _arranged(members, round_)]
                for turn in range(field.seats):
                    game = f"{block}-s{turn + 1}"
                    yield Table(
                        number=next(numbers),
                        game=game,
                        block=block,
                        dice=block if field.same_dice else game,
                        seats=dict(zip(SEATS_OF[field.seats], names[-turn:] + names[:-turn], strict=True)),
                    )


def groups(entrants: int, size: int) -> Iterator[tuple[int, ...]]:
    """
    Return every choice of *size* out of *entrants* once, family by family.

    Each prefix has any two entrants in it equally often, give or take *size*.
    """
    for rest in combinations(range(1, entrants), size - 1):
        first = (0, *rest)
        alike = [_turned(first, -member, entrants) for member in first]
        if min(alike) < first:
            continue  # its family came before
        symmetry = alike.count(first)  # how often the circle shows the same group in one round
        for turn in range(entrants // symmetry):
            yield tuple((member + turn) % entrants for member in first)


def _turned(group: tuple[int, ...], by: int, entrants: int) -> tuple[int, ...]:
    return tuple(sorted((member + by) % entrants for member in group))


def _arranged(members: tuple[int, ...], round_: int) -> tuple[int, ...]:
    """Return *members* in the order round the table that is due in a round: the first stays."""
    first, *others = members
    orders = list(permutations(others))
    return first, *orders[(round_ - 1) % factorial(len(others))]
