"""Rests from what a page sends without measure: messages, requests, exceptions.

The browser reports each of them to every session. Thousands a second fill the connection that all
tabs share, so the domain that reports them is disabled for a while: Network for messages on
WebSockets and for requests, Runtime for exceptions.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.protocol import log, network, page, runtime
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription
from charlotte.protocol.wire import Command

WITHIN = 0.2
"""Seconds of the page's clock, because messages of a flood arrive late."""

MOST = 200
MOST_CHARACTERS = 2_000_000
_USUAL_REQUESTS = (1.0, 1200), (3.0, 1500)
"""Seconds and the number of requests that are acceptable: a page can load a thousand modules."""

_GOING_ON = ((WITHIN, 100),)
"""The same after a recent pause."""

_BURST_TAKES = 0.1
"""Seconds after which a burst of requests is over, but a flood continues."""

_NEXT_BURST = 3.0
"""Seconds within which a second burst counts as a flood."""

_USUAL_LINES = 1000.0, 2000
"""Milliseconds and the number of lines that are acceptable."""

USUAL_REPORTS = 100.0, 500
"""The same for what is no line of the page's console: exceptions and the browser's own entries.

The page's console is slowed down in the page. A flood of exceptions arrives so slowly that the next
thousands are on their way before the first two thousand have arrived.
"""

_LINES_GOING_ON = 1000.0, 200
LONGEST_DEAF = 8.0
"""Seconds without the Runtime domain, in which new frames are unknown."""

FIRST_REST = 2.0
LONGEST_REST = 30.0
_BACKLOG = 5000

Line = runtime.Logged | log.EntryCounted


@attrs.define
class Pace:
    """A limit: more than ``most`` messages, or more text, ``within`` some seconds."""

    within: float
    most: int
    most_characters: float = math.inf
    _begun: float = 0.0
    _count: int = 0
    _characters: int = 0

    def is_exceeded(self, at: float, length: int = 0) -> bool:
        """Count a message that was sent ``at`` a time of the page's clock."""
        if not self._begun <= at <= self._begun + self.within:
            self._begun, self._count, self._characters = at, 0, 0
        self._count += 1
        self._characters += length
        return self._count > self.most or self._characters > self.most_characters


class Paces:
    """Several limits: pairs of seconds and a number of messages."""

    def __init__(self, *limits: tuple[float, int]) -> None:
        self._paces = [Pace(within, most) for within, most in limits]

    def is_exceeded(self, at: float) -> bool:
        """Count a message that was sent ``at`` a time of the page's clock."""
        exceeded = [one.is_exceeded(at) for one in self._paces]
        return any(exceeded)


class RequestPaces:
    """Limits of requests; stricter after a recent pause.

    One burst is not a flood: a pause would only hide the requests that follow it.
    """

    def __init__(self, *, goes_on: bool = False) -> None:
        self._limits = _GOING_ON if goes_on else _USUAL_REQUESTS
        self._paces = Paces(*self._limits)
        self._after = Paces(*_GOING_ON)
        self._may_be_burst = not goes_on
        self._over = -math.inf

    def is_exceeded(self, at: float) -> bool:
        """Count a request that was sent ``at`` a time of the page's clock."""
        if self._over <= at <= self._over + WITHIN:
            return self._after.is_exceeded(at)
        if at < self._over or not self._paces.is_exceeded(at):
            return False
        if not self._may_be_burst or at <= self._over + _NEXT_BURST:
            return True
        self._over = at + _BURST_TAKES
        self._paces, self._after = Paces(*self._limits), Paces(*_GOING_ON)
        return False


class LinePaces:
    """Limits of log lines; stricter after a recent pause."""

    def __init__(self, *, goes_on: bool = False) -> None:
        self._lines = Pace(*(_LINES_GOING_ON if goes_on else _USUAL_LINES))
        self._reports = Pace(*USUAL_REPORTS)

    def is_exceeded(self, line: Line | runtime.ConsoleApiCalled | runtime.ExceptionThrown) -> bool:
        """Count a line."""
        is_flood = self._lines.is_exceeded(line.timestamp)
        of_console = type(line) in {runtime.Logged, runtime.ConsoleApiCalled}
        return (not of_console and self._reports.is_exceeded(line.timestamp)) or is_flood


@attrs.define
class Rests:
    """Lengths of pauses: each twice as long as a recent one before."""

    longest: float = LONGEST_REST
    _last: float = FIRST_REST
    _over: float = -math.inf

    def begin(self) -> float:
        """Return the length of this pause in seconds."""
        goes_on = trio.current_time() - self._over < self.longest
        self._last = min(2 * self._last, self.longest) if goes_on else FIRST_REST
        return self._last

    def end(self) -> None:
        """Record the end of the pause."""
        self._over = trio.current_time()


async def rest_from_floods(
    session: Session,
    begin: Callable[[], object],
    needed: Callable[[], bool] = lambda: False,
    *,
    has_page: bool = True,
) -> None:
    """Disable the Network domain for a while whenever a page floods the session.

    Runs until the session ends. ``begin`` is called when a pause begins, because the known open
    requests are outdated then. There is no pause while the domain is ``needed`` for other effects.
    A session without Page domain (``has_page``) enables it during a pause: a pause ends when a
    frame
    navigates, so that nothing of the next document is lost.
    """
    rests, goes_on = Rests(), False
    with (
        suppress(SessionGone),
        session.events(*network.STREAMED, backlog=_BACKLOG) as messages,
    ):
        while True:
            await _flood(messages, RequestPaces(goes_on=goes_on))
            if needed():
                await trio.sleep(FIRST_REST)
            else:
                begin()
                goes_on = await _rest(
                    session, rests, network.Disable(), [network.Enable()], has_page=has_page
                )
            messages.now()


async def _flood(messages: Subscription[network.Streamed], of_requests: RequestPaces) -> None:
    """Wait until there are too many messages or requests, or too long ones."""
    pace = Pace(WITHIN, MOST, MOST_CHARACTERS)
    while True:
        message = await messages.next()
        if isinstance(message, network.RequestBegun):
            if of_requests.is_exceeded(message.timestamp):
                return
        elif pace.is_exceeded(message.timestamp, message.length):
            return


@attrs.frozen
class Lines:
    """Events that report log lines, and the commands that stop and resume them."""

    types: tuple[type[Line], ...]
    off: Command[Any]
    on: Sequence[Command[Any]]


def exceptions(again: Sequence[Command[Any]]) -> Lines:
    """Return the console events of a tab's session.

    ``again`` are commands to repeat afterwards, because disabling Runtime undoes them.
    """
    on = [runtime.Enable(), *again]
    return Lines((runtime.Thrown, runtime.Logged), runtime.Disable(), on)


ENTRIES = Lines((log.EntryCounted,), log.Disable(), [log.Clear(), log.Enable()])
"""Log entries of the browser itself, such as failed requests; those of a pause are lost."""


async def rest_from_lines(
    session: Session,
    reported: Lines,
    begin: Callable[[], object] = lambda: None,
    *,
    has_page: bool = True,
) -> None:
    """Stop reporting log lines for a while whenever there are too many.

    Runs until the session ends. ``has_page`` is that of `rest_from_floods`.
    """
    rests, newest, goes_on = Rests(LONGEST_DEAF), -math.inf, False
    with (
        suppress(SessionGone),
        session.events(*reported.types, backlog=_BACKLOG) as lines,
    ):
        while True:
            newest = await _too_many(lines, LinePaces(goes_on=goes_on), newest)
            begin()
            goes_on = await _rest(session, rests, reported.off, reported.on, has_page=has_page)
            lines.now()


async def _too_many(lines: Subscription[Line], pace: LinePaces, known: float) -> float:
    """Wait until the pace is exceeded; return when the last line was logged.

    Lines up to the ``known`` moment do not count: the browser repeats them when it resumes.
    """
    while True:
        line = await lines.next()
        if line.timestamp > known and pace.is_exceeded(line):
            return line.timestamp


async def _rest(
    session: Session,
    rests: Rests,
    off: Command[Any],
    on: Sequence[Command[Any]],
    *,
    has_page: bool,
) -> bool:
    """Disable a domain for a while; return False if a frame navigated, which ends the pause.

    The pause begins once the domain is disabled: a page that is busy with its flood answers late,
    and earlier messages still arrive.
    """
    with session.events(page.FrameStartedNavigating) as departures:
        if not has_page:
            await session.begin(page.Enable())
            on = [*on, page.Disable()]
        disabled = await session.begin(off)
        await disabled.settled.wait()
        with trio.move_on_after(rests.begin()) as rest:
            await departures.next()
        for command in on:
            await session.begin(command)
        rests.end()
    return rest.cancelled_caught
