"""CDP Log domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Entry:
    """A log entry of the browser itself; ``timestamp`` in ms since the epoch."""

    source: str
    level: str
    text: str
    timestamp: float
    url: str | None = None
    line_number: int | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report log entries, including earlier ones."""

    method = "Log.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Stop reporting log entries."""

    method = "Log.disable"


@attrs.frozen(kw_only=True)
class Clear(Command[Nothing]):
    """Discard earlier log entries."""

    method = "Log.clear"


@attrs.frozen
class EntryTime:
    """The time of a log entry, in ms since the epoch."""

    timestamp: float


@attrs.frozen
class EntryCounted(Event):
    """A log entry reduced to its time, for subscribers that only count."""

    method: ClassVar[str] = "Log.entryAdded"
    entry: EntryTime

    @property
    def timestamp(self) -> float:
        """Time of the entry, in ms since the epoch."""
        return self.entry.timestamp


@attrs.frozen
class EntryAdded(Event):
    """The browser added a log entry."""

    method: ClassVar[str] = "Log.entryAdded"
    entry: Entry
