"""Renders what the server has counted, in the text format of Prometheus."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Protocol

import attrs

from charlotte.tally import BOUNDS, Durations, Tally

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_TAB = re.compile(r"tab-\d+ ?")


class Vitals(Protocol):
    """What of the application is shown."""

    @property
    def tally(self) -> Tally:
        """All calls."""
        ...

    @property
    def tabs(self) -> int:
        """How many tabs are open."""
        ...

    @property
    def restarts(self) -> Mapping[str, int]:
        """How often actors were restarted, by their names."""
        ...


@attrs.frozen
class Occupancy:
    """How many clients there are."""

    sessions: int
    most_sessions: int
    waiting: int


def render(vitals: Vitals, occupancy: Occupancy) -> str:
    """All metrics, with what they mean."""
    lines = [
        *_gauge("charlotte_sessions", "Sessions that are open.", occupancy.sessions),
        *_gauge("charlotte_sessions_limit", "Sessions there may be.", occupancy.most_sessions),
        *_gauge("charlotte_sessions_waiting", "Calls that wait for one.", occupancy.waiting),
        *_gauge("charlotte_tabs", "Tabs that are open.", vitals.tabs),
        *_gauge("charlotte_calls_running", "Calls not yet over.", len(vitals.tally.running)),
        *_counter("charlotte_restarts_total", "Actors restarted.", _restarts(vitals.restarts)),
        *_counter("charlotte_calls_total", "Calls by outcome.", _calls(vitals.tally)),
        *_histograms(vitals.tally.durations),
    ]
    return "\n".join(lines) + "\n"


def _gauge(name: str, meaning: str, value: int) -> Iterator[str]:
    yield from _head(name, meaning, "gauge")
    yield f"{name} {value}"


def _counter(name: str, meaning: str, values: Mapping[str, int]) -> Iterator[str]:
    yield from _head(name, meaning, "counter")
    for labels, value in values.items():
        yield f"{name}{{{labels}}} {value}"


def _head(name: str, meaning: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"


def _restarts(by_name: Mapping[str, int]) -> Mapping[str, int]:
    """By the kind of actor: tabs have numbers."""
    kinds = Counter[str]()
    for name, count in by_name.items():
        kinds[f'actor="{_TAB.sub("", name) or "tab"}"'] += count
    return kinds


def _calls(tally: Tally) -> Mapping[str, int]:
    return {
        f'tool="{tool}",outcome="{outcome}"': count
        for (tool, outcome), count in sorted(tally.outcomes.items())
    }


def _histograms(durations: Mapping[str, Durations]) -> Iterator[str]:
    name = "charlotte_call_seconds"
    yield from _head(name, "How long calls took.", "histogram")
    for tool, found in sorted(durations.items()):
        bounds = [*map(str, BOUNDS), "+Inf"]
        for bound, count in zip(bounds, accumulate(found.counts), strict=True):
            yield f'{name}_bucket{{tool="{tool}",le="{bound}"}} {count}'
        yield f'{name}_sum{{tool="{tool}"}} {found.total:.6f}'
        yield f'{name}_count{{tool="{tool}"}} {sum(found.counts)}'
