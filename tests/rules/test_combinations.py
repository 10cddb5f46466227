"""Rulesets that no game could keep to are refused, each with what would be right."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.errors import ConfigError
from referee.rules.board import PAHRCHEESI56, PARCHEESI68, Board
from referee.rules.combinations import RANGES, clashes, require_playable, require_seats
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
    MustOpen,
    Pairs,
    Partner,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Teams,
    TeamWin,
    ThirdThrow,
)
from referee.rules.rulesets import RULESETS, ruleset
from tests.oracle.judging import FIELDS
from tests.oracle.support import why_unplayable

TWO_DICE = ruleset("winning_moves")
ONE_DIE = ruleset("pressman_one_die")


@pytest.mark.parametrize("name", RULESETS)
def test_every_registered_ruleset_can_be_played(name: str) -> None:
    """
    Nothing that is printed on a sheet is refused.
    """
    require_playable(ruleset(name))


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        pytest.param("doublet_faces", DoubletFaces.BOTH, "top", id="opposite faces"),
        pytest.param("fourteen", Fourteen.ALL_OR_NOTHING, "as_possible", id="a fourteen"),
        pytest.param("doublet_home", DoubletHome.WITH_FOURTEEN, "free", id="home with a fourteen"),
        pytest.param("doublet_home", DoubletHome.WHOLE_FOURTEEN, "free", id="home with a whole fourteen"),
        pytest.param("single_number", SingleNumber.LARGER, "either", id="the larger of two"),
        pytest.param("same_pair", SamePair.SECOND_STAYS, "free or forbidden", id="the second of a pair"),
        pytest.param("must_open", MustOpen.ON_DOUBLET, "none or on_six", id="opening on a doublet"),
        pytest.param("extra_throw", ExtraThrow.DOUBLET, "none or six", id="a throw for a doublet"),
        pytest.param("double_one_breaks", True, "false", id="a double one"),
    ],
)
def test_one_die_throws_no_doublet(field: str, value: object, right: str) -> None:
    """
    What speaks of doublets or of two numbers has no meaning with one die.
    """
    given = replace(ONE_DIE, **{field: value})  # type: ignore[arg-type]

    with pytest.raises(ConfigError) as caught:
        require_playable(given)

    text = given.as_text()[field]
    assert f"with dice = 1 it has {field} = {text}, but one die" in str(caught.value)
    assert f"right would be {field} = {right}, or dice = 2" in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        pytest.param("six_counts_seven", True, "false", id="a six that counts seven"),
        pytest.param("must_open", MustOpen.ON_SIX, "none or on_doublet", id="opening on a six"),
        pytest.param("extra_throw", ExtraThrow.SIX, "none or doublet", id="a throw for a six"),
    ],
)
def test_a_six_is_a_throw_of_one_die(field: str, value: object, right: str) -> None:
    """
    What speaks of the six has no meaning with two dice.
    """
    given = replace(TWO_DICE, **{field: value})  # type: ignore[arg-type]

    with pytest.raises(ConfigError) as caught:
        require_playable(given)

    assert f"with dice = 2 it has {field} = {given.as_text()[field]}, but a six" in str(caught.value)
    assert f"right would be {field} = {right}, or dice = 1" in str(caught.value)


def test_all_that_does_not_go_with_the_dice_is_named_at_once() -> None:
    """
    Whoever takes a die away learns in one go what else must change, and nothing else is named.
    """
    (clash,) = clashes(replace(TWO_DICE, dice=1))

    assert clash.fields == ("doublet_faces", "fourteen", "extra_throw", "dice")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param(
            replace(TWO_DICE, board=PAHRCHEESI56, entry_capture=EntryCapture.NONE),
            "entry_capture = none lets two colours share .* board = pahrcheesi56 .* entry_capture = alone",
            id="nobody is captured on a plain entry",
        ),
        pytest.param(
            replace(TWO_DICE, board=PAHRCHEESI56, entry_capture=EntryCapture.WHEN_FULL),
            "entry_capture = when_full lets two colours share .* board = pahrcheesi56 .* = alone",
            id="only the third is captured on a plain entry",
        ),
        pytest.param(
            replace(
                TWO_DICE,
                entry_capture=EntryCapture.WHEN_FULL,
                square_limit=SquareLimit.TWO_OF_A_COLOUR,
            ),
            "entry_capture = when_full .* square_limit = two_of_a_colour .* would be square_limit = two",
            id="a square that is never full",
        ),
    ],
)
def test_an_entry_must_be_a_square_on_which_its_rule_can_be_kept(given: Ruleset, words: str) -> None:
    """
    Two colours share safe squares only, and a square is full at two.
    """
    with pytest.raises(ConfigError, match=f"^ruleset 'winning_moves' cannot be played: {words}"):
        require_playable(given)


MEANINGLESS = [
    pytest.param("racket", {"partner": Partner.PAIR}, "teams = none", {"teams": Teams.PAIRS}, id="partner"),
    pytest.param(
        "racket", {"team_win": TeamWin.BOTH_MEMBERS}, "teams = none", {"teams": Teams.PAIRS}, id="team_win"
    ),
    pytest.param(
        "pressman_one_die",
        {"third_throw": ThirdThrow.LAST_MOVED},
        "extra_throw = none",
        {"extra_throw": ExtraThrow.SIX},
        id="third_throw",
    ),
    pytest.param(
        "pressman_one_die",
        {"extra_throw_if": ExtraThrowIf.PLAYED},
        "extra_throw = none",
        {"extra_throw": ExtraThrow.SIX},
        id="extra_throw_if",
    ),
    pytest.param(
        "racket",
        {"first_player_dice": 2},
        "first_player = seat_0",
        {"first_player": FirstPlayer.HIGHEST},
        id="first_player_dice",
    ),
    pytest.param(
        "casual_super",
        {"fourteen": Fourteen.ALL_OR_NOTHING},
        "doublet_faces = top",
        {"doublet_faces": DoubletFaces.BOTH},
        id="fourteen",
    ),
    pytest.param(
        "pahrcheesi",
        {"bonus_timing": BonusTiming.AT_ONCE},
        "home_bonus = 0: with capture_bonus = 0 too",
        {"home_bonus": 5},
        id="bonus_timing",
    ),
    pytest.param(
        "racket",
        {"pairs": Pairs.MIXED_ON_SAFE},
        "safe_sharing = false",
        {"safe_sharing": True},
        id="pairs",
    ),
    pytest.param(
        "racket",
        {"square_limit": SquareLimit.TWO_OF_A_COLOUR},
        "safe_sharing = false",
        {"safe_sharing": True},
        id="square_limit",
    ),
    pytest.param(
        "pahrcheesi",
        {"square_limit": SquareLimit.TWO_OF_A_COLOUR, "pairs": Pairs.MIXED_ON_SAFE},
        "pairs = mixed_on_safe",
        {"pairs": Pairs.SAME_COLOUR},
        id="square_limit where any two are a pair",
    ),
]


@pytest.mark.parametrize(("name", "fields", "cause", "mended"), MEANINGLESS)
def test_what_another_field_leaves_no_meaning_is_refused(
    name: str, fields: dict[str, Any], cause: str, mended: dict[str, Any]
) -> None:
    """
    Whoever writes it expects a rule that never comes about; with another value of the cause it does.
    """
    given = replace(ruleset(name), **fields)
    (field, *_) = fields

    (clash,) = clashes(given)

    assert clash.fields[0] == field
    assert f"{field} = {given.as_text()[field]} means nothing with {cause}" in clash.sentence
    assert f"right would be {field} = " in clash.sentence
    assert not list(clashes(replace(given, **mended)))


@pytest.mark.parametrize("field", ["capture_bonus", "home_bonus"])
@pytest.mark.parametrize(
    ("board", "second_lap", "longest", "words"),
    [
        pytest.param(
            PARCHEESI68, False, 71, "72 moves no pawn .* the 71 squares from entry", id="parcheesi68"
        ),
        pytest.param(
            PAHRCHEESI56, False, 60, "61 moves no pawn .* the 60 squares from entry", id="pahrcheesi56"
        ),
        pytest.param(
            PARCHEESI68, True, 67, "68 would lead a pawn all the way .* second_lap = true", id="a lap"
        ),
        pytest.param(
            PAHRCHEESI56, True, 55, "56 would lead a pawn all the way .* has 56 squares", id="short lap"
        ),
    ],
)
def test_a_bonus_leads_some_pawn_somewhere_else(
    field: str, board: Board, second_lap: bool, longest: int, words: str
) -> None:
    """
    It is no longer than the way home, and on a ring without end no pawn meets itself, or its own pair.
    """
    given = replace(TWO_DICE, board=board, second_lap=second_lap)
    may, beyond = (replace(given, **{field: bonus}) for bonus in (longest, longest + 1))  # type: ignore[arg-type]

    assert not list(clashes(may))
    (clash,) = clashes(beyond)
    assert clash.fields[0] == field
    assert re.match(f"{field} = {words}.*; right would be {field} = {longest} at most$", clash.sentence)


def test_what_two_fields_have_no_meaning_without_is_told_at_once() -> None:
    """
    Whoever takes the extra throw away learns all that hangs on it.
    """
    given = replace(TWO_DICE, extra_throw=ExtraThrow.NONE, extra_throw_if=ExtraThrowIf.PLAYED)

    (clash,) = clashes(given)

    assert clash.fields == ("extra_throw_if", "third_throw", "extra_throw")
    assert clash.sentence == (
        "extra_throw_if = played and third_throw = nearest_home mean nothing with extra_throw = none: a turn "
        "has one throw; right would be extra_throw_if = always, third_throw = none"
    )


@pytest.mark.parametrize("seed", range(10))
def test_checker_and_referee_refuse_the_same(seed: int) -> None:
    """
    What the slow checker has no answer for, nobody plays, and the other way round.
    """
    random = Random(seed)
    for _ in range(100):
        chosen = {field: random.choice(values) for field, values in FIELDS.items()}
        given = replace(ruleset("racket"), **chosen | {"dice": random.choice((1, 2))})  # type: ignore[arg-type]

        assert bool(list(clashes(given))) == bool(why_unplayable(given)), given.as_text()


@pytest.mark.parametrize("field", RANGES)
def test_numbers_have_a_range(field: str) -> None:
    """
    The ends of the range can be played, what is beyond them cannot, and a truth is no number.
    """
    low, high = RANGES[field][0], RANGES[field][-1]
    for fits in (low, high):
        blamed = [c.fields for c in clashes(replace(TWO_DICE, **{field: fits}))]  # type: ignore[arg-type]
        assert (field,) not in blamed
    for wrong in (low - 1, high + 1, True, 1.0):
        with pytest.raises(ConfigError, match=f"{field} = {wrong!r}, where it must be "):
            require_playable(replace(TWO_DICE, **{field: wrong}))  # type: ignore[arg-type]


def test_a_die_is_thrown_or_two() -> None:
    """
    The sentence says what a number may be.
    """
    with pytest.raises(ConfigError, match=r"dice = 3, where it must be 1 or 2$"):
        require_playable(replace(TWO_DICE, dice=3))
    with pytest.raises(ConfigError, match=r"home_bonus = 100, where it must be a whole number from 0 to 99$"):
        require_playable(replace(TWO_DICE, home_bonus=100))


def test_teams_take_four_seats() -> None:
    """
    Two against two, and nothing else; without teams any number of seats will do.
    """
    teams = ruleset("pressman_teams")
    require_seats(teams, 4)
    for seats in (2, 3):
        require_seats(TWO_DICE, seats)
        with pytest.raises(ConfigError, match=f"'pressman_teams' is for two teams .* 4 seats, not {seats}$"):
            require_seats(teams, seats)
