"""The live view for people: a public page, and its data, which requires a token.

The page contains no data. It requests the data with the token, which browsers cannot send when they
load a page: people enter the token, or it follows the ``#`` of the address, which browsers do not
send. All routes are read-only, except the one that grants agents a tab of the browser's owner, the
one that answers a question of the policy, and those on which a person works in a tab.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any

import attrs
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, request_response
from starlette.types import ASGIApp

from charlotte.actors.kernel.mailbox import Event, EventStream, Restarted
from charlotte.actors.state.events import (
    AdoptionChanged,
    ConsoleLogged,
    Crashed,
    DialogAnswered,
    DialogOpened,
    DownloadChanged,
    GrantChanged,
    Loaded,
    Navigated,
    NavigationRefused,
    QuestionAsked,
    QuestionSettled,
    Restored,
    TabClosed,
    TabEvent,
    TabOpened,
    TakeoverChanged,
)
from charlotte.engine import DashboardSource
from charlotte.server.http.dashboard.responses import (
    DONE,
    PRIVATE,
    EventResponse,
    read_json,
    refuse,
)
from charlotte.server.http.dashboard.turns import Turns

PATH = "/dashboard"
_PERIOD = 1.0
_MIN_INTERVAL = 0.2
"""Minimum seconds between two states."""
_MAX_TEXT = 300

_PUBLIC = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

EVENT_TEXTS: Mapping[type[Event], str] = {
    TabOpened: "opened",
    TabClosed: "closed",
    Navigated: "at {0.url}",
    Loaded: "loaded {0.url}",
    Crashed: "renderer died at {0.url}",
    Restored: "back at {0.url}",
    DialogOpened: "{0.dialog.type}: {0.dialog.message}",
    DialogAnswered: "{0.dialog.type} answered: {0.dialog.message}",
    NavigationRefused: "refused {0.url}",
    ConsoleLogged: "{0.message.level}: {0.message.text}",
    DownloadChanged: "download {0.name}: {0.state}",
    GrantChanged: "granted for {0.site}",
    AdoptionChanged: "released {0.owner_tab}",
    TakeoverChanged: "a person is asked: {0.what}",
    QuestionAsked: "waits for a person: {0.held}",
    QuestionSettled: "{0.held}: {0.reason}",
    Restarted: "{0.actor} crashed, comes back in {0.wait} s",
}

Protect = Callable[[ASGIApp], ASGIApp]


@attrs.define(eq=False)
class Dashboard:
    """The routes of the live view."""

    _source: DashboardSource
    _streams: set[EventStream[Event]] = attrs.field(factory=set[EventStream[Event]])
    _closed: bool = False

    def close(self) -> None:
        """End the live streams."""
        self._closed = True
        for stream in self._streams:
            stream.close()

    def routes(self, protect: Protect) -> Iterator[BaseRoute]:
        """Yield the routes of the public page, and of its data behind ``protect``."""
        yield Route(PATH, RedirectResponse(f"{PATH}/"), methods=["GET"])
        for file in files(__name__).joinpath("page").iterdir():
            media_type = _TYPES[file.name.rpartition(".")[2]]
            page = Response(file.read_bytes(), media_type=media_type, headers=_PUBLIC)
            path = "" if file.name == "index.html" else file.name
            yield Route(f"{PATH}/{path}", page, methods=["GET"])
        for name, endpoint in {
            "live": self._send_live,
            "tabs/{tab_id}": self._send_details,
            "tabs/{tab_id}/picture": self._send_picture,
        }.items():
            data = protect(request_response(endpoint))
            yield Route(f"{PATH}/api/{name}", data, methods=["GET"])
        for name, change in {
            "owner/{tab_id}": self._change_grant,
            "questions/{question_id}": self._answer_question,
        }.items():
            changing = protect(request_response(change))
            yield Route(f"{PATH}/api/{name}", changing, methods=["POST"])
        for method, name, endpoint in Turns(self._source).endpoints():
            turn = protect(request_response(endpoint))
            yield Route(f"{PATH}/api/{name}", turn, methods=[method])

    async def _send_live(self, _: Request) -> Response:
        return EventResponse(self._stream())

    async def _stream(self) -> AsyncGenerator[str]:
        """Yield events at once, and the state every second and shortly after events."""
        events = self._source.events()
        self._streams.add(events)
        try:
            while not self._closed:
                yield self._frame("state", self._source.state())
                now = trio.current_time()
                soon, deadline = now + _MIN_INTERVAL, now + _PERIOD
                while (event := await _next_event(events, deadline)) is not None:
                    yield self._frame("event", event_row(event))
                    deadline = soon
        finally:
            self._streams.discard(events)

    def _frame(self, name: str, value: Any) -> str:
        """Return a server-sent event; JSON contains no line breaks."""
        return f"event: {name}\ndata: {json.dumps(self._source.hidden(value))}\n\n"

    async def _send_details(self, request: Request) -> Response:
        details = await self._source.read_details(request.path_params["tab_id"])
        return JSONResponse(self._source.hidden(details), 404 if details is None else 200, PRIVATE)

    async def _send_picture(self, request: Request) -> Response:
        picture = await self._source.picture(request.path_params["tab_id"])
        if picture is None:
            return DONE
        return Response(picture, media_type="image/jpeg", headers=PRIVATE)

    async def _answer_question(self, request: Request) -> Response:
        """Let a held request pass, once, if ``allow`` of the JSON body is true, else refuse it."""
        match await read_json(request):
            case {"allow": bool() as allow}:
                pass
            case _:
                return refuse(400, "The body must have allow: true or false.")
        if not self._source.answer_question(request.path_params["question_id"], allow=allow):
            return refuse(409, "The question was answered already, or its time is over.")
        return DONE

    async def _change_grant(self, request: Request) -> Response:
        """Grant agents the ``site`` of the JSON body in a tab, or withdraw it if that is null."""
        match await read_json(request):
            case {"site": str() | None as site}:
                pass
            case _:
                return refuse(400, "The body must have a site, or null to withdraw it.")
        if not self._source.change_grant(request.path_params["tab_id"], site):
            return refuse(409, "The tab was closed or shows another site now.")
        return DONE


def event_row(event: Event) -> dict[str, Any]:
    """Return ``{time, kind, tab, text}`` of an event; ``tab`` is None if no tab is affected."""
    match event:
        case TabOpened(opener=str(opener)):
            text = f"opened by {opener}"
        case Restarted(actor=actor, wait=None):
            text = f"{actor} was given up"
        case GrantChanged(site=None):
            text = "grant withdrawn"
        case TakeoverChanged(ending=str(ending)):
            text = f"the turn of a person ended: {ending}"
        case AdoptionChanged(owner_tab=owner_tab, is_adopted=True):
            text = f"adopted {owner_tab}"
        case _:
            text = EVENT_TEXTS[type(event)].format(event)
    return {
        "time": event.time,
        "kind": type(event).__name__,
        "tab": event.tab_id if isinstance(event, TabEvent) else None,
        "text": text[:_MAX_TEXT],
    }


async def _next_event(events: EventStream[Event], deadline: float) -> Event | None:
    """Return the next event; None after the deadline."""
    with trio.move_on_at(deadline):
        return await anext(events, None)
    return None
