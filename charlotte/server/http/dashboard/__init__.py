"""The live view for people: a public page, and its data, which requires a token.

The page contains no data. It requests the data with the token, which browsers cannot send when they
load a page: people enter the token, or it follows the ``#`` of the address, which browsers do not
send. All routes are read-only, except the one that grants agents a tab of the browser's owner, the
one that answers a question of the policy, and those on which a person works in a tab.
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

import attrs
import trio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, request_response
from starlette.types import ASGIApp, Send

from charlotte.actors.kernel.mailbox import Event, EventStream, Restarted
from charlotte.actors.state import events
from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.verbs.takeover import perform_input
from charlotte.base.errors import CharlotteError, InvalidArgument, ellipsize
from charlotte.browser.input.live_input import read_input

if TYPE_CHECKING:
    from charlotte.api.dashboard_state import DashboardState

PATH = "/dashboard"
_PERIOD = 1.0
_MIN_INTERVAL = 0.2
"""Minimum seconds between two states."""

_PUBLIC = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_PRIVATE: Mapping[str, str] = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
"""Headers of data, which browsers must not store."""
_DONE = Response(status_code=204, headers=_PRIVATE)
_ENDED = "No person is asked in this tab, or the turn has ended."
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

EVENT_TEXTS: Mapping[type[Event], str] = {
    events.TabOpened: "opened",
    events.TabClosed: "closed",
    events.Navigated: "at {0.url}",
    events.Loaded: "loaded {0.url}",
    events.Crashed: "renderer died at {0.url}",
    events.Restored: "back at {0.url}",
    events.DialogOpened: "{0.dialog.type}: {0.dialog.message}",
    events.DialogAnswered: "{0.dialog.type} answered: {0.dialog.message}",
    events.NavigationRefused: "refused {0.url}",
    events.ConsoleLogged: "{0.message.level}: {0.message.text}",
    events.DownloadChanged: "download {0.name}: {0.state}",
    events.GrantChanged: "granted for {0.site}",
    events.AdoptionChanged: "released {0.owner_tab}",
    events.TakeoverChanged: "a person is asked: {0.what}",
    events.QuestionAsked: "waits for a person: {0.held}",
    events.QuestionSettled: "{0.held}: {0.reason}",
    Restarted: "{0.actor} crashed, comes back in {0.wait} s",
}

Protect = Callable[[ASGIApp], ASGIApp]


@attrs.define(eq=False)
class Dashboard:
    """The routes of the live view."""

    _source: "DashboardState"

    def routes(self, protect: Protect) -> Iterator[BaseRoute]:
        """Yield the routes of the public page, and of its data behind ``protect``."""
        yield Route(PATH, RedirectResponse(f"{PATH}/"), methods=["GET"])
        for file in files(__name__).joinpath("page").iterdir():
            media_type = _TYPES[file.name.rpartition(".")[2]]
            page = Response(file.read_bytes(), media_type=media_type, headers=_PUBLIC)
            path = "" if file.name == "index.html" else file.name
            yield Route(f"{PATH}/{path}", page, methods=["GET"])
        for method, name, endpoint in (
            ("GET", "live", self._send_live),
            ("GET", "tabs/{tab_id}/picture", self._send_picture),
            ("GET", "turns/{tab_id}/pictures", self._send_pictures),
            ("POST", "owner/{tab_id}", self._change_grant),
            ("POST", "questions/{question_id}", self._answer_question),
            ("POST", "turns/{tab_id}/input", self._take_input),
            ("POST", "turns/{tab_id}/end", self._end_turn),
        ):
            guarded = protect(request_response(endpoint))
            yield Route(f"{PATH}/api/{name}", guarded, methods=[method])

    async def _send_live(self, _: Request) -> Response:
        return _EventResponse(self._stream())

    async def _stream(self) -> AsyncGenerator[str]:
        """Yield events at once, and the state every second and shortly after events."""
        events = self._source.events()
        while True:
            yield self._frame("state", self._source.state())
            now = trio.current_time()
            soon, deadline = now + _MIN_INTERVAL, now + _PERIOD
            while (event := await _next_event(events, deadline)) is not None:
                yield self._frame("event", event_row(event))
                deadline = soon

    def _frame(self, name: str, value: Any) -> str:
        """Return a server-sent event; JSON contains no line breaks."""
        return f"event: {name}\ndata: {json.dumps(self._source.hidden(value))}\n\n"

    async def _send_picture(self, request: Request) -> Response:
        picture = await self._source.picture(request.path_params["tab_id"])
        if picture is None:
            return _DONE
        return Response(picture, media_type="image/jpeg", headers=_PRIVATE)

    async def _answer_question(self, request: Request) -> Response:
        """Let a held request pass, once, if ``allow`` of the JSON body is true, else refuse it."""
        allow = (await _read_json(request)).get("allow")
        if not isinstance(allow, bool):
            return _refuse(400, "The body must have allow: true or false.")
        if not self._source.answer_question(request.path_params["question_id"], allow=allow):
            return _refuse(409, "The question was answered already, or its time is over.")
        return _DONE

    async def _change_grant(self, request: Request) -> Response:
        """Grant agents the ``site`` of the JSON body in a tab, or withdraw it if that is null."""
        match await _read_json(request):
            case {"site": str() | None as site}:
                if self._source.change_grant(request.path_params["tab_id"], site):
                    return _DONE
                return _refuse(409, "The tab was closed or shows another site now.")
            case _:
                return _refuse(400, "The body must have a site, or null to withdraw it.")

    def _find_turn(self, request: Request) -> Takeover | None:
        return self._source.takeover(request.path_params["tab_id"])

    async def _send_pictures(self, request: Request) -> Response:
        takeover = self._find_turn(request)
        return _refuse(404, _ENDED) if takeover is None else _EventResponse(_pictures(takeover))

    async def _take_input(self, request: Request) -> Response:
        """Send the ``events`` of the body to the page, in order."""
        body, takeover = await _read_json(request), self._find_turn(request)
        if takeover is None:
            return _refuse(409, _ENDED)
        try:
            commands, may_submit = read_input(body.get("events"))
            await takeover.inputs.ask(perform_input, commands, may_submit=may_submit)
        except InvalidArgument as error:
            return _refuse(400, error.message)
        except CharlotteError:
            return _refuse(409, _ENDED)
        return _DONE

    async def _end_turn(self, request: Request) -> Response:
        """End the turn: ``ending`` is done or cannot, with a ``reason`` for the agent."""
        body, takeover = await _read_json(request), self._find_turn(request)
        match body:
            case {"ending": "done" | "cannot" as ending, "reason": str() as reason}:
                if takeover is None:
                    return _refuse(409, _ENDED)
                takeover.end(ending, ellipsize(reason, 500))
                return _DONE
            case _:
                return _refuse(400, "The body must have an ending, done or cannot, and a reason.")


def _refuse(status: int, reason: str) -> Response:
    """Return an error for the page."""
    return JSONResponse({"error": reason}, status, _PRIVATE)


async def _read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a body, empty for any other body.

    Pages of other sites can send neither the token nor JSON, and the host guard checks Origin.
    """
    if request.headers.get("content-type") != "application/json":
        return {}
    try:
        body: Any = await request.json()
    except (ValueError, ClientDisconnect):
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


class _EventResponse(StreamingResponse):
    """Server-sent events, whose generator is closed also if the client leaves during a frame."""

    def __init__(self, frames: AsyncGenerator[str]) -> None:
        super().__init__(frames, media_type="text/event-stream", headers=_PRIVATE)
        self._frames = frames

    async def stream_response(self, send: Send) -> None:
        """Send the frames."""
        async with aclosing(self._frames):
            await super().stream_response(send)


def event_row(event: Event) -> dict[str, Any]:
    """Return ``{time, kind, tab, text}`` of an event; ``tab`` is None if no tab is affected."""
    match event:
        case events.TabOpened(opener=str(opener)):
            text = f"opened by {opener}"
        case Restarted(actor=actor, wait=None):
            text = f"{actor} was given up"
        case events.GrantChanged(site=None):
            text = "grant withdrawn"
        case events.TakeoverChanged(ending=str(ending)):
            text = f"the turn of a person ended: {ending}"
        case events.AdoptionChanged(owner_tab=owner_tab, is_adopted=True):
            text = f"adopted {owner_tab}"
        case _:
            text = EVENT_TEXTS[type(event)].format(event)
    return {
        "time": event.time,
        "kind": type(event).__name__,
        "tab": event.tab_id if isinstance(event, events.TabEvent) else None,
        "text": ellipsize(text, 300),
    }


async def _next_event(events: EventStream[Event], deadline: float) -> Event | None:
    """Return the next event; None after the deadline."""
    with trio.move_on_at(deadline):
        return await anext(events, None)
    return None


async def _pictures(takeover: Takeover) -> AsyncGenerator[str]:
    """Yield the newest picture whenever there is one; then the end of the turn."""
    sent = 0
    while (frame := await takeover.next_frame(sent)) is not None:
        sent = takeover.frames
        size = {"width": frame.metadata.device_width, "height": frame.metadata.device_height}
        about = {**size, "top": frame.metadata.offset_top}
        yield f'event: picture\ndata: {json.dumps(about)[:-1]}, "jpeg": "{frame.data}"}}\n\n'
    yield f"event: end\ndata: {json.dumps({'ending': takeover.ending})}\n\n"
