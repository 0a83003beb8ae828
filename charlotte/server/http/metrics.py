"""The server's metrics in the text format of Prometheus."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Protocol

import attrs
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from charlotte.metrics import Metrics

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
_TAB = re.compile(r"tab-\d+ ?")


class Vitals(Protocol):
    """The parts of the application that have metrics."""

    @property
    def metrics(self) -> Metrics:
        """All calls."""
        ...

    @property
    def tabs(self) -> int:
        """The number of open tabs."""
        ...

    @property
    def restarts(self) -> Mapping[str, int]:
        """The number of restarts by the name of the actor."""
        ...


@attrs.frozen
class ServerMetrics(Collector):
    """All metrics of a server: of its sessions, tabs, actors and calls."""

    vitals: Vitals
    sessions: int
    max_sessions: int
    waiting: int

    def collect(self) -> Iterator[Metric]:
        """Yield each metric with its value now."""
        yield GaugeMetricFamily("charlotte_sessions", "Open sessions.", self.sessions)
        yield GaugeMetricFamily("charlotte_sessions_limit", "Session limit.", self.max_sessions)
        yield GaugeMetricFamily(
            "charlotte_sessions_waiting", "Calls that wait for a session.", self.waiting
        )
        yield GaugeMetricFamily("charlotte_tabs", "Open tabs.", self.vitals.tabs)
        counts = Counter[str]()
        for name, count in self.vitals.restarts.items():
            counts[_TAB.sub("", name) or "tab"] += count
        restarts = CounterMetricFamily(
            "charlotte_restarts", "Restarts by kind of actor.", labels=["actor"]
        )
        for actor, count in counts.items():
            restarts.add_metric([actor], count)
        yield restarts
        for family in self.vitals.metrics.registry.collect():
            family.samples = [
                sample for sample in family.samples if not sample.name.endswith("_created")
            ]
            yield family

    def render(self) -> bytes:
        """Return the text of all metrics."""
        return generate_latest(self)
