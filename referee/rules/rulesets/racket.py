"""The referee of a programming course: everything that can be played may be, in any order."""

from typing import Final

from referee.rules.board import PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    FirstPlayer,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    ThirdThrow,
    Use,
)

RACKET: Final = Ruleset(
    name="racket",
    source="the referee of R. Findler's course (racket/games)",
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.SEAT_0,
    must_enter=MustEnter.NEVER,
    bonus_timing=BonusTiming.ANY_TIME,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.AS_POSSIBLE,
    use=Use.GREEDY,
    same_pair=SamePair.FORBIDDEN,
    third_throw=ThirdThrow.NEAREST_HOME,
)
