"""Charlotte on a Ray cluster: browsers on many machines, and sessions distributed among them.

    async with open_charlotte(Config(), browsers=4) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")

Methods, objects and errors are those of `charlotte.aio`; a session uses the files of its machine.
Ray restarts a lost browser, but repeats no call. A session whose browser is lost continues with its
next call on any host that responds; the ids of its tabs are not reused.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar

import attrs
import outcome

from charlotte import aio
from charlotte.config import Config
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.tools.answer import Answer
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import CATALOG, SessionMethods

__all__ = ["RayCharlotte", "RaySession", "open_charlotte"]

R = TypeVar("R")

Ran = tuple[outcome.Outcome[Any], int]
_TOOLS = {tool.name: tool for tool in CATALOG}
_CLOSE_WAIT = 10.0
_HOST_WAIT = 20.0
"""Seconds for one host to begin a session, browser included; then another host is tried."""
_ANY_WAIT = 60.0
"""Seconds for any host to begin a session."""
_PAUSE = 0.2
_OPTIONS = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": 0, "max_concurrency": 1000}


class Host:
    """A Ray actor: one browser and the sessions that were placed on it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._charlotte: aio.AsyncioCharlotte | None = None
        self._sessions: dict[str, tuple[aio.AsyncioSession, AsyncExitStack]] = {}
        self._beginning: dict[str, bool] = {}
        """Whether a session that is beginning is still wanted, by its name."""

    async def ping(self) -> None:
        """Return, which shows that the host is running."""

    async def begin(self, name: str, state: Mapping[str, Any] | None, last_tab: int) -> None:
        """Begin a session with cookies and localStorage; its tabs are numbered after ``last_tab``.

        The caller chooses the name, so that it can end a session that takes too long to begin.
        """
        self._beginning[name] = True
        try:
            async with self._opening:
                if self._charlotte is None:
                    opened = aio.open_charlotte(self._config)
                    self._charlotte = await self._stack.enter_async_context(opened)
            await self._charlotte.number_tabs_after(last_tab)
            async with AsyncExitStack() as stack:
                session = await stack.enter_async_context(self._charlotte.open_session())
                if state is not None:
                    await session.storage("load", state=dict(state))
                if self._beginning[name]:
                    self._sessions[name] = session, stack.pop_all()
        finally:
            del self._beginning[name]

    async def run(self, name: str, tool: str, arguments: Mapping[str, Any]) -> Ran | None:
        """Return a tool's outcome and the last tab's number; None if the session is not found."""
        return await self._ask(name, lambda session: session.run_tool(_TOOLS[tool], arguments))

    async def call(self, name: str, tool: str, arguments: dict[str, Any] | None) -> Ran | None:
        """Return the outcome of a call by name, as `run` does.

        Its ``delivered`` function cannot leave the process.
        """

        async def ask(session: aio.AsyncioSession) -> Answer:
            answer = await session.call(tool, arguments)
            return Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)

        return await self._ask(name, ask)

    async def _ask(
        self, name: str, ask: Callable[[aio.AsyncioSession], Awaitable[Any]]
    ) -> Ran | None:
        """Return errors as values: Ray would wrap them."""
        if name not in self._sessions or self._charlotte is None:
            return None
        session, _ = self._sessions[name]
        result: outcome.Outcome[Any]
        try:
            result = outcome.Value(await ask(session))
        except CharlotteError as error:
            result = outcome.Error(error)
        return result, self._charlotte.last_tab

    async def end(self, name: str) -> None:
        """End a session, or let it end as soon as it has begun."""
        if name in self._beginning:
            self._beginning[name] = False
        if name in self._sessions:
            _, stack = self._sessions.pop(name)
            await stack.aclose()

    async def close(self) -> None:
        """End all sessions, and the browser."""
        for name in tuple(self._sessions):
            await self.end(name)
        await self._stack.aclose()


@attrs.define(eq=False)
class HostHandle:
    """A host, as the program uses it.

    ``sessions`` is the number of sessions on it. A lost host gets none until it responds again.
    """

    actor: Any
    sessions: int = 0
    is_lost: bool = False
    _returning: asyncio.Task[None] | None = None

    async def begin(self, name: str, state: Mapping[str, Any] | None, last_tab: int) -> bool:
        """Begin a session; return whether that succeeded within `_HOST_WAIT` seconds."""
        try:
            async with asyncio.timeout(_HOST_WAIT):
                await self.actor.begin.remote(name, state, last_tab)
        except (TimeoutError, _ray().exceptions.RayActorError):
            self.actor.end.remote(name)
            self.lose()
            return False
        except asyncio.CancelledError:
            self.actor.end.remote(name)
            raise
        return True

    def lose(self) -> None:
        """Place no session on the host until it answers a ping."""
        self.is_lost = True
        if self._returning is None or self._returning.done():
            self._returning = asyncio.ensure_future(self._wait_for_return())

    async def _wait_for_return(self) -> None:
        while self.is_lost:
            with suppress(_ray().exceptions.RayActorError):
                await self.actor.ping.remote()
                self.is_lost = False
                return
            await asyncio.sleep(_PAUSE)

    async def close(self) -> None:
        """End the host with its sessions and its browser."""
        if self._returning is not None:
            self._returning.cancel()
        with suppress(TimeoutError, _ray().exceptions.RayActorError):
            async with asyncio.timeout(_CLOSE_WAIT):
                await self.actor.close.remote()
        _ray().kill(self.actor)


class RaySession(SessionMethods):
    """A session on any machine: its own cookies and storage, its own tabs."""

    def __init__(self, charlotte: "RayCharlotte") -> None:
        self._charlotte = charlotte
        self._there: tuple[HostHandle, str] | None = None
        self._kept: Mapping[str, Any] | None = None
        self._last_tab = 0
        self._moving = asyncio.Lock()

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Run a tool on the session's host.

        Raises `ConnectionLost` at once if the browser is lost, and the session's tabs with it. The
        next call begins the session again, with the cookies and localStorage of the last `keep`;
        earlier tabs raise `TabNotFound` then.
        """
        value: R = await self._run_on_host("run", tool.name, dict(arguments))
        return value

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name; raises as `run_tool` does."""
        answer: Answer = await self._run_on_host("call", name, arguments)
        return answer

    async def keep(self) -> None:
        """Save cookies and localStorage, to restore them if the machine is lost."""
        self._kept = (await self.storage("save")).state

    async def begin(self) -> tuple[HostHandle, str]:
        """Return the session's host and its name there, after beginning the session if needed.

        Raises `ConnectionLost` if no host begins it in time.
        """
        async with self._moving:
            if self._there is None:
                self._there = await self._charlotte.place_session(self._kept, self._last_tab)
            return self._there

    async def end(self) -> None:
        """Close the session's tabs, unless its machine is lost."""
        if self._there is not None:
            host, name = self._there
            self._leave(host, name)
            with suppress(TimeoutError, _ray().exceptions.RayActorError):
                async with asyncio.timeout(_CLOSE_WAIT):
                    await host.actor.end.remote(name)

    async def _run_on_host(self, method: str, *arguments: Any) -> Any:
        host, name = await self.begin()
        reference = getattr(host.actor, method).remote(name, *arguments)
        try:
            found: Ran | None = await reference
        except asyncio.CancelledError:
            _ray().cancel(reference)
            raise
        except _ray().exceptions.RayActorError:
            host.lose()
            found = None
        if found is None:
            self._leave(host, name)
            raise ConnectionLost(
                "The browser of this session and its tabs are lost; the call may or may not have "
                "happened. The next call begins the session again, "
                + ("with the last kept state." if self._kept else "without any kept state."),
                "Open the tabs again, and check their state before you repeat the call.",
            )
        result, last_tab = found
        self._last_tab = max(self._last_tab, last_tab)
        return result.unwrap()

    def _leave(self, host: HostHandle, name: str) -> None:
        """Forget the host, once, even if several calls were lost."""
        if self._there == (host, name):
            self._there = None
            host.sessions -= 1


@attrs.define(eq=False)
class RayCharlotte:
    """Browsers on a cluster, serving many sessions."""

    hosts: list[HostHandle]

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[RaySession]:
        """Open a session on the host with the fewest sessions; its tabs close at the end."""
        session = RaySession(self)
        try:
            await session.begin()
            yield session
        finally:
            await session.end()

    async def place_session(
        self, state: Mapping[str, Any] | None, last_tab: int
    ) -> tuple[HostHandle, str]:
        """Begin a session on the available host with the fewest sessions; return host and name.

        Raises `ConnectionLost` if no host begins it within `_ANY_WAIT` seconds.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANY_WAIT):
                while True:
                    there = [host for host in self.hosts if not host.is_lost]
                    if not there:
                        await asyncio.sleep(_PAUSE)
                        continue
                    host = min(there, key=lambda host: host.sessions)
                    name = secrets.token_hex(8)
                    host.sessions += 1
                    begun = False
                    try:
                        begun = await host.begin(name, state, last_tab)
                    finally:
                        host.sessions -= not begun
                    if begun:
                        return host, name
        lost = sum(host.is_lost for host in self.hosts)
        raise ConnectionLost(
            f"Timed out after {_ANY_WAIT:.0f} s waiting for a host to begin the session: "
            f"{lost} of {len(self.hosts)} hosts are not running.",
            "Check with `ray status` that the cluster has a free CPU for each of `browsers`.",
        )


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, browsers: int = 1
) -> AsyncGenerator[RayCharlotte]:
    """Start browsers with Ray, spread over its nodes; each uses one CPU.

    They run on the cluster that the program has connected to (``ray.init``), else on a new local
    cluster. Raises `SessionProblem` if Ray is not installed.
    """
    actors = _ray().remote(Host).options(scheduling_strategy="SPREAD", **_OPTIONS)
    hosts = [HostHandle(actors.remote(config or Config())) for _ in range(browsers)]
    try:
        yield RayCharlotte(hosts)
    finally:
        await asyncio.gather(*(host.close() for host in hosts))


def _ray() -> Any:
    """Return the module ``ray``, an optional dependency without types."""
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise SessionProblem("Ray is not installed.", "Install charlotte-mcp[ray].") from None
