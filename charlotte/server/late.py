"""Owns the moment at which the service opens: after the client has been greeted."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NoReturn

import attrs
import trio
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp_types import RequestId

from charlotte.server.greeting import Greeting
from charlotte.server.roots import client_roots
from charlotte.server.service import Service
from charlotte.server.visits import Context, Visit, list_changed
from charlotte.tools.answer import Changed


def _at_once(_: RequestId | None, delivered: Callable[[], None]) -> None:
    """Take an answer for delivered that no transport has said how to follow."""
    delivered()


@attrs.define(eq=False)
class LateService:
    """A service that opens when it is first wanted; loading it must not delay the handshake.

    It is the one session of the one client, whatever a request says.
    """

    greeting: Greeting
    _open: Callable[[], AbstractAsyncContextManager[Service]]
    on_answer: Callable[[RequestId | None, Callable[[], None]], None] = _at_once
    _service: Service | None = None
    _wanted: trio.Event = attrs.field(factory=trio.Event)
    _there: trio.Event = attrs.field(factory=trio.Event)
    _queue: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)
    _knows_roots: bool = False
    _uses_roots: bool = False
    _asking: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)
    _bus: InMemorySubscriptionBus = attrs.field(factory=InMemorySubscriptionBus)

    async def run(self, on_change: Callable[[Changed], None]) -> NoReturn:
        """Wait until it is wanted, then keep it open; raises what opening it raised."""
        await self._wanted.wait()
        async with self._open() as self._service:
            forget = self._service.on_change(on_change)
            self._there.set()
            try:
                await trio.sleep_forever()
            finally:
                forget()

    def want(self) -> None:
        """Have it opened now."""
        self._wanted.set()

    async def opened(self) -> Service:
        """Return the service, as soon as it is there."""
        if self._service is None or self._queue.locked():
            self.want()
            async with self._queue:  # what came while it was loaded goes on in that order
                await self._there.wait()
        return self.now()

    def now(self) -> Service:
        """Return the service, which has been `opened` before."""
        if self._service is None:
            raise RuntimeError("the service is not open yet")
        return self._service

    def glance(self, _: Context, _session: str | None = None) -> Service:
        """The session, which has been `opened` before."""
        return self.now()

    def name(self, _: Context) -> None:
        """Return None: the client has one session, without a name."""

    def bus(self, _: Context) -> InMemorySubscriptionBus:
        """The client's, from the beginning."""
        return self._bus

    @asynccontextmanager
    async def visit(self, context: Context, _: dict[str, Any]) -> AsyncGenerator[Visit]:
        """The session, which has been `opened` before."""
        if not self._knows_roots or self._asking.locked():
            async with self._asking:  # what came while the client was asked goes on in that order
                await self._learn_roots(context)
        yield Visit(self.now())

    async def _learn_roots(self, context: Context) -> None:
        """Ask the client for the directories that it works in, again when they have changed."""
        if not self._knows_roots:
            self._knows_roots = True
            roots = await client_roots(context)
            if roots or (self._uses_roots and roots is not None):
                self._uses_roots = True
                self.now().use_roots(roots)

    def roots_changed(self) -> None:
        """Have the client asked again, before its next call."""
        self._knows_roots = False

    async def publish(self, changed: Changed) -> None:
        """Publish that one of the session's lists has changed."""
        await self._bus.publish(list_changed(changed))

    def when_sent(self, context: Context, delivered: Callable[[], None]) -> None:
        """Have a callback called once the answer to a request is written."""
        self.on_answer(context.request_id, delivered)

    def parameters(self, _: Context) -> dict[str, Any]:
        """Nothing: there is no session to be named."""
        return {}

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return one tool's schema; None if there is no such tool."""
        return self.now().input_schema(name)
