"""The server, the site and the tabs that the whole-tool tests share."""

from collections.abc import Iterator

import pytest

from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web, open_web


@pytest.fixture(scope="package")
def web() -> Iterator[Web]:
    with open_web() as running:
        yield running


@pytest.fixture(scope="package")
def shared_server() -> Iterator[Server]:
    with open_server() as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """A server without any tab, which tests that break nothing share."""
    yield shared_server
    for row in shared_server.call("tabs").json:
        shared_server.call("tab_close", tab_id=row["id"])


@pytest.fixture
def tab(server: Server, web: Web) -> Tab:
    """A blank tab, which is the active one."""
    return Tab(server, web, server.call("tab_open").json["tab_id"])
