"""Sources of a browser: permissions by configuration, prelaunching, and discovery at an address."""

import json
import socket
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import attrs
import pytest
import trio
from starlette.responses import HTMLResponse
from trio.testing import wait_all_tasks_blocked

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import browser_source
from charlotte.browser.process.browser_source import (
    PrelaunchedBrowser,
    endpoint_of,
    guard_of,
    own_browser,
)
from charlotte.config.config import Config
from charlotte.protocol.transport import Transport
from tests.authority import Authority
from tests.fakes import FakeBrowser
from tests.site.routes import always, hang
from tests.site.server import Site, open_site

OURS = Config(http=True)


@pytest.mark.parametrize("config", [Config(), OURS, Config(host="192.0.2.1")])
def test_a_local_server_allows_private_hosts(config: Config) -> None:
    assert not guard_of(config, ()).public_only


@pytest.mark.parametrize(
    "config",
    [
        attrs.evolve(OURS, host="192.0.2.1"),
        attrs.evolve(OURS, server_name=("charlotte.example",)),
        attrs.evolve(OURS, oauth_issuer="https://login.example"),
    ],
)
def test_a_server_behind_a_proxy_refuses_private_hosts(config: Config) -> None:
    assert guard_of(config, ()).public_only


@attrs.define
class Launches:
    """The browsers that run; the next may be said not to start."""

    running: list[Transport] = attrs.field(factory=list[Transport])
    problem: SessionProblem | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Transport]:
        await trio.lowlevel.checkpoint()
        if self.problem is not None:
            raise self.problem
        browser = FakeBrowser()
        self.running.append(browser)
        try:
            yield browser
        finally:
            self.running.remove(browser)


async def test_the_first_caller_gets_the_prelaunched_browser_and_later_ones_start_their_own(
    nursery: trio.Nursery,
) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    await wait_all_tasks_blocked()
    [started] = launches.running
    async with begun.open() as first:
        assert first is started
    assert launches.running == []
    async with begun.open() as second:
        assert launches.running == [second] != [first]


async def test_a_caller_waits_until_the_browser_has_started(nursery: trio.Nursery) -> None:
    launches = Launches()
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    async with begun.open() as browser:
        assert launches.running == [browser]


async def test_a_failed_start_is_raised_to_the_first_caller_and_the_next_call_retries(
    nursery: trio.Nursery,
) -> None:
    launches = Launches(problem=SessionProblem("No browser."))
    begun = PrelaunchedBrowser(launches.open)
    nursery.start_soon(begun.run)
    with pytest.raises(SessionProblem, match="No browser"):
        await begun.open().__aenter__()
    launches.problem = None
    async with begun.open() as browser:
        assert launches.running == [browser]


@pytest.mark.parametrize("proxied", [True, False])
async def test_a_missing_browser_is_one_plain_error_with_a_proxy_or_relays(
    tmp_path: Path, *, proxied: bool
) -> None:
    config = Config(chromium="/nowhere", http=proxied, host="192.0.2.1")
    if not proxied:
        file = Authority(tmp_path).issue("Ada")
        config = attrs.evolve(config, client_certificate=(f"https://shop.test={file}",))
    with pytest.raises(SessionProblem, match="needs a browser"):
        async with own_browser(config)():
            pass


WEBSOCKET = "ws://127.0.0.1:9/devtools/browser/x"
VERSION = json.dumps({"Browser": "Chrome/150", "webSocketDebuggerUrl": WEBSOCKET})


def answering(content: str, status: int = 200) -> AbstractAsyncContextManager[Site]:
    """A server that answers at the address as a browser does."""
    handler = always(HTMLResponse(content.encode(), status_code=status))
    return open_site(routes={"/json/version": handler, "/below/json/version": handler})


async def problem(address: str) -> str:
    with pytest.raises(SessionProblem) as raised:
        await endpoint_of(address)
    assert "--remote-debugging-port" in (raised.value.suggestion or "")
    return raised.value.message


async def test_a_websocket_address_is_returned_unchanged() -> None:
    assert await endpoint_of(WEBSOCKET) == WEBSOCKET
    assert await endpoint_of("wss://a.test/devtools/x?token=1") == "wss://a.test/devtools/x?token=1"


@pytest.mark.parametrize("path", ["", "/", "/below", "/below/"])
async def test_the_websocket_of_a_browser_is_found(path: str) -> None:
    async with answering(VERSION) as site:
        assert await endpoint_of(site.url(path)) == WEBSOCKET


async def test_a_refused_connection_is_reported_with_the_address() -> None:
    with socket.socket() as taken:  # bound, so that no other process listens there
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        message = await problem(address)
    assert message.startswith(f"No browser answers at {address}/json/version: ")


async def test_an_http_error_is_reported_with_its_status() -> None:
    async with answering("", status=403) as site:
        assert (await problem(site.url("/"))).endswith(": HTTP status 403.")


@pytest.mark.parametrize(
    "content", ["", "<html>", "[]", "7", "{}", '{"webSocketDebuggerUrl": null}', '"ws"', "\x00"]
)
async def test_an_answer_without_a_websocket_is_an_error(content: str) -> None:
    async with answering(content) as site:
        assert (await problem(site.url("/"))).endswith(": the answer is not a browser's.")


async def test_a_server_that_never_answers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_source, "_ENDPOINT_WAIT", 0.1)
    async with open_site(routes={"/json/version": hang}) as site:
        assert (await problem(site.url("/"))).endswith(": no answer within 0.1 s.")
