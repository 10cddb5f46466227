"""What results are worth, at the edges too."""

import random
from math import isfinite

import pytest

from referee.errors import RecordError
from referee.match.events import Reason
from referee.match.faults import FaultKind
from tests.tournaments.cases import result
from tournaments.scoring.interval import Blocks, student
from tournaments.scoring.points import duels
from tournaments.scoring.standings import Row, Scores

FAULT = Reason.FAULT
LIMIT = Reason.LIMIT


def points(places: dict[str, int], reasons: dict[str, Reason] | None = None) -> dict[str, float]:
    gained = dict.fromkeys(places, 0.0)
    for one, _, halves in duels(result(1, places, reasons=reasons)):
        gained[one.name] += halves / 2
    return gained


def scored(*results: object, names: str = "abcd", seats: int = 2, block: int = 1) -> dict[str, Row]:
    scores = Scores(tuple(names), seats, block)
    for one in results:
        scores.add(one)  # type: ignore[arg-type]
    return {row.name: row for row in scores.standings()}


class TestPoints:
    @pytest.mark.parametrize(
        ("places", "reasons", "expected"),
        [
            pytest.param({"a": 1, "b": 2}, {}, {"a": 1, "b": 0}, id="two: all or nothing"),
            pytest.param(
                {"a": 1, "b": 2, "c": 3, "d": 4},
                {},
                {"a": 3, "b": 2, "c": 1, "d": 0},
                id="one for each beaten",
            ),
            pytest.param(
                {"a": 1, "b": 2, "c": 2, "d": 4}, {}, {"a": 3, "b": 1.5, "c": 1.5, "d": 0}, id="equals share"
            ),
            pytest.param({"a": 1, "b": 1}, {"a": LIMIT, "b": LIMIT}, {"a": 0.5, "b": 0.5}, id="a drawn game"),
            pytest.param(
                {"a": 1, "b": 2, "c": 3, "d": 4},
                {"c": FAULT, "d": FAULT},
                {"a": 3, "b": 2, "c": 0, "d": 0},
                id="between two who lost their seats nobody gains",
            ),
            pytest.param(
                {"a": 1, "b": 3, "c": 3, "d": 3},
                {"b": FAULT, "c": FAULT, "d": FAULT},
                {"a": 3, "b": 0, "c": 0, "d": 0},
                id="nor do those who lost them together share",
            ),
            pytest.param(
                {"a": 1, "b": 1}, {"a": FAULT, "b": FAULT}, {"a": 0, "b": 0}, id="all lost their seats"
            ),
            pytest.param(
                {"a": 2, "b": 2},
                {"a": FAULT, "b": LIMIT},
                {"a": 0, "b": 1},
                id="whoever kept the seat stands before",
            ),
        ],
    )
    def test_are_taken_from_each_seat_behind(
        self, places: dict[str, int], reasons: dict[str, Reason], expected: dict[str, float]
    ) -> None:
        assert points(places, reasons) == expected


class TestTeams:
    @pytest.mark.parametrize(
        ("places", "reasons", "expected"),
        [
            pytest.param(
                {"a": 1, "b": 2, "c": 1, "d": 2},
                {},
                {"a": 2.5, "b": 0.5, "c": 2.5, "d": 0.5},
                id="won and lost",
            ),
            pytest.param(
                {"a": 4, "b": 2, "c": 1, "d": 2},
                {"a": FAULT},
                {"a": 0, "b": 1.5, "c": 2.5, "d": 1.5},
                id="the partner of a lost seat wins",
            ),
            pytest.param(
                {"a": 4, "b": 1, "c": 2, "d": 1},
                {"a": FAULT},
                {"a": 0, "b": 2.5, "c": 0.5, "d": 2.5},
                id="a lost seat loses the game for both",
            ),
            pytest.param(
                {"a": 3, "b": 1, "c": 3, "d": 1},
                {"a": FAULT, "c": FAULT},
                {"a": 0, "b": 2.5, "c": 0, "d": 2.5},
                id="a team lost its seats together",
            ),
            pytest.param(
                dict.fromkeys("abcd", 1),
                dict.fromkeys("abcd", LIMIT),
                dict.fromkeys("abcd", 1.5),
                id="a draw",
            ),
        ],
    )
    def test_take_points_off_the_other_team_only(
        self, places: dict[str, int], reasons: dict[str, Reason], expected: dict[str, float]
    ) -> None:
        """
        Between partners there is half a point for each who kept the seat.
        """
        scores = Scores("abcd", 4, 1, teams=True)
        scores.add(result(1, places, reasons=reasons))

        assert {row.name: row.points for row in scores.standings()} == expected
        assert {scores.against(*pair)[0] for pair in ("ac", "ca", "bd", "db")} <= {0, 0.5}


class TestInterval:
    def test_is_nothing_without_blocks(self) -> None:
        assert Blocks().interval(4) is None

    @pytest.mark.parametrize("value", [0, 2, 4])
    def test_of_one_block_is_the_whole_range(self, value: int) -> None:
        """
        A single block says nothing about scatter.
        """
        blocks = Blocks()
        blocks.add(value)

        assert blocks.interval(4) == (0.0, 1.0)

    def test_of_a_bot_that_won_everything_is_not_a_point(self) -> None:
        """
        Ten blocks that are all alike do not prove that the eleventh will be.
        """
        blocks = Blocks()
        for _ in range(10):
            blocks.add(4)

        interval = blocks.interval(4)
        assert interval is not None
        assert 0.6 < interval[0] < 0.9
        assert interval[1] == 1.0

    @pytest.mark.parametrize("wins", [0.5, 0.9])
    @pytest.mark.parametrize("count", [2, 3, 10, 40])
    def test_holds_the_truth_in_95_of_100(self, wins: float, count: int) -> None:
        """
        Events of *count* blocks of two games: the interval misses in 1 of 20 of them, or in fewer.
        """
        seed = 20_240_229
        print(f"seed {seed}")
        chance = random.Random(seed)
        held = 0
        for _ in range(1000):
            blocks = Blocks()
            for _ in range(count):
                blocks.add(2 * sum(chance.random() < wins for _ in range(2)))
            low, high = blocks.interval(4) or (0.0, 0.0)
            held += low <= wins <= high

        assert held >= 935  # 95 % less two standard deviations of the count

    def test_narrows_with_more_blocks(self) -> None:
        widths = []
        for count in (5, 50, 500):
            blocks = Blocks()
            for index in range(count):
                blocks.add(4 * (index % 2))
            low, high = blocks.interval(4) or (0.0, 0.0)
            widths.append(high - low)

        assert widths == sorted(widths, reverse=True)
        assert widths[-1] < 0.1

    @pytest.mark.parametrize(
        ("freedom", "factor"), [(1, 12.706), (10, 2.228), (11, 2.201), (30, 2.042), (1000, 1.962)]
    )
    def test_student(self, freedom: int, factor: float) -> None:
        assert student(freedom) == pytest.approx(factor, abs=6e-4)


class TestStandings:
    def test_of_no_games_are_empty_but_defined(self) -> None:
        """
        Before the first game nothing is divided by it.
        """
        for row in scored().values():
            assert (row.rank, row.games, row.points, row.wins) == (1, 0, 0, 0)
            assert (row.mean, row.low, row.high, row.share) == (None, None, None, None)
            assert (row.mean_us, row.slowest_us, row.lag_us) == (None, None, None)

    def test_are_sorted_by_points_a_game(self) -> None:
        """
        Who has played less often is not behind for that.
        """
        rows = scored(
            result(1, {"a": 1, "b": 2}),
            result(2, {"c": 1, "b": 2}),
            result(3, {"c": 1, "b": 2}),
            result(4, {"b": 1, "c": 2}),
            names="abc",
        )

        assert [(row.name, row.rank) for row in rows.values()] == [("a", 1), ("c", 2), ("b", 3)]

    def test_wins_come_before_who_beat_whom(self) -> None:
        """
        A win and a last place are worth more than two middle places of as many points.
        """
        limit = dict.fromkeys("abc", LIMIT)
        rows = scored(
            result(1, {"a": 1, "b": 2, "c": 3}),
            result(2, {"b": 2, "c": 1, "a": 3}),
            result(3, {"b": 1, "a": 1, "c": 3}, reasons=limit),
            names="abc",
            seats=3,
        )

        assert rows["a"].points == rows["b"].points == 3.5
        assert [row.name for row in rows.values()] == ["a", "b", "c"]

    def test_those_who_are_level_are_compared_among_themselves(self) -> None:
        """
        Of two with the same points and wins the one that beat the other is before it.
        """
        rows = scored(
            result(1, {"b": 1, "a": 2}),
            result(2, {"a": 1, "c": 2}),
            result(3, {"c": 1, "b": 2}),
            result(4, {"b": 1, "d": 2}),
            result(5, {"a": 1, "d": 2}),
            result(6, {"c": 2, "d": 1}),
        )

        assert [row.name for row in rows.values()] == ["b", "a", "d", "c"]

    def test_fewer_faults_come_before_the_name(self) -> None:
        late = {"a": {FaultKind.LATE: 1}}
        rows = scored(
            result(1, {"a": 1, "b": 2}, faults=late), result(2, {"b": 1, "a": 2}), names="ab", block=2
        )

        assert [(row.name, row.rank) for row in rows.values()] == [("b", 1), ("a", 2)]

    def test_who_is_level_in_everything_shares_a_rank(self) -> None:
        """
        The name orders the list, and makes nobody better.
        """
        rows = scored(result(1, {"b": 1, "a": 2}), result(2, {"a": 1, "b": 2}), names="abc")

        assert [(row.name, row.rank) for row in rows.values()] == [("a", 1), ("b", 1), ("c", 3)]

    def test_do_not_depend_on_the_order_of_results(self) -> None:
        """
        Games end in any order; the table is the same to the last digit.
        """
        seed = 7
        print(f"seed {seed}")
        chance = random.Random(seed)
        games = []
        for number in range(1, 201):
            names = chance.sample("abcd", 3)
            places = sorted(chance.choice([1, 2, 2, 3]) for _ in names)
            games.append(result(number, dict(zip(names, places, strict=True)), block=f"b{number // 4}"))
        shuffled = chance.sample(games, len(games))

        assert scored(*games, seats=3, block=4) == scored(*shuffled, seats=3, block=4)

    def test_count_everything_that_a_bot_did(self) -> None:
        faults = {"a": {FaultKind.LATE: 2, FaultKind.ILLEGAL: 1}}
        row = scored(
            result(1, {"a": 2, "b": 1}, reasons={"a": FAULT, "b": Reason.LAST_STANDING}, faults=faults),
            result(2, {"a": 1, "b": 2}),
        )["a"]

        assert (row.games, row.wins, row.lost, row.places) == (2, 1, 1, (1, 1))
        assert (row.captures, row.captured, row.steps, row.answers) == (4, 2, 100, 20)
        assert (row.mean_us, row.slowest_us, row.lag_us) == (1000, 3000, 10)
        assert row.faults == {FaultKind.LATE: 2, FaultKind.ILLEGAL: 1}

    def test_blocks_count_only_when_whole(self) -> None:
        """
        Points count at once; what is said about luck waits for the other games with the same dice.
        """
        half = scored(result(1, {"a": 1, "b": 2}, block="x"), block=2)["a"]
        whole = scored(
            result(1, {"a": 1, "b": 2}, block="x"), result(2, {"b": 1, "a": 2}, block="x"), block=2
        )["a"]

        assert (half.points, half.blocks, half.low) == (1, 0, None)
        assert (whole.blocks, whole.low, whole.high) == (1, 0.0, 1.0)

    def test_numbers_are_finite_in_one_sided_events(self) -> None:
        rows = scored(*(result(number, {"a": 1, "b": 2}) for number in range(1, 30)), names="ab")

        for row in rows.values():
            for value in (row.points, row.mean, row.low, row.high, row.share):
                assert value is not None
                assert isfinite(value)
        assert (rows["a"].high, rows["b"].low) == (1.0, 0.0)

    @pytest.mark.parametrize(
        ("bad", "sentence"),
        [
            pytest.param(result(1, {"a": 1, "x": 2}), "'x', who does not take part", id="a stranger"),
            pytest.param(result(1, {"a": 1, "b": 2, "c": 3}), "3 seats instead of 2", id="a seat too many"),
            pytest.param(
                result(1, {"a": 1, "b": 9}), "a place 9 among 2 seats", id="a place that is not there"
            ),
        ],
    )
    def test_refuse_results_of_another_event(self, bad: object, sentence: str) -> None:
        with pytest.raises(RecordError, match=sentence):
            scored(bad)
