"""The hosts of a gateway as actors of Ray, whose calls are awaited on trio.

No other module of the gateway imports Ray, an optional dependency.
"""

import itertools
import socket
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

import attrs
import structlog
import trio

from charlotte.base.errors import SessionProblem, ellipsize
from charlotte.cluster.host import Host
from charlotte.cluster.messages import pack, unpack
from charlotte.config.config import Config

R = TypeVar("R")

RESOURCE = "browser"
"""The custom resource of nodes that browser hosts need, one each."""
CALLS = 256
"""Calls that a host runs at once; more wait for a thread of it."""
_LINKS = {"links": 64}
"""The threads of a host for polls and closing, which never wait for calls."""
_CONNECT_WAIT = 5.0

_keys = itertools.count(1)
log = structlog.get_logger(__name__)


class ActorGone(Exception):
    """The actor of a call, its process or its node is lost, or Ray cannot reach it."""


def import_ray() -> Any:
    """Return the module ``ray``, which has no types; raises `SessionProblem`."""
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise SessionProblem(
            "Ray, which runs the browsers of a cluster, is not installed.",
            "Install charlotte-mcp[ray].",
        ) from None


def connect(address: str | None) -> bool:
    """Connect this process to the cluster, or start one here; return whether it was not yet.

    Raises `SessionProblem` without Ray, or if no cluster answers at the address.
    """
    ray = import_ray()
    if ray.is_initialized():
        return False
    options: dict[str, Any] = {
        "namespace": "charlotte",
        "log_to_driver": False,
        "logging_level": "error",
    }
    try:
        host, colon, port = (address or "").rpartition("://")[2].rpartition(":")
        if colon and port.isdigit():  # Ray would wait for minutes if nothing listens
            socket.create_connection((host.strip("[]"), int(port)), _CONNECT_WAIT).close()
        ray.init(address or "auto", **options)
    except Exception as error:
        if address is not None or not isinstance(error, ConnectionError):
            reason = ellipsize(" ".join(str(error).split()), 300).removesuffix(".")
            raise SessionProblem(
                f"The Ray cluster {address or ''} cannot be reached: {reason}.",
                "Check the address, and that `ray status` works on this machine.",
            ) from error
        options["_system_config"] = {"worker_niceness": 0}  # else browsers have a low priority
        ray.init("local", resources={RESOURCE: 1}, include_dashboard=False, **options)
    log.info("connected to a Ray cluster", address=ray.get_runtime_context().gcs_address)
    return True


async def call_actor(method: Any, packed: bytes) -> Any:
    """Return the result of an actor's method; raises `ActorGone`."""
    ray = import_ray()
    token, done = trio.lowlevel.current_trio_token(), trio.Event()

    def wake(_: object) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    try:
        future = method.remote(packed).future()
        future.add_done_callback(wake)
        await done.wait()
        return future.result()
    except ray.exceptions.RayTaskError:
        raise
    except ray.exceptions.RayError as error:
        raise ActorGone(f"{type(error).__name__}: {error}") from error


async def in_thread(function: Callable[..., R], *arguments: Any) -> R:
    """Run a function of Ray that blocks, without delaying other tasks."""
    return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True)


@attrs.define(eq=False)
class HostActor:
    """One incarnation of a host: an actor that is not started again once it is lost."""

    _actor: Any

    async def ask(self, method: str, *arguments: Any, key: str | None = None) -> Any:
        """Return the result of a method of the host; a cancelled call is closed there too.

        ``key`` names the call for `Host.close`. Raises `ActorGone`.
        """
        key = key or f"call-{next(_keys)}"
        asked = self._actor.close if method == "close" else self._actor.answer
        if method in {"poll", "close"}:
            asked = asked.options(concurrency_group="links")
        try:
            return unpack(await call_actor(asked, pack((method, key, *arguments)))).unwrap()
        except trio.Cancelled:
            with suppress(Exception):  # the loss of an actor is noticed by its link
                closing = self._actor.close.options(concurrency_group="links")
                closing.remote(pack(("close", "", key)))
            raise

    async def kill(self) -> None:
        """End the process of the host."""
        await in_thread(import_ray().kill, self._actor)


@attrs.frozen
class HostActors:
    """The hosts that Ray runs: one for each `browser` of the nodes."""

    config: Config

    def count(self) -> int:
        """Return the number of hosts that the cluster is to run; blocks."""
        return int(import_ray().cluster_resources().get(RESOURCE, 0))

    def start(self) -> HostActor:
        """Have Ray start a host where there is room; blocks."""
        kind = import_ray().remote(concurrency_groups=_LINKS)(Host)
        options = {
            "num_cpus": self.config.host_cpus,
            "resources": {RESOURCE: 1},
            "scheduling_strategy": "SPREAD",
            "max_concurrency": CALLS,
            "max_task_retries": 0,
        }
        config = attrs.evolve(self.config, engine="local", address=None, auth_token=None)
        return HostActor(kind.options(**options).remote(pack(config)))
