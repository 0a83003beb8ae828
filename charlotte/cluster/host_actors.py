"""The hosts of a gateway or a program as actors of Ray, which end with their gateway."""

import itertools
from typing import Any

import attrs
import outcome
import trio

from charlotte.cluster.host import Host
from charlotte.cluster.ray_calls import (
    RESOURCE,
    call_actor,
    import_ray,
    in_thread,
    pack,
    send,
    unpack,
)
from charlotte.config.config import Config

CALLS = 256
"""Calls that a host runs at once; more wait for a thread of it."""
_LINKS = {"links": 64}
"""The threads of a host for polls and closing, which never wait for calls."""
_keys = itertools.count(1)


@attrs.define(eq=False)
class HostActor:
    """One incarnation of a host: an actor that is not started again once it is lost."""

    _actor: Any

    async def ask(
        self, method: str, *arguments: Any, key: str | None = None
    ) -> outcome.Outcome[Any]:
        """Return the outcome of a method of the host; a cancelled call is closed there too.

        ``key`` names the call for `Host.close`. Raises `ActorGone`.
        """
        key = key or f"call-{next(_keys)}"
        group = None if method in {"open", "call"} else "links"
        try:
            packed = await call_actor(self._actor, method, pack((key, *arguments)), group=group)
        except trio.Cancelled:
            send(self._actor, "close", pack(("", key)), group="links")
            raise
        result: outcome.Outcome[Any] = unpack(packed)
        return result

    async def kill(self) -> None:
        """End the process of the host."""
        await in_thread(import_ray().kill, self._actor)


@attrs.frozen
class HostActors:
    """The hosts that Ray runs: ``browsers`` for a program, else one for each `browser` of nodes."""

    config: Config
    browsers: int | None = None

    def count(self) -> int:
        """Return the number of hosts that the cluster is to run; blocks."""
        if self.browsers is not None:
            return self.browsers
        return int(import_ray().cluster_resources().get(RESOURCE, 0))

    def start(self) -> HostActor:
        """Have Ray start a host where there is room; blocks."""
        kind = (
            import_ray()
            .remote(concurrency_groups=_LINKS)(Host)
            .options(
                num_cpus=self.config.host_cpus,
                resources={RESOURCE: 1} if self.browsers is None else {},
                scheduling_strategy="SPREAD",
                max_concurrency=CALLS,
                max_task_retries=0,
            )
        )
        config = attrs.evolve(
            self.config, engine="local", address=None, auth_token=None, dashboard=False
        )
        return HostActor(kind.remote(pack(config)))
