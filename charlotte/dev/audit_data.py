"""Measurements in the browser for audits: unused styles, and results of following links."""

import json
from collections import Counter
from collections.abc import Callable, Sequence

import attrs
import trio

from charlotte.dev.audits.facts import Reached, Sheet
from charlotte.protocol import css, network
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.session import Session, Subscription


async def unused_styles(session: Session) -> list[Sheet]:
    """The page's style sheets; ``session`` is one that nobody else uses."""
    with session.events(css.StyleSheetAdded) as added:
        await session.call_all(css.EnableDom(), css.Enable(), css.StartRuleUsageTracking())
        noted = await session.call(css.StopRuleUsageTracking())
        headers = [event.header for event in added.now()]
    used: Counter[str] = Counter()
    for rule in noted.rule_usage:
        if rule.used:
            used[rule.style_sheet_id] += round(rule.end_offset - rule.start_offset)
    return [
        Sheet(one.sourceURL, round(one.length), round(one.length) - used[one.style_sheet_id])
        for one in headers
        if one.origin == "regular"
    ]


_AT_ONCE = 8
_TAKES_MS = 5000
_GRACE = 1.0
_NOT_FOR_HEAD = {405, 501}
_ASK = """fetch({url}, {{method: {method}, mode: 'no-cors', cache: 'no-store', credentials: 'omit',
  redirect: 'follow', signal: AbortSignal.timeout({ms})}}).then(() => '', (error) => error.name)"""

NetworkEvent = network.RequestWillBeSent | network.ResponseReceived | network.LoadingFailed
_FOLLOWED: tuple[type[NetworkEvent], ...] = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFailed,
)


@attrs.define
class _Course:
    """What has become of one request so far."""

    hops: list[int] = attrs.field(factory=list[int])
    status: int | None = None
    error: str | None = None
    ended: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class Follower:
    """Follows addresses on a page of its own."""

    _session: Session
    _by_url: dict[tuple[str, str], _Course] = attrs.field(factory=dict[tuple[str, str], _Course])
    _by_id: dict[str, _Course] = attrs.field(factory=dict[str, _Course])

    async def follow(self, urls: Sequence[str], tell: Callable[[int], None]) -> list[Reached]:
        """Ask for all, some at a time; ``tell`` hears how many are through."""
        reached: dict[str, Reached] = {}
        left = list(reversed(urls))

        async def work() -> None:
            while left:
                url = left.pop()
                reached[url] = await self._reach(url)
                tell(len(reached))

        with self._session.events(*_FOLLOWED) as events:
            await self._session.call(network.Enable())
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen, events)
                async with trio.open_nursery() as workers:
                    for _ in range(_AT_ONCE):
                        workers.start_soon(work)
                nursery.cancel_scope.cancel("all followed")
        return [reached[url] for url in urls]

    async def _reach(self, url: str) -> Reached:
        course = await self._asked(url, "HEAD")
        if course.status in _NOT_FOR_HEAD:
            course = await self._asked(url, "GET")
        if course.status is None and course.error is None:
            course.error = f"no answer within {_TAKES_MS / 1000:g} s"
        return Reached(url, tuple(course.hops), course.status, course.error)

    async def _asked(self, url: str, method: str) -> _Course:
        course = self._by_url[method, url] = _Course()
        code = _ASK.format(url=json.dumps(url), method=json.dumps(method), ms=_TAKES_MS)
        await self._session.begin(Evaluate(expression=code))
        with trio.move_on_after(_TAKES_MS / 1000 + _GRACE):
            await course.ended.wait()
        return course

    async def _listen(self, events: Subscription[NetworkEvent]) -> None:
        while True:
            event = await events.next()
            if isinstance(event, network.RequestWillBeSent) and event.redirect_response is None:
                course = self._by_url.get((event.request.method, event.request.url))
                if course is not None:
                    self._by_id[event.request_id] = course
            if known := self._by_id.get(event.request_id):
                _note(known, event)


def _note(course: _Course, event: NetworkEvent) -> None:
    match event:
        case network.RequestWillBeSent(redirect_response=network.Response(status=status)):
            course.hops.append(status)
        case network.ResponseReceived(response=network.Response(status=status)):
            course.status = status
            course.ended.set()
        case network.LoadingFailed(error_text=error) if course.status is None:
            course.error = error
            course.ended.set()
        case _:
            pass
