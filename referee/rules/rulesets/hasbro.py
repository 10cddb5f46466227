"""The sheet of the Hasbro edition of 2001: what cannot be used is lost, and a pawn may go round again."""

from typing import Final

from referee.rules.board import PARCHEESI68
from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
    MustEnter,
    Ruleset,
    SamePair,
    SingleNumber,
    ThirdThrow,
    TurnOrder,
    Use,
)

HASBRO: Final = Ruleset(
    name="hasbro",
    source="Hasbro 2001, as Wikipedia tells it",
    readings=(
        ("third_throw", "the sheet as told is silent"),
        ("double_one_breaks", 'the sheet says "may break the blockade with the roll of a double one"'),
    ),
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.LOWEST,
    turn_order=TurnOrder.AGAINST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    bonus_timing=BonusTiming.AFTER_NUMBERS,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.AS_POSSIBLE,
    use=Use.MAXIMAL,
    single_number=SingleNumber.LARGER,
    same_pair=SamePair.FORBIDDEN,
    extra_throw_if=ExtraThrowIf.ALL_USED,
    third_throw=ThirdThrow.NONE,
    second_lap=True,
    double_one_breaks=True,
)
