"""The sheet of Selchow & Righter, who sold the game first: as many pawns enter as can."""

from typing import Final

from referee.rules.board import PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    ThirdThrow,
    Use,
)

SELCHOW_RIGHTER: Final = Ruleset(
    name="selchow_righter",
    source="Selchow & Righter sheet",
    readings=(("extra_throw_if", "also after a fourteen that could not be used"),),
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.LOWEST,
    must_enter=MustEnter.MOST,
    bonus_timing=BonusTiming.ANY_TIME,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.ALL_OR_NOTHING,
    doublet_home=DoubletHome.WITH_FOURTEEN,
    use=Use.MAXIMAL,
    same_pair=SamePair.FORBIDDEN,
    extra_throw_if=ExtraThrowIf.ALWAYS,
    third_throw=ThirdThrow.NEAREST_HOME,
)
