"""Two gateways; one that was killed is replaced by a new one."""

import random
import signal
from collections.abc import Sequence
from typing import NoReturn

import attrs
import trio

from tests.cluster.gateways import open_gateway

_PATIENCE = 120.0


@attrs.define(eq=False)
class Gateway:
    """A running server."""

    url: str
    process: trio.Process
    is_lost: bool = False

    def __str__(self) -> str:
        return f"gateway {self.process.pid}"

    def kill(self) -> None:
        """Kill the server without any warning."""
        self.is_lost = True
        self.process.send_signal(signal.SIGKILL)


@attrs.define(eq=False)
class Gateways:
    """The gateways that are ready; ``places`` is the number of sessions that each has room for."""

    count: int
    places: int
    ready: list[Gateway] = attrs.field(factory=list[Gateway])
    _changed: trio.Event = attrs.field(factory=trio.Event)

    async def run(self) -> None:
        """Start all gateways, and replace those that are killed, until it is cancelled."""
        async with trio.open_nursery() as nursery:
            for _ in range(self.count):
                nursery.start_soon(self._keep_one)

    async def wait_ready(self, wanted: Gateway | None, chance: random.Random) -> Gateway:
        """Return a gateway: the wanted one unless it is lost, else any."""
        with trio.fail_after(_PATIENCE):
            while not (live := self.live()):
                await self._changed.wait()
        return wanted if wanted is not None and wanted in live else chance.choice(live)

    async def wait_all(self) -> None:
        """Wait until all gateways are ready."""
        with trio.fail_after(_PATIENCE):
            while len(self.live()) < self.count:
                await self._changed.wait()

    def live(self) -> Sequence[Gateway]:
        """Return the gateways that are ready and not lost."""
        return [gateway for gateway in self.ready if not gateway.is_lost]

    async def _keep_one(self) -> NoReturn:
        while True:
            async with open_gateway("--log-level", "error", places=self.places) as (url, process):
                gateway = Gateway(url, process)
                self.ready.append(gateway)
                self._note_change()
                try:
                    await process.wait()
                finally:
                    self.ready.remove(gateway)
                    self._note_change()

    def _note_change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
