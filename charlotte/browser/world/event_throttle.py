"""Throttling of CDP events: pauses for pages that send messages, requests or log lines in floods.

The browser reports each of them to every session. Thousands per second fill the connection that all
tabs share, so the domain that reports them is disabled for a while: Network for requests and for
messages on WebSockets, Runtime for exceptions, Log for the browser's own entries.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import attrs
import trio

from charlotte.protocol import network, page, runtime
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import Command

WITHIN = 0.2
"""Seconds of the page's clock, because events of a flood arrive later than they were sent."""

MOST = 200
MOST_CHARACTERS = 2_000_000
_USUAL_REQUESTS = 3.0, 1500
"""Seconds, and the allowed requests in them: a page may load a thousand modules."""

_REQUESTS_GOING_ON = WITHIN, 100
"""The same for a page after a pause."""

LATE = 0.3
"""Seconds after which an event is late: events wait in the browser to be sent."""

LATE_EVENTS = 200
"""Messages and requests that a page may send while its events are already late.

The limits above are for a fast machine. On a busy one, fewer events delay the answers of the
browser to all tabs by many seconds.
"""

_USUAL_LINES = 1000.0, 2000
"""Milliseconds, and the allowed lines in them."""

USUAL_REPORTS = 100.0, 500
"""The same for exceptions and the browser's own entries.

A flood of exceptions arrives so slowly that the next thousands are on their way before the first
two thousand have arrived.
"""

_LINES_GOING_ON = 1000.0, 200
LONGEST_DEAF = 8.0
"""Seconds without Runtime, because new frames are unknown meanwhile."""

FIRST_REST = 2.0
LONGEST_REST = 30.0
_BACKLOG = 5000

LoggedLine = (
    runtime.Logged | runtime.EntryCounted | runtime.ConsoleApiCalled | runtime.ExceptionThrown
)


class Pace(Protocol):
    """Detects whether events arrive too fast."""

    def is_exceeded(self, event: Any, /) -> bool:
        """Count an event; return whether there are too many."""
        ...


@attrs.define
class _Limit:
    """At most ``most`` events, with ``most_characters``, ``within`` a time of the page's clock."""

    within: float
    most: int
    most_characters: float = math.inf
    _begun: float = 0.0
    _count: int = 0
    _characters: int = 0

    def is_exceeded(self, at: float, length: int = 0) -> bool:
        """Count an event that was sent ``at`` a time of the page's clock."""
        if not self._begun <= at <= self._begun + self.within:
            self._begun, self._count, self._characters = at, 0, 0
        self._count += 1
        self._characters += length
        return self._count > self.most or self._characters > self.most_characters


class _Lateness:
    """Detects a page that goes on sending although its events arrive late.

    The last events of a burst arrive late too, but were sent before the first late one arrived:
    only events sent after that count.
    """

    def __init__(self) -> None:
        self._least_delay = math.inf  # the difference between the clocks, if no event is late
        self._late_since = math.inf  # in the page's clock
        self._count = 0

    def is_exceeded(self, at: float) -> bool:
        """Count an event that arrives now and was sent ``at`` a time of the page's clock."""
        delay = trio.current_time() - at
        self._least_delay = min(self._least_delay, delay)
        lateness = delay - self._least_delay
        if lateness < LATE:
            self._late_since, self._count = math.inf, 0
        elif self._late_since == math.inf:
            self._late_since = at + lateness
        elif at >= self._late_since:
            self._count += 1
        return self._count > LATE_EVENTS


class NetworkPace:
    """The limits of requests and messages; stricter limits for requests after a pause."""

    def __init__(self, *, goes_on: bool = False) -> None:
        self._lateness = _Lateness()
        self._messages = _Limit(WITHIN, MOST, MOST_CHARACTERS)
        self._requests = _Limit(*(_REQUESTS_GOING_ON if goes_on else _USUAL_REQUESTS))

    def is_exceeded(self, message: network.Streamed) -> bool:
        """Count a request or message."""
        at = message.timestamp
        if self._lateness.is_exceeded(at):
            return True
        if not isinstance(message, network.RequestBegun):
            return self._messages.is_exceeded(at, message.length)
        return self._requests.is_exceeded(at)


class LinePace:
    """The limits of lines; stricter limits for a page after a pause."""

    def __init__(self, *, goes_on: bool = False) -> None:
        self._lines = _Limit(*(_LINES_GOING_ON if goes_on else _USUAL_LINES))
        self._reports = _Limit(*USUAL_REPORTS)

    def is_exceeded(self, line: LoggedLine) -> bool:
        """Count a line; lines of the page's console have a higher limit than others."""
        is_flood = self._lines.is_exceeded(line.timestamp)
        of_console = type(line) in {runtime.Logged, runtime.ConsoleApiCalled}
        return (not of_console and self._reports.is_exceeded(line.timestamp)) or is_flood


class MostEvents:
    """A limit of events per second; a lower one after a pause."""

    def __init__(self, *, goes_on: bool = False) -> None:
        self._limit = _Limit(1.0, 100 if goes_on else 500)

    def is_exceeded(self, event: Any) -> bool:
        """Count an event."""
        return self._limit.is_exceeded(event.timestamp)


@attrs.define
class Backoff:
    """The length of pauses, which doubles if the last pause has just ended."""

    longest: float = LONGEST_REST
    _last: float = FIRST_REST
    _ended: float = -math.inf

    def begin(self) -> float:
        """Begin a pause; return its length in seconds."""
        goes_on = trio.current_time() - self._ended < self.longest
        self._last = min(2 * self._last, self.longest) if goes_on else FIRST_REST
        return self._last

    def end(self) -> None:
        """End a pause."""
        self._ended = trio.current_time()


@attrs.frozen
class Source:
    """Events that a domain reports, and the commands that stop and resume the reports.

    A source that ``repeats`` reports earlier events again when it resumes.
    """

    types: Sequence[type[Any]]
    off: Command[Any]
    on: Sequence[Command[Any]]
    pace: Callable[..., Pace]
    longest: float = LONGEST_DEAF
    repeats: bool = True


NETWORK = Source(
    network.STREAMED,
    network.DisableNetwork(),
    [network.EnableNetwork()],
    NetworkPace,
    longest=LONGEST_REST,
    repeats=False,
)
ENTRIES = Source(
    (runtime.EntryCounted,),
    runtime.DisableLog(),
    [runtime.ClearLog(), runtime.EnableLog()],
    LinePace,
)
"""The browser's own log entries, such as failed requests. The lines of a pause are lost."""


def console_source(again: Sequence[Command[Any]] = ()) -> Source:
    """Return the console events of a session.

    ``again`` are commands to repeat after a pause, because disabling Runtime undoes them.
    """
    on = [runtime.EnableRuntime(), *again]
    return Source((runtime.Thrown, runtime.Logged), runtime.DisableRuntime(), on, LinePace)


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
    backoff, known, goes_on = Backoff(source.longest), -math.inf, False
    with suppress(SessionGone), session.events(*source.types, backlog=_BACKLOG) as events:
        while True:
            flood = await _wait_for_flood(events, source.pace(goes_on=goes_on), known)
            known = flood if source.repeats else known
            if needed():
                await trio.sleep(FIRST_REST)
            else:
                begin()
                goes_on = await _pause(session, source, backoff, paused, has_page=has_page)
            events.now()


async def _wait_for_flood(events: Subscription[Any], pace: Pace, known: float) -> float:
    """Wait until events later than ``known`` exceed the pace; return the time of the last."""
    while True:
        event = await events.next()
        if event.timestamp > known and pace.is_exceeded(event):
            return float(event.timestamp)


async def _pause(
    session: CdpSession,
    source: Source,
    backoff: Backoff,
    paused: Callable[[], object],
    *,
    has_page: bool,
) -> bool:
    """Disable a domain for a while; return False if a frame navigated, which ends the pause.

    The pause begins when the domain is disabled: a page that is busy with its flood answers late,
    and the events that it has sent before are still arriving. The pause lasts at least as long as
    disabling took, up to the ``longest`` of the source: after shorter pauses, a busy page would
    delay other tabs most of the time.
    """
    with session.events(page.FrameStartedNavigating) as changed_commands:
        if not has_page:
            await session.begin(page.EnablePage())
        asked, disabled = trio.current_time(), await session.begin(source.off)
        await disabled.settled.wait()
        paused()
        took = min(trio.current_time() - asked, source.longest)
        with trio.move_on_after(max(backoff.begin(), took)) as pause:
            await changed_commands.next()
        for command in [*source.on, *([] if has_page else [page.DisablePage()])]:
            await session.begin(command)
        backoff.end()
    return pause.cancelled_caught
