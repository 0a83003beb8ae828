"""A gateway's link to one browser host, which notices the loss of the host within seconds.

Ray may need a minute to report that a node is lost. The link polls its host all the time, so a
host that does not answer for `ANSWER_WAIT` seconds counts as lost, whatever Ray knows.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

import attrs
import structlog
import trio

from charlotte.base.errors import ConnectionLost, ellipsize
from charlotte.cluster.host_actors import ActorGone, HostActor
from charlotte.cluster.messages import HostNews, Opening
from charlotte.tools.schema.tool import ListedTool

ANSWER_WAIT = 3.0
"""Seconds for the answer to a poll, which a host gives after half a second at the latest."""
_OPEN_WAIT = 20.0
"""Seconds for one host to open a session; then another one is tried."""
_CLOSE_WAIT = 12.0
_PAUSE = 1.0

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class HostLink:
    """A host as the gateway sees it; ``names`` are its sessions, with those that are being opened.

    ``start`` has Ray start the host, again whenever it was lost.
    """

    name: str
    slots: int
    start: Callable[[], Awaitable[HostActor]]
    on_news: Callable[["HostLink", HostNews], None]
    on_lost: Callable[["HostLink"], None]
    wants_events: Callable[[], bool] = lambda: False
    actor: HostActor | None = None
    news: HostNews | None = None
    names: set[str] = attrs.field(factory=set[str])
    _asking: set[trio.CancelScope] = attrs.field(factory=set[trio.CancelScope])

    @property
    def is_live(self) -> bool:
        """Whether the host answers."""
        return self.news is not None

    @property
    def node(self) -> str:
        """The id of the host's node; empty while the host is lost."""
        return self.news.node if self.news else ""

    @property
    def tabs(self) -> int:
        """The number of the host's open tabs."""
        return self.news.tabs if self.news else 0

    @property
    def free(self) -> int:
        """The number of free slots for new sessions."""
        return max(self.slots - len(self.names), 0) if self.is_live else 0

    async def run(self) -> NoReturn:
        """Have the host started, and poll it; again whenever it was lost."""
        while True:
            try:
                self.actor = await self.start()
                await self._follow(self.actor)
            except Exception as error:  # noqa: BLE001 - Ray raises many types
                log.warning(
                    "a browser host failed", host=self.name, error=ellipsize(repr(error), 500)
                )
            actor, self.actor = self.actor, None
            self.lose()
            with suppress(Exception):  # without Ray's head
                if actor is not None:
                    await actor.kill()  # it may be alive, but out of reach
            await trio.sleep(_PAUSE)

    async def _follow(self, actor: HostActor) -> None:
        """Poll the host until it is lost; the first answer waits until Ray has room for it."""
        first: HostNews = await actor.ask("poll", self.wants_events())
        self.news = first
        log.info("browser host live", host=self.name, node=self.node)
        self.on_news(self, first)
        while self.is_live:
            news: HostNews | None = None
            with trio.move_on_after(ANSWER_WAIT):
                news = await actor.ask("poll", self.wants_events())
            if news is None or not self.is_live:
                return
            self.news = news
            self.on_news(self, news)

    def lose(self) -> None:
        """Fail all calls of the host at once, until Ray has started it again."""
        if self.news is None:
            return
        log.warning("browser host lost", host=self.name, node=self.node)
        self.news = None
        self.names.clear()
        for scope in self._asking:
            scope.cancel("the host is lost")
        self.on_lost(self)

    async def open(self, opening: Opening) -> Sequence[ListedTool] | None:
        """Open a session; return its tools, or None if the host does not answer in time."""
        actor, listed = self.actor, None
        self.names.add(opening.name)
        try:
            with trio.move_on_after(_OPEN_WAIT), suppress(ConnectionLost):
                listed = await self.ask("open", opening, key=opening.name)
        finally:
            if listed is None:
                self.names.discard(opening.name)
        return listed if self.is_live and self.actor is actor else None

    async def ask(self, method: str, *arguments: Any, key: str | None = None) -> Any:
        """Return the result of a method of the host; raises `ConnectionLost` once it is lost."""
        scope = trio.CancelScope()
        self._asking.add(scope)
        try:
            with scope:
                if self.actor is not None and self.is_live:
                    return await self.actor.ask(method, *arguments, key=key)
        except ActorGone:
            self.lose()
        finally:
            self._asking.discard(scope)
        raise ConnectionLost(
            f"The browser host {self.name} of this session was lost during the call, which may or "
            "may not have happened.",
            "The session continues on another host with its tabs, cookies and localStorage, but "
            "without saved files and the text typed into forms. Observe the page, then go on.",
        )

    async def close(self) -> None:
        """End the host with its sessions; the errors of a host that has ended are ignored."""
        if self.actor is not None:
            with suppress(Exception):
                with trio.move_on_after(_CLOSE_WAIT):
                    await self.actor.ask("close", "")
                await self.actor.kill()
