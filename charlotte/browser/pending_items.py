"""The localStorage with which a browser context begins.

The first document of an origin gets its items before its own scripts run. Until then, the browser
holds the responses of all other documents of that origin, so the items are written only once and
never replace later changes.
"""

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
import trio

from charlotte.browser.isolated_world import WORLD_NAME
from charlotte.protocol import network, page
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.wire import Command, Nothing
from charlotte.urls import origin_of

Items = list[tuple[str, str]]
Visit = Callable[[str, Items], Awaitable[object]]
"""Writes items to an origin with a hidden page."""

_COMMIT_WAIT = 30.0
"""Seconds from a response to its document; a busy machine has to start a renderer meanwhile."""
_REPLY_WAIT = 5.0
_WITHOUT_DOCUMENT = frozenset({204, 205, 301, 302, 303, 307, 308})
_SCRIPT = """if (self === top && self.origin === {origin}) {{
  for (const [name, value] of {items}) try {{ localStorage.setItem(name, value) }} catch {{}}
}}"""
_Event = page.FrameNavigated | network.LoadingFailed


@attrs.define(eq=False)
class PendingItems:
    """The items of origins of a context that have no document yet."""

    _by_origin: dict[str, Items] = attrs.field(factory=dict[str, Items])
    _locks: defaultdict[str, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[str, trio.Lock](trio.Lock)
    )
    _visit: Visit | None = None

    def begin(self, items: Mapping[str, Items], visit: Visit) -> None:
        """Set the items for a new context of the browser."""
        self._by_origin, self._visit = dict(items), visit
        self._locks.clear()

    def __bool__(self) -> bool:
        return bool(self._by_origin)

    def get(self, origin: str) -> Items | None:
        """Return the items that an origin will get; None if it has them, or gets none."""
        return self._by_origin.get(origin)

    def add(self, origin: str, items: Items) -> bool:
        """Add items to those that an origin will get; return False if it will get none."""
        if origin not in self._by_origin:
            return False
        self._by_origin[origin] = [*({**dict(self._by_origin[origin]), **dict(items)}).items()]
        return True

    def waits_for(self, response: network.RequestPaused) -> bool:
        """Return whether a paused response is a document of an origin that is to get items."""
        return (
            response.response_error_reason is None
            and response.response_status_code not in _WITHOUT_DOCUMENT
            and origin_of(response.request.url) in self._by_origin
        )

    async def write(
        self,
        session: Session,
        response: network.RequestPaused,
        proceed: Command[Nothing],
        *,
        with_script: bool,
    ) -> None:
        """Send ``proceed`` for a response, whose document gets the items of its origin if due.

        A script in the document is fast, but it needs the localStorage of a main frame, which is
        never partitioned, and a page that was prepared before its document began.
        """
        origin = origin_of(response.request.url) or ""
        async with self._locks[origin]:
            items = self._by_origin.get(origin)
            if items is not None and with_script:
                if await _write_with_document(session, response, origin, items, proceed):
                    self._by_origin.pop(origin, None)
                return
            if items is not None and self._visit is not None:
                await self._visit(origin, items)
                self._by_origin.pop(origin, None)
            await session.begin(proceed)


async def _write_with_document(
    session: Session,
    response: network.RequestPaused,
    origin: str,
    items: Items,
    proceed: Command[Nothing],
) -> bool:
    """Send ``proceed``; return whether the document was shown, which has the items then."""
    source = _SCRIPT.format(origin=json.dumps(origin), items=json.dumps(items))
    script = page.AddScriptToEvaluateOnNewDocument(source=source, world_name=WORLD_NAME)
    with session.events(page.FrameNavigated, network.LoadingFailed) as events:
        added = await session.begin(script)  # Chromium passes it on before the document
        await session.begin(proceed)
        shown = False
        with trio.move_on_after(_COMMIT_WAIT):
            shown = await _is_shown(events, response, origin)
        with trio.move_on_after(_REPLY_WAIT):
            await session.begin(page.RemoveScript(identifier=(await added.result()).identifier))
        return shown


async def _is_shown(
    events: Subscription[Any], response: network.RequestPaused, origin: str
) -> bool:
    """Wait for the document of a response; return False if it is another one, or none."""
    while True:
        match await events.next():
            case page.FrameNavigated(frame) if frame.loader_id == response.network_id:
                return frame.security_origin == origin
            case network.LoadingFailed(request_id) if request_id == response.network_id:
                return False
            case _:
                pass
