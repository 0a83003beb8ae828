"""What people are shown of a Charlotte that runs; no page and no call is held up by it."""

import base64
from collections.abc import Callable
from typing import Any

import attrs
import trio

from charlotte import clock
from charlotte.actors.kernel.events import Event, EventStream
from charlotte.actors.state.records import Registry, TabRecord
from charlotte.actors.state.request_log import RequestRecord
from charlotte.browser.screenshot import peek
from charlotte.metrics import EndedCall, Metrics
from charlotte.protocol.errors import ProtocolError

_FRESH = 1.5
"""Seconds that a picture of a tab is shown before another is taken."""

_PATIENCE = 1.5
_ROWS = 100


@attrs.frozen
class Picture:
    """A JPEG of a tab; ``taken`` is trio's time."""

    data: bytes
    taken: float


@attrs.define(eq=False)
class Glance:
    """Looks at the records; only a picture is something that the browser has to make.

    What is shown has to pass through ``hidden``, which takes the secrets out of JSON.
    """

    _registry: Registry
    _status: Callable[[], dict[str, Any]]
    _metrics: Metrics
    hidden: Callable[[Any], Any]
    _pictures: dict[str, Picture] = attrs.field(factory=dict[str, Picture])

    def state(self) -> dict[str, Any]:
        """The server's status (see `actors.status`), the calls that run and the last that ended."""
        now = trio.current_time()
        running = sorted(self._metrics.running, key=lambda call: call.since)
        return {
            "at": clock.now(),
            **self._status(),
            "running": [
                {
                    "session": call.session,
                    "tool": call.tool,
                    "tab": call.tab_id,
                    "for": round(now - call.since, 3),
                }
                for call in running
            ],
            "recent": [_ended(one, now) for one in self._metrics.recent],
        }

    def events(self) -> EventStream[Event]:
        """What happens from now on."""
        return self._registry.feed.listen()

    def details(self, tab_id: str) -> dict[str, Any] | None:
        """The last lines of a tab's console and the last of its requests; None: no such tab."""
        record = self._tab(tab_id)
        if record is None:
            return None
        messages = [*record.console_log.messages][-_ROWS:]
        requests = [*record.request_log.records.values()][-_ROWS:]
        return {
            "tab": record.row(),
            "console": [attrs.asdict(message) for message in messages],
            "requests": [_request(one) for one in requests],
        }

    async def picture(self, tab_id: str) -> bytes | None:
        """A JPEG of what a tab shows; the last one while it cannot be seen, None if there is none.

        The page is not asked: the browser copies what it has drawn.
        """
        known, now = self._pictures.get(tab_id), trio.current_time()
        if known is None or now - known.taken > _FRESH:
            self._forget_closed()
            record = self._tab(tab_id)
            data = await _drawn(record) if record else None
            if data is not None:
                known = self._pictures[tab_id] = Picture(data, now)
        return known.data if known else None

    def _tab(self, tab_id: str) -> TabRecord | None:
        return next((one for one in self._registry.tabs() if one.id == tab_id), None)

    def _forget_closed(self) -> None:
        open_tabs = {record.id for record in self._registry.tabs()}
        for tab_id in self._pictures.keys() - open_tabs:
            del self._pictures[tab_id]


async def _drawn(record: TabRecord) -> bytes | None:
    if record.control is None or record.crashed or record.hung or record.dialog:
        return None
    with trio.move_on_after(_PATIENCE):
        try:
            return base64.b64decode(await peek(record.control))
        except ProtocolError:
            return None
    return None


def _ended(one: EndedCall, now: float) -> dict[str, Any]:
    return {
        "session": one.call.session,
        "tool": one.call.tool,
        "tab": one.call.tab_id,
        "outcome": one.outcome,
        "seconds": round(one.seconds, 4),
        "ago": round(now - one.at, 1),
    }


def _request(record: RequestRecord) -> dict[str, Any]:
    took = record.exchange.ended - record.exchange.began if record.exchange.ended else None
    return {
        "number": record.number,
        "method": record.method,
        "url": record.url,
        "type": record.resource_type,
        "status": record.status,
        "error": record.error,
        "ms": None if took is None else round(took * 1000),
    }
