"""CDP Log domain: what we use of it."""

from typing import ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class Entry:
    """A line the browser itself logged; ``timestamp`` in ms since the epoch."""

    source: str
    level: str
    text: str
    timestamp: float
    url: str | None = None
    line_number: int | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report log entries, those from before included."""

    method = "Log.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Report no more log entries."""

    method = "Log.disable"


@attrs.frozen(kw_only=True)
class Clear(Command[Nothing]):
    """Forget the log entries from before."""

    method = "Log.clear"


@attrs.frozen
class EntryTime:
    """The moment of an entry in ms since the epoch."""

    timestamp: float


@attrs.frozen
class EntryCounted(Event):
    """The moment of an entry, for those who only count."""

    method: ClassVar[str] = "Log.entryAdded"
    entry: EntryTime

    @property
    def timestamp(self) -> float:
        """When it was logged."""
        return self.entry.timestamp


@attrs.frozen
class EntryAdded(Event):
    """The browser logged something."""

    method: ClassVar[str] = "Log.entryAdded"
    entry: Entry
