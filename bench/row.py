"""What a row of the table is: how it is measured, against what, and what it is bound to be."""

import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

import attrs

from tests.site.server import Site


@attrs.frozen
class Bound:
    """Met within ``ms``, or within ``ratio`` times the floor ``plus`` ms: whichever is larger."""

    ms: float = 0.0
    ratio: float = 0.0
    plus: float = 0.0

    def limit(self, floor: float) -> float:
        """Return the ms that are allowed when the floor took ``floor`` ms."""
        return max(self.ms, self.ratio * floor + self.plus)

    def __str__(self) -> str:
        """Return the bound as people write it: ``80 ms or 1.5 x``."""
        more = f" + {self.plus:g} ms" if self.plus else ""
        parts = [f"{self.ms:g} ms"] if self.ms else []
        return " or ".join(parts + ([f"{self.ratio:g} x{more}"] if self.ratio else []))


@attrs.frozen
class Sample:
    """One measurement: how long it took, and how many characters the answer had."""

    ms: float
    chars: int


Measure = Callable[[], Awaitable[Sample]]


@attrs.frozen
class Pair:
    """The same work twice: over bare CDP, and by the server. Both can be done again and again."""

    floor: Measure
    ours: Measure


@attrs.frozen
class Row:
    """A line of the table; in every run it is measured ``calls`` times, and the median counts."""

    name: str
    bound: Bound
    open_pair: Callable[[Site], AbstractAsyncContextManager[Pair]]
    calls: int = 1


async def timed(work: Callable[[], Awaitable[str]]) -> Sample:
    """Do the work and measure it."""
    started = time.perf_counter()
    text = await work()
    return Sample(ms_since(started), len(text))


def ms_since(started: float) -> float:
    """Return how long ago that was, by the clock that never goes back."""
    return (time.perf_counter() - started) * 1000
