"""Discovery of a browser at its address, and the errors without a browser."""

import json
import socket
from contextlib import AbstractAsyncContextManager

import pytest
from starlette.responses import HTMLResponse

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import browser_source
from charlotte.browser.process.browser_source import endpoint_of
from tests.site.routes import always, hang
from tests.site.server import Site, open_site

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
