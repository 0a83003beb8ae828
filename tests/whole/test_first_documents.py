"""The first document of an origin has the localStorage with which its context begins."""

import json
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tests.whole.cases import case
from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab, close_tabs
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

HOSTS = ("127.0.0.1", *(f"{letter}.localhost" for letter in "abcdefghijklmn"))
"""Hosts with an item; each has its first document in one test."""
OTHER = "other.localhost"
READS = "<p id=o></p><script>o.textContent = `token is ${localStorage.token}`</script>"
REMOVES = """<script>
sessionStorage.log = (sessionStorage.log ?? '') + `[${localStorage.token}]`
localStorage.removeItem('token')
if (sessionStorage.log.length < 20) location.reload()
</script>"""


@pytest.fixture(scope="module")
def state(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Path:
    origins = [
        {
            "origin": web.url("", host=host).rstrip("/"),
            "localStorage": [{"name": "token", "value": f"of {host[0]}"}],
        }
        for host in HOSTS
    ]
    file = tmp_path_factory.mktemp("state") / "state.json"
    file.write_text(json.dumps({"cookies": [], "origins": origins}))
    return file


@pytest.fixture(scope="module")
def running(state: Path) -> Generator[Server]:
    with open_server("--storage-state", str(state)) as server:
        yield server


@pytest.fixture
def server(running: Server) -> Generator[Server]:
    yield running
    close_tabs(running)


def open_page(server: Server, web: Web, path: str, host: str) -> Tab:
    return Tab(server, web, server.call("tab_open", url=web.url(path, host=host)).json["tab_id"])


def test_scripts_of_the_first_document_read_the_items(server: Server, web: Web) -> None:
    for host in ("127.0.0.1", "a.localhost"):
        tab = open_page(server, web, web.write(READS), host)
        assert tab.js("o.textContent") == f"token is of {host[0]}"
    tab.call("navigate", url=web.url(web.write(READS), host="b.localhost"))  # another process
    assert tab.js("o.textContent") == "token is of b"


def test_an_item_that_a_page_removes_stays_removed_when_it_reloads_at_once(
    server: Server, web: Web
) -> None:
    tab = open_page(server, web, web.write(REMOVES), "c.localhost")
    tab.call("wait_for", js="sessionStorage.log.length >= 20")
    assert tab.js("sessionStorage.log") == "[of c][undefined][undefined]"
    beside = open_page(server, web, web.write(READS), "c.localhost")
    assert beside.js("o.textContent") == "token is undefined"


def test_tabs_that_open_one_origin_at_once_all_begin_with_the_items(
    server: Server, web: Web
) -> None:
    path = web.write(READS)
    opened = [
        server.start("tab_open", url=web.url(path, host="f.localhost")).reply for _ in range(4)
    ]
    tabs = [Tab(server, web, reply().json["tab_id"]) for reply in opened]
    assert {tab.js("o.textContent") for tab in tabs} == {"token is of f"}


def test_a_response_without_a_document_leaves_the_items_for_the_next(
    server: Server, web: Web
) -> None:
    for kind, host in [("empty", "h"), ("redirect", "i"), ("download", "j")]:
        with case(kind, host):
            elsewhere = web.url(web.write(READS), host="k.localhost")
            responses = {
                "empty": Response(status_code=204),
                "redirect": Response(status_code=302, headers={"location": elsewhere}),
                "download": Response("text", headers={"content-disposition": "attachment"}),
            }
            path = web.publish(responses[kind])
            server.call("tab_open", url=web.url(path, host=f"{host}.localhost"))
            tab = open_page(server, web, web.write(READS), f"{host}.localhost")
            assert tab.js("o.textContent") == f"token is of {host}"


def test_items_of_origins_without_a_document_are_saved_and_extended(
    server: Server, web: Web
) -> None:
    open_page(server, web, web.write(READS), OTHER)
    origin = web.url("", host="n.localhost").rstrip("/")
    more = {"origin": origin, "localStorage": [{"name": "more", "value": "x"}]}
    server.call("storage", action="load", state={"cookies": [], "origins": [more]})

    assert {"name": "token", "value": "of n"} in saved(server, origin)
    tab = open_page(server, web, web.write(READS), "n.localhost")
    assert tab.js("[localStorage.token, localStorage.more]") == ["of n", "x"]


def saved(server: Server, origin: str) -> Sequence[Any]:
    origins = server.call("storage", action="save").json["origins"]
    found: Sequence[Any] = next(
        each["localStorage"] for each in origins if each["origin"] == origin
    )
    return found
