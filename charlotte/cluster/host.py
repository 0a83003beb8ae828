"""The Ray actor of a browser host; Ray's calls are asyncio's, the host itself is trio's."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import outcome
import structlog

from charlotte.aio import Bridge, open_bridge
from charlotte.cluster.host_sessions import HostSessions, open_host_sessions, portable
from charlotte.cluster.messages import NAMESPACE, HostSettings, directory_name
from charlotte.cluster.ray_calls import NamedActor, import_ray
from charlotte.errors import CharlotteError, ConnectionLost

UNGREETED = 15.0
"""Seconds after which a host without a browser ends if no gateway greets it."""
_CLOSE_WAIT = 20.0

log = structlog.get_logger(__name__)


class Host:
    """One browser and the sessions that gateways have placed on it."""

    def __init__(self, settings: HostSettings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._ray = import_ray()
        self._is_closing = False
        self._started: asyncio.Task[tuple[Bridge, HostSessions]] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._was_asked = True
        self._waiting = asyncio.ensure_future(self._end_if_not_asked())

    async def ask(self, method: str, *arguments: Any) -> outcome.Outcome[Any]:
        """Run a method of `HostSessions`; return its outcome, because Ray would wrap errors."""
        self._was_asked = True
        if self._started is None:
            self._started = asyncio.ensure_future(self._start())
        try:
            bridge, sessions = await asyncio.shield(self._started)
        except Exception as error:  # noqa: BLE001 - Ray raises many types without its head
            return outcome.Error(ConnectionLost(f"The browser host did not start: {error!r:.300}"))
        if self._is_closing:
            return outcome.Error(ConnectionLost("The browser host is shutting down."))
        try:
            return outcome.Value(await bridge.run(partial(getattr(sessions, method), *arguments)))
        except CharlotteError as error:
            return outcome.Error(portable(error))

    async def _start(self) -> tuple[Bridge, HostSessions]:
        """Open the browser; after a failure, the next call tries again."""
        try:
            node = self._ray.get_runtime_context().get_node_id()
            name = directory_name(self._settings.group)
            directory = NamedActor(partial(self._ray.get_actor, name, NAMESPACE))
            await asyncio.to_thread(directory.find)
            bridge = await self._stack.enter_async_context(open_bridge())
            opening = partial(open_host_sessions, self._settings, node, directory)
            sessions = await self._stack.enter_async_context(bridge.entered(opening))
        except Exception:
            log.exception("the browser host did not start")
            await self._stack.aclose()
            self._started = None
            raise
        self._watching = asyncio.ensure_future(self._end_when_unused(bridge, sessions))
        return bridge, sessions

    async def _end_when_unused(self, bridge: Bridge, sessions: HostSessions) -> None:
        await bridge.run(sessions.unused.wait)
        await self._end()

    async def _end_if_not_asked(self) -> None:
        """End a host that no gateway greets: Ray has started it after the end of all gateways."""
        while self._started is not None or self._was_asked:
            self._was_asked = False
            await asyncio.sleep(UNGREETED)
        await self._end()

    async def _end(self) -> None:
        try:
            async with asyncio.timeout(_CLOSE_WAIT):
                await self.close()
        except Exception:
            log.exception("the browser host ended with an error")
        finally:  # else it refuses all calls from now on
            self._ray.kill(self._ray.get_actor(self._settings.name, NAMESPACE), no_restart=True)

    async def close(self) -> None:
        """End all sessions and the browser."""
        self._is_closing = True
        await self._stack.aclose()
