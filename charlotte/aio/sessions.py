"""Sessions and event streams for asyncio; each call runs in trio's thread."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Generic, Self

from typing_extensions import TypeVar

from charlotte import app, session
from charlotte.actors.kernel import events
from charlotte.actors.kernel.events import CAPACITY, Event
from charlotte.aio.bridge import Bridge
from charlotte.tools.answer import Answer
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
E = TypeVar("E", bound=Event, default=Event)


class EventStream(Generic[E]):
    """The events since the stream was created (see `charlotte.actors.kernel.events`)."""

    def __init__(self, bridge: Bridge, listen: Callable[[], events.EventStream[E]]) -> None:
        self._bridge = bridge
        self._stream: events.EventStream[E] | None = None

        def begin() -> None:
            self._stream = listen()

        bridge.post(begin)  # calls made later are executed later

    @property
    def lost(self) -> int:
        """The number of events that were dropped because the stream was full."""
        return self._stream.lost if self._stream else 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        return await self._bridge.run(self._next)

    async def _next(self) -> E:
        if self._stream is None:
            raise StopAsyncIteration
        return await anext(self._stream)


class Session(SessionMethods):
    """One session: its own cookies and storage, its own tabs."""

    def __init__(self, inner: session.Session, bridge: Bridge) -> None:
        self._inner = inner
        self._bridge = bridge

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool in trio's thread."""
        return await self._bridge.run(partial(self._inner.run_tool, tool, arguments))

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name.

        Raises `UnknownTool`, or the `CharlotteError` that is the answer.
        """
        return await self._bridge.run(partial(self._inner.call, name, arguments))

    async def status(self) -> dict[str, Any]:
        """Return the server's status (see `charlotte.actors.introspection`)."""
        return await self._bridge.call(self._inner.status)

    def events(self, *kinds: type[E], capacity: int = CAPACITY) -> EventStream[E]:
        """Return the events of this session's tabs from now on, of these kinds or all."""
        return EventStream(self._bridge, partial(self._inner.events, *kinds, capacity=capacity))


class Charlotte:
    """One browser and its supervisor, serving many sessions."""

    def __init__(self, inner: app.Charlotte, bridge: Bridge) -> None:
        self._inner = inner
        self._bridge = bridge

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[Session]:
        """Open a session with an isolated browser context; its tabs close at the end."""
        async with self._bridge.entered(self._inner.open_session) as opened:
            yield Session(opened, self._bridge)

    async def status(self) -> dict[str, Any]:
        """Return the server's status (see `charlotte.actors.introspection`)."""
        return await self._bridge.call(self._inner.status)

    @property
    def last_tab(self) -> int:
        """The number of the tab that was opened last, in any session; 0 if none was."""
        return self._inner.last_tab

    async def number_tabs_after(self, number: int) -> None:
        """Skip the tab ids up to ``tab-NUMBER``."""
        await self._bridge.call(partial(self._inner.number_tabs_after, number))

    def events(self, *kinds: type[E], capacity: int = CAPACITY) -> EventStream[E]:
        """Return the events of all sessions' tabs and actors from now on."""
        return EventStream(self._bridge, partial(self._inner.events, *kinds, capacity=capacity))
