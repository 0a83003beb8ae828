"""Throttling of CDP events: pauses for pages that send messages, requests or log lines in floods.

The browser reports each of them to every session. Thousands per second fill the connection that all
tabs share, so the domain that reports them is disabled for a while: Network for requests and for
messages on WebSockets, Runtime for exceptions, Log for the browser's own entries.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.protocol import network, page, runtime
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import Command

LONGEST_DEAF = 8.0
"""Seconds without Runtime, because new frames are unknown meanwhile."""

FIRST_REST = 2.0
LONGEST_REST = 30.0
_BACKLOG = 5000


@attrs.frozen
class Limit:
    """At most ``most`` events of ``types``, with ``characters``, in a time of the page's clock."""

    types: tuple[type[Any], ...]
    within: float
    most: int
    characters: float = math.inf


@attrs.frozen
class Source:
    """Events that a domain reports, and the commands that stop and resume the reports.

    A source that ``repeats`` reports earlier events again when it resumes.
    """

    types: Sequence[type[Any]]
    off: Command[Any]
    on: Sequence[Command[Any]]
    limits: Sequence[Limit]
    longest: float = LONGEST_DEAF
    repeats: bool = True


MESSAGES = Limit(
    (
        network.WebSocketFrameReceived,
        network.WebSocketFrameSent,
        network.EventSourceMessageReceived,
    ),
    within=0.2,  # of the page's clock, because events of a flood arrive later than they were sent
    most=200,
    characters=2_000_000,
)
_REQUESTS = Limit((network.RequestWillBeSent,), within=3.0, most=1500)
"""A page may load a thousand modules."""

_LINES = Limit((runtime.Logged, runtime.EntryAdded), within=1000.0, most=2000)
REPORTS = Limit((runtime.Thrown, runtime.EntryAdded), within=100.0, most=500)
"""Exceptions and the browser's own entries.

A flood of exceptions arrives so slowly that the next thousands are on their way before the first
two thousand have arrived.
"""

NETWORK = Source(
    [*MESSAGES.types, *_REQUESTS.types],
    network.DisableNetwork(),
    [network.EnableNetwork()],
    [MESSAGES, _REQUESTS],
    longest=LONGEST_REST,
    repeats=False,
)
ENTRIES = Source(
    [runtime.EntryAdded],
    runtime.DisableLog(),
    [runtime.ClearLog(), runtime.EnableLog()],
    [_LINES, REPORTS],
)
"""The browser's own log entries, such as failed requests. The lines of a pause are lost."""


def console_source(again: Sequence[Command[Any]] = ()) -> Source:
    """Return the console events of a session.

    ``again`` are commands to repeat after a pause, because disabling Runtime undoes them.
    """
    types = [runtime.Thrown, runtime.Logged]
    on = [runtime.EnableRuntime(), *again]
    return Source(types, runtime.DisableRuntime(), on, [_LINES, REPORTS])


@attrs.define
class _Counter:
    """The events of the present period of a limit."""

    limit: Limit
    begun: float = 0.0
    count: int = 0
    characters: int = 0

    def is_exceeded(self, event: Any) -> bool:
        """Count an event, if it is of the limit's types."""
        limit = self.limit
        if not isinstance(event, limit.types):
            return False
        if not self.begun <= event.timestamp <= self.begun + limit.within:
            self.begun, self.count, self.characters = event.timestamp, 0, 0
        self.count += 1
        self.characters += getattr(event, "length", 0)
        return self.count > limit.most or self.characters > limit.characters


async def throttle(
    session: CdpSession,
    source: Source,
    begin: Callable[[], object] = lambda: None,
    needed: Callable[[], bool] = lambda: False,
    *,
    paused: Callable[[], object] = lambda: None,
    has_page: bool = True,
) -> None:
    """Pause a source for a while whenever its events are a flood, until the session ends.

    Args:
        session: The session whose events are throttled.
        source: The events.
        begin: Called when a pause begins, because tracked state is out of date then.
        paused: Called when the domain is disabled: no events arrive until the pause ends.
        needed: Whether the domain must stay enabled for its other effects; prevents pauses.
        has_page: Whether the Page domain of the session is enabled. If not, it is enabled during a
            pause, which ends when a frame navigates so that no event of the new document is lost.
    """
    rest, ended, known = FIRST_REST, -math.inf, -math.inf
    with suppress(SessionGone), session.events(*source.types, backlog=_BACKLOG) as events:
        while True:
            flood = await _wait_for_flood(events, source, known)
            known = flood if source.repeats else known
            if needed():
                await trio.sleep(FIRST_REST)
            else:
                begin()
                is_again = trio.current_time() - ended < source.longest
                rest = min(2 * rest, source.longest) if is_again else FIRST_REST
                await _pause(session, source, rest, paused, has_page=has_page)
                ended = trio.current_time()
            events.now()


async def _wait_for_flood(events: Subscription[Any], source: Source, known: float) -> float:
    """Wait until events later than ``known`` exceed a limit; return the time of the last."""
    counters = [_Counter(limit) for limit in source.limits]
    while True:
        event = await events.next()
        if event.timestamp > known and any(each.is_exceeded(event) for each in counters):
            return float(event.timestamp)


async def _pause(
    session: CdpSession,
    source: Source,
    rest: float,
    paused: Callable[[], object],
    *,
    has_page: bool,
) -> None:
    """Disable a domain for ``rest`` seconds, or until a navigation.

    The pause begins when the domain is disabled: a page that is busy with its flood answers late,
    and the events that it has sent before are still arriving. The pause lasts at least as long as
    disabling took, up to the ``longest`` of the source: after shorter pauses, a busy page would
    delay other tabs most of the time.
    """
    with session.events(page.FrameStartedNavigating) as navigating:
        if not has_page:
            await session.begin(page.EnablePage())
        asked, disabled = trio.current_time(), await session.begin(source.off)
        await disabled.settled.wait()
        paused()
        took = min(trio.current_time() - asked, source.longest)
        with trio.move_on_after(max(rest, took)):
            await navigating.next()
        for command in [*source.on, *([] if has_page else [page.DisablePage()])]:
            await session.begin(command)
