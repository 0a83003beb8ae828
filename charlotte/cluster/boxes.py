"""Boxes of a host: the notices for each of its gateways, until the gateway polls."""

from collections.abc import Callable

import attrs
import trio

from charlotte.cluster.messages import Notice, ProgressMade

POLL_WAIT = 0.5
"""Seconds after which a poll without news is answered: the heartbeat of the host."""


@attrs.define(eq=False)
class Box:
    """The notices that wait for the next poll of a gateway, which may have other settings."""

    has_same_settings: bool = True
    notices: list[Notice] = attrs.field(factory=list[Notice])
    wants_events: bool = False
    unnamed: set[str] = attrs.field(factory=set[str])
    seen: float = attrs.field(factory=trio.current_time)
    status_due: float = 0.0
    _arrived: trio.Event = attrs.field(factory=trio.Event)

    def put(self, notice: Notice) -> None:
        """Add a notice."""
        self.notices.append(notice)
        self._arrived.set()

    async def take(self) -> list[Notice]:
        """Return all notices; wait for the first for at most `POLL_WAIT` seconds."""
        with trio.move_on_after(POLL_WAIT):
            await self._arrived.wait()
        self._arrived = trio.Event()
        taken, self.notices = self.notices, []
        return taken


@attrs.define(eq=False)
class Reporter:
    """Sends the progress of a call to its gateway, and counts the reports."""

    _number: int
    _find_box: Callable[[], Box | None]
    count: int = 0

    async def report(self, progress: float, total: int | None, message: str | None) -> None:
        """Send a report with the next poll of the gateway."""
        if box := self._find_box():
            box.put(ProgressMade(self._number, (progress, total, message)))
            self.count += 1
