"""Charlotte on a Ray cluster, for asyncio programs: sessions distributed among its nodes.

    async with open_charlotte(Config(), browsers=4) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")

Methods, objects and errors are those of `charlotte.aio`; a session uses the files of its machine.
A session is saved after its calls. If its machine is lost, it continues on another one with its
tabs, cookies and localStorage; the calls that were running raise `ConnectionLost`. In trio, call
`charlotte.open_charlotte` with ``Config(engine="ray")``.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from charlotte.actors.kernel.mailbox import STREAM_CAPACITY, Event, Restarted
from charlotte.aio import AsyncioEventStream, Bridge, open_bridge
from charlotte.cluster.engine import ClusterCharlotte, open_cluster
from charlotte.cluster.remote_session import RemoteSession
from charlotte.config import Config
from charlotte.tools.answer import Answer
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

__all__ = ["RayCharlotte", "RaySession", "open_charlotte"]

R = TypeVar("R")
E = TypeVar("E", bound=Event)


class RaySession(SessionMethods):
    """A session on any machine: its own cookies and storage, its own tabs."""

    def __init__(self, inner: RemoteSession, bridge: Bridge) -> None:
        self._inner = inner
        self._bridge = bridge

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool on the session's host.

        Raises `ConnectionLost` within seconds if the host is lost. The session then continues on
        another host with its tabs, under the same ids.
        """
        return await self._bridge.run(partial(self._inner.run_tool, tool, arguments))

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name; raises as `run_tool` does."""
        return await self._bridge.run(partial(self._inner.call, name, arguments))

    async def keep(self) -> None:
        """Save the session now; it is also saved shortly after each call."""
        await self._bridge.run(self._inner.keep)

    async def status(self) -> dict[str, Any]:
        """Return the status of the session's host, with the tabs of this session only."""
        return await self._bridge.run(self._inner.read_status)

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> AsyncioEventStream[E]:
        """Return the events of the session's tabs from now on, of these kinds or all."""
        return AsyncioEventStream(
            self._bridge, partial(self._inner.events, *kinds, capacity=capacity)
        )


class RayCharlotte:
    """Browsers on a cluster, serving many sessions."""

    def __init__(self, inner: ClusterCharlotte, bridge: Bridge) -> None:
        self._inner = inner
        self._bridge = bridge

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[RaySession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end.

        Raises `SessionProblem` if no host has a free slot in time.
        """
        async with self._bridge.entered(self._inner.open_session) as opened:
            yield RaySession(opened, self._bridge)

    async def status(self) -> dict[str, Any]:
        """Return the sum of the last known status of all hosts, and a row for each host."""
        return await self._bridge.call(self._inner.status)

    def events(self, *kinds: type[E], capacity: int = STREAM_CAPACITY) -> AsyncioEventStream[E]:
        """Return the events of all sessions, and restarts on hosts, from now on."""
        return AsyncioEventStream(
            self._bridge, partial(self._inner.events, *kinds, capacity=capacity)
        )


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None,
    *,
    browsers: int = 1,
    on_restart: Callable[[Restarted], None] | None = None,
) -> AsyncGenerator[RayCharlotte]:
    """Start browsers with Ray, spread over its nodes; each uses `Config.host_cpus` CPUs.

    They run on the cluster that the program has connected to (``ray.init``), on that of
    `Config.address`, else on a new local cluster. ``on_restart`` is called in the program's event
    loop when an actor of a host has crashed. Raises `SessionProblem` if Ray is not installed.
    """
    loop = asyncio.get_running_loop()

    def hook(restarted: Restarted) -> None:
        if on_restart is not None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(on_restart, restarted)

    opened = partial(open_cluster, config, browsers=browsers, on_restart=hook)
    async with open_bridge() as bridge, bridge.entered(opened) as cluster:
        yield RayCharlotte(cluster, bridge)
