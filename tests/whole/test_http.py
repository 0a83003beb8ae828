"""The real server over HTTP: isolation of its clients, and its end without leftovers."""

import json
import signal
from pathlib import Path

import pytest
import trio
from starlette.responses import Response

from bench.agents import open_http_server
from tests.browser.processes import running
from tests.server.http.clients import Handshaking, HttpClient, Message, Stateless, connected
from tests.site.routes import Request, page
from tests.site.server import PAGES, Site, open_site
from tests.whole.processes import browser_of, descendants, gone, profile_of

pytestmark = pytest.mark.chromium


@pytest.mark.extended
async def test_two_http_clients_are_isolated_until_the_server_ends(tmp_path: Path) -> None:
    # One server for all checks, because its start takes seconds
    async with (
        open_site(PAGES) as site,
        open_http_server("--output-dir", str(tmp_path)) as (url, process),
        connected(Stateless, url) as one,
        connected(Handshaking, url) as other,
    ):
        await check_isolation(one, other, site, tmp_path)
        await _it_ends_when_calls_have_ended(other, process, site)


async def check_isolation(one: Stateless, other: Handshaking, site: Site, output: Path) -> None:
    """Check that two clients share nothing."""
    await _their_tabs_are_their_own(one, other, site.url("/index.html"))
    await _their_files_are_their_own(one, other, output)
    await _their_contexts_and_settings_are_their_own(one, other, site.url("/index.html"))


async def _their_tabs_are_their_own(one: Stateless, other: Handshaking, url: str) -> None:
    await one.call("navigate", url=url)
    await other.call("navigate", url=url)
    second = json.loads((await one.call("tab_open"))["content"][0]["text"])["tab_id"]
    refused = await other.call("observe", tab_id=second)
    assert "TAB_NOT_FOUND" in refused["content"][0]["text"]
    await one.call("tab_close", tab_id=second)
    assert len((await one.call("tabs"))["content"]) == 1


async def _their_files_are_their_own(one: Stateless, other: Handshaking, output: Path) -> None:
    saved = await one.call("screenshot", save=True)
    [place] = output.glob("*/*.png")  # noqa: ASYNC240 - a test may block
    assert str(place) in saved["content"][0]["text"]
    refused = await other.call("upload", element_id="inp-0000", paths=[str(place)])
    assert "is outside the roots" in refused["content"][0]["text"]
    downloads = [await _directory_of_download(client) for client in (one, other)]
    assert place.parent == downloads[0] != downloads[1]


async def _directory_of_download(client: HttpClient) -> Path:
    await client.call("navigate", url="data:text/html,<a download=a href=data:,a>Get</a>")
    [link] = json.loads((await client.call("find", text="Get"))["content"][0]["text"])
    clicked = await client.call("click", element_id=link["id"])
    [download] = json.loads(clicked["content"][0]["text"])["downloads"]
    return Path(download["path"]).parent


async def _their_contexts_and_settings_are_their_own(
    one: Stateless, other: Handshaking, url: str
) -> None:
    for client in (one, other):
        await client.call("tab_open", context="clean", url=url)
    await one.call("configure", require_tab_id=True)
    [mark] = [row["id"] for row in await _rows(one) if row.get("context")]
    await one.call("evaluate", tab_id=mark, expression="document.cookie = 'whose=mine'")
    seen = await other.call("evaluate", expression="document.cookie")
    assert '"value":""' in seen["content"][0]["text"]
    assert "tab_id is required" in (await one.call("observe"))["content"][0]["text"]
    await one.call("configure", require_tab_id=False)


async def _rows(client: HttpClient) -> list[Message]:
    rows: list[Message] = json.loads((await client.call("tabs"))["content"][0]["text"])
    return rows


async def _it_ends_when_calls_have_ended(
    client: Handshaking, process: trio.Process, site: Site
) -> None:
    everything, profile = descendants(process.pid), profile_of(browser_of(process.pid))
    answers: list[Message] = []
    signalled = trio.Event()

    async def last(_: Request) -> Response:
        await signalled.wait()
        return page("Last")

    async def navigate() -> None:
        answers.append(await client.call("navigate", url=site.url("/last")))

    site.routes = {**site.routes, "/last": last}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(navigate)
        await site.requested("/last")
        process.send_signal(signal.SIGTERM)
        signalled.set()
    with trio.fail_after(60):
        await process.wait()
    assert '"title":"Last"' in answers[0]["content"][0]["text"]
    assert gone(everything, profile)
    assert not running(process.pid)
