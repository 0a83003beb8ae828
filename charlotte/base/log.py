"""Logging with structlog to stderr, and the time of day; stdout carries MCP messages."""

import logging
import os
import select
import sys
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TextIO

import structlog

_log = structlog.get_logger(__name__)


class Stderr:
    """Non-blocking writer of log lines; lines are dropped if the pipe or disk is full.

    A client that does not read stderr, or closes it, must not block or end the server.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lost = 0

    def msg(self, line: str) -> None:
        """Write a line, preceded by the number of lines that were dropped since the last one."""
        gap = f'\n{{"event": "log lines were dropped", "lines": {self._lost}}}\n'
        data = f"{gap if self._lost else ''}{line}\n".encode(errors="replace")
        pieces = range(0, len(data), select.PIPE_BUF)  # a ready pipe accepts one piece
        if all(self._takes(data[start : start + select.PIPE_BUF]) for start in pieces):
            self._lost = 0
        else:
            self._lost += 1

    debug = info = warning = error = critical = msg

    def _takes(self, piece: bytes) -> bool:
        try:
            _, ready, _ = select.select((), (self._descriptor,), (), 0)
            return bool(ready) and os.write(self._descriptor, piece) == len(piece)
        except OSError:
            return False


def _logger() -> Any:
    with suppress(OSError):
        return Stderr(sys.stderr.fileno())
    return structlog.PrintLogger(sys.stderr)  # a notebook has no file descriptor


def _write_traceback(out: TextIO, error: Any) -> None:
    """Write a traceback indented and escaped; a pretty one blocks the event loop for seconds."""
    lines = "".join(traceback.format_exception(*error)).splitlines()
    out.writelines("\n  " + repr(line)[1:-1] for line in lines)


def configure(level: str, hidden: Callable[[str], str] = str) -> None:
    """Configure logging: readable lines on a terminal, else JSON.

    ``level`` is debug, info, warning or error. ``hidden`` redacts secrets in each line.
    """

    def hiding(_: object, __: str, line: Any) -> str:
        return hidden(line)

    logger = _logger()
    renderer: Any = structlog.processors.JSONRenderer()
    tracebacks: list[Any] = [structlog.processors.format_exc_info]
    if sys.stderr.isatty():
        make, tracebacks = structlog.dev.ConsoleRenderer, []
        renderer = make(repr_native_str=True, exception_formatter=_write_traceback)
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
        logger_factory=lambda *_: logger,
    )


def is_tracing() -> bool:
    """Return whether `trace` logs, for callers whose arguments are expensive."""
    return structlog.is_configured() and bool(_log.is_enabled_for(logging.DEBUG))


def trace(event: str, **about: object) -> None:
    """Log at debug level, if logging is configured."""
    if structlog.is_configured():
        _log.debug(event, **about)


@contextmanager
def span(name: str, **about: object) -> Generator[None]:
    """Log the duration of the block in ms at debug level (V-PERF)."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        trace(name, duration_ms=round((time.perf_counter() - begun) * 1000, 1), **about)


def iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC, such as ``2026-01-31T08:00:00.123Z`` (C-PR-04)."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """Return the current time in the format of `iso`."""
    return iso(datetime.now(UTC))


def from_seconds(seconds: float) -> str:
    """Convert seconds since the epoch to the format of `iso`."""
    return iso(datetime.fromtimestamp(seconds, UTC))


def now_ms() -> int:
    """Return the current time in ms since the epoch, like ``Date.now()`` in JavaScript."""
    return time.time_ns() // 1_000_000
