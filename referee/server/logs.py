"""Structured logs: one line an event, for people or for programs."""

import io
import logging
import sys
from typing import Final, TextIO

import structlog

FORMATS: Final = ("console", "json")
LEVELS: Final = ("debug", "info", "warning", "error")


configured: Final[dict[str, str]] = {}
"""What `configure` was called with last, so that another process can be set up likewise; empty before."""


class Remarks(io.TextIOBase):
    """Standard error for as long as somebody takes it: what is told there decides not how a command ends."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write *text* now, or drop it."""
        try:
            if self._stream is not None:
                self._stream.write(text)
                self._stream.flush()
        except BlockingIOError:
            pass  # whoever reads it is slow; this remark is lost, not those after it
        except (OSError, ValueError):
            self._stream = None
        return len(text)

    def flush(self) -> None:
        """Keep nothing back."""

    def isatty(self) -> bool:
        """Tell whether a person looks on."""
        return self._stream is not None and self._stream.isatty()


def configure(style: str = "console", level: str = "warning") -> None:
    """Send all logs to standard error, as *style*, from *level* on."""
    configured.update(style=style, level=level)
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
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
