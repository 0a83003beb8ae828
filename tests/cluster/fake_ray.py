"""A Ray in one process: actors by name, whose methods end at once."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from types import SimpleNamespace
from typing import Any

import attrs
import outcome
import pytest

from charlotte.cluster.host_calls import pack, unpack


class RayError(Exception):
    """An error of Ray: the actor is lost."""


class RayTaskError(RayError):
    """An error of the actor's method."""


@attrs.define(eq=False)
class FakeActor:
    """An actor with the methods of ``target``, until it is ``gone``; a ``silent`` one waits."""

    target: Any
    gone: bool = False
    silent: bool = False
    calls: list[tuple[str, tuple[Any, ...]]] = attrs.field(
        factory=list[tuple[str, tuple[Any, ...]]], init=False
    )

    def __getattr__(self, method: str) -> Any:
        remote = partial(self._call, method)
        return SimpleNamespace(remote=remote, options=partial(_in_group, remote))

    def _call(self, method: str, *arguments: Any) -> Any:
        self.calls.append((method, arguments))
        future = Future[Any]()
        if self.gone:
            future.set_exception(RayError("The actor died."))
        elif not self.silent:
            try:
                future.set_result(_run(partial(getattr(self.target, method), *arguments)))
            except Exception as error:  # noqa: BLE001 - as Ray does
                future.set_exception(error)
        return SimpleNamespace(future=lambda: future)


def _in_group(remote: Callable[..., Any], *, concurrency_group: str) -> Any:
    assert concurrency_group
    return SimpleNamespace(remote=remote)


class PackedHost:
    """A host whose methods end at once; `charlotte.cluster.host_calls` packs its calls."""

    def ask(self, call: bytes) -> bytes:
        _, method, arguments = unpack(call)
        return pack(outcome.capture(getattr(self, method), *arguments))


def _run(work: Callable[[], Any]) -> Any:
    """Return the result of a method, which may be a coroutine that does not wait."""
    result = work()
    if inspect.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration as end:
            return end.value
        raise AssertionError("the method waits")
    return result


@attrs.define(eq=False)
class FakeRay:
    """The parts of the module ``ray`` that Charlotte calls; ``rows`` are the nodes."""

    actors: dict[str, FakeActor] = attrs.field(factory=dict[str, FakeActor])
    rows: Sequence[Mapping[str, Any]] = ()
    resources: Mapping[str, float] = attrs.field(factory=dict[str, float])
    exceptions: Any = attrs.field(
        factory=lambda: SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
    )

    @property
    def util(self) -> "FakeRay":
        return self

    def list_named_actors(self, *, all_namespaces: bool) -> list[Mapping[str, str]]:
        assert all_namespaces
        return [{"name": name, "namespace": "charlotte"} for name in self.actors]

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> Mapping[str, float]:
        return self.resources

    def nodes(self) -> Sequence[Mapping[str, Any]]:
        return self.rows

    def get_actor(self, name: str, _namespace: str) -> FakeActor:
        if (actor := self.actors.get(name)) is None or actor.gone:
            raise ValueError("no such actor")
        return actor

    def cancel(self, _: object) -> None:
        """Cancel nothing."""

    def kill(self, actor: FakeActor) -> None:
        actor.gone = True

    def put(self, state: bytes) -> bytes:
        return state

    def remote(self, kind: type | None = None, **groups: Any) -> Any:
        if kind is None:
            return partial(self.remote, **groups)

        def create(name: str, *arguments: Any, **options: Any) -> FakeActor:
            if name not in self.actors or self.actors[name].gone:
                self.actors[name] = FakeActor(kind(*arguments, **options))
            return self.actors[name]

        def options(*, name: str, **_: Any) -> Any:
            return SimpleNamespace(remote=partial(create, name))

        return SimpleNamespace(options=options)


def use_fake_ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    """Return the module ``ray`` for the rest of a test."""
    ray = FakeRay()
    module: Any = ray
    monkeypatch.setitem(sys.modules, "ray", module)
    return ray
