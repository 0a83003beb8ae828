"""The localStorage of origins: a hidden page goes to each, without the network being asked."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import attrs
import trio

from charlotte.protocol import fetch, page
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.session import Session, Subscription

_READ = "JSON.stringify(Object.entries(localStorage))"
_WRITE = "for (const [name, value] of {}) localStorage.setItem(name, value)"
_WAIT = 5.0

Items = list[tuple[str, str]]


def origin_of(url: str) -> str | None:
    """The origin of an http or https address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} else None


@attrs.frozen(eq=False)
class Visitor:
    """A page that is nobody's, which can be of any origin."""

    _session: Session
    _held: Subscription[fetch.RequestPaused]
    _arrivals: Subscription[page.LifecycleEvent]

    async def read(self, origin: str) -> Items:
        """What an origin has stored."""
        text = await self._run(origin, _READ)
        return [(name, value) for name, value in json.loads(text or "[]")]

    async def write(self, origin: str, items: Items) -> None:
        """Store items, beside those that are there."""
        await self._run(origin, _WRITE.format(json.dumps(items)))

    async def _run(self, origin: str, expression: str) -> Any:
        """What a script comes to in a blank document of the origin; None if there can be none."""
        with trio.move_on_after(_WAIT):
            going = await self._session.begin(page.Navigate(url=f"{origin}/"))
            await self._session.begin(_blank((await self._held.next()).request_id))
            arrived = await going.result()
            while not _is_load(await self._arrivals.next(), arrived.loader_id):
                pass
            return (await self._session.call(Evaluate(expression=expression))).result.value
        return None


@asynccontextmanager
async def open_visitor(session: Session) -> AsyncGenerator[Visitor]:
    """Have a hidden page's session go where it is sent."""
    with (
        session.events(fetch.RequestPaused) as held,
        session.events(page.LifecycleEvent) as arrivals,
    ):
        await session.call_all(
            page.Enable(),
            page.SetLifecycleEventsEnabled(enabled=True),
            fetch.Enable(patterns=[fetch.Pattern("*")]),
        )
        yield Visitor(session, held, arrivals)


def _blank(request_id: str) -> fetch.FulfillRequest:
    header = fetch.HeaderEntry("content-type", "text/html")
    return fetch.FulfillRequest(
        request_id=request_id, response_code=200, response_headers=[header], body=""
    )


def _is_load(event: page.LifecycleEvent, loader_id: str | None) -> bool:
    return event.name == "load" and event.loader_id == loader_id
