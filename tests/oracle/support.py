"""
Which rulesets there are to be judged, and how one is made of another.

Knows: which combinations of values the rule book calls unplayable.
Does not know: what the values mean (`possible.py`, `filters.py`, `checker.py`).
"""

from collections.abc import Iterator
from dataclasses import replace

from referee.rules.ruleset import (
    BonusTiming,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    FirstPlayer,
    Fourteen,
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
)

NEEDS_ONE_DIE: dict[str, object] = {
    "six_counts_seven": True,
    "must_open": MustOpen.ON_SIX,
    "extra_throw": ExtraThrow.SIX,
}
"""What cannot be played with two dice."""

NEEDS_TWO_DICE: dict[str, tuple[object, ...]] = {
    "must_open": (MustOpen.ON_DOUBLET,),
    "extra_throw": (ExtraThrow.DOUBLET,),
    "doublet_faces": (DoubletFaces.BOTH,),
    "fourteen": (Fourteen.ALL_OR_NOTHING,),
    "doublet_home": (DoubletHome.WITH_FOURTEEN, DoubletHome.WHOLE_FOURTEEN),
    "same_pair": (SamePair.SECOND_STAYS,),
    "single_number": (SingleNumber.LARGER,),
    "double_one_breaks": (True,),
}
"""What cannot be played with one die, or says nothing there."""


def why_unplayable(ruleset: Ruleset) -> str:
    """Return why *ruleset* cannot be played, nothing where it can."""
    if ruleset.dice == 2:
        for field, value in NEEDS_ONE_DIE.items():
            if getattr(ruleset, field) == value:
                return f"{field} = {value} needs one die"
    else:
        for field, values in NEEDS_TWO_DICE.items():
            if getattr(ruleset, field) in values:
                return f"{field} = {getattr(ruleset, field)} needs two dice"
    entry = ruleset.entry_capture
    if entry is not EntryCapture.ALONE and not set(ruleset.board.entries) <= ruleset.board.safe:
        return f"entry_capture = {entry} needs entries that are safe squares"
    if entry is EntryCapture.WHEN_FULL and ruleset.square_limit is SquareLimit.TWO_OF_A_COLOUR:
        return f"entry_capture = {entry} needs squares that hold two"
    longest = ruleset.board.home - 1  # from the entry home
    if ruleset.second_lap:
        longest = min(longest, ruleset.board.ring - 1)  # all the round but one square
    for field in ("capture_bonus", "home_bonus"):
        if getattr(ruleset, field) > longest:
            return f"{field} = {getattr(ruleset, field)} leads further than {longest} squares"
    return next(means_nothing(ruleset), "")


def means_nothing(ruleset: Ruleset) -> Iterator[str]:
    """Yield which value means nothing with the others, as what it speaks of never comes about."""
    earns = bool(ruleset.capture_bonus or ruleset.home_bonus)
    shares_more = ruleset.safe_sharing and ruleset.pairs is Pairs.SAME_COLOUR
    shares = ruleset.safe_sharing or ruleset.entry_capture is not EntryCapture.ALONE
    needs: dict[str, tuple[bool, dict[str, object]]] = {
        "teams": (ruleset.teams is Teams.PAIRS, {"team_win": TeamWin.ONE_MEMBER, "partner": Partner.CAPTURE}),
        "an extra throw": (
            ruleset.extra_throw is not ExtraThrow.NONE,
            {"extra_throw_if": ExtraThrowIf.ALWAYS, "third_throw": ThirdThrow.NONE},
        ),
        "a throw for the beginning": (
            ruleset.first_player is not FirstPlayer.SEAT_0,
            {"first_player_dice": 1},
        ),
        "four numbers": (
            ruleset.doublet_faces is DoubletFaces.BOTH,
            {"fourteen": Fourteen.AS_POSSIBLE},
        ),
        "a bonus": (earns, {"bonus_timing": BonusTiming.AFTER_NUMBERS}),
        "squares that more than two may share": (shares_more, {"square_limit": SquareLimit.TWO}),
        "safe squares that are shared": (shares, {"pairs": Pairs.SAME_COLOUR}),
    }
    for needed, (is_there, neutral) in needs.items():
        for field, value in neutral.items():
            if not is_there and getattr(ruleset, field) != value:
                yield f"{field} = {getattr(ruleset, field)} needs {needed}"


def refuse_what_cannot_be_played(ruleset: Ruleset) -> None:
    """
    Refuse a ruleset in which questions come up that the rule book does not answer.

    Raises:
        ValueError: Names the field and its value.
    """
    if why := why_unplayable(ruleset):
        raise ValueError(f"{ruleset.name}: {why}")


def variation(ruleset: Ruleset, **fields: object) -> Ruleset:
    """Return *ruleset* with other *fields*, and a name that tells them."""
    name = " ".join([ruleset.name, *(f"{field}={value}" for field, value in fields.items())])
    return replace(ruleset, name=name, **fields)  # type: ignore[arg-type]
