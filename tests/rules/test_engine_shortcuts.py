"""
The families of positions that are made to meet the engine's shortcuts: they do, and what comes out is right.

Knows: by which of its own methods the engine takes each shortcut, and so how to tell that it did.
Does not know: how the positions are made (`tests/oracle/shortcuts.py`).

`SHORTCUTS_FIRST=1000` begins at another seed; what fails says how to ask it again.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from random import Random
from typing import NamedTuple

import pytest

from referee.rules.board import NEST
from referee.rules.engine import Rules
from referee.rules.ruleset import Ruleset
from referee.rules.search import Search
from referee.rules.state import FIVE_BY_SUM, Pawns, State, Step
from referee.rules.tables import Side
from tests.oracle.judging import Referee, made_question, next_steps
from tests.oracle.shortcuts import SHORTCUTS

FIRST = int(os.environ.get("SHORTCUTS_FIRST", "0"))
"""The first seed."""

JUDGED = int(os.environ.get("SHORTCUTS_POSITIONS", "8"))
"""Questions of each family and ruleset that engine and checker are both asked."""

WALKED = 150
"""Questions of each family and ruleset among which the shortcut is looked for."""

MET = 3
"""So often, at least, must be met what a family is about."""

SPIED = (
    "_free_road",
    "_roads_stay_free",
    "_steps_counted",
    "_kept_by_count",
    "_look",
    "_is_settled",
    "_steps_with_pair",
    "_steps_with_bonuses",
    "_is_special_throw",
    "_searched",
)
"""The methods of `Rules` and its `Special` that take a shortcut, or tell whether it may be taken."""


class Asked(NamedTuple):
    """What was asked, and how the answer was found: which of `SPIED` were called, and what they gave."""

    rules: Rules
    state: State
    steps: tuple[Step, ...]
    called: Mapping[str, list[object]]

    @property
    def side(self) -> Side:
        """Return the side whose pawns are moved."""
        return self.rules._moves.sides[self.rules.mover(self.state.position, self.state.seat)]

    @property
    def own(self) -> Pawns:
        """Return the pawns that are moved."""
        own = self.state.position[self.side.seat]
        assert own is not None
        return own

    @property
    def searched(self) -> bool:
        """Return whether the search was asked, so that no shortcut was taken."""
        return "_searched" in self.called

    @property
    def at_sight(self) -> bool:
        """Return whether the answer was found without a look at what follows, though two numbers are left."""
        return not self.called and len(self.state.numbers) > 1

    @property
    def possible(self) -> list[Step]:
        """Return the steps that section 4 leaves, and what section 5 sees at one step alone."""
        moves = self.rules._moves
        return [*moves.by_number(self.state), *moves.by_bonus(self.state)]

    @property
    def dropped(self) -> bool:
        """Return whether a step that is possible is not legal."""
        return not {*self.possible} <= {*self.steps}

    @property
    def has_five(self) -> bool:
        """Return whether a five is there for a pawn in the nest."""
        numbers = self.state.numbers
        return NEST in self.own and (5 in numbers or numbers in FIVE_BY_SUM)

    def said(self, method: str, answer: bool) -> bool:
        """Return whether *method* was asked and gave this answer."""
        return answer in self.called.get(method, ())

    def then(self, step: Step) -> tuple[Step, ...]:
        """Return what is legal after *step*."""
        return self.rules.steps(self.rules.apply(self.state, step).state)

    def captures(self, state: State, steps: tuple[Step, ...]) -> set[tuple[int, int]]:
        """Return which pawns capture by *steps*, and where."""
        return {(step.pawn, step.square) for step in steps if self.rules.apply(state, step).captured}


def spoils(asked: Asked) -> bool:
    """Return whether one of several steps leaves a number that cannot be used, and that was seen at sight."""
    left = [asked.rules.apply(asked.state, step).state.numbers for step in asked.steps]
    return asked.at_sight and any(
        numbers and not asked.then(step) for step, numbers in zip(asked.steps, left, strict=True)
    )


def enters(asked: Asked) -> bool:
    """Return whether a pawn enters by a legal step, and there are others."""
    return len(asked.steps) > 1 and any(asked.own[step.pawn] == NEST for step in asked.steps)


def captured_on_full_entry(asked: Asked) -> bool:
    """Return whether a pawn that enters captures one of two."""
    return any(
        asked.own[step.pawn] == NEST and asked.rules.apply(asked.state, step).captured for step in asked.steps
    )


def comes_round(asked: Asked) -> bool:
    """Return whether a pawn that enters and one that comes round could meet."""
    board = asked.rules.board
    near = any(place == board.ring_steps or place > board.home for place in asked.own)
    return asked.searched and asked.has_five and near


def two_captors(asked: Asked) -> bool:
    """Return whether counting was asked, and two pawns could capture on one square: at once, or next."""
    if "_look" not in asked.called or asked.searched:
        return False
    found = asked.captures(asked.state, asked.steps)
    for step in asked.steps:
        after = asked.rules.apply(asked.state, step).state
        found |= asked.captures(after, asked.rules.steps(after))
    squares = Counter(square for _, square in found)
    return any(many > 1 for many in squares.values())


Met = Callable[[Asked], bool]

ABOUT: Mapping[str, Mapping[str, Met]] = {
    "greedy_choice_that_spoils": {"a choice is seen at sight, and spoils a number": spoils},
    "one_step_or_one_number": {
        "one step that is possible is legal": lambda a: (
            len(a.state.numbers) > 1
            and len(a.steps) == 1
            and "_steps_counted" in a.called
            and "_roads_stay_free" not in a.called
        ),
        "with one number all is legal": lambda a: (
            not a.called and len(a.state.numbers) == 1 and len(a.steps) > 1
        ),
    },
    "someone_must_enter": {"to enter and the other number are legal": lambda a: a.at_sight and enters(a)},
    "entry_full_or_shared": {
        "one of two is captured, and the search knows": lambda a: a.searched and captured_on_full_entry(a)
    },
    "coming_round_to_the_entry": {
        "the search is asked": comes_round,
        "one stops the other": lambda a: comes_round(a) and a.dropped,
    },
    "free_road": {
        "it settles all": lambda a: a.said("_free_road", answer=True) and len(a.steps) > 1,
        "there is none": lambda a: a.said("_free_road", answer=False) and a.dropped,
    },
    "road_shared_with_own_pawns": {
        "a road stays free": lambda a: a.said("_roads_stay_free", answer=True),
        "a road may be shut": lambda a: a.said("_roads_stay_free", answer=False),
    },
    "road_shut_by_joining_another": {
        "no road is sure": lambda a: a.said("_free_road", answer=False) and len(a.steps) > 1,
        "a step is dropped that shuts it": lambda a: len(a.state.numbers) > 1 and a.dropped,
    },
    "counting_numbers": {
        "it drops a step": lambda a: "_look" in a.called and not a.searched and a.dropped and bool(a.steps),
        "it drops none": lambda a: "_look" in a.called and not a.searched and len(a.steps) > 1,
    },
    "two_captors_of_one_square": {"and counting was asked": two_captors},
    "pair_meets_by_numbers": {
        "a step is dropped at once": lambda a: (
            "_steps_with_pair" in a.called and not a.searched and len(a.state.numbers) == 1 and a.dropped
        ),
        "a step is dropped for what follows": lambda a: (
            "_steps_with_pair" in a.called and len(a.state.numbers) > 1 and a.dropped
        ),
    },
    "pair_that_comes_round": {
        "it may meet again": lambda a: "_steps_with_pair" in a.called and max(a.own) > a.rules.board.home,
        "a step is dropped": lambda a: "_steps_with_pair" in a.called and a.dropped,
    },
    "pair_meets_by_bonus": {
        "a bonus could join the two again": lambda a: bool(a.state.bonuses) and a.dropped,
    },
    "pair_parted_by_a_bonus": {
        "what is counted settles it": lambda a: a.said("_is_settled", answer=True) and a.dropped,
        "a bonus may part them": lambda a: a.said("_is_settled", answer=False) and a.searched,
    },
    "fewer_numbers_could_win": {
        "a step that leads to fewer could end it": lambda a: "_kept_by_count" in a.called and a.searched,
        "none could": lambda a: "_kept_by_count" in a.called and not a.searched and a.dropped,
    },
    "home_with_a_doublet": {
        "a number may bring one home": lambda a: a.said("_is_special_throw", answer=True),
        "counting knows which one may come home": lambda a: (
            "_look" in a.called
            and not a.searched
            and a.rules._special.plans_of_others(a.state, a.side) is not None
            and any(a.side.home - place == sum(a.state.numbers) for place in a.own)
        ),
        "no number may": lambda a: (
            a.rules._moves.plans(a.state, a.side) is a.side.plans_short_of_home
            and any(0 < a.rules.board.home - place in a.state.numbers for place in a.own)
        ),
    },
    "most_must_enter": {
        "a step is dropped that lets fewer enter": lambda a: a.searched and a.has_five and a.dropped
    },
    "pair_must_open": {"a step is dropped that leaves it shut": lambda a: a.searched and a.dropped},
    "only_one_of_two": {
        "the smaller is dropped": lambda a: (
            len(set(a.state.numbers)) == 2 == len(a.state.numbers)
            and a.dropped
            and {step.use for step in a.steps} == {max(a.state.numbers)}
        )
    },
    "pairs_that_can_be_broken": {
        "the search is asked": lambda a: a.searched and a.state.dice == (1, 1),
    },
    "capture_that_opens_a_way": {
        "the search is asked": lambda a: a.searched and a.has_five and len(a.state.numbers) > 1
    },
}
"""What is to be met in a family, in words and in calls."""


@cache
def referee_of(ruleset: Ruleset) -> Referee:
    """Return the one referee of *ruleset*."""
    return Referee(ruleset)


@cache
def spied(ruleset: Ruleset) -> tuple[Rules, dict[str, list[object]]]:
    """Return *ruleset* compiled, and what tells which methods it calls, and what those give."""
    rules = Rules(ruleset)
    called: dict[str, list[object]] = {}

    def listen(name: str, method: Callable[..., object], *given: object) -> object:
        answer = method(*given)
        called.setdefault(name, []).append(answer)
        return answer

    for name in SPIED:
        owner = rules if hasattr(rules, name) else rules._special
        setattr(owner, name, partial(listen, name, getattr(owner, name)))
    return rules, called


def answers(ruleset: Ruleset, family: str, seeds: range) -> Iterator[Asked]:
    """Yield how each state of throws of *family* was answered."""
    rules, called = spied(ruleset)
    for seed in seeds:
        random = Random(seed)
        before, dice = made_question(ruleset, family, seed)
        state, won = rules.throw(before, dice).state, False
        while state.dice and not won:
            called.clear()
            steps = rules.steps(state)
            yield Asked(rules, state, steps, {**called})
            further = next_steps(rules, state, random)
            if not further:
                break
            state, _, _, won = rules.apply(state, random.choice(further))


def test_every_family_is_about_something() -> None:
    """
    A family without a count of what it meets may miss it.
    """
    assert ABOUT.keys() == SHORTCUTS.keys()


@pytest.mark.parametrize("family", SHORTCUTS)
def test_a_family_meets_what_it_is_about(family: str) -> None:
    """
    In its rulesets the shortcut is taken, or is just not to be taken, as its name says; and search agrees.
    """
    met = Counter(dict.fromkeys(ABOUT[family], 0))
    for ruleset in SHORTCUTS[family].rulesets:
        for asked in answers(ruleset, family, range(FIRST, FIRST + WALKED)):
            rules, state, steps, _ = asked
            assert steps == Search(rules._moves, state).legal(state), f"{ruleset.name}, {family}: {state}"
            met.update(what for what, is_met in ABOUT[family].items() if is_met(asked))
    assert min(met.values()) >= MET, dict(met)


@pytest.mark.parametrize(
    ("family", "ruleset"),
    [
        pytest.param(family, ruleset, id=f"{family}, {ruleset.name}")
        for family, near in SHORTCUTS.items()
        for ruleset in near.rulesets
    ],
)
def test_engine_and_checker_agree_there(family: str, ruleset: Ruleset) -> None:
    """
    Whether a shortcut is taken or not, engine and slow checker say the same.
    """
    referee = referee_of(ruleset)
    for seed in range(FIRST, FIRST + JUDGED):
        referee.judge(family, seed)
