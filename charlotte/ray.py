"""Charlotte on a Ray cluster: a browser on each of many machines, and sessions placed on them.

    async with open_charlotte(Config(), browsers=4) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")

Methods, objects and errors are those of `charlotte.aio`; files are those of the machine on which
a session is. Ray starts a lost browser again, never a call. A session whose browser is lost goes on
with its next call, on any host that answers; the ids of its tabs are not used again.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar

import attrs
import outcome

from charlotte import aio
from charlotte.config import Config
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem
from charlotte.tools.answer import Answer
from charlotte.tools.catalog import CATALOG
from charlotte.tools.schema.tool import Tool
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
State = dict[str, Any]

_TOOLS = {tool.name: tool for tool in CATALOG}
_CLOSE_WAIT = 10.0
_HOST_WAIT = 20.0
"""Seconds that one host has to begin a session, its browser included; then another is asked."""
_ANY_WAIT = 60.0
"""Seconds in which any host must have begun a session."""
_PAUSE = 0.2
_OPTIONS = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": 0, "max_concurrency": 1000}


class Host:
    """Ray actor: one browser, and the sessions that were placed on it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._charlotte: aio.Charlotte | None = None
        self._sessions: dict[str, tuple[aio.Session, AsyncExitStack]] = {}
        self._beginning: dict[str, bool] = {}
        """By name; whether the session is still wanted."""

    async def ping(self) -> None:
        """Answer, as a host does that is up."""

    async def begin(self, name: str, state: Mapping[str, Any] | None, last_tab: int) -> None:
        """Begin a session with cookies and localStorage; its tabs are numbered after ``last_tab``.

        The caller chooses the name, so that it can end a session whose beginning it gave up.
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

    async def run(
        self, name: str, tool: str, arguments: Mapping[str, Any]
    ) -> tuple[outcome.Outcome[Any], int] | None:
        """Return the outcome of a tool, and the last tab's number; None without such a session."""
        if name not in self._sessions:
            return None
        session, _ = self._sessions[name]
        return await self._with_last_tab(_outcome(session.run_tool(_TOOLS[tool], arguments)))

    async def call(
        self, name: str, tool: str, arguments: State | None
    ) -> tuple[outcome.Outcome[Answer], int] | None:
        """Return the outcome of a call by name, as `run` does."""
        if name not in self._sessions:
            return None
        session, _ = self._sessions[name]
        return await self._with_last_tab(_outcome(_portable(session.call(tool, arguments))))

    async def _with_last_tab(self, asked: Awaitable[R]) -> tuple[R, int]:
        result = await asked
        return result, self._charlotte.last_tab if self._charlotte else 0

    async def end(self, name: str) -> None:
        """End a session; one that is beginning ends as soon as it has begun."""
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


async def _outcome(asked: Awaitable[R]) -> outcome.Outcome[R]:
    """Errors travel as values: Ray would make others of them."""
    try:
        return outcome.Value(await asked)
    except CharlotteError as error:
        return outcome.Error(error)


async def _portable(asked: Awaitable[Answer]) -> Answer:
    """Leave out the function to be called on delivery: it belongs to the host's process."""
    answer = await asked
    return Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)


@attrs.define(eq=False)
class Place:
    """A host as the program sees it.

    ``sessions`` counts those placed on it. A lost one gets no session until it answers again.
    """

    actor: Any
    sessions: int = 0
    is_lost: bool = False
    _returning: asyncio.Task[None] | None = None

    async def begin(self, name: str, state: Mapping[str, Any] | None, last_tab: int) -> bool:
        """Begin a session there; whether that worked within `_HOST_WAIT` seconds."""
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
        """Expect nothing of the host until it answers a ping."""
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
        """End the host's sessions and its browser, and the host."""
        if self._returning is not None:
            self._returning.cancel()
        with suppress(TimeoutError, _ray().exceptions.RayActorError):
            async with asyncio.timeout(_CLOSE_WAIT):
                await self.actor.close.remote()
        _ray().kill(self.actor)


class Session(SessionMethods):
    """One session, on whichever machine: its own cookies and storage, its own tabs."""

    def __init__(self, charlotte: "Charlotte") -> None:
        self._charlotte = charlotte
        self._there: tuple[Place, str] | None = None
        self._kept: Mapping[str, Any] | None = None
        self._last_tab = 0
        self._moving = asyncio.Lock()

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Have a tool run where the session is.

        Raises `ConnectionLost` at once if that browser is lost, and the session's tabs with it. The
        next call begins the session again, with the cookies and localStorage that were kept last;
        tabs from before are `TabNotFound` there.
        """
        value: R = await self._asked("run", tool.name, dict(arguments))
        return value

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> Answer:
        """Run a tool under any spelling of its name; raises as `run_tool` does."""
        answer: Answer = await self._asked("call", name, arguments)
        return answer

    async def keep(self) -> None:
        """Remember cookies and localStorage as they are now, in case the machine is lost."""
        self._kept = (await self.storage("save")).state

    async def begin(self) -> tuple[Place, str]:
        """Return the session's place and name there, begun if it has none.

        Raises `ConnectionLost` if no host begins it in time.
        """
        async with self._moving:
            if self._there is None:
                self._there = await self._charlotte.place_session(self._kept, self._last_tab)
            return self._there

    async def end(self) -> None:
        """Close its tabs; nothing if its machine is lost."""
        if self._there is not None:
            place, name = self._there
            self._leave(place, name)
            with suppress(TimeoutError, _ray().exceptions.RayActorError):
                async with asyncio.timeout(_CLOSE_WAIT):
                    await place.actor.end.remote(name)

    async def _asked(self, method: str, *arguments: Any) -> Any:
        place, name = await self.begin()
        reference = getattr(place.actor, method).remote(name, *arguments)
        try:
            found: tuple[outcome.Outcome[Any], int] | None = await reference
        except asyncio.CancelledError:
            _ray().cancel(reference)
            raise
        except _ray().exceptions.RayActorError:
            place.lose()
            found = None
        if found is None:
            self._leave(place, name)
            raise ConnectionLost(
                "The browser of this session is lost, and its tabs; whether this call has "
                "happened is not known. The next call begins the session again, "
                + ("with what was kept last." if self._kept else "and nothing had been kept."),
                "Open tabs anew, and look before you repeat the call.",
            )
        result, last_tab = found
        self._last_tab = max(self._last_tab, last_tab)
        return result.unwrap()

    def _leave(self, place: Place, name: str) -> None:
        """Once, however many calls were lost."""
        if self._there == (place, name):
            self._there = None
            place.sessions -= 1


@attrs.define(eq=False)
class Charlotte:
    """Browsers on a cluster, serving many sessions."""

    places: list[Place]

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[Session]:
        """Open a session on the browser that has the fewest; its tabs close at the end."""
        session = Session(self)
        try:
            await session.begin()
            yield session
        finally:
            await session.end()

    async def place_session(
        self, state: Mapping[str, Any] | None, last_tab: int
    ) -> tuple[Place, str]:
        """Begin a session on the host with the fewest that is not lost; return place and name.

        Raises `ConnectionLost` if no host begins it within `_ANY_WAIT` seconds.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANY_WAIT):
                while True:
                    there = [place for place in self.places if not place.is_lost]
                    if not there:
                        await asyncio.sleep(_PAUSE)
                        continue
                    place = min(there, key=lambda place: place.sessions)
                    name = secrets.token_hex(8)
                    place.sessions += 1
                    begun = False
                    try:
                        begun = await place.begin(name, state, last_tab)
                    finally:
                        place.sessions -= not begun
                    if begun:
                        return place, name
        lost = sum(place.is_lost for place in self.places)
        raise ConnectionLost(
            f"No browser host has begun the session within {_ANY_WAIT:.0f} s; "
            f"{lost} of {len(self.places)} hosts are not running.",
            "Check with `ray status` that the cluster has a free CPU for each of `browsers`.",
        )


@asynccontextmanager
async def open_charlotte(
    config: Config | None = None, *, browsers: int = 1
) -> AsyncGenerator[Charlotte]:
    """Have Ray start browsers, spread over its nodes; each takes one of a node's CPUs.

    On the cluster that the program is connected to (``ray.init``), else on a new one here.
    Raises `SessionProblem` where Ray is not installed.
    """
    made = _ray().remote(Host).options(scheduling_strategy="SPREAD", **_OPTIONS)
    places = [Place(made.remote(config or Config())) for _ in range(browsers)]
    try:
        yield Charlotte(places)
    finally:
        await asyncio.gather(*(place.close() for place in places))


def _ray() -> Any:
    """Ray has types only where it is installed; it is an extra, and not small."""
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise SessionProblem("Ray is not installed.", "Install charlotte[ray].") from None
