"""The dashboard of a cluster: the sum over its hosts, whose names begin the ids of their tabs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.actors.introspection import process_row
from charlotte.actors.kernel.mailbox import Event, EventStream, Feed
from charlotte.actors.state.events import TabEvent
from charlotte.api.dashboard_state import call_rows
from charlotte.api.session import Metrics
from charlotte.base import log
from charlotte.base.errors import ConnectionLost
from charlotte.cluster.host_link import HostLink

_WAIT = 2.0
_COUNTS = "cdp_sessions", "subscriptions", "commands"


def cluster_status(links: Sequence[HostLink]) -> dict[str, Any]:
    """Return the sum of the hosts' last status, and a row for each host."""
    live = [(link, link.status) for link in links if link.is_live]
    browsers = [status["browser"] for _, status in live]
    return {
        "process": process_row(),
        "browser": {
            "connected": any(browser["connected"] for browser in browsers),
            **{name: sum(browser.get(name, 0) for browser in browsers) for name in _COUNTS},
        },
        "hosts": [_host_row(link) for link in links],
        "actors": [
            {**row, "name": f"{link.name} {row['name']}"}
            for link, status in live
            for row in status["actors"]
        ],
        "sessions": [
            {
                "id": f"{link.name} {session['id']}",
                "tabs": [{**tab, "id": f"{link.name}.{tab['id']}"} for tab in session["tabs"]],
            }
            for link, status in live
            for session in status["sessions"]
        ],
    }


def _host_row(link: HostLink) -> dict[str, Any]:
    row: dict[str, Any] = {"name": link.name, "live": link.is_live}
    if link.news is not None:
        row |= {
            "node": link.node,
            "slots": link.slots,
            "sessions": len(link.names),
            "tabs": link.news.tabs,
            "process": link.status["process"],
        }
    return row


@attrs.define(eq=False)
class ClusterDashboard:
    """The state of all hosts, and of the calls of this gateway."""

    hidden: Callable[[Any], Any]
    _status: Callable[[], Mapping[str, Any]]
    _metrics: Metrics
    _links: Callable[[], Sequence[HostLink]]
    _watch: Callable[[], None]
    _feed: Feed = attrs.field(factory=Feed)

    def state(self) -> dict[str, Any]:
        """Return the status, and the running and recent calls."""
        return {
            "at": log.now(),
            **self._status(),
            **call_rows(self._metrics),
            "owner": None,
            "people": [],
            "questions": [],
        }

    def events(self) -> EventStream[Event]:
        """Return the events of all hosts from now on."""
        self._watch()
        return self._feed.subscribe()

    def publish(self, host: str, event: Event) -> None:
        """Pass on an event of a host."""
        if isinstance(event, TabEvent):
            event = attrs.evolve(event, tab_id=f"{host}.{event.tab_id}")
        self._feed.publish(event)

    async def read_details(self, tab_id: str, /) -> dict[str, Any] | None:
        """Return a tab's newest console messages and requests."""
        details: dict[str, Any] | None = await self._ask("read_details", tab_id)
        return details

    async def picture(self, tab_id: str, /) -> bytes | None:
        """Return a JPEG of a tab, if there is one."""
        picture: bytes | None = await self._ask("picture", tab_id)
        return picture

    async def _ask(self, method: str, tab_id: str) -> Any:
        host, _, local = tab_id.rpartition(".")
        link = next((link for link in self._links() if link.name == host), None)
        if link is not None:
            with trio.move_on_after(_WAIT), suppress(ConnectionLost):
                return await link.ask("call", "show", method, local)
        return None

    def set_port(self, _: int, /) -> None:
        """Do nothing: the agents' browsers are on other machines."""

    def takeover(self, _tab_id: str, /) -> None:
        """Return None: agents on a cluster cannot hand tabs to people."""

    def answer_question(self, _question_id: str, /, *, allow: bool) -> bool:  # noqa: ARG002 - as in `DashboardSource`
        """Return False: policies ask no questions on a cluster."""
        return False

    def change_grant(self, _tab_id: str, _site: str | None, /) -> bool:
        """Return False: the browsers of a cluster have no owner."""
        return False
