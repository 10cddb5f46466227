"""What the tests of records share."""

from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Keep what games log off the terminal."""
    with capture_logs():
        yield
