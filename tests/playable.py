"""The rulesets that this version plays, for tests that play games."""

from collections.abc import Mapping
from typing import Final

from referee.errors import NotBuilt
from referee.rules.ruleset import Ruleset, require_built
from referee.rules.rulesets import RULESETS


def _can_be_played(ruleset: Ruleset) -> bool:
    try:
        require_built(ruleset)
    except NotBuilt:
        return False
    return True


PLAYABLE: Final[Mapping[str, Ruleset]] = {
    name: ruleset for name, ruleset in RULESETS.items() if _can_be_played(ruleset)
}
