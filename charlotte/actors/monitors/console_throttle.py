"""Console events of a session, with pauses while a page logs thousands of lines per second.

Such lines fill the connection that all tabs share. During a pause, no line is reported; afterwards
the browser repeats the last 1,000 lines.
"""

import math

import attrs
import trio

from charlotte.browser.event_throttle import LONGEST_DEAF, Backoff, LinePace
from charlotte.protocol import log, runtime
from charlotte.protocol.connection import Pending
from charlotte.protocol.session import Session, Subscription
from charlotte.protocol.wire import Nothing

ConsoleLine = runtime.ConsoleApiCalled | runtime.ExceptionThrown | log.EntryAdded
ConsoleEvent = ConsoleLine | runtime.ExecutionContextsCleared
"""A line, or the end of the document that logged the lines before."""

_RETRY = 0.1
_NEVER_REPEATED = log.EntryAdded, runtime.ExecutionContextsCleared


@attrs.define(eq=False)
class ConsoleLines:
    """The lines of a session, each once, in order."""

    _session: Session
    _events: Subscription[ConsoleEvent]
    _pace: LinePace = attrs.field(factory=LinePace, init=False)
    _backoff: Backoff = attrs.field(factory=lambda: Backoff(LONGEST_DEAF), init=False)
    _disabled: Pending[Nothing] | None = None
    _resumes: float = math.inf
    _newest: float = 0.0
    _known: float = -math.inf
    _is_repeating: bool = False
    _missed: bool = False

    @property
    def pause(self) -> float | None:
        """Seconds until the end of the present pause, None if there is no pause."""
        return self._resumes - trio.current_time() if self._resumes < math.inf else None

    def take_missed(self) -> bool:
        """Return whether lines before the last line were missed."""
        missed, self._missed = self._missed, False
        return missed

    async def next(self) -> ConsoleEvent:
        """Wait for the next line; raises `SessionGone` once the session is detached."""
        while True:
            with trio.CancelScope(deadline=self._resumes):
                event = await self._events.next()
                if isinstance(event, _NEVER_REPEATED) or await self._is_new(event):
                    return event
                continue
            await self._resume()

    async def _is_new(self, event: runtime.ConsoleApiCalled | runtime.ExceptionThrown) -> bool:
        if event.timestamp <= self._known:
            self._is_repeating = False
            return False
        self._missed |= self._is_repeating
        self._known, self._is_repeating = -math.inf, False
        self._newest = event.timestamp
        if self._pace.is_exceeded(event) and self._disabled is None:
            self._resumes = trio.current_time() + self._backoff.begin()
            self._disabled = await self._session.begin(runtime.Disable())
        return True

    async def _resume(self) -> None:
        """Enable the reports again: no line was missed if the first repeated line is known."""
        if self._disabled and (self._events.waiting or not self._disabled.settled.is_set()):
            self._resumes = trio.current_time() + _RETRY  # events sent before are still arriving
            return
        self._resumes, self._disabled, self._pace = math.inf, None, LinePace()
        self._known, self._is_repeating = self._newest, True
        self._backoff.end()
        await self._session.begin(runtime.Enable())
