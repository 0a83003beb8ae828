"""Metrics of tool calls, in a Prometheus registry of their own, and the calls themselves."""

from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

import attrs
import trio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from charlotte.errors import CharlotteError

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the duration buckets, in seconds."""

_RECENT = 120


@attrs.define(eq=False)
class RunningCall:
    """A call in progress; ``since`` is trio's time, ``failed`` is set if its answer is an error."""

    session: str
    tool: str
    tab_id: str | None
    since: float = attrs.field(factory=trio.current_time)
    failed: bool = False


@attrs.frozen(eq=False)
class EndedCall:
    """A call that has ended, at trio's time ``at``."""

    call: RunningCall
    outcome: str
    seconds: float
    at: float


class Metrics:
    """All calls of all sessions: those in ``running``, the last in ``recent``, counts of the rest.

    Calls are counted by tool and by ``ok``, ``failed`` (an answer that is an error), the code of
    an error, ``cancelled``, or ``crashed`` (a bug).
    """

    def __init__(self) -> None:
        self.running: set[RunningCall] = set()
        self.recent: deque[EndedCall] = deque(maxlen=_RECENT)
        self.registry = CollectorRegistry()
        running = Gauge("charlotte_calls_running", "Calls in progress.", registry=self.registry)
        running.set_function(lambda: len(self.running))
        self._outcomes = Counter(
            "charlotte_calls", "Calls by outcome.", ("tool", "outcome"), registry=self.registry
        )
        self._seconds = Histogram(
            "charlotte_call_seconds",
            "Duration of calls.",
            ("tool",),
            buckets=BOUNDS,
            registry=self.registry,
        )

    @contextmanager
    def track(self, call: RunningCall) -> Generator[RunningCall]:
        """Count the work of the block as one call."""
        self.running.add(call)
        outcome = "cancelled"
        try:
            yield call
            outcome = "failed" if call.failed else "ok"
        except CharlotteError as error:
            outcome = error.code
            raise
        except Exception:
            outcome = "crashed"
            raise
        finally:
            self.running.discard(call)
            now = trio.current_time()
            self._outcomes.labels(call.tool, outcome).inc()
            self._seconds.labels(call.tool).observe(now - call.since)
            self.recent.append(EndedCall(call, outcome, now - call.since, now))

    def count_refusal(self, tool: str, error: CharlotteError) -> None:
        """Count a call that was refused before it began."""
        self._outcomes.labels(tool, error.code).inc()
