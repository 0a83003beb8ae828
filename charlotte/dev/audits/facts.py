"""Facts about a page for its audits: results of scripts, unused styles, followed links."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

import attrs
import trio
from cattrs import Converter

from charlotte.protocol import dom, network
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.runtime import Evaluate

Script = Literal["axe", "elements", "timings"]
Timings = dict[str, Any]
"""Performance entries of a page since its start, as `timings.js` returns them."""

_reader = Converter(detailed_validation=False)


@attrs.frozen
class DocumentElement:
    """An element of a document."""

    nid: int
    tag: str
    role: str = ""
    name: str = ""
    text: str = ""
    attributes: Mapping[str, str] = attrs.field(factory=dict[str, str])
    url: str = ""
    seen: bool = True


@attrs.frozen(kw_only=True)
class Document:
    """Elements of a document that audits look at; ``left`` is the number beyond the limit.

    ``anchors`` are the targets of fragments, ``nodes`` is the number of all elements.
    """

    url: str
    elements: Sequence[DocumentElement]
    anchors: Sequence[str] = ()
    nodes: int = 0
    left: int = 0


@attrs.frozen(kw_only=True)
class BrokenRule:
    """A rule of axe-core and the first elements that break it, each with a message.

    ``impact`` is minor, moderate, serious, critical or ""; ``count`` is the number of elements.
    """

    rule: str
    impact: str
    count: int
    elements: Sequence[tuple[int, str]]


@attrs.frozen(kw_only=True)
class AxeReport:
    """Results of axe-core for one document.

    ``texts`` counts the texts whose contrast was looked at, ``unknown`` those of them whose
    contrast could not be computed. ``grounds`` are the backgrounds behind frames, by node.
    """

    broken: Sequence[BrokenRule]
    texts: int
    unknown: int
    grounds: Mapping[int, Mapping[str, str]]


def read(text: str, kind: type[Any]) -> Any:
    """Return the answer of a script as a record."""
    return _reader.structure(json.loads(text), kind)


def expression(script: Script, argument: Any = None) -> str:
    """Return an expression for the probe's world that evaluates to a JSON string or a promise."""
    engine = _source("axe-core/axe.min.js") if script == "axe" else ""
    return f"{engine}\n(\n{_source(f'{script}.js')})(charlotte.parts, {json.dumps(argument)})"


@cache
def _source(path: str) -> str:
    return files(__package__ or "").joinpath(path).read_text(encoding="utf-8")


async def unused_styles(session: CdpSession) -> list[tuple[str, int, int]]:
    """Return URL, length and unused characters of style sheets; ``session`` must not be shared."""
    with session.events(dom.StyleSheetAdded) as added:
        await session.call_all(dom.EnableDom(), dom.EnableCss(), dom.StartRuleUsageTracking())
        usage = await session.call(dom.StopRuleUsageTracking())
        headers = [event.header for event in added.now()]
    used: Counter[str] = Counter()
    for rule in usage:
        if rule.used:
            used[rule.style_sheet_id] += round(rule.end_offset - rule.start_offset)
    return [
        (sheet.sourceURL, round(sheet.length), round(sheet.length) - used[sheet.style_sheet_id])
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
_FOLLOWED: tuple[type[NetworkEvent], ...] = get_args(NetworkEvent)


@attrs.define
class Fetch:
    """The result of one request: redirect statuses, final status or error."""

    hops: list[int] = attrs.field(factory=list[int])
    status: int | None = None
    error: str | None = None
    ended: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class Follower:
    """Requests URLs from a separate hidden page, without cookies."""

    _session: CdpSession
    _by_url: dict[tuple[str, str], Fetch] = attrs.field(factory=dict[tuple[str, str], Fetch])
    _by_id: dict[str, Fetch] = attrs.field(factory=dict[str, Fetch])

    async def follow(
        self, urls: Sequence[str], on_progress: Callable[[int], None]
    ) -> dict[str, Fetch]:
        """Request URLs, some at a time; ``on_progress`` gets the number of completed ones."""
        reached: dict[str, Fetch] = {}
        left = list(reversed(urls))

        async def work() -> None:
            while left:
                url = left.pop()
                fetch = await self._fetch(url, "HEAD")
                if fetch.status in _NOT_FOR_HEAD:
                    fetch = await self._fetch(url, "GET")
                reached[url] = fetch
                on_progress(len(reached))

        with self._session.events(*_FOLLOWED) as events:
            await self._session.call(network.EnableNetwork())
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._record, events)
                async with trio.open_nursery() as workers:
                    for _ in range(_AT_ONCE):
                        workers.start_soon(work)
                nursery.cancel_scope.cancel("all followed")
        return reached

    async def _fetch(self, url: str, method: str) -> Fetch:
        fetch = self._by_url[method, url] = Fetch()
        code = _FETCH.format(url=json.dumps(url), method=json.dumps(method), ms=_TAKES_MS)
        await self._session.begin(Evaluate(expression=code))
        with trio.move_on_after(_TAKES_MS / 1000 + _GRACE):
            await fetch.ended.wait()
        if fetch.status is None and fetch.error is None:
            fetch.error = f"no answer within {_TAKES_MS / 1000:g} s"
        return fetch

    async def _record(self, events: Subscription[NetworkEvent]) -> None:
        """Record the events of all requests."""
        while True:
            event = await events.next()
            if isinstance(event, network.RequestWillBeSent) and event.redirect_response is None:
                if begun := self._by_url.get((event.request.method, event.request.url)):
                    self._by_id[event.request_id] = begun
            elif fetch := self._by_id.get(event.request_id):
                match event:
                    case network.RequestWillBeSent(redirect_response=network.Response(status=code)):
                        fetch.hops.append(code)
                    case network.ResponseReceived(response=network.Response(status=code)):
                        fetch.status = code
                        fetch.ended.set()
                    case network.LoadingFailed(error_text=error) if fetch.status is None:
                        fetch.error = error
                        fetch.ended.set()
                    case _:
                        pass
