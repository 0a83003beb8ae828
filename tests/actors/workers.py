"""State of an actor for tests, which records the work that it does."""

import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio

from charlotte.actors.dispatcher import AgentSession, Call, TabHandle, open_target
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import RestartPolicy, Supervisor, open_supervisor
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.base.errors import CharlotteError, SessionProblem, TabNotFound

CLOSING = SessionProblem("shutting down")
CLOSED = TabNotFound("closed")
BUG = ZeroDivisionError("a bug")


@attrs.frozen(eq=False)
class Like:
    """Equal to every error with the content of ``error``, whichever caller got it."""

    error: CharlotteError

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self.error) and vars(other) == vars(self.error)

    def __hash__(self) -> int:
        return hash(type(self.error))


@asynccontextmanager
async def open_callers() -> AsyncGenerator[trio.Nursery]:
    """A nursery for calls that must come to an end."""
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            yield nursery


async def dispatch(session: AgentSession, call: Call, work: Callable[[Any], Awaitable[Any]]) -> Any:
    """Run the work of a call where a tool's work runs: in the caller's or the actor's task."""
    async with open_target(session, call) as target:
        if not isinstance(target, TabHandle):
            return await work(target)
        monitors = {ConsoleMonitor: target.record.console, NetworkMonitor: target.record.network}
        if call.actor in monitors:
            return await target.ask(monitors[call.actor], work)
        return await target.do(work)


@attrs.define(eq=False)
class Worker:
    """``done`` has the names of begun work, and of finished work with an exclamation mark."""

    done: list[str] = attrs.field(factory=list[str])
    doing: int = 0
    most_at_once: int = 0

    async def perform(self, work: Callable[["Worker"], Awaitable[Any]], **_: bool) -> Any:
        """Run the work of a call, as a tab does."""
        return await work(self)

    async def note(self, name: str) -> str:
        """Do it without waiting."""
        self.done.append(name)
        return name.upper()

    async def work(self, name: str, until: trio.Event) -> str:
        self.done.append(name)
        self.doing += 1
        self.most_at_once = max(self.most_at_once, self.doing)
        try:
            await until.wait()
        finally:
            self.doing -= 1
        self.done.append(f"{name}!")
        return name.upper()

    async def fail(self, error: Exception) -> None:
        self.done.append(type(error).__name__)
        raise error


@attrs.define(eq=False)
class Answers:
    """Calls a worker and keeps what came back, result or error, under the name of the request."""

    got: dict[str, Any] = attrs.field(factory=dict[str, Any])

    async def note(self, mailbox: Mailbox[Worker], name: str) -> None:
        """Ask for a note."""
        await self._keep(name, mailbox.ask(Worker.note, name))

    async def work(self, mailbox: Mailbox[Worker], name: str, until: trio.Event) -> None:
        await self._keep(name, mailbox.ask(Worker.work, name, until))

    async def fail(self, mailbox: Mailbox[Worker], name: str, error: Exception) -> None:
        await self._keep(name, mailbox.ask(Worker.fail, error))

    async def _keep(self, name: str, asking: Awaitable[Any]) -> None:
        try:
            self.got[name] = await asking
        except CharlotteError as error:
            self.got[name] = error


@attrs.define(eq=False)
class Opener:
    """Opens a new worker each time; ``failures`` are raised instead, one per opening.

    ``opened`` has the times of all openings, ``closed`` counts the orderly ends of incarnations.
    """

    failures: list[Exception | None] = attrs.field(factory=list[Exception | None])
    opened: list[float] = attrs.field(factory=list[float])
    workers: list[Worker] = attrs.field(factory=list[Worker])
    closed: int = 0
    gate: trio.Event = attrs.field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self.gate.set()

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[Worker]:
        self.opened.append(trio.current_time())
        await self.gate.wait()
        if self.failures and (failure := self.failures.pop(0)):
            raise failure
        self.workers.append(Worker())
        try:
            yield self.workers[-1]
        finally:
            self.closed += 1

    def waits(self) -> list[float]:
        """The seconds between openings."""
        return [later - earlier for earlier, later in itertools.pairwise(self.opened)]


@asynccontextmanager
async def supervising(policy: RestartPolicy | None = None) -> AsyncGenerator[Supervisor]:
    with trio.fail_after(1000):
        async with open_supervisor(policy or RestartPolicy(), lambda: CLOSING) as supervisor:
            yield supervisor


async def crash(mailbox: Mailbox[Worker], error: Exception = BUG) -> CharlotteError:
    with pytest.raises(CharlotteError) as raised:
        await mailbox.ask(Worker.fail, error)
    return raised.value
