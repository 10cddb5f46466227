"""Structured logs: one line an event, for people or for programs."""

import logging
import sys
from typing import Final

import structlog

FORMATS: Final = ("console", "json")
LEVELS: Final = ("debug", "info", "warning", "error")


def configure(style: str = "console", level: str = "warning") -> None:
    """Send all logs to standard error, as *style*, from *level* on."""
    renderer: structlog.typing.Processor
    if style == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    processors: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        renderer,
    ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
