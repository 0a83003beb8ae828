"""A gateway on hosts without Ray."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import attrs
import outcome
import trio

from charlotte import Config
from charlotte.base.errors import SessionProblem
from charlotte.cluster.engine import ClusterCharlotte
from charlotte.cluster.host_actors import ActorGone
from charlotte.cluster.messages import (
    CallReply,
    CallRequest,
    HostNews,
    Notice,
    Opening,
    ProgressMade,
)
from tests.server.http.stage import until


@attrs.define(eq=False)
class FakeHost:
    """A host that opens any session.

    Calls fail. A call with progress makes a report, which is sent with a poll after the answer.
    Once a host is ``gone``, its calls fail; a ``silent`` one does not answer; ``bug`` is raised.
    """

    node: str = "node"
    gone: bool = False
    silent: bool = False
    bug: Exception | None = None
    is_killed: bool = False
    crashed: set[str] = attrs.field(factory=set[str])
    opened: list[Opening] = attrs.field(factory=list[Opening])
    closed: list[str] = attrs.field(factory=list[str])
    requests: list[CallRequest] = attrs.field(factory=list[CallRequest])
    opening: trio.Event = attrs.field(factory=trio.Event)
    may_open: trio.Event = attrs.field(factory=trio.Event)
    on_opened: Callable[[], None] = lambda: None
    wants_events: bool = False
    notices: list[Notice] = attrs.field(factory=list[Notice])

    def __attrs_post_init__(self) -> None:
        self.may_open.set()

    def hold_openings(self) -> None:
        """Answer no more requests to open a session until ``may_open`` is set."""
        self.opening, self.may_open = trio.Event(), trio.Event()

    async def ask(self, method: str, *arguments: Any, key: str | None = None) -> Any:
        await trio.sleep(0.01)
        if self.gone:
            raise ActorGone
        if self.bug:
            raise self.bug
        if self.silent:
            await trio.sleep_forever()
        match method, arguments:
            case "poll", [wants_events]:
                await trio.sleep(0 if self.notices else 0.05)
                self.wants_events = wants_events
                notices, self.notices = self.notices, []
                return HostNews(self.node, 2, notices)
            case "open", [opening]:
                assert key == opening.name
                return await self._open(opening)
            case "close", [name]:
                self.closed.append(name)
            case "run", [request]:
                return self._answer(request)
            case "endless", _:
                await trio.sleep_forever()
            case _:
                return arguments
        return None

    async def _open(self, opening: Opening) -> tuple[()]:
        self.opening.set()
        try:
            await self.may_open.wait()
        except trio.Cancelled:
            self.closed.append(opening.name)
            raise
        self.opened.append(opening)
        self.on_opened()
        return ()

    def _answer(self, request: CallRequest) -> CallReply | None:
        self.requests.append(request)
        if request.session in self.crashed:
            return None
        if request.has_progress:
            for report in ((1, 2, "half"), ()):
                made = ProgressMade(request.number, report)
                self.notices.append(Notice(request.session, made))
        return CallReply(
            result=outcome.Error(SessionProblem("It failed.")), last_tab=3, last_snapshot=4, tabs=1
        )

    async def kill(self) -> None:
        await trio.lowlevel.checkpoint()
        self.is_killed = self.gone = True


@attrs.define(eq=False)
class FakeHosts:
    """Hosts that are started in turn; without one that is left, starting waits."""

    fakes: list[FakeHost]
    size: int = 1

    def count(self) -> int:
        return self.size

    def start(self) -> FakeHost:
        return self.fakes.pop(0) if self.fakes else FakeHost(silent=True)


@asynccontextmanager
async def open_gateway(
    *hosts: FakeHost, spares: Sequence[FakeHost] = (), **settings: Any
) -> AsyncGenerator[ClusterCharlotte]:
    """Yield a gateway that is connected to hosts; ``spares`` are started in place of lost ones."""
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            fakes: Any = FakeHosts([*hosts, *spares], len(hosts))
            cluster = ClusterCharlotte(Config(**settings), fakes, nursery)
            nursery.start_soon(cluster.watch)
            await until(lambda: sum(row["live"] for row in cluster.status()["hosts"]) == len(hosts))
            yield cluster
            nursery.cancel_scope.cancel("done")
