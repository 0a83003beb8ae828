"""What happens by itself, told as it happens to whoever listens: bounded, and nobody waits for it.

Event                    ``time`` is ISO 8601 in UTC
├── Restarted            an actor crashed, and comes back or was given up
└── TabEvent
    ├── TabOpened        by an agent, a program or a page
    ├── TabClosed
    ├── Navigated        the tab shows another document, or the same one under another URL
    ├── Loaded           its load event has fired
    ├── Crashed          its renderer died
    ├── Restored         it is back at its URL after a crash of its own or of the browser
    ├── DialogOpened     a dialog blocks the page until it is answered
    ├── ConsoleLogged    the page or the browser wrote to the console
    └── DownloadChanged  a download has begun or ended
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Generic, Self, cast
from weakref import WeakSet

import attrs
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.clock import now

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charlotte.actors.monitors.transcript import ConsoleMessage
    from charlotte.actors.state.dialogs import PendingDialog
    from charlotte.errors import CharlotteError

log = structlog.get_logger(__name__)

CAPACITY = 1000


@attrs.frozen(kw_only=True)
class Event:
    """Something that happened."""

    time: str = attrs.field(factory=now, eq=False)


@attrs.frozen(kw_only=True)
class Restarted(Event):
    """An actor crashed because of ``cause``.

    It comes back in ``wait`` seconds, for the ``restarts``th time; None: it was given up.
    """

    actor: str
    cause: CharlotteError
    restarts: int
    wait: float | None


@attrs.frozen(kw_only=True)
class TabEvent(Event):
    """Something that happened to a tab."""

    tab_id: str


@attrs.frozen(kw_only=True)
class TabOpened(TabEvent):
    """There is a new tab; ``opener`` is the one whose page opened it."""

    opener: str | None = None


@attrs.frozen(kw_only=True)
class TabClosed(TabEvent):
    """A tab is gone."""


@attrs.frozen(kw_only=True)
class Navigated(TabEvent):
    """A tab is at another URL; with ``same_document``, by a script of the page that it shows."""

    url: str
    same_document: bool


@attrs.frozen(kw_only=True)
class Loaded(TabEvent):
    """A document is loaded."""

    url: str


@attrs.frozen(kw_only=True)
class Crashed(TabEvent):
    """A renderer died."""

    url: str


@attrs.frozen(kw_only=True)
class Restored(TabEvent):
    """A tab is back."""

    url: str


@attrs.frozen(kw_only=True)
class DialogOpened(TabEvent):
    """A dialog waits for an answer."""

    dialog: PendingDialog


@attrs.frozen(kw_only=True)
class ConsoleLogged(TabEvent):
    """A line of the console."""

    message: ConsoleMessage


@attrs.frozen(kw_only=True)
class DownloadChanged(TabEvent):
    """A download is ``in_progress``, ``completed`` (at ``path``) or ``canceled``."""

    name: str
    url: str
    state: str
    path: Path | None


E = TypeVar("E", bound=Event, default=Event)


class EventStream(Generic[E]):
    """Events from the moment it was made on: an async iterator that ends with what it is about.

    ``lost`` counts those that found no room; the newest are kept.
    """

    def __init__(self, kinds: tuple[type[E], ...], capacity: int) -> None:
        self._kinds = kinds
        self._waiting = deque[E](maxlen=capacity)
        self._changed = trio.Event()
        self._closed = False
        self.lost = 0

    def put(self, event: Event) -> None:
        """Take in an event, if it is of a kind that is wanted."""
        if isinstance(event, self._kinds) and not self._closed:
            self.lost += len(self._waiting) == self._waiting.maxlen
            self._waiting.append(event)
            self._wake()

    def close(self) -> None:
        """Take in no more; what is there can still be read."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        """Wake all readers; those that find nothing wait for the next change."""
        self._changed.set()
        self._changed = trio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        await trio.lowlevel.checkpoint()
        while not self._waiting:
            if self._closed:
                raise StopAsyncIteration
            await self._changed.wait()
        return self._waiting.popleft()


class Feed:
    """Where events are told: to the streams that listen here, and to a wider feed.

    A stream that nobody holds any more is forgotten.
    """

    def __init__(self, wider: Feed | None = None) -> None:
        self._wider = wider
        self._streams = WeakSet[EventStream[Any]]()
        self._hooks: list[tuple[type[Event], Callable[[Any], None]]] = []

    def tell(self, event: Event) -> None:
        """Tell an event; nobody is waited for, and nobody's bugs are heard of."""
        for stream in tuple(self._streams):
            stream.put(event)
        for kind, hook in self._hooks:
            try:
                if isinstance(event, kind):
                    hook(event)
            except Exception:
                log.exception("an event hook failed", event_type=type(event).__name__)
        if self._wider is not None:
            self._wider.tell(event)

    def call(self, kind: type[E], hook: Callable[[E], None]) -> None:
        """Have every event of a kind given to a function, which must not take long."""
        self._hooks.append((kind, hook))

    def listen(self, *kinds: type[E], capacity: int = CAPACITY) -> EventStream[E]:
        """Listen to events of these kinds, or of all."""
        stream = EventStream(kinds or cast("tuple[type[E]]", (Event,)), capacity)
        self._streams.add(stream)
        return stream

    def close(self) -> None:
        """End all streams, and forget the functions: they know who listens, which is a cycle."""
        self._hooks.clear()
        for stream in tuple(self._streams):
            stream.close()
