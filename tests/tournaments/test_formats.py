"""What every tournament format promises. A new format is tested by being registered."""

import re
import tracemalloc
from collections import Counter
from itertools import islice, pairwise

import pytest

from referee.errors import ConfigError
from referee.match.setup import SEATS_OF
from tournaments.formats import FORMATS, tournament_format
from tournaments.formats.port import Format
from tournaments.formats.round_robin import groups
from tournaments.results import Field


def field(entrants: int, seats: int, rounds: int = 1, *, same_dice: bool = True) -> Field:
    names = tuple(f"bot-{index}" for index in range(entrants))
    return Field(names=names, seats=seats, rounds=rounds, same_dice=same_dice)


FIELDS = [
    pytest.param(field(2, 2), id="two bots"),
    pytest.param(field(5, 2, 3), id="five bots, pairs, three rounds"),
    pytest.param(field(6, 2), id="six bots, pairs"),
    pytest.param(field(3, 3, 2), id="three bots at one table, two rounds"),
    pytest.param(field(6, 3, 2), id="six bots, threes, two rounds"),
    pytest.param(field(4, 4, 7), id="four bots at one table, seven rounds"),
    pytest.param(field(8, 4), id="eight bots, fours"),
    pytest.param(field(7, 4, 2, same_dice=False), id="seven bots, fours, dice for each game"),
]


@pytest.mark.parametrize("played", FORMATS.values(), ids=lambda played: played.name)
class TestEveryFormat:
    @pytest.mark.parametrize("asked", FIELDS)
    def test_numbers_its_tables_from_one(self, played: Format, asked: Field) -> None:
        """
        Numbers follow each other, and there are as many tables as were announced.
        """
        assert [table.number for table in played.tables(asked)] == list(range(1, played.count(asked) + 1))

    @pytest.mark.parametrize("asked", FIELDS)
    def test_names_games_for_files(self, played: Format, asked: Field) -> None:
        """
        Names are unique, sort in the order of play, and are good file names everywhere.
        """
        names = [table.game for table in played.tables(asked)]

        assert names == sorted(set(names))
        assert all(re.fullmatch("[a-z0-9-]+", name) for name in names)

    @pytest.mark.parametrize("asked", FIELDS)
    def test_seats_everybody_once_at_a_table(self, played: Format, asked: Field) -> None:
        for table in played.tables(asked):
            assert tuple(sorted(table.seats)) == SEATS_OF[asked.seats]
            assert len(set(table.seats.values())) == asked.seats
            assert set(table.seats.values()) <= set(asked.names)

    @pytest.mark.parametrize("asked", FIELDS)
    def test_always_makes_the_same_tables(self, played: Format, asked: Field) -> None:
        """
        A tournament that was stopped finds its place again.
        """
        assert list(played.tables(asked)) == list(played.tables(asked))

    @pytest.mark.parametrize("asked", FIELDS)
    def test_keeps_blocks_together(self, played: Format, asked: Field) -> None:
        """
        The tables of a block follow each other, are as many as announced, and share dice if asked to.
        """
        tables = list(played.tables(asked))
        blocks = [table.block for table in tables]
        sizes = Counter(blocks)
        changes = sum(one != other for one, other in pairwise(blocks))

        assert set(sizes.values()) == {played.block(asked)}
        assert changes == len(sizes) - 1
        dice = Counter(table.dice for table in tables)
        assert set(dice.values()) == {played.block(asked) if asked.same_dice else 1}
        assert all(len({t.dice for t in tables if t.block == b}) == 1 for b in sizes) or not asked.same_dice

    @pytest.mark.parametrize("asked", FIELDS)
    def test_is_fair(self, played: Format, asked: Field) -> None:
        """
        In the end everybody has played equally often, and equally often on each seat.
        """
        times = Counter(seated for table in played.tables(asked) for seated in table.seats.items())

        assert len(times) == len(asked.names) * asked.seats
        assert len(set(times.values())) == 1

    def test_refuses_a_field_that_is_too_small(self, played: Format) -> None:
        with pytest.raises(ConfigError, match="4 seats need at least 4 entrants, not 3"):
            played.check(field(3, 4))

    def test_needs_no_memory_for_a_large_field(self, played: Format) -> None:
        """
        The first tables of billions take no more room than themselves.
        """
        large = field(100, 4, 100)
        tracemalloc.start()

        first = list(islice(played.tables(large), 1000))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert len(first) == 1000
        assert peak < 10_000_000
        assert played.count(large) == 100 * 3_921_225 * 4


class TestRegister:
    def test_answers_a_wrong_name_with_the_right_ones(self) -> None:
        with pytest.raises(ConfigError, match="there is no format called 'swiss'; there are: round_robin"):
            tournament_format("swiss")


class TestRoundRobin:
    @pytest.mark.parametrize(
        ("entrants", "size"),
        [(2, 2), (3, 2), (4, 2), (9, 2), (3, 3), (6, 3), (9, 3), (4, 4), (8, 4), (12, 4)],
    )
    def test_has_every_group_once_and_all_progress_evenly(self, entrants: int, size: int) -> None:
        """
        At no moment has anybody played more groups than another by more than a table's worth.
        """
        seen: set[frozenset[int]] = set()
        played: Counter[int] = Counter(dict.fromkeys(range(entrants), 0))
        for group in groups(entrants, size):
            assert frozenset(group) not in seen
            seen.add(frozenset(group))
            played.update(group)
            assert max(played.values()) - min(played.values()) <= size

        assert len(set(played.values())) == 1

    def test_reads_as_announced(self) -> None:
        """
        Two meet on opposite seats, each once on each, with one luck.
        """
        tables = list(FORMATS["round_robin"].tables(field(2, 2)))

        assert [(table.game, table.dice, dict(table.seats)) for table in tables] == [
            ("r001-g0001-s1", "r001-g0001", {0: "bot-0", 2: "bot-1"}),
            ("r001-g0001-s2", "r001-g0001", {0: "bot-1", 2: "bot-0"}),
        ]

    def test_changes_who_sits_behind_whom(self) -> None:
        """
        After six rounds of four everybody has sat behind everybody equally often.
        """
        behind: Counter[tuple[str, str]] = Counter()
        for table in FORMATS["round_robin"].tables(field(4, 4, 6)):
            behind.update((table.seats[seat], table.seats[(seat + 1) % 4]) for seat in range(4))

        assert len(behind) == 12
        assert len(set(behind.values())) == 1
