"""Logging: structlog to stderr, for stdout is the MCP wire."""

import logging
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import structlog

_log = structlog.get_logger(__name__)


def configure(level: str, hidden: Callable[[str], str] = str) -> None:
    """Lines on a terminal, else JSON; ``level`` is debug, info, warning or error.

    What is written passes through ``hidden``, which takes secrets out of it.
    """

    def hiding(_: object, __: str, line: Any) -> str:
        return hidden(line)

    renderer: Any = structlog.processors.JSONRenderer()
    tracebacks: list[Any] = [structlog.processors.format_exc_info]
    if sys.stderr.isatty():
        # The pretty tracebacks take seconds, in which nothing else runs.
        plain = structlog.dev.plain_traceback
        renderer, tracebacks = structlog.dev.ConsoleRenderer(exception_formatter=plain), []
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *tracebacks,
            renderer,
            hiding,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def is_tracing() -> bool:
    """Whether what `trace` is told is logged: it may cost something to find out."""
    return structlog.is_configured() and bool(_log.is_enabled_for(logging.DEBUG))


def trace(event: str, **about: object) -> None:
    """Log at debug level; in programs that have not configured logging, nothing."""
    if structlog.is_configured():
        _log.debug(event, **about)


@contextmanager
def span(name: str, **about: object) -> Generator[None]:
    """Log at debug level how long a phase took in ms, whatever its end was (V-PERF)."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        trace(name, duration_ms=round((time.perf_counter() - begun) * 1000, 1), **about)
