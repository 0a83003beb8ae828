"""The routes on which a person works in a tab: pictures, input, and the end of the turn."""

import json
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import attrs
from starlette.requests import Request
from starlette.responses import Response

from charlotte.actors.state.takeovers import Takeover
from charlotte.actors.tab.takeover import perform_input
from charlotte.browser.live_input import read_input
from charlotte.engine import DashboardSource
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.server.http.dashboard.responses import DONE, EventResponse, read_json, refuse

_LONGEST_REASON = 500
_ENDED = "No person is asked in this tab, or the turn has ended."
Endpoint = Callable[[Request], Any]


@attrs.frozen(eq=False)
class Turns:
    """The routes of the turns of people."""

    _source: DashboardSource

    def endpoints(self) -> Iterator[tuple[str, str, Endpoint]]:
        """Yield method, path and endpoint of each route."""
        yield "GET", "turns/{tab_id}/pictures", self._send_pictures
        yield "POST", "turns/{tab_id}/input", self._take_input
        yield "POST", "turns/{tab_id}/end", self._end

    def _find(self, request: Request) -> Takeover | None:
        return self._source.takeover(request.path_params["tab_id"])

    async def _send_pictures(self, request: Request) -> Response:
        takeover = self._find(request)
        return refuse(404, _ENDED) if takeover is None else EventResponse(_pictures(takeover))

    async def _take_input(self, request: Request) -> Response:
        """Send the ``events`` of the body to the page, in order."""
        body, takeover = await read_json(request), self._find(request)
        if takeover is None:
            return refuse(409, _ENDED)
        try:
            commands, may_submit = read_input(body.get("events"))
            await takeover.inputs.ask(perform_input, commands, may_submit=may_submit)
        except InvalidArgument as error:
            return refuse(400, error.message)
        except CharlotteError:
            return refuse(409, _ENDED)
        return DONE

    async def _end(self, request: Request) -> Response:
        """End the turn: ``ending`` is done or cannot, with a ``reason`` for the agent."""
        body, takeover = await read_json(request), self._find(request)
        match body:
            case {"ending": "done" | "cannot" as ending, "reason": str() as reason}:
                pass
            case _:
                return refuse(400, "The body must have an ending, done or cannot, and a reason.")
        if takeover is None:
            return refuse(409, _ENDED)
        takeover.end(ending, reason[:_LONGEST_REASON])
        return DONE


async def _pictures(takeover: Takeover) -> AsyncGenerator[str]:
    """Yield the newest picture whenever there is one; then the end of the turn."""
    sent = 0
    while (frame := await takeover.next_frame(sent)) is not None:
        sent = takeover.frames
        size = {"width": frame.metadata.device_width, "height": frame.metadata.device_height}
        about = {**size, "top": frame.metadata.offset_top}
        yield f'event: picture\ndata: {json.dumps(about)[:-1]}, "jpeg": "{frame.data}"}}\n\n'
    yield f"event: end\ndata: {json.dumps({'ending': takeover.ending})}\n\n"
