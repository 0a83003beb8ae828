"""The Ray actor of a browser host: Ray calls it in threads, and the host itself runs on trio."""

import os
import threading
from collections import deque
from concurrent import futures
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import outcome
import structlog
import trio

from charlotte.cluster.direct_calls import serve_direct_calls
from charlotte.cluster.host_calls import pack, unpack
from charlotte.cluster.host_sessions import HostSessions, open_host_sessions, portable
from charlotte.cluster.messages import NAMESPACE, DirectAddress, HostSettings, directory_name
from charlotte.cluster.ray_calls import NamedActor, import_ray
from charlotte.errors import CharlotteError, ConnectionLost
from charlotte.garbage import collect_rarely

UNGREETED = 15.0
"""Seconds after which a host without a browser ends if no gateway greets it."""
_CLOSE_WAIT = 20.0
_EARLY_CANCELS = 1000

log = structlog.get_logger(__name__)


class Host:
    """The actor: it passes calls on to its `HostService`, and ends with it.

    It has no coroutine methods: with one, Ray would run all methods one at a time in a loop.
    """

    def __init__(self, settings: HostSettings) -> None:
        collect_rarely()
        self._name, self._ray = settings.name, import_ray()
        node = self._ray.get_runtime_context().get_node_id()
        find_directory = partial(self._ray.get_actor, directory_name(settings.group), NAMESPACE)
        ip = None if _is_encrypted() else self._ray.util.get_node_ip_address()
        self._service = HostService(settings, node, NamedActor(find_directory), ip)
        token = futures.Future[trio.lowlevel.TrioToken]()
        threading.Thread(target=self._serve, args=(token,), name="charlotte", daemon=True).start()
        self._token = token.result()

    def ask(self, call: bytes) -> bytes:
        """Run a method of `HostSessions`; return its outcome, because Ray would wrap errors."""
        result: outcome.Outcome[Any]
        try:
            work = partial(self._service.answer, *unpack(call))
            result = trio.from_thread.run(work, trio_token=self._token)
        except (trio.Cancelled, trio.RunFinishedError):  # noqa: ASYNC103 - this thread is Ray's
            result = outcome.Error(_shutting_down())
        return pack(result)

    def cancel(self, call_id: str) -> None:
        """Cancel a call, also one that Ray starts after its cancellation."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._service.cancel, call_id)

    def close(self) -> None:
        """End all sessions and the browser."""
        with suppress(trio.Cancelled, trio.RunFinishedError):
            trio.from_thread.run(self._service.close, trio_token=self._token)

    def _serve(self, token: "futures.Future[trio.lowlevel.TrioToken]") -> None:
        async def run() -> None:
            token.set_result(trio.lowlevel.current_trio_token())
            await self._service.run()

        try:
            trio.run(run)
        except Exception as error:
            log.exception("the browser host ended with an error")
            if not token.done():  # trio did not start, perhaps for lack of descriptors
                token.set_exception(error)
        finally:
            with suppress(ValueError):  # it is being killed
                self._ray.kill(self._ray.get_actor(self._name, NAMESPACE), no_restart=True)


@attrs.define(eq=False)
class _Start:
    """An attempt to open the browser, which the first call begins."""

    wanted: trio.Event = attrs.field(factory=trio.Event)
    ended: trio.Event = attrs.field(factory=trio.Event)
    sessions: HostSessions | None = None
    problem: ConnectionLost | None = None

    async def wait(self) -> HostSessions:
        self.wanted.set()
        await self.ended.wait()
        if self.sessions is None:
            raise self.problem.again() if self.problem else _shutting_down()
        return self.sessions


@attrs.define(eq=False)
class HostService:
    """One browser and the sessions that gateways have placed on it.

    ``ip`` is the address at which gateways can connect; None if only Ray carries calls.
    """

    _settings: HostSettings
    _node: str
    _directory: NamedActor
    _ip: str | None = None
    _address: DirectAddress | None = attrs.field(default=None, init=False)
    _start: _Start = attrs.field(factory=_Start, init=False)
    _ended: trio.Event = attrs.field(factory=trio.Event, init=False)
    _running: dict[str, trio.CancelScope] = attrs.field(
        factory=dict[str, trio.CancelScope], init=False
    )
    _early_cancels: deque[str] = attrs.field(
        factory=lambda: deque[str](maxlen=_EARLY_CANCELS), init=False
    )

    async def run(self) -> None:
        """Serve calls until no gateway uses the host.

        The browser starts with the first call; after a failure, with the next one.
        """
        try:
            async with trio.open_nursery() as nursery:
                await self._listen(nursery)
                while await self._is_wanted() and not await self._serve():
                    pass
                nursery.cancel_scope.cancel("the host ends")
        finally:
            self._ended.set()

    async def _listen(self, nursery: trio.Nursery) -> None:
        if self._ip is None:
            return
        try:
            self._address = await nursery.start(serve_direct_calls, self, self._ip)
        except OSError as error:
            log.warning("cannot listen, so Ray carries all calls", ip=self._ip, error=repr(error))

    async def _is_wanted(self) -> bool:
        """Return False if no gateway greets the host, which Ray started after their end."""
        wanted = self._start.wanted
        with trio.move_on_after(UNGREETED):
            await wanted.wait()
        return wanted.is_set()

    async def _serve(self) -> bool:
        """Serve calls until the host is not used any more; return False after a failure."""
        start = self._start
        try:
            await trio.to_thread.run_sync(self._directory.find)
            opened = open_host_sessions(self._settings, self._node, self._directory, self._address)
            with trio.CancelScope() as scope:
                async with opened as sessions:
                    start.sessions = sessions
                    start.ended.set()
                    await sessions.unused.wait()
                    scope.deadline = trio.current_time() + _CLOSE_WAIT
        except Exception as error:
            log.exception("the browser host failed")
            self._start = _Start()
            start.problem = ConnectionLost(f"The browser host did not start: {error!r:.300}")
            start.ended.set()
            return False
        return True

    async def answer(
        self, call_id: str, method: str, arguments: tuple[Any, ...]
    ) -> outcome.Outcome[Any]:
        """Return the outcome of a method of `HostSessions`."""
        result: outcome.Outcome[Any] = outcome.Error(ConnectionLost("The call was cancelled."))
        if call_id in self._early_cancels:
            return result
        try:
            with trio.CancelScope() as scope:
                self._running[call_id] = scope
                sessions = await self._start.wait()
                if sessions.unused.is_set():
                    raise _shutting_down()
                result = outcome.Value(await getattr(sessions, method)(*arguments))
        except CharlotteError as error:
            result = outcome.Error(portable(error))
        finally:
            del self._running[call_id]
        return result

    def cancel(self, call_id: str) -> None:
        """Cancel a call that runs, or that is to begin."""
        if scope := self._running.get(call_id):
            scope.cancel("the caller has cancelled the call")
        else:
            self._early_cancels.append(call_id)

    async def close(self) -> None:
        """End all sessions and the browser."""
        if self._start.wanted.is_set():
            with suppress(ConnectionLost):
                (await self._start.wait()).unused.set()
                await self._ended.wait()


def _is_encrypted() -> bool:
    """Return whether Ray's calls are encrypted, which those over WebSockets are not."""
    return os.environ.get("RAY_USE_TLS", "0").lower() in {"1", "true"}


def _shutting_down() -> ConnectionLost:
    return ConnectionLost("The browser host is shutting down.")
