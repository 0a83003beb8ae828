"""CDP Performance and SystemInfo domains: the use of memory and time by processes."""

import attrs

from charlotte.protocol.wire import Command, Nothing


class EnablePerformance(Command[Nothing], method="Performance.enable"):
    """Collect metrics of a page."""


@attrs.frozen
class Metric:
    """A metric; times are in seconds, sizes in bytes."""

    name: str
    value: float


class GetMetrics(Command[list[Metric]], method="Performance.getMetrics", result="metrics"):
    """Return the metrics of a page; a page whose script runs answers too."""


@attrs.frozen
class ProcessInfo:
    """A process of the browser; ``id`` is that of the operating system, times are in seconds."""

    type: str
    id: int
    cpu_time: float


class GetProcessInfo(
    Command[list[ProcessInfo]], method="SystemInfo.getProcessInfo", result="processInfo"
):
    """List the processes of the browser."""
