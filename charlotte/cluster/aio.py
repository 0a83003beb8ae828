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
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from charlotte.actors.kernel.mailbox import Restarted
from charlotte.answers.answer import Answer
from charlotte.api.aio import Bridged, call_in_loop, open_bridge
from charlotte.cluster.engine import ClusterCharlotte, RemoteSession, open_cluster
from charlotte.config.config import Config
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

__all__ = ["RayCharlotte", "RaySession", "open_charlotte"]

R = TypeVar("R")


class RaySession(Bridged[RemoteSession], SessionMethods):
    """A session on any machine: its own cookies and storage, its own tabs."""

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool on the session's host.

        Raises `ConnectionLost` within seconds if the host is lost. The session then continues on
        another host with its tabs, under the same ids.
        """
        return await self._bridge.run(partial(self._inner.run_tool, tool, arguments))

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name; raises as `run_tool` does."""
        return await self._bridge.run(partial(self._inner.call, name, arguments))

    async def status(self) -> dict[str, Any]:
        """Return the status of the session's host, with the tabs of this session only."""
        return await self._bridge.run(self._inner.read_status)


class RayCharlotte(Bridged[ClusterCharlotte]):
    """Browsers on a cluster, serving many sessions; ``status`` has a row for each host."""

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[RaySession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end.

        Raises `SessionProblem` if no host has a free slot in time.
        """
        async with self._bridge.entered(self._inner.open_session) as opened:
            yield RaySession(opened, self._bridge)


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
    hook = call_in_loop(asyncio.get_running_loop(), on_restart)
    opened = partial(open_cluster, config, browsers=browsers, on_restart=hook)
    async with open_bridge() as bridge, bridge.entered(opened) as cluster:
        yield RayCharlotte(cluster, bridge)
