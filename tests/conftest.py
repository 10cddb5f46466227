"""What holds for all tests: where nothing may be left out, a test that is skipped has failed."""

import os
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where `REQUIRE_ALL` is set, as it is in continuous integration."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("REQUIRE_ALL"):
        report.outcome = "failed"
    return report
