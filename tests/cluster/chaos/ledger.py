"""The kills of a run, the waits that they caused, and the failures that no kill explains."""

import statistics
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, Literal

import attrs
import trio

Kind = Literal["host", "node"]

MOST_ERROR_WAIT = 5.0
"""Seconds from the kill of its host, or from its begin if that is later, to the error of a call."""
MOST_USE_WAIT = 15.0
"""Seconds from a kill in which 95 % of the lost sessions have to be usable again."""
_LINGERS = {"host": 0.0, "node": 2.0}
"""Seconds that hosts may go on after a kill: they notice the loss of their node themselves."""
_REMEMBERED = 14
_EXCERPT = 400


@attrs.frozen
class Kill:
    """A process or a node that was killed, at a trio time, with the gateway's name of its host."""

    kind: Kind
    at: float
    host: str

    def __str__(self) -> str:
        return f"{self.at:.1f}: {self.kind} of {self.host}"


@attrs.define(eq=False)
class Ledger:
    kills: list[Kill] = attrs.field(factory=list[Kill])
    failures: list[str] = attrs.field(factory=list[str])
    answers: Counter[str] = attrs.field(factory=Counter[str])
    error_waits: list[float] = attrs.field(factory=list[float])
    use_waits: list[float] = attrs.field(factory=list[float])

    def note_kill(self, kind: Kind, host: str) -> None:
        self.kills.append(Kill(kind, trio.current_time(), host))

    def first_kill(self, since: float, host: str | None = None) -> Kill | None:
        """Return the first kill, or the first one of a host, that had effects after a time."""
        kills = (kill for kill in self.kills if host in {None, kill.host})
        return next((kill for kill in kills if kill.at + _LINGERS[kill.kind] >= since), None)

    def fail(self, what: str, calls: Sequence[str] = ()) -> None:
        """Record a failure with the last calls of its agent."""
        report = [f"{trio.current_time():.1f}: {what}", *calls]
        self.failures.append("\n         ".join(report))

    def check_waits(self) -> None:
        if (p95 := percentile(self.use_waits, 95)) > MOST_USE_WAIT:
            self.fail(f"a session was usable again after {p95:.1f} s (p95)")

    def figures(self) -> dict[str, Any]:
        return {
            "kills": dict(Counter(kill.kind for kill in self.kills)),
            "answers": dict(self.answers),
            "seconds to error": _spread(self.error_waits),
            "seconds to use": _spread(self.use_waits),
        }


@attrs.define(eq=False)
class Calls:
    """The last calls of an agent, for reports of failures."""

    _lines: deque[str] = attrs.field(factory=lambda: deque[str](maxlen=_REMEMBERED))

    def add(self, began: float, call: str) -> None:
        self._lines.append(f"{began:.1f} to {trio.current_time():.1f}: {call:.{_EXCERPT}}")

    def lines(self) -> list[str]:
        """Return the calls, the last one at the end."""
        return list(self._lines)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile of values; 0 without values."""
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {
        "count": len(values),
        "p50": round(percentile(values, 50), 2),
        "p95": round(percentile(values, 95), 2),
        "max": round(max(values, default=0.0), 2),
    }
