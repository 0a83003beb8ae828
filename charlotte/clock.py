"""Points in time as agents read them."""

import time
from datetime import UTC, datetime


def iso(moment: datetime) -> str:
    """``2026-01-31T08:00:00.123Z``: ISO 8601 in UTC (C-PR-04)."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """This moment, as `iso` writes it."""
    return iso(datetime.now(UTC))


def from_seconds(seconds: float) -> str:
    """Seconds since the epoch, as `iso` writes them."""
    return iso(datetime.fromtimestamp(seconds, UTC))


def now_ms() -> int:
    """This moment in ms since the epoch, as JavaScript's ``Date.now()`` has it."""
    return time.time_ns() // 1_000_000
