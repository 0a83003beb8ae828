"""The faults so far, and the errors and losses that they explain."""

from collections import defaultdict, deque
from typing import Literal

import attrs
import trio

Scope = Literal["tab", "renderers", "browser"]

GRACE = 10.0
"""Seconds that the effects of a fault may last after its end."""

_REMEMBERED = 12
"""The number of recent calls on a tab that a failure report includes."""

_EXCERPT = 400


@attrs.define(eq=False)
class Fault:
    """One fault: kind, tab (None for any), begin and end (trio time)."""

    kind: str
    scope: Scope
    tab: str | None = None
    began: float = attrs.field(factory=trio.current_time)
    ended: float | None = None

    def __str__(self) -> str:
        end = "now" if self.ended is None else f"{self.ended:.1f}"
        return f"{self.began:.1f} to {end}: {self.kind} {self.tab or ''}"

    def end(self) -> None:
        self.ended = trio.current_time()

    def touches(self, tab: str, since: float) -> bool:
        """Return whether the fault may have affected a tab after a given time."""
        is_meant = self.tab in {None, tab}
        return is_meant and (self.ended is None or self.ended + GRACE > since)


@attrs.define(eq=False)
class Ledger:
    """All faults so far, and all failures that no fault explains."""

    faults: list[Fault] = attrs.field(factory=list[Fault])
    failures: list[str] = attrs.field(factory=list[str])
    _calls: defaultdict[str, deque[str]] = attrs.field(
        factory=lambda: defaultdict(lambda: deque[str](maxlen=_REMEMBERED))
    )

    def begin(self, kind: str, scope: Scope, tab: str | None = None) -> Fault:
        """Record a fault that begins now."""
        fault = Fault(kind, scope, tab)
        self.faults.append(fault)
        return fault

    def dialog_answered(self, tab: str) -> None:
        """End the oldest dialog of a tab: until it is answered, it blocks its page."""
        for fault in self.faults:
            if fault.kind == "dialog" and fault.tab == tab and fault.ended is None:
                fault.end()
                return

    def excuse(self, tab: str, since: float, *kinds: str) -> bool:
        """Return whether a fault of some kind (or any) explains a tab's behaviour since a time."""
        return any(
            fault.touches(tab, since) for fault in self.faults if not kinds or fault.kind in kinds
        )

    def resets(self, tab: str, since: float) -> bool:
        """Return whether the page of a tab may have been loaded again since a time."""
        return any(
            fault.touches(tab, since)
            for fault in self.faults
            if fault.scope in {"renderers", "browser"}
        )

    def remember(self, tab: str, began: float, call: str) -> None:
        """Remember a call on a tab and its answer for failure reports."""
        self._calls[tab].append(f"{began:.1f} to {trio.current_time():.1f}: {call:.{_EXCERPT}}")

    def fail(self, what: str, tab: str = "") -> None:
        """Record a failure with the last calls on the tab."""
        report = [f"{trio.current_time():.1f}: {what}", *self._calls.pop(tab, ())]
        self.failures.append("\n         ".join(report))
