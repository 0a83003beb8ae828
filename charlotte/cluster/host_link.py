"""A gateway's link to one browser host, which notices the loss of the host within seconds.

Ray may need a minute to report that a node is lost. The link polls its host all the time, so a
host that does not answer for `ANSWER_WAIT` seconds counts as lost, whatever Ray knows.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, NoReturn

import attrs
import outcome
import structlog
import trio

from charlotte.cluster.messages import Hello, News, Place
from charlotte.cluster.ray_calls import ActorGone
from charlotte.errors import CharlotteError, ConnectionLost

ANSWER_WAIT = 3.0
"""Seconds for the answer to a poll, which a host gives after half a second at the latest."""
NAMES_PERIOD = 5.0
"""Seconds between the polls that name the gateway's sessions."""
_GREETING_WAIT = 12.0
_PAUSE = 0.3

log = structlog.get_logger(__name__)


def host_lost(host: str) -> ConnectionLost:
    """Return the error for callers whose host is lost."""
    return ConnectionLost(
        f"The browser host {host} of this session was lost during the call, which may or may not "
        "have happened.",
        "The session continues on another host with its tabs, cookies and localStorage, but "
        "without saved files and the text typed into forms. Observe the page, then go on.",
    )


@attrs.define(eq=False)
class HostLink:
    """A host as a gateway sees it; ``hello`` is None while it is not connected.

    ``call`` calls a method of the host. ``session_names`` returns the names of the gateway's
    sessions on a host, which ends others. ``reserved`` counts the sessions that are being opened.
    ``status`` is the last known status of the host.
    """

    name: str
    gateway: str
    call: Callable[..., Awaitable[outcome.Outcome[Any]]]
    on_news: Callable[["HostLink", News], None]
    on_change: Callable[["HostLink"], None]
    wants_events: Callable[[], bool] = lambda: False
    session_names: Callable[["HostLink"], Collection[str]] = lambda _: ()
    hello: Hello | None = None
    news: News | None = None
    status: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    reserved: int = 0
    _problem: str = ""
    _asking: set[trio.CancelScope] = attrs.field(factory=set[trio.CancelScope])

    @property
    def is_live(self) -> bool:
        """Whether the host answers."""
        return self.hello is not None and self.news is not None

    @property
    def place(self) -> Place:
        """The host and its incarnation, which is empty while the host is lost."""
        return Place(self.name, self.hello.incarnation if self.hello else "")

    @property
    def node(self) -> str:
        """The id of the host's node; empty while the host is lost."""
        return self.hello.node if self.hello else ""

    @property
    def sessions(self) -> int:
        """The number of sessions on the host, with those that are being opened."""
        return (self.news.sessions if self.news else 0) + self.reserved

    @property
    def has_other_settings(self) -> bool:
        """Whether the host has the settings of another gateway, so that it gets no new sessions."""
        return self.hello is not None and bool(self.hello.other_settings)

    @property
    def free(self) -> int:
        """The number of free slots for new sessions of this gateway."""
        if self.hello is None or self.news is None or self.hello.other_settings:
            return 0
        return max(self.hello.slots - self.sessions, 0)

    async def run(self) -> NoReturn:
        """Connect to the host, and again whenever it was lost."""
        while True:
            self.hello = await self._try(_GREETING_WAIT, "hello", self.gateway)
            if self.hello is not None:
                await self._follow(self.hello)
                self.lose()
            await trio.sleep(_PAUSE)

    async def _try(self, wait: float, method: str, *arguments: Any) -> Any:
        """Return the result of a method; None if the host does not answer, or fails by a bug."""
        with trio.move_on_after(wait):
            try:
                return (await self.call(method, *arguments)).unwrap()
            except (ActorGone, CharlotteError):
                return None
            except Exception as error:  # noqa: BLE001 - Ray raises many types
                if (problem := repr(error)[:500]) != self._problem:
                    log.warning("a browser host failed", host=self.name, error=problem)
                self._problem = problem
        return None

    async def _follow(self, hello: Hello) -> None:
        """Poll the host until it is lost, or can be replaced by one with the gateway's settings."""
        names_due = trio.current_time()
        while self.hello is hello:
            names: Collection[str] | None = None
            if trio.current_time() >= names_due:
                names, names_due = self.session_names(self), trio.current_time() + NAMES_PERIOD
            poll = "poll", self.gateway, hello.incarnation, self.wants_events(), names
            news: News | None = await self._try(ANSWER_WAIT, *poll)
            if news is None or self.hello is not hello:
                return
            was_live, self.news = self.is_live, news
            self.status = self.status if news.status is None else news.status
            self.on_news(self, news)
            if not was_live:
                log.info("browser host live", host=self.name, node=hello.node)
                self.on_change(self)
            if self.has_other_settings and news.is_idle:
                return

    def lose(self) -> None:
        """Fail all calls of the host at once, until it answers again."""
        if self.hello is None:
            return
        log.warning("browser host lost", host=self.name, node=self.hello.node)
        self.hello = self.news = None
        for scope in self._asking:
            scope.cancel("the host is lost")
        self.on_change(self)

    async def ask(self, method: str, *arguments: Any) -> Any:
        """Return the result of a method of the host; raises `ConnectionLost` once it is lost."""
        if not self.is_live:
            raise host_lost(self.name)
        result: outcome.Outcome[Any] | None = None
        scope = trio.CancelScope()
        self._asking.add(scope)
        try:
            with scope:
                result = await self.call(method, *arguments)
        except ActorGone:
            self.lose()
        finally:
            self._asking.discard(scope)
        if result is None:
            raise host_lost(self.name)
        return result.unwrap()
