"""The register of rulesets: a name for each, and the right names for a wrong one."""

from collections.abc import Mapping
from typing import Final

from referee.errors import UnknownName
from referee.rules.ruleset import Ruleset
from referee.rules.rulesets.racket import RACKET
from referee.rules.rulesets.winning_moves import WINNING_MOVES, WINNING_MOVES_HIGHEST

RULESETS: Final[Mapping[str, Ruleset]] = {r.name: r for r in (WINNING_MOVES, WINNING_MOVES_HIGHEST, RACKET)}


def ruleset(name: str) -> Ruleset:
    """
    Return the ruleset called *name*.

    Raises:
        UnknownName: There is none; the message lists those there are.
    """
    try:
        return RULESETS[name]
    except KeyError:
        raise UnknownName("ruleset", name, RULESETS) from None
