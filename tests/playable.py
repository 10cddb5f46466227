"""tmp"""
from referee.rules.rulesets import RULESETS

PLAYABLE = RULESETS
