"""Reading, keeping and restoring the localStorage of origins, without network requests."""

import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import structlog
import trio

from charlotte.browser.isolated_world import answer_of, question
from charlotte.protocol import fetch, network, page
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.runtime import Evaluate

_READ = "JSON.stringify(Object.entries(localStorage))"
_WRITE = "for (const [name, value] of {}) localStorage.setItem(name, value); true"
_WAIT = 5.0

Items = list[tuple[str, str]]
_Event = fetch.RequestPaused | page.LifecycleEvent


@attrs.frozen(eq=False)
class OriginPage:
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
            if await self._navigate(f"{origin}/"):
                return (await self._session.call(Evaluate(expression=expression))).result.value
        return None

    async def _navigate(self, url: str) -> bool:
        """Navigate to a URL, answer its request, and return whether a document was loaded."""
        navigation = await self._session.begin(page.Navigate(url=url))
        loader_id: str | None = None
        while True:
            match await self._events.next():
                case fetch.RequestPaused(request_id=request_id, network_id=loader_id):
                    await self._session.begin(_blank(request_id))
                case page.LifecycleEvent(name="load", loader_id=loaded):
                    # the load event of the previous document can arrive late
                    if loaded == loader_id or navigation.settled.is_set():
                        return (await navigation.result()).error_text is None
                case _:
                    pass


@asynccontextmanager
async def open_origin_page(session: Session) -> AsyncGenerator[OriginPage]:
    """Prepare the session of a hidden page for visits."""
    types: tuple[type[_Event], ...] = (fetch.RequestPaused, page.LifecycleEvent)
    with session.events(*types) as events:
        await session.call_all(
            page.EnablePage(),
            page.SetLifecycleEventsEnabled(enabled=True),
            network.SetBypassServiceWorker(bypass=True),  # it would answer the request
            fetch.EnableFetch(patterns=[fetch.Pattern("*")]),
        )
        yield OriginPage(session, events)


def _blank(request_id: str) -> fetch.FulfillRequest:
    header = fetch.HeaderEntry("content-type", "text/html")
    return fetch.FulfillRequest(
        request_id=request_id, response_code=200, response_headers=[header], body=""
    )


log = structlog.get_logger(__name__)

MAX_CHARACTERS = 10_000_000
"""Maximum characters kept for all origins together."""


@attrs.define(eq=False)
class StoredItems:
    """The localStorage of origins as last seen; the oldest entries are dropped first."""

    _by_origin: OrderedDict[str, Items] = attrs.field(factory=OrderedDict[str, Items])

    def note(self, origin: str, items: Items | None) -> None:
        """Store the present items of an origin; None means too many to keep."""
        self._by_origin.pop(origin, None)
        if items:
            self._by_origin[origin] = items
        while (
            sum(len(name) + len(value) for kept in self._by_origin.values() for name, value in kept)
            > MAX_CHARACTERS
        ):
            forgotten, _ = self._by_origin.popitem(last=False)
            log.warning("localStorage of an origin is too large to keep", origin=forgotten)

    def __bool__(self) -> bool:
        return bool(self._by_origin)

    def origins(self, first: Iterable[str]) -> list[str]:
        """Return the origins with items: ``first`` ones, then the newest."""
        newest = reversed(self._by_origin)
        return [origin for origin in dict.fromkeys((*first, *newest)) if origin in self._by_origin]

    async def restore(self, visitor: OriginPage, first: Iterable[str], seconds: float) -> None:
        """Write the items to a new browser, within the time limit."""
        missing = self.origins(first)
        with trio.move_on_after(seconds):
            for origin in tuple(missing):
                if await visitor.write(origin, self._by_origin[origin]):
                    missing.remove(origin)
        if missing:
            log.warning("localStorage could not be restored", origins=missing)


@attrs.define(eq=False)
class StorageReader:
    """Queries the documents of one page, which answer only changed items."""

    _known: tuple[str, int] = ("", 0)

    async def ask(self, session: Session, context: str) -> tuple[str, Items | None] | None:
        """Return origin and items of a document; None if they are unchanged."""
        known = self._known[1] if self._known[0] == context else 0
        answer = answer_of(await session.call(question(context, "stored", known)))
        if not answer:
            return None
        parts = json.loads(answer)
        stored = json.loads(parts["snapshot"])
        self._known = context, parts["checksum"]
        return stored["origin"], stored["items"]
