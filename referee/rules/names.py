"""
What a ruleset may be called, so that nobody takes it for another.

Knows: which characters a name has, and when one can be taken for that of a registered ruleset.
Does not know: where names come from, who is told.

Names stand in records and messages, where nothing but the name is seen at a glance. Letters of other scripts
look like ours, so there are none; what is left is held against the registered names with case, punctuation
and the look-alikes among letters and digits left aside.
"""

import re
from typing import Final

from referee.rules.ruleset import Ruleset
from referee.rules.rulesets import RULESETS

LONGEST: Final = 64

FILE_ENDING: Final = ".toml"
"""Tells a file from the name of a registered ruleset."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.,'+&()!-]([A-Za-z0-9 _.,'+&()!-]*[A-Za-z0-9_.,'+&()!-])?", re.ASCII)

_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"))


def wrong_with_name(name: str) -> str | None:
    """Return why no ruleset can be called *name*, which goes on after the word name; None if one can."""
    if not 0 < len(name) <= LONGEST or not _NAME.fullmatch(name):
        return (
            f" must be 1 to {LONGEST} characters, letters of the English alphabet, digits, any of _-.,'+&()! "
            f"and spaces, with none at either end, not {shown(name)}"
        )
    if name.lower().endswith(FILE_ENDING):
        return f" {name!r} would be taken for a file: leave out {FILE_ENDING}"
    return None


def taken_for(found: Ruleset) -> Ruleset | None:
    """Return the registered ruleset for which *found* is taken by its name, though its fields are others."""
    known = RULESETS.get(found.name) or _LOOKS.get(_look(found.name))
    return None if known is None or known.digest() == found.digest() else known


def shown(name: str) -> str:
    """Return *name* as a message shows it: in quotes, and short."""
    return repr(name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}...")


def _look(name: str) -> str:
    """Return what *name* has in common with all that look like it."""
    text = re.sub("[^a-z0-9]", "", name.lower())
    for one, other in _ALIKE:
        text = text.replace(one, other)
    return text


_LOOKS: Final = {_look(name): ruleset for name, ruleset in RULESETS.items()}
assert len(_LOOKS) == len(RULESETS)
