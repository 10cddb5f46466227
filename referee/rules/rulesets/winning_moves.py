"""The sheet of the Winning Moves edition, the one most players in the United States know."""

from dataclasses import replace
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

WINNING_MOVES: Final = Ruleset(
    name="winning_moves",
    source="Winning Moves sheet, as wikiHow tells it",
    board=PARCHEESI68,
    dice=2,
    first_player=FirstPlayer.LOWEST,
    must_enter=MustEnter.WHEN_POSSIBLE,
    bonus_timing=BonusTiming.AFTER_NUMBERS,
    doublet_faces=DoubletFaces.BOTH,
    fourteen=Fourteen.ALL_OR_NOTHING,
    use=Use.MAXIMAL,
    same_pair=SamePair.FORBIDDEN,
    third_throw=ThirdThrow.NEAREST_HOME,
)

WINNING_MOVES_HIGHEST: Final = replace(
    WINNING_MOVES,
    name="winning_moves_highest",
    source=f"{WINNING_MOVES.source}; but the highest throw begins",
    first_player=FirstPlayer.HIGHEST,
)
