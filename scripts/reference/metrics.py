"""docs/reference/metrics.md: metrics in Prometheus' format."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import trio

from charlotte.api.call_watch import RunningCall
from charlotte.api.session import Metrics
from charlotte.server.http.budget import Admission
from charlotte.server.http.serve import ServerMetrics

from .markdown import code, page, table

_INTRODUCTION = """# Metrics

`GET /metrics` of a server over HTTP returns these metrics in the text format of Prometheus. It
requires the token of the server; the token of an OAuth user is not sufficient.

`outcome` is `ok`, `failed` (an answer that reports an error), the code of an [error](errors.md),
`cancelled`, or `crashed` (a bug of Charlotte)."""


def write() -> str:
    """Return the page."""
    return page(
        _INTRODUCTION,
        *table(["metric", "type", "labels", "meaning"], trio.run(_rows)),
    )


async def _rows() -> list[list[str]]:
    return [*_describe()]


def _describe() -> Iterator[list[str]]:
    """Collect the metrics of a server with one call and one restart."""
    calls = Metrics()
    with calls.track(RunningCall("session", "click", "tab-1")):
        pass
    application: Any = SimpleNamespace(tabs=1, restarts={"tab-1": 1}, metrics=calls)
    for family in ServerMetrics(application, Admission(1, 0), []).collect():
        labels = [name for name in family.samples[0].labels if name != "le"]
        suffix = "_total" if family.type == "counter" else ""
        names = ", ".join(map(code, labels))
        yield [code(family.name + suffix), family.type, names, family.documentation]
