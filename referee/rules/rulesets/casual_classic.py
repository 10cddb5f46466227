"""Casual Arena's game with one die, and the options that its tables offer."""

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
    Teams,
    TeamWin,
    ThirdThrow,
    Use,
)

CASUAL_CLASSIC: Final = Ruleset(
    name="casual_classic",
    source="Casual Arena, one die",
    readings=(
        ("lane_pairs_block", "the pages tell of the ring only"),
        ("bonus_timing", "the pages do not say when"),
        (
            "six_counts_seven",
            "with no pawn in the nest; one at home counts as out, which the pages leave open",
        ),
    ),
    board=PARCHEESI68,
    dice=1,
    first_player=FirstPlayer.HIGHEST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    entry_capture=EntryCapture.WHEN_FULL,
    safe_sharing=True,
    lane_pairs_block=False,
    bonus_timing=BonusTiming.AT_ONCE,
    use=Use.GREEDY,
    must_open=MustOpen.ON_SIX,
    extra_throw=ExtraThrow.SIX,
    third_throw=ThirdThrow.LAST_MOVED,
    six_counts_seven=True,
)

CASUAL_CLASSIC_START: Final = replace(
    CASUAL_CLASSIC,
    name="casual_classic_start",
    source=f"{CASUAL_CLASSIC.source}; one pawn begins on its entry",
    pawns_out_at_start=1,
)

CASUAL_CLASSIC_MIXED: Final = replace(
    CASUAL_CLASSIC,
    name="casual_classic_mixed",
    source=f"{CASUAL_CLASSIC.source}; two colours on a safe square block it too",
    pairs=Pairs.MIXED_ON_SAFE,
)

CASUAL_CLASSIC_COUPLES: Final = replace(
    CASUAL_CLASSIC,
    name="casual_classic_couples",
    source=f"{CASUAL_CLASSIC.source}; two against two",
    teams=Teams.PAIRS,
    team_win=TeamWin.ONE_MEMBER,
    partner=Partner.CAPTURE,
)
