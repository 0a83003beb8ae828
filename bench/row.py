"""Rows of the table: measurement, floor and bound."""

import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import attrs

from tests.site.server import Site


@attrs.frozen
class Bound:
    """A maximum of ``ms``, or of ``ratio`` times the floor ``plus`` ms: the larger counts."""

    ms: float = 0.0
    ratio: float = 0.0
    plus: float = 0.0

    def limit(self, floor: float) -> float:
        """Return the ms that are allowed when the floor took ``floor`` ms."""
        return max(self.ms, self.ratio * floor + self.plus)

    def __str__(self) -> str:
        """Return the bound as text: ``80 ms or 1.5 x``."""
        more = f" + {self.plus:g} ms" if self.plus else ""
        parts = [f"{self.ms:g} ms"] if self.ms else []
        return " or ".join(parts + ([f"{self.ratio:g} x{more}"] if self.ratio else []))


@attrs.frozen
class Sample:
    """One measurement: time, and characters of the answer."""

    ms: float
    chars: int


Measure = Callable[[], Awaitable[Sample]]


@attrs.frozen
class Pair:
    """The same repeatable work on both sides: over bare CDP, and by the server."""

    floor: Measure
    ours: Measure


@attrs.frozen
class Row:
    """A row of the table; each run measures it ``calls`` times and takes the median."""

    name: str
    bound: Bound
    open_pair: Callable[[Site], AbstractAsyncContextManager[Pair]]
    calls: int = 1


async def timed(work: Callable[[], Awaitable[str]]) -> Sample:
    """Measure a piece of work."""
    started = time.perf_counter()
    text = await work()
    return Sample(ms_since(started), len(text))


def ms_since(started: float) -> float:
    """Return the ms since a time of the monotonic clock."""
    return (time.perf_counter() - started) * 1000
