"""Faults below the server: a frozen browser, a cut connection, full disks, a jumping clock."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse

from tests.chaos.machine import fill, small_disk
from tests.whole.answers import new_texts
from tests.whole.client import Server, open_server
from tests.whole.processes import arguments, browser_of, descendants, within
from tests.whole.sockets import cut_socket
from tests.whole.tabs import Tab, eventually, new_tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

MAX_REPORT_SECONDS = 60.0
MAX_NETWORK_FROZEN_SECONDS = 120.0


@pytest.fixture
def tab(own_server: Server, web: Web) -> Generator[Tab]:
    with new_tab(own_server, web) as tab:
        tab.open("/counter.html")
        yield tab


@contextmanager
def disk(size: str) -> Generator[Path]:
    with small_disk(size) as small:
        yield small or pytest.skip("file systems cannot be mounted here")


def test_a_cut_connection_is_reported_and_all_tabs_are_restored(tab: Tab) -> None:
    server, before = tab.server, browser_of(tab.server.process.pid)
    other = tab.beside()
    other.open("/form.html")
    rows = [(row["id"], row["url"]) for row in server.call("tabs").json]
    waiting = tab.start("evaluate", expression="new Promise(() => {})", timeout=20_000)
    assert server.call("tabs").json

    if not cut_socket(server.process.pid):
        server.cancel(waiting)
        pytest.skip("sockets of other processes are not accessible here")
    in_time = within(MAX_REPORT_SECONDS, lambda: waiting.is_answered)
    answer = tab.call("observe")

    assert in_time
    assert waiting.reply().error["code"] == "CDP_CONNECTION_LOST"
    assert any("restarted" in notice for notice in answer["notices"])
    assert [(row["id"], row["url"]) for row in server.call("tabs").json] == rows
    assert browser_of(server.process.pid) != before
    assert "The count is 1." in new_texts(tab.click("Clicked 0"))


def test_a_frozen_browser_is_reported_in_time_and_usable_after_it_thaws(tab: Tab) -> None:
    server, browser = tab.server, browser_of(tab.server.process.pid)
    tab.click("Clicked 0")
    os.kill(browser, signal.SIGSTOP)
    try:
        replies = [tab.start("observe"), tab.start("click", element_id="btn-0000")]
        assert server.call("tabs").json
        codes = {pending.reply().error["code"] for pending in replies}
    finally:
        os.kill(browser, signal.SIGCONT)

    assert codes == {"CDP_CONNECTION_LOST"}
    eventually(lambda: not tab.reply("observe").result.get("isError"))
    assert tab.js("clicks") == 1
    assert browser_of(server.process.pid) == browser


@pytest.mark.extended
def test_a_frozen_network_service_restarts_the_browser_unlike_a_killed_one(tab: Tab) -> None:
    server, browser = tab.server, browser_of(tab.server.process.pid)
    os.kill(network_service_of(browser), signal.SIGKILL)
    eventually(
        lambda: not tab.reply("navigate", url=tab.web.url("/form.html")).result.get("isError")
    )
    survived = browser_of(server.process.pid)
    os.kill(network_service_of(browser), signal.SIGSTOP)
    came_back = within(MAX_NETWORK_FROZEN_SECONDS, lambda: has_another_browser(server, browser))

    assert survived == browser
    assert came_back
    eventually(
        lambda: not tab.reply("navigate", url=tab.web.url("/form.html")).result.get("isError")
    )


def network_service_of(browser: int) -> int:
    return next(
        one
        for one in descendants(browser)
        if any("network.mojom.NetworkService" in argument for argument in arguments(one))
    )


def has_another_browser(server: Server, before: int) -> bool:
    with suppress(ValueError):
        return browser_of(server.process.pid) != before
    return False


def test_a_download_to_a_full_disk_is_canceled_and_leaves_no_file(web: Web) -> None:
    headers = {"Content-Disposition": 'attachment; filename="all.bin"'}
    path = web.publish(HTMLResponse(b"x" * 1_000_000, headers=headers))
    with disk("64k") as small, open_server(f"--output-dir={small}") as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        tab.open(f"<a href='{path}'>Everything</a>")
        rows = tab.click("Everything")["downloads"]

        def has_ended() -> bool:
            rows.extend(tab.call("observe", detail="minimal").get("downloads", []))
            return bool(rows[-1]["state"] != "in_progress")

        eventually(has_ended)
        left = list(small.iterdir())
        answer = tab.open("/counter.html")

    assert rows[-1]["state"] == "canceled"
    assert left == []
    assert answer["status"] == 200


def test_a_browser_with_a_full_disk_still_shows_pages(web: Web) -> None:
    with disk("32m") as small, open_server(env={"TMPDIR": str(small)}) as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        fill(small)
        answers = [tab.open(path) for path in ("/counter.html", "/form.html")]
        stored = tab.js("localStorage.setItem('a', 'b'); localStorage.a")

    assert [answer["status"] for answer in answers] == [200, 200]
    assert stored == "b"
