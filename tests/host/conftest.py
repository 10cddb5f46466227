"""What the tests of the host share."""

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.fakes import FakeClock


@pytest.fixture(autouse=True)
def logs() -> Iterator[list[MutableMapping[str, Any]]]:
    """Keep what games log, and keep it off the terminal."""
    with capture_logs() as kept:
        yield kept


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """Return the clock that games read in this test."""
    fake = FakeClock(1024.0)
    monkeypatch.setattr("referee.host.game.monotonic", fake)
    return fake
