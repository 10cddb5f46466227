"""The sheet of the Pressman edition in the red box, and the variations that it describes."""

from dataclasses import replace
from typing import Final

from referee.rules.board import PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    FirstPlayer,
    Fourteen,
    MustEnter,
    Partner,
    Ruleset,
    SamePair,
    SingleNumber,
    Teams,
    TeamWin,
    ThirdThrow,
    TurnOrder,
    Use,
)

PRESSMAN: Final = Ruleset(
    name="pressman",
    source="Pressman Red Box sheet",
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.HIGHEST,
    turn_order=TurnOrder.AGAINST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    bonus_timing=BonusTiming.AFTER_NUMBERS,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.ALL_OR_NOTHING,
    doublet_home=DoubletHome.WHOLE_FOURTEEN,
    use=Use.MAXIMAL,
    single_number=SingleNumber.LARGER,
    same_pair=SamePair.FORBIDDEN,
    third_throw=ThirdThrow.NEAREST_HOME,
)

PRESSMAN_ONE_DIE: Final = replace(
    PRESSMAN,
    name="pressman_one_die",
    source=f"{PRESSMAN.source}; its game with one die",
    dice=1,
    doublet_faces=DoubletFaces.TOP,
    fourteen=Fourteen.AS_POSSIBLE,
    doublet_home=DoubletHome.FREE,
    single_number=SingleNumber.EITHER,
    same_pair=SamePair.FREE,
    extra_throw=ExtraThrow.NONE,
    third_throw=ThirdThrow.NONE,
)

PRESSMAN_GENTLE: Final = replace(
    PRESSMAN,
    name="pressman_gentle",
    source=f"{PRESSMAN.source}; its game without captures",
    capture=Capture.NONE,
    entry_capture=EntryCapture.NONE,
)

PRESSMAN_TEAMS: Final = replace(
    PRESSMAN,
    name="pressman_teams",
    source=f"{PRESSMAN.source}; its game of partners",
    teams=Teams.PAIRS,
    team_win=TeamWin.ONE_MEMBER,
    partner=Partner.PAIR,
)
