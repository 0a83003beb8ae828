"""The interface between the server and its browsers: on this machine, or on a cluster.

`charlotte.app.Charlotte` and `charlotte.session.Session` are the engine of this machine.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from prometheus_client import CollectorRegistry

from charlotte.actors.kernel.mailbox import Event, EventStream
from charlotte.actors.state.questions import Channel, Question
from charlotte.actors.state.tab_budget import TabBudget
from charlotte.actors.state.takeovers import Takeover
from charlotte.errors import SessionProblem
from charlotte.progress import Report
from charlotte.saved_files import FileContents, FileEntry
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.schema.tool import ListedTool

START_WAIT = 60.0
"""Seconds that a call waits while no browser is live: the first ones of a cluster may start."""


class EngineSession(Protocol):
    """A session as the server uses it."""

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools that are enabled now."""
        ...

    def on_change(self, callback: Callable[[Changed], None], /) -> Callable[[], None]:
        """Call ``callback`` when `listed` or the saved files change; return a function to stop."""
        ...

    @property
    def tab_count(self) -> int:
        """The number of tabs, with those that are being opened."""
        ...

    def limit_tabs(self, budget: Callable[[], TabBudget], /) -> None:
        """Refuse more tabs than ``budget`` allows, which is called before tabs open."""
        ...

    async def answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Report | None = None,
        channel: Channel | None = None,
        /,
    ) -> Answer:
        """Run a tool; the caller calls ``delivered`` of the answer once it is sent.

        The questions of the call go to a ``channel``.
        """
        ...

    @property
    def may_ask(self) -> bool:
        """Whether the policy can put a call or a request to a person."""
        ...

    def give_back(self, question: Question, /) -> None:
        """Leave a question that a client could not show to the dashboard, or refuse it."""
        ...

    async def read_status(self) -> dict[str, Any]:
        """Return the status of the session's server, with this session's tabs only."""
        ...

    async def list_files(self) -> Sequence[FileEntry]:
        """Return the newest saved files."""
        ...

    async def read_file(self, address: str, /) -> FileContents:
        """Return the saved file with a ``file:`` URI; raises `InvalidArgument`."""
        ...


class DashboardSource(Protocol):
    """The state that the dashboard shows (see `charlotte.dashboard_state`)."""

    @property
    def hidden(self) -> Callable[[Any], Any]:
        """The function that removes secrets from JSON."""
        ...

    def state(self) -> dict[str, Any]:
        """Return the status, and the running and recent calls."""
        ...

    def events(self) -> EventStream[Event]:
        """Return the events that happen from now on."""
        ...

    async def read_details(self, tab_id: str, /) -> dict[str, Any] | None:
        """Return a tab's newest console messages and requests; None if there is no such tab."""
        ...

    async def picture(self, tab_id: str, /) -> bytes | None:
        """Return a JPEG of a tab, if there is one."""
        ...

    def takeover(self, tab_id: str, /) -> Takeover | None:
        """Return the turn of a person in a tab, if it has begun."""
        ...

    def answer_question(self, question_id: str, /, *, allow: bool) -> bool:
        """Record the answer of a person; return whether the question was open."""
        ...

    def set_port(self, port: int, /) -> None:
        """Set the port at which people see the dashboard, which agents must not use."""
        ...

    def change_grant(self, tab_id: str, site: str | None, /) -> bool:
        """Grant agents a site in a tab of the browser's owner, or withdraw the grant."""
        ...


class CallMetrics(Protocol):
    """The counts of all calls."""

    @property
    def registry(self) -> CollectorRegistry:
        """The counters in Prometheus' form."""
        ...


class Engine(Protocol):
    """The browsers and sessions behind a server."""

    @property
    def metrics(self) -> CallMetrics:
        """The counts of all calls of this server."""
        ...

    @property
    def dashboard_state(self) -> DashboardSource:
        """The source of the dashboard."""
        ...

    @property
    def tabs(self) -> int:
        """The number of open tabs."""
        ...

    @property
    def restarts(self) -> Mapping[str, int]:
        """The number of restarts of each actor, by name."""
        ...

    def open_private_session(self) -> AbstractAsyncContextManager[EngineSession]:
        """Open a session with a directory of its own."""
        ...

    def open_lobby(self) -> AbstractAsyncContextManager[EngineSession]:
        """Open the session that answers requests of clients without a session."""
        ...

    def find_outage(self) -> SessionProblem | None:
        """Return the error for calls that need a new session, while there is no live browser."""
        ...

    def watch_places(self, resize: Callable[[int], None], /) -> None:
        """Call ``resize`` when the number of sessions that have room here changes."""
        ...
