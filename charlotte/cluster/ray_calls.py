"""Ray's calls awaited on trio; the only module that imports Ray, an optional dependency."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import attrs
import trio

from charlotte.errors import SessionProblem

R = TypeVar("R")


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


async def call_actor(actor: Any, method: str, *arguments: Any, group: str | None = None) -> Any:
    """Return the result of an actor's method; a cancelled call is cancelled there too.

    Ray does not stop a method that runs in a thread. ``group`` is the concurrency group. Raises
    `ActorGone`.
    """
    ray = import_ray()
    try:
        reference = _method(actor, method, group).remote(*arguments)
    except ray.exceptions.RayError as error:
        raise ActorGone(str(error)) from error
    token, done = trio.lowlevel.current_trio_token(), trio.Event()

    def wake(_: object) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    future = reference.future()
    future.add_done_callback(wake)
    try:
        await done.wait()
    except trio.Cancelled:
        with suppress(Exception):
            ray.cancel(reference)
        raise
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


async def in_thread(function: Callable[..., R], *arguments: Any, **options: Any) -> R:
    """Run a function of Ray that blocks, without delaying other tasks."""
    work = partial(function, *arguments, **options)
    return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


@attrs.define(eq=False)
class NamedActor:
    """An actor that is found again after it was lost; ``_find`` blocks, and raises any error."""

    _find: Callable[[], Any]
    _actor: Any = None
    _limiter: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1))
    """Without its head, Ray blocks one thread only."""

    def find(self) -> Any:
        """Return the actor; blocks until it is found."""
        if self._actor is None:
            self._actor = self._find()
        return self._actor

    async def call(self, method: str, *arguments: Any) -> Any:
        """Return the result of a method; raises `ActorGone`."""
        try:
            actor = self._actor or await trio.to_thread.run_sync(
                self.find, abandon_on_cancel=True, limiter=self._limiter
            )
        except Exception as error:  # Ray raises many types without its head
            raise ActorGone(repr(error)) from error
        try:
            return await call_actor(actor, method, *arguments)
        except ActorGone:
            if self._actor is actor:
                self._actor = None
            raise

    def send(self, method: str, *arguments: Any) -> None:
        """Call a method without waiting for it, unless the actor was lost."""
        if self._actor is not None:
            send(self._actor, method, *arguments)

    def kill(self) -> None:
        """End the actor, unless it was lost."""
        if self._actor is not None:
            import_ray().kill(self._actor)
