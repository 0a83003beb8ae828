"""The cookies and localStorage with which a browser context begins.

The first document of an origin gets its items before its own scripts run. Until then, the browser
holds the responses of all other documents of that origin, so the items are written only once and
never replace later changes.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence

import attrs
import trio

from charlotte.base.urls import origin_of
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.network import Cookie
from charlotte.protocol.wire import Command, Nothing

Items = list[tuple[str, str]]
Visit = Callable[[str, Items], Awaitable[object]]
"""Writes items to an origin with a hidden page."""

_WITHOUT_DOCUMENT = frozenset({204, 205, 301, 302, 303, 307, 308})


@attrs.frozen(kw_only=True)
class InitialState:
    """A state, perhaps that of the saved ``login`` with this name, whose ``secrets`` are hidden."""

    cookies: Sequence[Cookie] = attrs.field(default=(), repr=False)
    items: Mapping[str, Items] = attrs.field(factory=dict[str, Items], repr=False)
    login: str | None = None
    secrets: Sequence[str] = attrs.field(default=(), repr=False)


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
        self, session: CdpSession, response: network.RequestPaused, proceed: Command[Nothing]
    ) -> None:
        """Send ``proceed`` for a response once the origin of its document has its items."""
        origin = origin_of(response.request.url) or ""
        async with self._locks[origin]:
            if (items := self._by_origin.get(origin)) is not None and self._visit is not None:
                await self._visit(origin, items)
                self._by_origin.pop(origin, None)
            await session.begin(proceed)
