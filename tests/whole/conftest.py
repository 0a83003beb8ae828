"""The server, the site and the tabs that the whole-tool tests share."""

from collections.abc import Generator
from pathlib import Path

import pytest
import trio

from tests.whole.client import PROGRAM, Message, Server, open_server
from tests.whole.tabs import Tab, new_tab
from tests.whole.web import Web, open_web

HEALTHY = {"id", "url", "title", "active"}


@pytest.fixture(scope="package")
def web() -> Generator[Web]:
    with open_web() as running:
        yield running


@pytest.fixture(scope="package")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output directory of the shared server."""
    return tmp_path_factory.mktemp("output") / "shots"


@pytest.fixture(scope="package")
def shared_server(shots: Path) -> Generator[Server]:
    """One server for all tests that leave it intact, with tabs of earlier tests."""
    with open_server("--output-dir", str(shots), program=PROGRAM) as server:
        yield server


@pytest.fixture(scope="module")
def own_server() -> Generator[Server]:
    """A server of the module's own, whose browser may be disturbed and killed."""
    with open_server() as server:
        yield server


@pytest.fixture
def own_tab(own_server: Server, web: Web) -> Generator[Tab]:
    with new_tab(own_server, web) as tab:
        yield tab


@pytest.fixture
def server(shared_server: Server) -> Generator[Server]:
    """The shared server, without any tab."""
    close(shared_server, shared_server.call("tabs").json)
    yield shared_server
    close(shared_server, shared_server.call("tabs").json)


@pytest.fixture
def fresh_tab(server: Server, web: Web) -> Tab:
    """A new, blank tab and no other."""
    return Tab(server, web, server.call("tab_open").json["tab_id"])


@pytest.fixture
def tab(shared_server: Server, web: Web) -> Tab:
    """The only tab, without cookies; reused with its page, because a new tab takes time."""
    rows: list[Message] = shared_server.call("tabs").json
    kept = next((row["id"] for row in rows if set(row) == HEALTHY), None)
    close(shared_server, [row for row in rows if row["id"] != kept])
    kept = kept or shared_server.call("tab_open").json["tab_id"]
    cleared = [
        shared_server.start("console", tab_id=kept, clear=True),
        shared_server.start("requests", tab_id=kept, clear=True),
        shared_server.start("clear_cookies", tab_id=kept),
    ]
    for call in cleared:
        call.reply()
    trio.from_thread.run_sync(web.site.requests.clear, trio_token=web.token)
    return Tab(shared_server, web, kept)


def close(server: Server, rows: list[Message]) -> None:
    for row in rows:
        server.call("tab_close", tab_id=row["id"])
