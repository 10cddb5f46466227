"""
The rulesets of section 7 of the rule book, copied from its table a second time.

Knows: each named ruleset with its values.
Does not know: `referee/rules/rulesets`, which says the same; a test compares the two.
"""

from dataclasses import replace

from referee.rules.board import PAHRCHEESI56, PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
    MustEnter,
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
    TurnOrder,
    Use,
)

PAHRCHEESI = Ruleset(
    name="pahrcheesi",
    board=PAHRCHEESI56,
    dice=2,
    first_player=FirstPlayer.HIGHEST,
    first_player_dice=2,
    must_enter=MustEnter.NEVER,
    capture=Capture.PASSING,
    safe_sharing=True,
    square_limit=SquareLimit.TWO_OF_A_COLOUR,
    capture_bonus=0,
    home_bonus=0,
    use=Use.GREEDY,
    same_pair=SamePair.FORBIDDEN,
    extra_throw_if=ExtraThrowIf.PLAYED,
)

WINNING_MOVES = Ruleset(
    name="winning_moves",
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.LOWEST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.ALL_OR_NOTHING,
    use=Use.MAXIMAL,
    same_pair=SamePair.FORBIDDEN,
    third_throw=ThirdThrow.NEAREST_HOME,
)

SELCHOW_RIGHTER = replace(
    WINNING_MOVES,
    name="selchow_righter",
    must_enter=MustEnter.MOST,
    bonus_timing=BonusTiming.ANY_TIME,
    doublet_home=DoubletHome.WITH_FOURTEEN,
)

HASBRO = replace(
    WINNING_MOVES,
    name="hasbro",
    turn_order=TurnOrder.AGAINST,
    fourteen=Fourteen.AS_POSSIBLE,
    single_number=SingleNumber.LARGER,
    extra_throw_if=ExtraThrowIf.ALL_USED,
    third_throw=ThirdThrow.NONE,
    second_lap=True,
    double_one_breaks=True,
)

PRESSMAN = replace(
    WINNING_MOVES,
    name="pressman",
    first_player=FirstPlayer.HIGHEST,
    turn_order=TurnOrder.AGAINST,
    doublet_home=DoubletHome.WHOLE_FOURTEEN,
    single_number=SingleNumber.LARGER,
)

CASUAL_SUPER = Ruleset(
    name="casual_super",
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.HIGHEST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    entry_capture=EntryCapture.WHEN_FULL,
    safe_sharing=True,
    lane_pairs_block=False,
    bonus_timing=BonusTiming.AT_ONCE,
    use=Use.GREEDY,
    same_pair=SamePair.SECOND_STAYS,
    must_open=MustOpen.ON_DOUBLET,
    third_throw=ThirdThrow.LAST_MOVED,
)

CASUAL_CLASSIC = replace(
    CASUAL_SUPER,
    name="casual_classic",
    dice=1,
    same_pair=SamePair.FREE,
    must_open=MustOpen.ON_SIX,
    extra_throw=ExtraThrow.SIX,
    six_counts_seven=True,
)

RACKET = replace(
    WINNING_MOVES,
    name="racket",
    first_player=FirstPlayer.SEAT_0,
    must_enter=MustEnter.NEVER,
    bonus_timing=BonusTiming.ANY_TIME,
    fourteen=Fourteen.AS_POSSIBLE,
    use=Use.GREEDY,
)

PRESSMAN_ONE_DIE = replace(
    PRESSMAN,
    name="pressman_one_die",
    dice=1,
    extra_throw=ExtraThrow.NONE,
    third_throw=ThirdThrow.NONE,
    doublet_faces=DoubletFaces.TOP,
    fourteen=Fourteen.AS_POSSIBLE,
    doublet_home=DoubletHome.FREE,
    single_number=SingleNumber.EITHER,
    same_pair=SamePair.FREE,
)

PRESSMAN_GENTLE = replace(
    PRESSMAN, name="pressman_gentle", capture=Capture.NONE, entry_capture=EntryCapture.NONE
)

PRESSMAN_TEAMS = replace(
    PRESSMAN,
    name="pressman_teams",
    teams=Teams.PAIRS,
    partner=Partner.PAIR,
    team_win=TeamWin.ONE_MEMBER,
)

CASUAL_CLASSIC_START, CASUAL_SUPER_START = (
    replace(casual, name=f"{casual.name}_start", pawns_out_at_start=1)
    for casual in (CASUAL_CLASSIC, CASUAL_SUPER)
)

CASUAL_CLASSIC_MIXED, CASUAL_SUPER_MIXED = (
    replace(casual, name=f"{casual.name}_mixed", pairs=Pairs.MIXED_ON_SAFE)
    for casual in (CASUAL_CLASSIC, CASUAL_SUPER)
)

CASUAL_CLASSIC_COUPLES, CASUAL_SUPER_COUPLES = (
    replace(
        casual,
        name=f"{casual.name}_couples",
        teams=Teams.PAIRS,
        partner=Partner.CAPTURE,
        team_win=TeamWin.ONE_MEMBER,
    )
    for casual in (CASUAL_CLASSIC, CASUAL_SUPER)
)

WINNING_MOVES_HIGHEST = replace(WINNING_MOVES, name="winning_moves_highest", first_player=FirstPlayer.HIGHEST)

SHEETS = {
    sheet.name: sheet
    for sheet in (
        PAHRCHEESI,
        SELCHOW_RIGHTER,
        WINNING_MOVES,
        HASBRO,
        PRESSMAN,
        CASUAL_CLASSIC,
        CASUAL_SUPER,
        RACKET,
        PRESSMAN_ONE_DIE,
        PRESSMAN_GENTLE,
        PRESSMAN_TEAMS,
        CASUAL_CLASSIC_START,
        CASUAL_SUPER_START,
        CASUAL_CLASSIC_MIXED,
        CASUAL_SUPER_MIXED,
        CASUAL_CLASSIC_COUPLES,
        CASUAL_SUPER_COUPLES,
        WINNING_MOVES_HIGHEST,
    )
}
"""All of them, by name."""
