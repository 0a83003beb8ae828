"""The live view for people: a page, and what it asks for; the page is public, the rest is not.

The page has no data in it. What it shows it asks for with the token, which browsers cannot send
when they load a page: it is given to the page, or stands behind the ``#`` of its address, which
browsers keep to themselves. There is nothing here that changes anything.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator
from functools import partial
from importlib.resources import files
from typing import Any, Protocol

import attrs
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from charlotte.actors.kernel.events import Event, EventStream
from charlotte.server.http.dashboard.happenings import told

PATH = "/dashboard"
_PERIOD = 1.0
_PAUSE = 0.2
"""Seconds between two states at least, however much happens."""

_PUBLIC = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_PRIVATE = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

Protect = Callable[[ASGIApp], ASGIApp]
Endpoint = Callable[[Request], Any]


class StateSource(Protocol):
    """The state to show (see `charlotte.dashboard_state`)."""

    @property
    def hidden(self) -> Callable[[Any], Any]:
        """Takes secrets out of JSON."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything but pictures and logs."""
        ...

    def events(self) -> EventStream[Event]:
        """What happens from now on."""
        ...

    def details(self, tab_id: str) -> dict[str, Any] | None:
        """Console and network of a tab."""
        ...

    async def picture(self, tab_id: str) -> bytes | None:
        """A JPEG of a tab."""
        ...


@attrs.define(eq=False)
class Dashboard:
    """Answers what the page asks."""

    _source: StateSource
    _streams: set[EventStream[Event]] = attrs.field(factory=set[EventStream[Event]])
    _closed: bool = False

    def close(self) -> None:
        """End what is shown live."""
        self._closed = True
        for stream in self._streams:
            stream.close()

    def routes(self, protect: Protect) -> Iterator[BaseRoute]:
        """The page for everybody, and its data for those whom ``protect`` lets in."""
        yield Route(PATH, _moved)
        yield Route(f"{PATH}/", partial(_shown, "index.html"))
        for file in files(__name__).joinpath("page").iterdir():
            yield Route(f"{PATH}/{file.name}", partial(_shown, file.name))
        data: dict[str, Endpoint] = {
            "live": self._live,
            "tabs/{tab_id}": self._details,
            "tabs/{tab_id}/picture": self._picture,
        }
        for name, endpoint in data.items():
            yield Route(f"{PATH}/api/{name}", protect(_as_app(endpoint)), methods=["GET"])

    async def _live(self, _: Request) -> Response:
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=_PRIVATE)

    async def _stream(self) -> AsyncGenerator[str]:
        """Events as they happen, and the state every second and shortly after events."""
        events = self._source.events()
        self._streams.add(events)
        try:
            while not self._closed:
                yield self._frame("state", self._source.state())
                now = trio.current_time()
                soon, deadline = now + _PAUSE, now + _PERIOD
                while (event := await _next(events, deadline)) is not None:
                    yield self._frame("event", told(event))
                    deadline = soon
        finally:
            self._streams.discard(events)

    def _frame(self, name: str, value: Any) -> str:
        """One event of a stream (HTML standard, server-sent events); JSON has no line breaks."""
        return f"event: {name}\ndata: {json.dumps(self._source.hidden(value))}\n\n"

    async def _details(self, request: Request) -> Response:
        details = self._source.details(request.path_params["tab_id"])
        return JSONResponse(self._source.hidden(details), 404 if details is None else 200, _PRIVATE)

    async def _picture(self, request: Request) -> Response:
        picture = await self._source.picture(request.path_params["tab_id"])
        if picture is None:
            return Response(status_code=204, headers=_PRIVATE)
        return Response(picture, media_type="image/jpeg", headers=_PRIVATE)


async def _next(events: EventStream[Event], deadline: float) -> Event | None:
    """The next event, if it comes in time."""
    with trio.move_on_at(deadline):
        return await anext(events, None)
    return None


async def _moved(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")


async def _shown(name: str, _: Request) -> Response:
    content = files(__name__).joinpath("page", name).read_bytes()
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]], headers=_PUBLIC)


def _as_app(endpoint: Endpoint) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(Request(scope))
        await response(scope, receive, send)

    return app
