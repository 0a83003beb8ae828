"""Charlotte over HTTP in this process, without a browser."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import attrs
import httpx2
import trio

from charlotte.actors.kernel.mailbox import Event, EventStream, Feed
from charlotte.actors.state.takeovers import Takeover
from charlotte.api.session import Metrics
from charlotte.config.config import Config
from charlotte.secrets.redaction import Secrets
from charlotte.server.http import bind_port, serve_http
from tests.server.clients import PATIENCE
from tests.server.fake_server import FakeService
from tests.server.http.clients import C, connected

TOKEN = "a token of the tests"  # noqa: S105
JSON = {"content-type": "application/json"}
ALLOWED = {**JSON, "authorization": f"Bearer {TOKEN}"}
Logs = list[Any]


def reasons(logs: Logs) -> list[str]:
    """Return the logged reasons of refused requests and sessions."""
    return [entry["reason"] for entry in logs if entry["event"].endswith(" refused")]


@attrs.define(eq=False)
class FakeState:
    """Has one tab and one tab of an owner, and counts the states it returned.

    The owner's tab shows https://a.test; ``granted`` has the sites that were granted in it.
    """

    feed: Feed = attrs.field(factory=Feed)
    looks: int = 0
    port: int | None = None
    granted: list[str | None] = attrs.field(factory=list[str | None])
    turn: Takeover | None = None
    problem: str | None = None
    answered: list[bool] = attrs.field(factory=list[bool])
    hidden: Callable[[Any], Any] = Secrets.of({"PIN": "hush"}).hidden_in

    def state(self) -> dict[str, Any]:
        self.looks += 1
        return {"looks": self.looks}

    def events(self) -> EventStream[Event]:
        return self.feed.subscribe()

    def takeover(self, tab_id: str) -> Takeover | None:
        return self.turn if tab_id == "tab-1" else None

    def set_port(self, port: int) -> None:
        self.port = port

    def answer_question(self, question_id: str, *, allow: bool) -> bool:
        is_open = question_id == "question-1" and not self.answered
        if is_open:
            self.answered.append(allow)
        return is_open

    def change_grant(self, tab_id: str, site: str | None) -> bool:
        is_possible = tab_id == "owner-1" and site in {"https://a.test", None}
        if is_possible:
            self.granted.append(site)
        return is_possible

    async def picture(self, tab_id: str) -> bytes | None:
        return b"a picture" if tab_id == "tab-1" else None


@attrs.define(eq=False)
class FakeApplication:
    """Opens fake sessions; the first is the lobby."""

    metrics: Metrics = attrs.field(factory=Metrics)
    tabs: int = 3
    dashboard_state: FakeState = attrs.field(factory=FakeState)
    restarts: Mapping[str, int] = attrs.field(factory=Counter[str])
    opened: list[FakeService] = attrs.field(factory=list[FakeService])
    closed: list[FakeService] = attrs.field(factory=list[FakeService])

    @property
    def sessions(self) -> list[FakeService]:
        return self.opened[1:]

    @asynccontextmanager
    async def open_private_session(self) -> AsyncGenerator[FakeService]:
        service = FakeService()
        self.opened.append(service)
        try:
            yield service
        finally:
            self.closed.append(service)

    def open_lobby(self) -> Any:
        return self.open_private_session()

    def find_outage(self) -> None:
        """Have a browser."""

    def watch_places(self, resize: Callable[[int], None]) -> None:
        """Have as many places as configured."""


@attrs.define(eq=False)
class Running:
    """A server; a signal sets ``stop``, and the end of serving sets ``ended``."""

    url: str
    application: FakeApplication
    stop: trio.Event
    ended: trio.Event
    announced: list[str]

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/mcp")

    def client(self, kind: type[C], **headers: str) -> AbstractAsyncContextManager[C]:
        return connected(kind, self.url, **headers)

    async def get(self, path: str, **headers: str) -> httpx2.Response:
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
            return await http.get(self.origin + path, headers=raw)

    async def post(
        self, path: str, body: str, headers: Mapping[str, str] = ALLOWED
    ) -> httpx2.Response:
        """Post to the dashboard, with its token unless other headers are given."""
        async with httpx2.AsyncClient(timeout=PATIENCE) as http:
            return await http.post(self.origin + path, content=body, headers=headers)


@asynccontextmanager
async def open_http(**settings: Any) -> AsyncGenerator[Running]:
    """Serve on a free port, without a token unless the settings have one."""
    settings = {"no_auth": "auth_token" not in settings, "http": True, "port": 0, **settings}
    application, stop, ended = FakeApplication(), trio.Event(), trio.Event()
    ready, addresses = trio.Event(), list[str]()

    def announce(address: str) -> None:
        addresses.append(address)
        ready.set()

    async def run() -> None:
        config = Config(**settings)
        engine: Any = application
        shown: Any = application.dashboard_state if config.dashboard else None
        port = bind_port(config)
        await serve_http(engine, config, port, stop, announce, dashboard_state=shown)
        ended.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        with trio.fail_after(PATIENCE):
            await ready.wait()
        yield Running(addresses[0], application, stop, ended, addresses)
        nursery.cancel_scope.cancel()


async def until(condition: Callable[[], object]) -> None:
    """Wait for an effect of another connection."""
    with trio.fail_after(PATIENCE):
        while not condition():  # noqa: ASYNC110 - no event to wait for
            await trio.sleep(0.005)
