"""Logging: structlog to stderr, for stdout is the MCP wire."""

import logging
import os
import select
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import structlog

_log = structlog.get_logger(__name__)


class Stderr:
    """Where log lines go: dropped where nobody reads them, or no disk has room for them.

    What a client does with its end of the pipe must neither hold the server up nor end it.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lost = 0

    def msg(self, line: str) -> None:
        """Write a line, and before it how many were lost, the last of them perhaps half."""
        gap = f'\n{{"event": "lines of the log were lost", "lines": {self._lost}}}\n'
        data = f"{gap if self._lost else ''}{line}\n".encode(errors="replace")
        pieces = range(0, len(data), select.PIPE_BUF)  # what a pipe that is ready takes at once
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
    return structlog.PrintLogger(sys.stderr)  # a notebook's


def configure(level: str, hidden: Callable[[str], str] = str) -> None:
    """Lines on a terminal, else JSON; ``level`` is debug, info, warning or error.

    What is written passes through ``hidden``, which takes secrets out of it.
    """

    def hiding(_: object, __: str, line: Any) -> str:
        return hidden(line)

    logger = _logger()
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
        logger_factory=lambda *_: logger,
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
