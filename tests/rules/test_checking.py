"""
States that cannot be, in mid-throw: what the throw is said to have done must be what it can have done.

Knows: what is refused, in which words, and that nothing is refused that happens.
Does not know: how it is found out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.errors import PositionError
from referee.match.situation import in_mid_throw
from referee.rules.board import PAWNS
from referee.rules.checking import check
from referee.rules.engine import Rules
from referee.rules.moves import remembered
from referee.rules.notation import PAST, state_from_text
from referee.rules.ruleset import Ruleset, TeamWin
from referee.rules.rulesets import RULESETS, ruleset
from referee.rules.state import MOVED, State
from tests.oracle.checker import Checker, TooMany
from tests.oracle.judging import EVERY, FINISHERS, cast, made_question, seats_for, walk
from tests.rules.asking import rules_of
from tests.rules.positions import FAMILIES

ROOT = Path(__file__).resolve().parents[2]

ASKING = [given for given in (*RULESETS.values(), FINISHERS, *EVERY.values()) if remembered(given)]
"""Rulesets that ask what a throw has done, and variations that do."""

MIXED = [given for given in ASKING if "mixture" in given.name or given in (*RULESETS.values(), FINISHERS)]


def checked(name: str, **texts: Any) -> State:
    """Return the state that a question describes."""
    given = ruleset(name)
    state = state_from_text(given, {"seat": 0, **texts})
    rules_of(name).check(state)
    return state


CASUAL = {"position": "6,5,N,N/-/39,N,N,N/-", "at_throw": "5,5,N,N", "throw": [1, 1], "numbers": [1]}
SELCHOW = {"position": "H,30,40,41/-/39,N,N,N/-", "at_throw": "L7,30,40,41", "throw": [1, 1]}
HOME_WITH_TWO = {
    "position": "20,H,N,40/-/N,N,N,N/-",
    "at_throw": "20,L6,N,40",
    "throw": [2, 2],
    "numbers": [2],
    "bonuses": [10],
}
HASBRO = {"position": "26,40,H,H/-/39,N,N,N/-", "at_throw": "5,40,H,H", "throw": [1, 2], "numbers": []}
PRESSMAN = {"position": "7,30,40,N/-/39,N,N,N/-", "at_throw": "5,30,40,N", "throw": [2, 2], "numbers": [2]}


@pytest.mark.parametrize(
    ("name", "texts", "words"),
    [
        pytest.param(
            "casual_super",
            CASUAL,
            "moved is [], but seat 0 came from 5,5,N,N to 6,5,N,N with [1] left of the numbers [1, 1]: "
            "right would be [0]",
            id="a number was used, so some pawn was moved",
        ),
        pytest.param("casual_super", CASUAL | {"moved": [1]}, "right would be [0]", id="a pawn that stays"),
        pytest.param(
            "casual_super", CASUAL | {"moved": [0, 1]}, "right would be [0]", id="more pawns than numbers"
        ),
        pytest.param("pressman", PRESSMAN, "moved is [], but", id="also where it is asked for coming home"),
        pytest.param(
            "casual_classic",
            {"position": "36,N,N,N/-/39,N,N,N/-", "at_throw": "30,N,N,N", "throw": [6], "numbers": []},
            "right would be [0]",
            id="with one die",
        ),
        pytest.param(
            "casual_super",
            CASUAL | {"position": "6,30,N,N/-/39,H,H,H/22,H,H,H", "moved": [0]},
            "which neither numbers nor bonuses can have done",
            id="a pawn that neither has brought there",
        ),
        pytest.param(
            "casual_super",
            CASUAL | {"position": "6,5,5,N/-/39,N,N,N/-", "moved": [0]},
            "which neither numbers nor bonuses can have done",
            id="a pawn that came in without a five",
        ),
        pytest.param(
            "winning_moves",
            {"position": "18,14,H,H/-/39,N,N,N/-", "at_throw": "14,14,H,H", "throw": [3, 4], "numbers": [4]},
            "which neither numbers nor bonuses can have done",
            id="a pawn that took the number that is left, in a ruleset that asks nothing",
        ),
        pytest.param(
            "selchow_righter",
            SELCHOW | {"numbers": [1, 6, 6], "bonuses": [10]},
            "brought_home is false, but seat 0 came from L7,30,40,41 to H,30,40,41",
            id="a pawn came home by a number",
        ),
        pytest.param(
            "selchow_righter",
            SELCHOW | {"position": "L7,31,40,41/-/39,N,N,N/-", "numbers": [1, 6, 6], "brought_home": True},
            "brought_home is true, but seat 0",
            id="nobody is home",
        ),
        pytest.param(
            "selchow_righter",
            {
                "position": "H,31,40,41/-/39,N,N,N/-",
                "at_throw": "H,30,40,41",
                "throw": [1, 1],
                "numbers": [1, 6, 6],
                "brought_home": True,
            },
            "brought_home is true, but",
            id="who is home was there before",
        ),
        pytest.param("hasbro", HASBRO, "gave_up is false, but", id="a number less was used"),
        pytest.param(
            "hasbro",
            HASBRO | {"position": "8,40,H,H/-/39,N,N,N/-", "gave_up": True},
            "gave_up is true, but",
            id="all numbers were used",
        ),
        pytest.param(
            "racket",
            {
                "position": "20,30,H,H/-/39,N,N,N/-",
                "at_throw": "20,30,H,H",
                "throw": [2, 5],
                "numbers": [2, 5],
                "bonuses": [10],
            },
            "all numbers of the throw are left, yet the bonuses [10] wait: a bonus is earned by a step",
            id="a bonus that nothing has earned",
        ),
        pytest.param(
            "casual_super",
            {field: text for field, text in CASUAL.items() if field != "numbers"},
            "numbers is missing: what is left to be used of the throw that is under way, such as [1], or []",
            id="what is left is not said",
        ),
    ],
)
def test_what_the_throw_cannot_have_done_is_refused(name: str, texts: Mapping[str, Any], words: str) -> None:
    """
    One sentence says what is wrong, why, and what would be right.
    """
    with pytest.raises(PositionError) as caught:
        checked(name, **texts)

    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        pytest.param("casual_super", CASUAL | {"moved": [0]}, id="what it did"),
        pytest.param(
            "casual_super",
            CASUAL | {"position": "6,25,N,N/-/N,N,N,N/-", "moved": [0]},
            id="a bonus has moved the other",
        ),
        pytest.param(
            "casual_super",
            {
                "position": "7,5,N,N/-/39,N,N,N/-",
                "at_throw": "5,5,N,N",
                "throw": [1, 1],
                "numbers": [],
                "moved": [0],
            },
            id="nothing is left",
        ),
        pytest.param("selchow_righter", SELCHOW | {"numbers": [1, 6, 6], "brought_home": True}, id="home"),
        pytest.param("hasbro", HASBRO | {"gave_up": True}, id="a number was given up for a bonus"),
        pytest.param(
            "hasbro",
            HASBRO | {"position": "8,40,H,H/-/39,N,N,N/-"},
            id="all numbers were used",
        ),
        pytest.param(
            "hasbro",
            HASBRO | {"position": "60,8,H,H/-/39,N,N,N/-", "at_throw": "58,7,H,H"},
            id="a pawn that may go round",
        ),
        pytest.param(
            "winning_moves",
            CASUAL | {"position": "6,5,N,N/-/39,N,N,N/-", "numbers": []},
            id="a ruleset that asks nothing, and nothing is left",
        ),
    ],
)
def test_what_it_can_have_done_is_accepted(name: str, texts: Mapping[str, Any]) -> None:
    """
    Also where bonuses, which are not told, must have helped.
    """
    assert checked(name, **texts).dice


BOTH = replace(ruleset("pressman_teams"), name="both", team_win=TeamWin.BOTH_MEMBERS)


@pytest.mark.parametrize(
    ("given", "position", "words"),
    [
        pytest.param(
            "racket",
            "10,N,N,N/-/H,H,H,H/-",
            "seat 2 has won, with all pawns of seat 2 home",
            id="a seat is home",
        ),
        pytest.param(
            "racket", "10,N,N,N/-/-/-", "seat 0 has won, as nobody is left of the others", id="alone"
        ),
        pytest.param(
            "pressman_teams",
            "10,N,N,N/-/N,N,N,N/-",
            "seats 0 and 2 have won, as seat 1 is missing of the other team",
            id="a team is missing",
        ),
        pytest.param(
            "casual_super_couples",
            "10,N,N,N/H,H,H,H/N,N,N,N/N,N,N,N",
            "seats 1 and 3 have won, with all pawns of seat 1 home",
            id="one member is enough",
        ),
        pytest.param(
            BOTH,
            "10,N,N,N/-/N,N,N,N/N,N,N,N",
            "seats 0 and 2 have won, as seat 1 is missing of the other team",
            id="a member that must come home too is missing",
        ),
        pytest.param(
            BOTH,
            "10,N,N,N/H,H,H,H/N,N,N,N/H,H,H,H",
            "seats 1 and 3 have won, with all pawns of seats 1 and 3 home",
            id="both members are home",
        ),
        pytest.param(BOTH, "10,N,N,N/N,N,N,N/-/-", "nobody can win any more", id="each team lost a member"),
    ],
)
@pytest.mark.parametrize("thrown", [False, True], ids=["before a throw", "in mid-throw"])
def test_a_game_that_is_over_is_no_question(
    given: str | Ruleset, position: str, words: str, thrown: bool
) -> None:
    """
    Nobody moves any more, and the sentence says who has won.
    """
    rules = rules_of(given)
    texts: dict[str, Any] = {"position": position, "seat": 0}
    if thrown:
        texts |= {"throw": [2, 1], "at_throw": "10,N,N,N", "numbers": [1, 2]}

    with pytest.raises(PositionError, match=f"^the game is over: {words}"):
        rules.check(state_from_text(rules.ruleset, texts))


def test_a_throw_that_has_won_is_a_state() -> None:
    """
    It is the last one: nothing is left to do, and it is asked who has won.
    """
    rules = rules_of("racket")
    texts = {"position": "H,H,H,H/-/N,N,N,N/-", "seat": 0, "throw": [2, 1], "numbers": [1]}

    rules.check(state_from_text(rules.ruleset, texts | {"at_throw": "L6,H,H,H"}))
    with pytest.raises(PositionError, match=r"^the game is over: seat 0 has won"):
        rules.check(state_from_text(rules.ruleset, texts | {"at_throw": "H,H,H,H"}))


@pytest.mark.parametrize(
    ("given", "position"),
    [
        pytest.param("pressman_teams", "10,N,N,N/-/N,N,N,N/N,N,N,N", id="a team goes on with one member"),
        pytest.param("racket", "10,N,N,N/-/-/N,N,N,N", id="seats that never played or were lost"),
        pytest.param(BOTH, "H,H,H,H/N,N,N,N/10,N,N,N/N,N,N,N", id="one of two is home"),
    ],
)
def test_a_game_that_goes_on_is_one(given: str | Ruleset, position: str) -> None:
    """
    A seat may be missing, or home, as far as the ruleset's game goes on then.
    """
    rules = rules_of(given)

    rules.check(state_from_text(rules.ruleset, {"position": position, "seat": 0}))


def in_games(given: Ruleset, games: int, throws: int) -> Iterator[State]:
    """Yield the states in mid-throw of random games, some with steps that are possible and not legal."""
    rules, checker = Rules(given), Checker(given)
    for seed in range(games):
        random = Random(f"games {seed}")
        seats = seats_for(given, random)
        state, won = rules.start(seats, random.choice(seats)), False
        for _ in range(throws):
            state = rules.throw(state, cast(given, random)).state
            while state.dice and not won and (steps := rules.steps(state)):
                if not random.randrange(4):
                    steps = tuple(move.step for move in checker.possible(state)) or steps
                state, _, _, won = rules.apply(state, random.choice(steps))
                if not won:
                    yield state
            if won:
                break
            if state.dice:
                state = rules.play_over(state)


def made(given: Ruleset, seeds: int) -> Iterator[State]:
    """Yield the states in mid-throw to which positions lead that are made on purpose."""
    checker = Checker(given, 300)
    for family in FAMILIES:
        for seed in range(seeds):
            before, dice = made_question(given, family, seed)
            try:
                yield from [state for state, _ in walk(checker, before, dice, seed)]
            except TooMany:
                continue


@pytest.mark.parametrize("given", [*RULESETS.values(), FINISHERS], ids=lambda given: given.name)
def test_no_state_of_a_game_is_refused(given: Ruleset) -> None:
    """
    Whatever is thrown and played, legal or only possible.
    """
    rules = Rules(given)
    for state in in_games(given, 4, 100):
        rules.check(state)


@pytest.mark.parametrize("given", MIXED, ids=lambda given: given.name)
def test_no_state_that_is_made_is_refused(given: Ruleset) -> None:
    """
    Pairs, fives, walls, the way home: where the rules have something to say.
    """
    rules = Rules(given)
    for state in made(given, 1):
        rules.check(state)


@pytest.mark.parametrize("name", [given.name for given in RULESETS.values() if remembered(given) & MOVED])
def test_a_pawn_is_missed_that_was_moved_and_refused_that_was_not(name: str) -> None:
    """
    Where no bonus can have moved one: none was earned so far in the throw.
    """
    rules = rules_of(name)
    tried = 0
    for state in in_games(rules.ruleset, 3, 40):
        own, at_throw = state.position[state.seat], state.at_throw
        assert own is not None
        if not state.past or sum(own) - sum(at_throw) > sum(state.dice) or own.count(rules.board.home):
            continue
        tried += 1
        for pawn in PAWNS:
            has_moved = own[pawn] != at_throw[pawn]
            assert bool(state.past >> pawn & 1) == has_moved
            with pytest.raises(PositionError, match=r"^moved is .* right would be \["):
                rules.check(state._replace(past=state.past ^ 1 << pawn))
    assert tried > 10


@pytest.mark.parametrize("name", ["selchow_righter", "pressman", "racket"])
def test_who_asks_after_home_with_a_doublet_of_two_is_refused(name: str) -> None:
    """
    Where it takes four numbers that is possible and never legal: `check` lets it be, a question does not.
    """
    rules = rules_of(name)
    asks = bool(remembered(rules.ruleset) & PAST["brought_home"])
    texts = HOME_WITH_TWO | {"seat": 0, "brought_home": True} if asks else HOME_WITH_TWO | {"seat": 0}
    moved = {"moved": [1]} if remembered(rules.ruleset) & MOVED else {}
    state = state_from_text(rules.ruleset, texts | moved)

    rules.check(state)
    if not asks:
        assert in_mid_throw(rules, state).state == state
        return
    with pytest.raises(
        PositionError, match=r"no number of a doublet does that gave two numbers and not four$"
    ):
        in_mid_throw(rules, state)


def test_a_pawn_that_a_fourteen_brought_home_is_no_question_too_many() -> None:
    """
    With four numbers it may have been legal.
    """
    rules = rules_of("selchow_righter")
    texts = SELCHOW | {"seat": 0, "numbers": [1, 6, 6], "bonuses": [10], "brought_home": True}

    assert in_mid_throw(rules, state_from_text(rules.ruleset, texts)).steps


def test_the_page_tells_which_rulesets_ask() -> None:
    """
    Whoever asks in mid-throw finds in a table what has to be said.
    """
    page = (ROOT / "docs" / "plays.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(moved|brought_home|gave_up)` \| (`.*`) \|", page, re.MULTILINE)
    told = {field: re.findall(r"`(\w+)`", names) for field, names in rows}

    assert told == {
        field: [given.name for given in RULESETS.values() if remembered(given) & bits]
        for field, bits in PAST.items()
    }


@pytest.mark.parametrize(
    ("name", "arrived", "words"),
    [
        pytest.param("casual_super", 0, "0 of 2 on 20 came last", id="nobody of two"),
        pytest.param("casual_super", 0b11, "2 of 2 on 20 came last", id="both of two"),
        pytest.param("casual_super", 0b110, "1 of 1 on 28 came last", id="one who stands alone"),
        pytest.param("casual_super", 0b1010, "does not stand on the ring", id="one who is home"),
        pytest.param("racket", 0b1, "which racket does not ask", id="where nobody asks"),
    ],
)
def test_who_came_last_is_one_of_two(name: str, arrived: int, words: str) -> None:
    """
    A text tells it otherwise, so this is for those who hand in states.
    """
    given = ruleset(name)
    state = State(((16, 16, 24, given.board.home), None, (0, 0, 0, 0), None), 0, arrived=arrived)

    with pytest.raises(PositionError, match=words):
        check(given, state)
    if name == "casual_super":
        check(given, state._replace(arrived=0b10))
