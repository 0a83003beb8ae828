"""Ray's calls awaited on trio; the only module that imports Ray, an optional dependency."""

import pickle
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import structlog
import trio

from charlotte.base.errors import SessionProblem

R = TypeVar("R")

RESOURCE = "browser"
"""The custom resource of nodes that browser hosts need, one each."""
_CONNECT_WAIT = 5.0

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


def connect(address: str | None, browsers: int | None = None) -> bool:
    """Connect this process to the cluster, or start one here; return whether it was not yet.

    Raises `SessionProblem` without Ray, or if no cluster answers at the address.
    """
    ray = import_ray()
    if ray.is_initialized():
        return False
    options = {"namespace": "charlotte", "log_to_driver": False, "logging_level": "error"}
    try:
        _check_address(address)
        ray.init(address or "auto", **options)
    except Exception as error:
        if address is not None or not isinstance(error, ConnectionError):
            reason = " ".join(str(error).split())[:300].removesuffix(".")
            raise SessionProblem(
                f"The Ray cluster {address or ''} cannot be reached: {reason}.",
                "Check the address, and that `ray status` works on this machine.",
            ) from error
        resources = {RESOURCE: browsers or 1}
        system = {"worker_niceness": 0}  # else browsers run with a low priority
        ray.init(
            "local",
            resources=resources,
            include_dashboard=False,
            _system_config=system,
            **options,
        )
    log.info("connected to a Ray cluster", address=ray.get_runtime_context().gcs_address)
    return True


def _check_address(address: str | None) -> None:
    """Raise `OSError` if nothing listens at an address: Ray would wait for minutes."""
    host, colon, port = (address or "").rpartition("://")[2].rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_WAIT).close()


def pack(value: object) -> bytes:
    """Return the form in which a value is sent: Ray pickles objects more slowly than bytes."""
    return pickle.dumps(value)


def unpack(packed: bytes) -> Any:
    """Return what `pack` got."""
    return pickle.loads(packed)  # noqa: S301 - the actors of a cluster trust each other


async def call_actor(actor: Any, method: str, *arguments: Any, group: str | None = None) -> Any:
    """Return the result of an actor's method; ``group`` is its concurrency group.

    Raises `ActorGone`.
    """
    ray = import_ray()
    try:
        future = _method(actor, method, group).remote(*arguments).future()
    except ray.exceptions.RayError as error:
        raise ActorGone(str(error)) from error
    token, done = trio.lowlevel.current_trio_token(), trio.Event()

    def wake(_: object) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    future.add_done_callback(wake)
    await done.wait()
    try:
        return future.result()
    except ray.exceptions.RayTaskError:
        raise
    except ray.exceptions.RayError as error:
        raise ActorGone(f"{type(error).__name__}: {error}") from error


def send(actor: Any, method: str, *arguments: Any, group: str | None = None) -> None:
    """Call a method without waiting for it."""
    with suppress(Exception):  # a lost actor is noticed by those who wait for it
        _method(actor, method, group).remote(*arguments)


def _method(actor: Any, name: str, group: str | None) -> Any:
    method = getattr(actor, name)
    return method if group is None else method.options(concurrency_group=group)


async def in_thread(function: Callable[..., R], *arguments: Any) -> R:
    """Run a function of Ray that blocks, without delaying other tasks."""
    work = partial(function, *arguments)
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)
