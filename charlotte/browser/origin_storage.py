"""Access to the localStorage of origins by a hidden page, without network requests."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import trio

from charlotte.protocol import fetch, network, page
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.session import Session, Subscription

_READ = "JSON.stringify(Object.entries(localStorage))"
_WRITE = "for (const [name, value] of {}) localStorage.setItem(name, value); true"
_WAIT = 5.0

Items = list[tuple[str, str]]
_Event = fetch.RequestPaused | page.LifecycleEvent


@attrs.frozen(eq=False)
class Visitor:
    """A hidden page that can have any origin."""

    _session: Session
    _events: Subscription[_Event]

    async def read(self, origin: str) -> Items | None:
        """Return the items of an origin; None if it cannot be visited."""
        text = await self._run(origin, _READ)
        return None if text is None else [(name, value) for name, value in json.loads(text)]

    async def write(self, origin: str, items: Items) -> bool:
        """Add items to an origin; return whether that was possible."""
        return await self._run(origin, _WRITE.format(json.dumps(items))) is True

    async def _run(self, origin: str, expression: str) -> Any:
        """Evaluate a script in a blank document of the origin; None without such a document."""
        with trio.move_on_after(_WAIT):
            if await self._is_there(f"{origin}/"):
                return (await self._session.call(Evaluate(expression=expression))).result.value
        return None

    async def _is_there(self, url: str) -> bool:
        """Navigate to a URL, answer its request, and return whether a document was loaded."""
        going = await self._session.begin(page.Navigate(url=url))
        loader_id: str | None = None
        while True:
            match await self._events.next():
                case fetch.RequestPaused(request_id=request_id, network_id=loader_id):
                    await self._session.begin(_blank(request_id))
                case page.LifecycleEvent(name="load", loader_id=loaded):
                    # the load event of the previous document can arrive late
                    if loaded == loader_id or going.settled.is_set():
                        return (await going.result()).error_text is None
                case _:
                    pass


@asynccontextmanager
async def open_visitor(session: Session) -> AsyncGenerator[Visitor]:
    """Prepare the session of a hidden page for visits."""
    types: tuple[type[_Event], ...] = (fetch.RequestPaused, page.LifecycleEvent)
    with session.events(*types) as events:
        await session.call_all(
            page.Enable(),
            page.SetLifecycleEventsEnabled(enabled=True),
            network.SetBypassServiceWorker(bypass=True),  # it would answer the request
            fetch.Enable(patterns=[fetch.Pattern("*")]),
        )
        yield Visitor(session, events)


def _blank(request_id: str) -> fetch.FulfillRequest:
    header = fetch.HeaderEntry("content-type", "text/html")
    return fetch.FulfillRequest(
        request_id=request_id, response_code=200, response_headers=[header], body=""
    )
