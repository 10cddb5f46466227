"""What organisers write: TOML files, and their own rulesets in them."""
