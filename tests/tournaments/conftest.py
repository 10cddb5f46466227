"""What makes many short tournaments quick: rules are compiled once, and nothing waits for the disk."""

import os
from functools import cache

import pytest

from referee.rules.engine import Rules
from tournaments.runner import play

_RULES = cache(Rules)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile each ruleset once, and take every page for written."""
    monkeypatch.setattr(play, "Rules", _RULES)
    monkeypatch.setattr(os, "fsync", lambda number: None)
