"""What a console session tells, with rests from a page that logs thousands of lines a second.

While it does, the browser's way to us is full of its lines, and every tab waits behind them. In a
rest nothing is told; at its end, the browser repeats the last 1,000 lines.
"""

import math

import attrs
import trio

from charlotte.browser.event_throttle import LinePaces, Rests
from charlotte.protocol import log, runtime
from charlotte.protocol.connection import Pending
from charlotte.protocol.session import Session, Subscription
from charlotte.protocol.wire import Nothing

ConsoleLine = runtime.ConsoleApiCalled | runtime.ExceptionThrown | log.EntryAdded
ConsoleEvent = ConsoleLine | runtime.ExecutionContextsCleared
"""A line, or the end of the document that wrote those before."""

LONGEST_REST = 8.0
_PATIENCE = 0.1
_ALWAYS_NEWS = log.EntryAdded, runtime.ExecutionContextsCleared


@attrs.define(eq=False)
class ConsoleLines:
    """The lines of one session, each once, in order."""

    _session: Session
    _events: Subscription[ConsoleEvent]
    _pace: LinePaces = attrs.field(factory=LinePaces, init=False)
    _rests: Rests = attrs.field(factory=lambda: Rests(LONGEST_REST), init=False)
    _silenced: Pending[Nothing] | None = None
    _resumes: float = math.inf
    _newest: float = 0.0
    _known: float = -math.inf
    _is_repeating: bool = False
    _missed: bool = False

    @property
    def rest(self) -> float | None:
        """Seconds that the present rest goes on."""
        return self._resumes - trio.current_time() if self._resumes < math.inf else None

    def take_missed(self) -> bool:
        """Whether lines before the one that came last were not told."""
        missed, self._missed = self._missed, False
        return missed

    async def next(self) -> ConsoleEvent:
        """Wait for the next line; raises `SessionGone` once the session is detached."""
        while True:
            with trio.CancelScope(deadline=self._resumes):
                event = await self._events.next()
                if isinstance(event, _ALWAYS_NEWS) or await self._is_news(event):
                    return event
                continue
            await self._resume()

    async def _is_news(self, event: runtime.ConsoleApiCalled | runtime.ExceptionThrown) -> bool:
        if event.timestamp <= self._known:
            self._is_repeating = False
            return False
        self._missed |= self._is_repeating
        self._known, self._is_repeating = -math.inf, False
        self._newest = event.timestamp
        if self._pace.is_exceeded(event) and self._silenced is None:
            self._resumes = trio.current_time() + self._rests.begin()
            self._silenced = await self._session.begin(runtime.Disable())
        return True

    async def _resume(self) -> None:
        """Have the lines told again: none was missed if the first of them is known."""
        if self._silenced and (self._events.waiting or not self._silenced.settled.is_set()):
            self._resumes = trio.current_time() + _PATIENCE  # what was sent before is still to come
            return
        self._resumes, self._silenced, self._pace = math.inf, None, LinePaces()
        self._known, self._is_repeating = self._newest, True
        self._rests.end()
        await self._session.begin(runtime.Enable())
