"""Cookies and localStorage of a browser context: reading, setting, keeping and restoring them.

The first document of an origin gets its items before its own scripts run. Until then, the browser
holds the responses of all other documents of that origin, so the items are written only once and
never replace later changes.
"""

import json
from collections import OrderedDict, defaultdict
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import attrs
import structlog
import trio

from charlotte.base.errors import BrowserSilent, InvalidArgument
from charlotte.base.urls import origin_of
from charlotte.protocol import network, page
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import Refused
from charlotte.protocol.network import Cookie, DeleteCookies, GetCookies, SetCookies
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.wire import Command, Nothing

log = structlog.get_logger(__name__)

_COOKIES_WAIT = 5.0
"""Seconds for the network service, which can hang while the browser process answers."""


_Cookies = dict[tuple[str, str, str], Cookie]


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
    """The items ``by_origin`` of a context that will be written; they have no document yet."""

    by_origin: dict[str, Items] = attrs.field(factory=dict[str, Items])
    _locks: defaultdict[str, trio.Lock] = attrs.field(
        factory=lambda: defaultdict[str, trio.Lock](trio.Lock)
    )
    _visit: Visit | None = None

    def begin(self, items: Mapping[str, Items], visit: Visit) -> None:
        """Set the items for a new context of the browser."""
        self.by_origin, self._visit = dict(items), visit
        self._locks.clear()

    def add(self, origin: str, items: Items) -> bool:
        """Add items to those that an origin will get; return False if it will get none."""
        if origin not in self.by_origin:
            return False
        self.by_origin[origin] = [*({**dict(self.by_origin[origin]), **dict(items)}).items()]
        return True

    def waits_for(self, response: network.RequestPaused) -> bool:
        """Return whether a paused response is a document of an origin that is to get items."""
        return (
            response.response_error_reason is None
            and response.response_status_code not in _WITHOUT_DOCUMENT
            and origin_of(response.request.url) in self.by_origin
        )

    async def write(
        self, session: CdpSession, response: network.RequestPaused, proceed: Command[Nothing]
    ) -> None:
        """Send ``proceed`` for a response once the origin of its document has its items."""
        origin = origin_of(response.request.url) or ""
        async with self._locks[origin]:
            if (items := self.by_origin.get(origin)) is not None and self._visit is not None:
                await self._visit(origin, items)
                self.by_origin.pop(origin, None)
            await session.begin(proceed)


@attrs.define(eq=False)
class CookieBackup:
    """The cookies of a context as last seen, by name, domain and path."""

    _kept: _Cookies = attrs.field(factory=_Cookies)

    def note(self, cookies: Iterable[Cookie]) -> None:
        """Replace the kept cookies by all cookies of the context."""
        self._kept.clear()
        self.keep(cookies)

    def keep(self, cookies: Iterable[Cookie]) -> None:
        """Add cookies to those that are restored in a new browser."""
        self._kept |= {(cookie.name, cookie.domain, cookie.path): cookie for cookie in cookies}

    def all(self) -> list[Cookie]:
        """Return the kept cookies."""
        return [*self._kept.values()]

    def forget(self, cookies: Iterable[Cookie]) -> None:
        """Remove cookies, in either notation of their domain."""
        for cookie in cookies:
            domain = cookie.domain.removeprefix(".")
            for notation in (domain, f".{domain}"):
                self._kept.pop((cookie.name, notation, cookie.path), None)

    async def restore(self, root: CdpSession, context: str | None) -> None:
        """Set the kept cookies in a new context."""
        if not self._kept:
            return
        try:
            await root.call(SetCookies(cookies=self.all(), browser_context_id=context))
        except Refused as error:
            log.warning("cookies could not be restored", error=str(error))


async def set_cookies(root: CdpSession, context: str | None, cookies: Sequence[Cookie]) -> None:
    """Set cookies in a context; raises `InvalidArgument` with the refused cookies."""
    begun = [
        await root.begin(SetCookies(cookies=[cookie], browser_context_id=context))
        for cookie in cookies
    ]
    refused: list[str] = []
    for cookie, pending in zip(cookies, begun, strict=True):
        try:
            with _network_service():
                await pending.result()
        except Refused as error:
            refused.append(f"{cookie.name!r} of {cookie.domain!r}: {error.refusal}")
    if refused:
        raise InvalidArgument(
            f"The browser refused {'; '.join(refused)}.",
            "The other cookies were set. same_site None needs secure; names and values have no "
            "semicolons or line breaks.",
        )


async def get_cookies(
    root: CdpSession, context: str | None, domain: str | None = None, name: str | None = None
) -> list[Cookie]:
    """Return the cookies of a context, filtered by domain (with subdomains) and name."""
    with _network_service():
        cookies = await root.call(GetCookies(browser_context_id=context))
    if domain is not None:
        wanted = "." + domain.lower().lstrip(".")
        cookies = [each for each in cookies if f".{each.domain.lstrip('.')}".endswith(wanted)]
    return [cookie for cookie in cookies if name in {None, cookie.name}]


async def delete_cookies(session: CdpSession, cookies: Sequence[Cookie]) -> None:
    """Delete cookies of the context to which a page's session belongs."""
    commands = [
        DeleteCookies(
            name=cookie.name,
            domain=cookie.domain,
            path=cookie.path,
            partition_key=cookie.partition_key,
        )
        for cookie in cookies
    ]
    with _network_service():
        await session.call_all(*commands)


@contextmanager
def _network_service() -> Generator[None]:
    """Limit the time of the browser's network service; raises `BrowserSilent`."""
    try:
        with trio.fail_after(_COOKIES_WAIT):
            yield
    except trio.TooSlowError as error:
        raise BrowserSilent(
            f"The browser's cookie store has not answered for {_COOKIES_WAIT:.0f} s.",
            "Repeat the call in a few seconds; a browser that does not answer is restarted.",
        ) from error


MAX_CHARACTERS = 10_000_000
"""Maximum characters kept for all origins together."""
_READ = "JSON.stringify(Object.entries(localStorage))"
_WRITE = "for (const [name, value] of {}) localStorage.setItem(name, value); true"
_VISIT_WAIT = 5.0
_WRITE_WAIT = 30.0
"""Seconds for a write: what is not written is lost, and a busy machine has to start a renderer."""

_Event = network.RequestPaused | page.LifecycleEvent


@attrs.frozen(eq=False)
class OriginPage:
    """A hidden page that can have any origin, without network requests.

    Its blank documents are sent with ``headers``.
    """

    _session: CdpSession
    _events: Subscription[_Event]
    _headers: Sequence[network.HeaderEntry] = ()

    async def read(self, origin: str) -> Items | None:
        """Return the items of an origin; None if it cannot be visited."""
        text = await self._run(origin, _READ)
        return None if text is None else [(name, value) for name, value in json.loads(text)]

    async def write(self, origin: str, items: Items) -> bool:
        """Add items to an origin; return whether that was possible."""
        return await self._run(origin, _WRITE.format(json.dumps(items)), _WRITE_WAIT) is True

    async def _run(self, origin: str, expression: str, wait: float = _VISIT_WAIT) -> Any:
        """Evaluate a script in a blank document of the origin; None without such a document."""
        with trio.move_on_after(wait):
            if await self.navigate(f"{origin}/"):
                return (await self._session.call(Evaluate(expression=expression))).result.value
        return None

    async def navigate(self, url: str) -> bool:
        """Navigate to a URL, answer its request, and return whether a document was loaded."""
        navigation = await self._session.begin(page.Navigate(url=url))
        loader_id: str | None = None
        header = network.HeaderEntry("content-type", "text/html")
        while True:
            match await self._events.next():
                case network.RequestPaused(request_id=request_id, network_id=loader_id):
                    blank = network.FulfillRequest(
                        request_id=request_id,
                        response_code=200,
                        response_headers=[header, *self._headers],
                        body="",
                    )
                    await self._session.begin(blank)
                case page.LifecycleEvent(name="load", loader_id=loaded):
                    # the load event of the previous document can arrive late
                    if loaded == loader_id or navigation.settled.is_set():
                        return (await navigation.result()).error_text is None
                case _:
                    pass


@asynccontextmanager
async def open_origin_page(
    session: CdpSession, headers: Sequence[network.HeaderEntry] = ()
) -> AsyncGenerator[OriginPage]:
    """Prepare the session of a hidden page for visits."""
    types: tuple[type[_Event], ...] = (network.RequestPaused, page.LifecycleEvent)
    with session.events(*types) as events:
        await session.call_all(
            page.EnablePage(),
            page.SetLifecycleEventsEnabled(enabled=True),
            network.SetBypassServiceWorker(bypass=True),  # it would answer the request
            network.EnableFetch(patterns=[network.RequestPattern("*")]),
        )
        yield OriginPage(session, events, headers)


@attrs.define(eq=False)
class StoredItems:
    """The localStorage of origins as last seen; the oldest entries are dropped first."""

    by_origin: OrderedDict[str, Items] = attrs.field(factory=OrderedDict[str, Items])

    def note(self, origin: str, items: Items | None) -> None:
        """Store the present items of an origin; None means too many to keep."""
        self.by_origin.pop(origin, None)
        if items:
            self.by_origin[origin] = items
        while (
            sum(len(name) + len(value) for kept in self.by_origin.values() for name, value in kept)
            > MAX_CHARACTERS
        ):
            forgotten, _ = self.by_origin.popitem(last=False)
            log.warning("localStorage of an origin is too large to keep", origin=forgotten)
