"""Owns what is known of the calls: those that run, and how those ended that are over."""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager

import attrs
import trio

from charlotte.errors import CharlotteError

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds; between these, durations are not told apart."""


_RECENT = 120


@attrs.define
class Durations:
    """How many calls were longer than one bound and not longer than the next; all their seconds."""

    counts: list[int] = attrs.field(factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


@attrs.define(eq=False)
class Running:
    """A call that is not over; ``since`` is trio's time, ``failed`` what its answer will say."""

    session: str
    tool: str
    tab_id: str | None
    since: float = attrs.field(factory=trio.current_time)
    failed: bool = False


@attrs.frozen(eq=False)
class Ended:
    """A call that is over; ``at`` is trio's time then."""

    call: Running
    outcome: str
    seconds: float
    at: float


@attrs.define(eq=False)
class Tally:
    """All calls of all sessions.

    ``outcomes`` counts by tool and by ``ok``, ``failed`` (an answer that is an error), the code of
    an error, ``cancelled``, or ``crashed`` (a bug). ``recent`` are the last that ended.
    """

    running: set[Running] = attrs.field(factory=set[Running])
    outcomes: Counter[tuple[str, str]] = attrs.field(factory=Counter[tuple[str, str]])
    durations: dict[str, Durations] = attrs.field(factory=dict[str, Durations])
    recent: deque[Ended] = attrs.field(factory=lambda: deque(maxlen=_RECENT))

    @contextmanager
    def following(self, call: Running) -> Generator[Running]:
        """Count what is done in the block as one call."""
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
            self._count(call, outcome)

    def refused(self, tool: str, error: CharlotteError) -> None:
        """Count a call that was not made."""
        self.outcomes[tool, error.code] += 1

    def _count(self, call: Running, outcome: str) -> None:
        self.outcomes[call.tool, outcome] += 1
        now = trio.current_time()
        durations = self.durations.setdefault(call.tool, Durations())
        durations.add(now - call.since)
        self.recent.append(Ended(call, outcome, now - call.since, now))
