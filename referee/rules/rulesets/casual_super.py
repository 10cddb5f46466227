"""Casual Arena's game with two dice, and the options that its tables offer."""

from dataclasses import replace
from typing import Final

from referee.rules.board import PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    EntryCapture,
    ExtraThrow,
    FirstPlayer,
    MustEnter,
    MustOpen,
    Pairs,
    Partner,
    Ruleset,
    SamePair,
    Teams,
    TeamWin,
    ThirdThrow,
    Use,
)

CASUAL_SUPER: Final = Ruleset(
    name="casual_super",
    source="Casual Arena, two dice",
    readings=(
        ("lane_pairs_block", "the pages tell of the ring only"),
        ("bonus_timing", "the pages do not say when"),
        ("use", "the pages do not say how much of a throw must be used"),
        ("six_counts_seven", "the pages tell of it for one die only"),
    ),
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
    extra_throw=ExtraThrow.DOUBLET,
    third_throw=ThirdThrow.LAST_MOVED,
    six_counts_seven=False,
)

CASUAL_SUPER_START: Final = replace(
    CASUAL_SUPER,
    name="casual_super_start",
    source=f"{CASUAL_SUPER.source}; one pawn begins on its entry",
    pawns_out_at_start=1,
)

CASUAL_SUPER_MIXED: Final = replace(
    CASUAL_SUPER,
    name="casual_super_mixed",
    source=f"{CASUAL_SUPER.source}; two colours on a safe square block it too",
    pairs=Pairs.MIXED_ON_SAFE,
)

CASUAL_SUPER_COUPLES: Final = replace(
    CASUAL_SUPER,
    name="casual_super_couples",
    source=f"{CASUAL_SUPER.source}; two against two",
    teams=Teams.PAIRS,
    team_win=TeamWin.ONE_MEMBER,
    partner=Partner.CAPTURE,
)
