"""Points in time in the format of answers."""

import time
from datetime import UTC, datetime


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
