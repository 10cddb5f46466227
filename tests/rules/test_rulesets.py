"""The registered rulesets, held against the table of the rule book and the differences that it names."""

import pytest

from referee.rules.ruleset import kinds
from referee.rules.rulesets import RULESETS, ruleset

DEFAULTS = {
    "bonus_timing": "after_numbers",
    "fourteen": "as_possible",
    "doublet_home": "free",
    "single_number": "either",
    "same_pair": "free",
    "doublet_faces": "top",
    "six_counts_seven": "false",
}
"""What a dash in the table stands for."""

TABLE = """
field               pahrcheesi       selchow_righter  winning_moves   hasbro
board               pahrcheesi56     parcheesi68      parcheesi68     parcheesi68
dice                2                2                2               2
first_player        highest          lowest           lowest          lowest
first_player_dice   2                1                1               1
turn_order          with             with             with            against
pawns_out_at_start  0                0                0               0
must_enter          never            most             when_possible   when_possible
capture             passing          landing          landing         landing
entry_capture       alone            alone            alone           alone
safe_sharing        true             false            false           false
square_limit        two_of_a_colour  two              two             two
pairs               same_colour      same_colour      same_colour     same_colour
lane_pairs_block    true             true             true            true
capture_bonus       0                20               20              20
home_bonus          0                10               10              10
bonus_timing        -                any_time         after_numbers   after_numbers
doublet_faces       top              both             both            both
fourteen            -                all_or_nothing   all_or_nothing  as_possible
doublet_home        free             with_fourteen    free            free
use                 greedy           maximal          maximal         maximal
single_number       either           either           either          larger
same_pair           forbidden        forbidden        forbidden       forbidden
must_open           none             none             none            none
extra_throw         doublet          doublet          doublet         doublet
extra_throw_if      played           always           always          all_used
third_throw         none             nearest_home     nearest_home    none
six_counts_seven    -                -                -               -
second_lap          false            false            false           true
double_one_breaks   false            false            false           true
teams               none             none             none            none

field               pressman        casual_classic  casual_super   racket
board               parcheesi68     parcheesi68     parcheesi68    parcheesi68
dice                2               1               2              2
first_player        highest         highest         highest        seat_0
first_player_dice   1               1               1              1
turn_order          against         with            with           with
pawns_out_at_start  0               0               0              0
must_enter          when_possible   when_possible   when_possible  never
capture             landing         landing         landing        landing
entry_capture       alone           when_full       when_full      alone
safe_sharing        false           true            true           false
square_limit        two             two             two            two
pairs               same_colour     same_colour     same_colour    same_colour
lane_pairs_block    true            false           false          true
capture_bonus       20              20              20             20
home_bonus          10              10              10             10
bonus_timing        after_numbers   at_once         at_once        any_time
doublet_faces       both            -               top            both
fourteen            all_or_nothing  -               -              as_possible
doublet_home        whole_fourteen  -               free           free
use                 maximal         greedy          greedy         greedy
single_number       larger          -               either         either
same_pair           forbidden       -               second_stays   forbidden
must_open           none            on_six          on_doublet     none
extra_throw         doublet         six             doublet        doublet
extra_throw_if      always          always          always         always
third_throw         nearest_home    last_moved      last_moved     nearest_home
six_counts_seven    -               true            false          -
second_lap          false           false           false          false
double_one_breaks   false           false           false          false
teams               none            none            none           none
"""
"""The fields that the rule book tells of each sheet; a line for each field, a column for each ruleset."""

DIFFERENCES = {
    "winning_moves_highest": ("winning_moves", {"first_player": "highest"}),
    "pressman_one_die": (
        "pressman",
        {
            "dice": "1",
            "extra_throw": "none",
            "third_throw": "none",
            "doublet_faces": "top",
            "fourteen": "as_possible",
            "doublet_home": "free",
            "single_number": "either",
            "same_pair": "free",
        },
    ),
    "pressman_gentle": ("pressman", {"capture": "none", "entry_capture": "none"}),
    "pressman_teams": ("pressman", {"teams": "pairs", "partner": "pair"}),
    "casual_classic_start": ("casual_classic", {"pawns_out_at_start": "1"}),
    "casual_classic_mixed": ("casual_classic", {"pairs": "mixed_on_safe"}),
    "casual_classic_couples": ("casual_classic", {"teams": "pairs"}),
    "casual_super_start": ("casual_super", {"pawns_out_at_start": "1"}),
    "casual_super_mixed": ("casual_super", {"pairs": "mixed_on_safe"}),
    "casual_super_couples": ("casual_super", {"teams": "pairs"}),
}
"""The variations that the rule book names: of which sheet, and what differs from it."""

NEVER_TOLD = {"team_win": "one_member", "partner": "capture"}
"""Fields without a line in the table: they mean nothing without teams."""


def sheets() -> dict[str, dict[str, str]]:
    """Return the fields of each ruleset that has a column in the table."""
    told: dict[str, dict[str, str]] = {}
    for half in TABLE.strip().split("\n\n"):
        (_, *names), *rows = (line.split() for line in half.splitlines())
        for field, *texts in rows:
            for name, text in zip(names, texts, strict=True):
                told.setdefault(name, dict(NEVER_TOLD))[field] = DEFAULTS[field] if text == "-" else text
    return told


SHEETS = sheets()


def test_the_register_holds_what_the_rule_book_names() -> None:
    """
    Eight sheets and their ten variations, and nothing else.
    """
    assert set(RULESETS) == SHEETS.keys() | DIFFERENCES.keys()
    assert len({r.digest() for r in RULESETS.values()}) == len(RULESETS) == 18


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_as_the_table_tells(name: str) -> None:
    """
    Every field has the value of the table, and the table has every field.
    """
    assert ruleset(name).as_text() == SHEETS[name]
    assert SHEETS[name].keys() == set(kinds())


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_variation_differs_from_its_sheet_as_named(name: str) -> None:
    """
    What is not named stays as the sheet has it; the source says of which sheet it is.
    """
    sheet, differences = DIFFERENCES[name]

    assert ruleset(name).as_text() == SHEETS[sheet] | differences
    assert ruleset(name).source.startswith(f"{ruleset(sheet).source}; ")
