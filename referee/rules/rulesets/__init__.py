"""The register of rulesets: a name for each, and the right names for a wrong one."""

from collections.abc import Mapping
from typing import Final

from referee.errors import UnknownName
from referee.rules.ruleset import Ruleset
from referee.rules.rulesets.casual_classic import (
    CASUAL_CLASSIC,
    CASUAL_CLASSIC_COUPLES,
    CASUAL_CLASSIC_MIXED,
    CASUAL_CLASSIC_START,
)
from referee.rules.rulesets.casual_super import (
    CASUAL_SUPER,
    CASUAL_SUPER_COUPLES,
    CASUAL_SUPER_MIXED,
    CASUAL_SUPER_START,
)
from referee.rules.rulesets.hasbro import HASBRO
from referee.rules.rulesets.pahrcheesi import PAHRCHEESI
from referee.rules.rulesets.pressman import PRESSMAN, PRESSMAN_GENTLE, PRESSMAN_ONE_DIE, PRESSMAN_TEAMS
from referee.rules.rulesets.racket import RACKET
from referee.rules.rulesets.selchow_righter import SELCHOW_RIGHTER
from referee.rules.rulesets.winning_moves import WINNING_MOVES, WINNING_MOVES_HIGHEST

RULESETS: Final[Mapping[str, Ruleset]] = {
    r.name: r
    for r in (
        WINNING_MOVES,
        WINNING_MOVES_HIGHEST,
        PRESSMAN,
        PRESSMAN_ONE_DIE,
        PRESSMAN_GENTLE,
        PRESSMAN_TEAMS,
        HASBRO,
        SELCHOW_RIGHTER,
        PAHRCHEESI,
        CASUAL_CLASSIC,
        CASUAL_CLASSIC_START,
        CASUAL_CLASSIC_MIXED,
        CASUAL_CLASSIC_COUPLES,
        CASUAL_SUPER,
        CASUAL_SUPER_START,
        CASUAL_SUPER_MIXED,
        CASUAL_SUPER_COUPLES,
        RACKET,
    )
}
"""Every ruleset there is, each beside those that vary it."""


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
