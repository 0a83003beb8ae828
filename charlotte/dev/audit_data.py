"""Measurements in the browser for audits: unused styles, and results of following links."""

import json
from collections import Counter
from collections.abc import Callable, Sequence

import attrs
import trio

from charlotte.dev.audits.facts import Reached, Sheet
from charlotte.protocol import dom, network
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.runtime import Evaluate


async def unused_styles(session: Session) -> list[Sheet]:
    """Measure the style sheets of a page; ``session`` must not be shared."""
    with session.events(dom.StyleSheetAdded) as added:
        await session.call_all(dom.EnableDom(), dom.EnableCss(), dom.StartRuleUsageTracking())
        usage = await session.call(dom.StopRuleUsageTracking())
        headers = [event.header for event in added.now()]
    used: Counter[str] = Counter()
    for rule in usage:
        if rule.used:
            used[rule.style_sheet_id] += round(rule.end_offset - rule.start_offset)
    return [
        Sheet(
            sheet.sourceURL, round(sheet.length), round(sheet.length) - used[sheet.style_sheet_id]
        )
        for sheet in headers
        if sheet.origin == "regular"
    ]


_AT_ONCE = 8
_TAKES_MS = 5000
_GRACE = 1.0
_NOT_FOR_HEAD = {405, 501}
_FETCH = """fetch({url}, {{method: {method}, mode: 'no-cors', cache: 'no-store',
  credentials: 'omit', redirect: 'follow', signal: AbortSignal.timeout({ms})}})
  .then(() => '', (error) => error.name)"""

NetworkEvent = network.RequestWillBeSent | network.ResponseReceived | network.LoadingFailed
_FOLLOWED: tuple[type[NetworkEvent], ...] = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFailed,
)


@attrs.define
class _Fetch:
    """The progress of one request: redirect statuses, final status or error."""

    hops: list[int] = attrs.field(factory=list[int])
    status: int | None = None
    error: str | None = None
    ended: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class Follower:
    """Requests URLs from a separate hidden page, without cookies."""

    _session: Session
    _by_url: dict[tuple[str, str], _Fetch] = attrs.field(factory=dict[tuple[str, str], _Fetch])
    _by_id: dict[str, _Fetch] = attrs.field(factory=dict[str, _Fetch])

    async def follow(
        self, urls: Sequence[str], on_progress: Callable[[int], None]
    ) -> list[Reached]:
        """Request URLs, some at a time; ``on_progress`` gets the number of completed ones."""
        reached: dict[str, Reached] = {}
        left = list(reversed(urls))

        async def work() -> None:
            while left:
                url = left.pop()
                fetch = await self._fetch(url, "HEAD")
                if fetch.status in _NOT_FOR_HEAD:
                    fetch = await self._fetch(url, "GET")
                if fetch.status is None and fetch.error is None:
                    fetch.error = f"no answer within {_TAKES_MS / 1000:g} s"
                reached[url] = Reached(url, tuple(fetch.hops), fetch.status, fetch.error)
                on_progress(len(reached))

        with self._session.events(*_FOLLOWED) as events:
            await self._session.call(network.EnableNetwork())
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._record, events)
                async with trio.open_nursery() as workers:
                    for _ in range(_AT_ONCE):
                        workers.start_soon(work)
                nursery.cancel_scope.cancel("all followed")
        return [reached[url] for url in urls]

    async def _fetch(self, url: str, method: str) -> _Fetch:
        fetch = self._by_url[method, url] = _Fetch()
        code = _FETCH.format(url=json.dumps(url), method=json.dumps(method), ms=_TAKES_MS)
        await self._session.begin(Evaluate(expression=code))
        with trio.move_on_after(_TAKES_MS / 1000 + _GRACE):
            await fetch.ended.wait()
        return fetch

    async def _record(self, events: Subscription[NetworkEvent]) -> None:
        """Record the events of all requests."""
        while True:
            event = await events.next()
            if isinstance(event, network.RequestWillBeSent) and event.redirect_response is None:
                begun = self._by_url.get((event.request.method, event.request.url))
                if begun is not None:
                    self._by_id[event.request_id] = begun
            if (fetch := self._by_id.get(event.request_id)) is None:
                continue
            match event:
                case network.RequestWillBeSent(redirect_response=network.Response(status=status)):
                    fetch.hops.append(status)
                case network.ResponseReceived(response=network.Response(status=status)):
                    fetch.status = status
                    fetch.ended.set()
                case network.LoadingFailed(error_text=error) if fetch.status is None:
                    fetch.error = error
                    fetch.ended.set()
                case _:
                    pass
