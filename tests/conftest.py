"""What holds for all tests: skips fail where nothing may be left out, and no test changes another's logs."""

import os
from collections.abc import Generator

import pytest
import structlog


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where `REQUIRE_ALL` is set, as it is in continuous integration."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("REQUIRE_ALL"):
        report.outcome = "failed"
    return report


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Generator[None]:
    """Undo what a command that ran within a test made of the logs: others listen to all of them."""
    yield
    structlog.reset_defaults()
