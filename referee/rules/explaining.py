def explain(ruleset, side, state, step): return None
