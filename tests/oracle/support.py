"""
What the slow checker reads, so that nobody takes its silence for an answer.

Knows: the values of each field that the checker's text covers.
Does not know: what they mean (`possible.py`, `filters.py`, `checker.py`).
"""

from dataclasses import replace

from referee.rules.ruleset import (
    BonusTiming,
    Capture,
    DoubletFaces,
    DoubletHome,
    EntryCapture,
    ExtraThrow,
    ExtraThrowIf,
    Fourteen,
    MustEnter,
    MustOpen,
    Pairs,
    Ruleset,
    SamePair,
    SingleNumber,
    SquareLimit,
    Teams,
    ThirdThrow,
    TurnOrder,
    Use,
)

WRITTEN_HERE: dict[str, tuple[object, ...]] = {
    "dice": (2,),
    "turn_order": (TurnOrder.WITH,),
    "pawns_out_at_start": (0,),
    "must_enter": (MustEnter.NEVER, MustEnter.WHEN_POSSIBLE),
    "capture": (Capture.LANDING,),
    "entry_capture": (EntryCapture.ALONE,),
    "safe_sharing": (False,),
    "square_limit": (SquareLimit.TWO,),
    "pairs": (Pairs.SAME_COLOUR,),
    "lane_pairs_block": (True,),
    "bonus_timing": (BonusTiming.AFTER_NUMBERS, BonusTiming.ANY_TIME),
    "doublet_faces": tuple(DoubletFaces),
    "fourteen": tuple(Fourteen),
    "doublet_home": (DoubletHome.FREE,),
    "use": tuple(Use),
    "single_number": (SingleNumber.EITHER,),
    "same_pair": (SamePair.FREE, SamePair.FORBIDDEN),
    "must_open": (MustOpen.NONE,),
    "extra_throw": (ExtraThrow.NONE, ExtraThrow.DOUBLET),
    "extra_throw_if": (ExtraThrowIf.ALWAYS,),
    "third_throw": (ThirdThrow.NONE, ThirdThrow.NEAREST_HOME),
    "six_counts_seven": (False,),
    "second_lap": (False,),
    "double_one_breaks": (False,),
    "teams": (Teams.NONE,),
}
"""The values that the checker reads; the fields that are missing do not matter here."""


def refuse_what_is_not_written_here(ruleset: Ruleset) -> None:
    """
    Refuse a ruleset that the checker cannot judge.

    Raises:
        NotImplementedError: Names the field and its value.
    """
    for field, values in WRITTEN_HERE.items():
        if getattr(ruleset, field) not in values:
            raise NotImplementedError(f"the checker does not read {field} = {getattr(ruleset, field)}")


def variation(ruleset: Ruleset, **fields: object) -> Ruleset:
    """Return *ruleset* with other *fields*, and a name that tells them."""
    name = " ".join([ruleset.name, *(f"{field}={value}" for field, value in fields.items())])
    return replace(ruleset, name=name, **fields)  # type: ignore[arg-type]
