"""Charlotte on a Ray cluster: a browser on each of many machines, and sessions placed on them.

    async with open_charlotte(Config(), browsers=4) as charlotte:
        async with charlotte.open_session() as session:
            page = await session.navigate("https://example.org")

Methods, objects and errors are those of `charlotte.aio`; files are those of the machine on which
a session is. Ray starts a browser again that was lost with its machine, never a call.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Mapping
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
from charlotte.tools.tool import Tool
from charlotte.tools.toolkit import SessionMethods

R = TypeVar("R")
State = dict[str, Any]

_TOOLS = {tool.name: tool for tool in CATALOG}
_CLOSE_WAIT = 10.0
_RESTART_WAIT = 60.0
_PAUSE = 0.2
_OPTIONS = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": 0, "max_concurrency": 1000}


class Host:
    """What Ray runs: one browser, and the sessions that were placed on it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._charlotte: aio.Charlotte | None = None
        self._sessions: dict[str, tuple[aio.Session, AsyncExitStack]] = {}

    async def begin(self, state: Mapping[str, Any] | None) -> str:
        """Begin a session, with cookies and localStorage; return its name."""
        async with self._opening:
            if self._charlotte is None:
                opened = aio.open_charlotte(self._config)
                self._charlotte = await self._stack.enter_async_context(opened)
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(self._charlotte.open_session())
            if state is not None:
                await session.storage("load", state=dict(state))
            name = secrets.token_hex(8)
            self._sessions[name] = session, stack.pop_all()
        return name

    async def run(
        self, name: str, tool: str, arguments: Mapping[str, Any]
    ) -> outcome.Outcome[Any] | None:
        """What came of a tool; None if there is no such session."""
        if name not in self._sessions:
            return None
        session, _ = self._sessions[name]
        return await _outcome(session.run_tool(_TOOLS[tool], arguments))

    async def call(
        self, name: str, tool: str, arguments: State | None
    ) -> outcome.Outcome[Answer] | None:
        """What came of a call by name; None if there is no such session."""
        if name not in self._sessions:
            return None
        session, _ = self._sessions[name]
        found = await _outcome(session.call(tool, arguments))
        return outcome.Value(_portable(found.value)) if isinstance(found, outcome.Value) else found

    async def end(self, name: str) -> None:
        """End a session, if it is there."""
        if name in self._sessions:
            _, stack = self._sessions.pop(name)
            await stack.aclose()

    async def close(self) -> None:
        """End all sessions, and the browser."""
        for name in tuple(self._sessions):
            await self.end(name)
        await self._stack.aclose()


async def _outcome(asked: Any) -> outcome.Outcome[Any]:
    """Errors travel as values: Ray would make others of them."""
    try:
        return outcome.Value(await asked)
    except CharlotteError as error:
        return outcome.Error(error)


def _portable(answer: Answer) -> Answer:
    """The same without what is to be called here, once it has been delivered."""
    return Answer(answer.blocks, answer.metadata, answer.is_error, value=answer.value)


@attrs.define(eq=False)
class Place:
    """A host as the program sees it, and how many sessions were placed on it."""

    actor: Any
    sessions: int = 0

    async def begin(self, state: Mapping[str, Any] | None = None) -> str:
        """Begin a session there, once Ray has the host back if it was lost.

        Raises `ConnectionLost` if that takes too long.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_RESTART_WAIT):
                while True:
                    with suppress(_ray().exceptions.RayActorError):
                        name: str = await self.actor.begin.remote(state)
                        return name
                    await asyncio.sleep(_PAUSE)
        raise ConnectionLost(
            f"Ray has not started the browser again within {_RESTART_WAIT:.0f} s.",
            "See what the cluster says, and whether it has a CPU free.",
        )


class Session(SessionMethods):
    """One session, on whichever machine: its own cookies and storage, its own tabs."""

    def __init__(self, place: Place, name: str) -> None:
        self._place = place
        self._name = name
        self._kept: Mapping[str, Any] | None = None
        self._moving = asyncio.Lock()

    async def run_tool(self, tool: Tool[..., R], arguments: Mapping[str, Any]) -> R:
        """Have a tool run where the session is.

        Raises `ConnectionLost` if that browser is lost, and the session with it; the next call is
        made in a new one, which has the cookies and localStorage that were kept last.
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

    async def end(self) -> None:
        """Close its tabs; nothing if its machine is lost."""
        with suppress(_ray().exceptions.RayActorError):
            await self._place.actor.end.remote(self._name)

    async def _asked(self, method: str, *arguments: Any) -> Any:
        name = self._name
        reference = getattr(self._place.actor, method).remote(name, *arguments)
        try:
            found: outcome.Outcome[Any] | None = await reference
        except asyncio.CancelledError:
            _ray().cancel(reference)
            raise
        except _ray().exceptions.RayActorError:
            found = None
        if found is None:
            await self._begin_again(name)
            raise ConnectionLost(
                "The browser of this session is lost, and its tabs; whether this call has "
                "happened is not known. A new session has begun, "
                + ("with what was kept last." if self._kept else "and nothing had been kept."),
                "Open tabs anew, and look before you repeat the call.",
            )
        return found.unwrap()

    async def _begin_again(self, lost: str) -> None:
        """Once, however many calls were lost; Ray has the actor come back, here or elsewhere."""
        async with self._moving:
            if self._name == lost:
                self._name = await self._place.begin(self._kept)


@attrs.define(eq=False)
class Charlotte:
    """Browsers on a cluster, serving many sessions."""

    places: list[Place]

    @asynccontextmanager
    async def open_session(self) -> AsyncGenerator[Session]:
        """A session on the browser that has the fewest; its tabs close at the end."""
        place = min(self.places, key=lambda one: one.sessions)
        place.sessions += 1
        try:
            session = Session(place, await place.begin())
            try:
                yield session
            finally:
                await session.end()
        finally:
            place.sessions -= 1


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
        ends = [asyncio.ensure_future(_closed(place)) for place in places]
        await asyncio.wait(ends, timeout=_CLOSE_WAIT)  # noqa: ASYNC102 - asyncio, and bounded
        for place in places:
            _ray().kill(place.actor)


async def _closed(place: Place) -> None:
    with suppress(_ray().exceptions.RayActorError):
        await place.actor.close.remote()


def _ray() -> Any:
    """Ray has types only where it is installed; it is an extra, and not small."""
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise SessionProblem("Ray is not installed.", "Install charlotte[ray].") from None
