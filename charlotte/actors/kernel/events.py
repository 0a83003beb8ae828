"""Event feeds: bounded streams of events that never block the publisher."""

from collections import deque
from collections.abc import Callable
from typing import Any, Generic, Self, cast
from weakref import WeakSet

import attrs
import structlog
import trio
from typing_extensions import TypeVar

from charlotte.errors import CharlotteError
from charlotte.log import now

log = structlog.get_logger(__name__)

CAPACITY = 1000


@attrs.frozen(kw_only=True)
class Event:
    """An event; ``time`` is ISO 8601 in UTC."""

    time: str = attrs.field(factory=now, eq=False)


@attrs.frozen(kw_only=True)
class Restarted(Event):
    """An actor crashed because of ``cause``.

    The supervisor starts the actor again after ``wait`` seconds, for the ``restarts``th time; None
    means that the supervisor gave up.
    """

    actor: str
    cause: CharlotteError
    restarts: int
    wait: float | None


E = TypeVar("E", bound=Event, default=Event)


class EventStream(Generic[E]):
    """Async iterator of the events since its creation; ends with its feed.

    ``lost`` counts the events that exceeded the capacity; the newest are kept.
    """

    def __init__(self, kinds: tuple[type[E], ...], capacity: int) -> None:
        self._kinds = kinds
        self._waiting = deque[E](maxlen=capacity)
        self._changed = trio.Event()
        self._closed = False
        self.lost = 0

    def put(self, event: Event) -> None:
        """Append an event if it is of a requested kind."""
        if isinstance(event, self._kinds) and not self._closed:
            self.lost += len(self._waiting) == self._waiting.maxlen
            self._waiting.append(event)
            self._wake()

    def close(self) -> None:
        """End the stream; waiting events can still be read."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
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
    """Publisher of events to its streams and hooks, and to a ``wider`` feed.

    The feed holds only weak references to its streams.
    """

    def __init__(self, wider: "Feed | None" = None) -> None:
        self._wider = wider
        self._streams = WeakSet[EventStream[Any]]()
        self._hooks: list[tuple[type[Event], Callable[[Any], None]]] = []

    def publish(self, event: Event) -> None:
        """Pass an event to all streams and hooks; exceptions of hooks are logged."""
        for stream in tuple(self._streams):
            stream.put(event)
        for kind, hook in self._hooks:
            try:
                if isinstance(event, kind):
                    hook(event)
            except Exception:
                log.exception("an event hook failed", event_type=type(event).__name__)
        if self._wider is not None:
            self._wider.publish(event)

    def add_hook(self, kind: type[E], hook: Callable[[E], None]) -> None:
        """Call a function, which must not take long, with every event of a kind."""
        self._hooks.append((kind, hook))

    def subscribe(self, *kinds: type[E], capacity: int = CAPACITY) -> EventStream[E]:
        """Return a stream of the events of these kinds; without kinds, of all events."""
        stream = EventStream(kinds or cast("tuple[type[E]]", (Event,)), capacity)
        self._streams.add(stream)
        return stream

    def close(self) -> None:
        """End all streams and drop the hooks, which would form reference cycles."""
        self._hooks.clear()
        for stream in tuple(self._streams):
            stream.close()
