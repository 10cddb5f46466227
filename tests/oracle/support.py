"""
Which rulesets there are to be judged, and how one is made of another.

Knows: which combinations of values the rule book calls unplayable.
Does not know: what the values mean (`possible.py`, `filters.py`, `checker.py`).
"""

from dataclasses import replace

from referee.rules.ruleset import (
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    Fourteen,
    MustOpen,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
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
    return ""


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
