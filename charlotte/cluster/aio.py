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
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from charlotte.actors.kernel.mailbox import Restarted
from charlotte.api.aio import AsyncioCharlotte, AsyncioSession, call_in_loop, open_bridge
from charlotte.cluster.engine import open_cluster
from charlotte.config.config import Config

__all__ = ["RayCharlotte", "RaySession", "open_charlotte"]

RayCharlotte = AsyncioCharlotte
RaySession = AsyncioSession


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None,
    *,
    browsers: int = 1,
    on_restart: Callable[[Restarted], None] | None = None,
) -> AsyncGenerator[AsyncioCharlotte]:
    """Start browsers with Ray, spread over its nodes; each uses `Config.host_cpus` CPUs.

    They run on the cluster that the program has connected to (``ray.init``), on that of
    `Config.address`, else on a new local cluster. A session is on the host with the fewest
    sessions; `open_session` raises `SessionProblem` if no host has a free slot in time.
    ``on_restart`` is called in the program's event loop when an actor of a host has crashed. Raises
    `SessionProblem` if Ray is not installed.
    """
    hook = call_in_loop(asyncio.get_running_loop(), on_restart)
    opened: Any = partial(open_cluster, config, browsers=browsers, on_restart=hook)
    async with open_bridge() as bridge, bridge.entered(opened) as cluster:
        yield AsyncioCharlotte(cluster, bridge)
