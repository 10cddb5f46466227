"""Pressman's Pahrcheesi: a short ring, no bonuses, and pawns are captured in passing."""

from typing import Final

from referee.rules.board import PAHRCHEESI56
from referee.rules.ruleset import (
    Capture,
    EntryCapture,
    ExtraThrowIf,
    FirstPlayer,
    MustEnter,
    Ruleset,
    SamePair,
    SquareLimit,
    ThirdThrow,
    Use,
)

PAHRCHEESI: Final = Ruleset(
    name="pahrcheesi",
    source="Pressman Pahrcheesi, as taught on video",
    readings=(
        ("board", "no source says where the safe circles are"),
        ("use", "nothing is taught of it"),
        ("same_pair", "nothing certain is taught of it"),
    ),
    board=PAHRCHEESI56,
    dice=2,
    first_player=FirstPlayer.HIGHEST,
    first_player_dice=2,
    must_enter=MustEnter.NEVER,
    capture=Capture.PASSING,
    entry_capture=EntryCapture.ALONE,  # the entry is a plain square
    safe_sharing=True,
    square_limit=SquareLimit.TWO_OF_A_COLOUR,
    capture_bonus=0,
    home_bonus=0,
    use=Use.GREEDY,
    same_pair=SamePair.FORBIDDEN,
    extra_throw_if=ExtraThrowIf.PLAYED,
    third_throw=ThirdThrow.NONE,
)
