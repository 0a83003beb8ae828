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


@attrs.frozen
class EntryAdded(Event):
    """The browser logged something."""

    method: ClassVar[str] = "Log.entryAdded"
    entry: Entry
