"""Pages that record what happens to them and act on orders, without any session on them.

A page asks the site for its next order. Reports arrive at the site, so observing changes nothing.
"""

import json
from collections import defaultdict
from http import HTTPStatus
from pathlib import Path
from typing import Any

import attrs
import trio
from starlette.responses import HTMLResponse, Response

from tests.site.routes import Handler, Request

ANSWER_DEADLINE = 60.0

_RECORDER = Path(__file__).with_name("effects.html").read_bytes()
_POPUP = b"""<!doctype html><title>Popup</title><script>
  onload = () => new BroadcastChannel('popups').postMessage(
    [opener !== null, innerWidth, innerHeight, document.visibilityState]);
</script>"""
REPORT = b"name,amount\nrent,900\n"


@attrs.define(eq=False)
class Channel:
    orders: trio.MemorySendChannel[str]
    accepted: trio.MemoryReceiveChannel[str]
    answers: trio.MemorySendChannel[Any]
    results: trio.MemoryReceiveChannel[Any]
    waiting: trio.CancelScope = attrs.field(factory=trio.CancelScope)


def _channel() -> Channel:
    return Channel(*trio.open_memory_channel[str](1), *trio.open_memory_channel[Any](10))


@attrs.define(eq=False)
class OwnerPages:
    """The site of the recording pages; a page is known by the ``name`` in its address."""

    channels: dict[str, Channel] = attrs.field(factory=lambda: defaultdict(_channel))
    prerendered: trio.Event = attrs.field(factory=trio.Event)

    @property
    def routes(self) -> dict[str, Handler]:
        return {
            "/owner/record": self._record,
            "/owner/next": self._record,
            "/owner/popup": self._popup,
            "/owner/report.csv": self._download,
            "/owner/order": self._order,
            "/owner/done": self._done,
            "/owner/arrived": self._done,
        }

    async def order(self, name: str, action: str) -> Any:
        await self.begin(name, action)
        return await self.report(name)

    async def begin(self, name: str, action: str) -> None:
        """Let a page begin to do something."""
        with trio.fail_after(ANSWER_DEADLINE):
            await self.channels[name].orders.send(action)

    async def report(self, name: str, deadline: float = ANSWER_DEADLINE) -> Any:
        """Return the next report of a page."""
        with trio.fail_after(deadline):
            return await self.channels[name].results.receive()

    async def _record(self, request: Request) -> Response:
        if "prerender" in request.headers.get("sec-purpose", ""):
            self.prerendered.set()
        return HTMLResponse(_RECORDER)

    async def _popup(self, _request: Request) -> Response:
        return HTMLResponse(_POPUP)

    async def _download(self, _request: Request) -> Response:
        disposition = {"content-disposition": 'attachment; filename="report.csv"'}
        return Response(REPORT, media_type="text/csv", headers=disposition)

    async def _order(self, request: Request) -> Response:
        channel = self.channels[request.query["name"]]
        channel.waiting.cancel("the page was loaded again")
        with trio.CancelScope() as channel.waiting:
            return Response(await channel.accepted.receive())
        return Response(status_code=HTTPStatus.GONE)

    async def _done(self, request: Request) -> Response:
        await self.channels[request.query["name"]].answers.send(json.loads(request.body))
        return Response(status_code=HTTPStatus.NO_CONTENT)
