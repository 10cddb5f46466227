"""The big comparison, in small: how the work is shared out, and what is told of it."""

from collections import Counter

import pytest

from tests.oracle import campaign
from tests.oracle.campaign import Task, compare, compared, main, referee_of, tasks
from tests.oracle.judging import RANDOM, played_alike
from tests.rules.positions import FAMILIES


def test_half_of_the_positions_are_made_on_purpose() -> None:
    """
    At least so many as were asked for, the same number by each family, and no random game twice.
    """
    todo = list(tasks(["racket"], 1000, first=5))

    made = {task.family: task.positions for task in todo if task.family != RANDOM}
    games = [
        seed
        for task in todo
        if task.family == RANDOM
        for seed in range(task.first, task.first + task.positions)
    ]
    assert made.keys() == FAMILIES.keys()
    assert sum(made.values()) == len(games) >= 500
    assert len(set(games)) == len(games)


def test_every_ruleset_is_compared_unless_some_are_named() -> None:
    """
    All that are not played alike.
    """
    assert campaign.options([]).rulesets == [ruleset.name for ruleset in played_alike()]
    assert campaign.options(["--rulesets", "racket"]).rulesets == ["racket"]


def test_a_position_too_large_is_made_up_for() -> None:
    """
    As many are compared as were asked for, and states are counted.
    """
    done = compare(Task("racket", "own_pairs", 0, 3))

    assert compared(done.counts) == 3
    assert done.counts["states"] > 3
    assert done.differences == []


def test_a_difference_is_counted_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The others are compared all the same; what is told says how to ask again.
    """

    def differ(*_: object) -> None:
        raise AssertionError("legal steps")

    monkeypatch.setattr(referee_of("racket"), "compare", differ)

    done = compare(Task("racket", "own_pairs", 0, 3))

    assert (done.counts["differences"], compared(done.counts)) == (3, 3)
    assert all("legal steps" in told and "again(" in told for told in done.differences)


@pytest.mark.parametrize(("differences", "code"), [(0, 0), (2, 1)])
def test_the_command_fails_where_there_is_a_difference(
    differences: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A line for each ruleset tells positions, states, what was left out, and differences.
    """
    done = campaign.Done(Counter(questions=4, states=9, differences=differences), ["how"] * differences)
    monkeypatch.setattr(campaign, "get_context", lambda _: FakePool(done))

    assert main(["--positions", "1", "--rulesets", "racket", "hasbro"]) == code

    lines = capsys.readouterr().out.splitlines()
    tasks_each = 2 * len(FAMILIES)
    told = [line.split()[:5] for line in lines if line.startswith(("racket", "hasbro"))]
    assert told == [
        [name, *(str(tasks_each * n) for n in (4, 9, 0, differences))] for name in ("racket", "hasbro")
    ]


class FakePool:
    """Stands for processes, each of which has *done* the same."""

    def __init__(self, done: campaign.Done) -> None:
        self.done = done

    def Pool(self, _: int) -> "FakePool":  # noqa: N802
        """Return the pool."""
        return self

    def __enter__(self) -> "FakePool":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def imap(self, _: object, todo: list[Task]) -> list[campaign.Done]:
        """Return what came of each task."""
        return [self.done for _ in todo]
