"""Servers that require a client certificate."""

import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from charlotte import Config, Session, Text, open_charlotte
from charlotte.base.errors import NavigationFailed
from tests.authority import Authority

pytestmark = pytest.mark.chromium


async def _greet(stream: trio.SSLStream[trio.SocketStream]) -> None:
    """Answer every request with the name in the client certificate, if there is one."""
    with suppress(trio.BrokenResourceError):
        await stream.do_handshake()
        shown = stream.getpeercert()
        name = shown["subject"][0][0][1] if shown else "stranger"
        page = f"<title>Members</title><p>Welcome, {name}</p>"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
        while await stream.receive_some():
            await stream.send_all((head + page).encode())


@asynccontextmanager
async def _serving(context: ssl.SSLContext) -> AsyncGenerator[str]:
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    behind = trio.SSLListener(listener, context, https_compatible=True)
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, _greet, [behind])
        yield f"https://localhost:{listener.socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("password", [None, "word"])
async def test_a_server_that_requires_a_certificate_gets_the_configured_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str | None
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.issue("localhost"))
    context.load_verify_locations(authority.file)
    context.verify_mode = ssl.CERT_REQUIRED
    file = authority.archive("Ada", password.encode()) if password else authority.issue("Ada")
    async with _serving(context) as origin:
        certificate = (f"{origin}={file}",)
        config = Config(client_certificate=certificate, client_certificate_password=password)
        async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
            page = await session.navigate(origin)
            fetched = await session.call(
                "evaluate", {"expression": "fetch('/').then((answer) => answer.text())"}
            )
    assert page.status == 200
    assert "Welcome, Ada" in page.answer_text
    [block] = fetched.blocks
    assert isinstance(block, Text)
    assert "Welcome, Ada" in json.loads(block.text)["value"]


async def test_an_untrusted_certificate_is_refused_unless_errors_are_ignored(
    tmp_path: Path,
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Authority(tmp_path).issue("localhost"))
    async with _serving(context) as origin:
        async with open_charlotte(Config()) as careful, careful.open_session() as session:
            refusal = await _refusal(session, origin)
        ignoring = Config(ignore_https_errors=True)
        async with open_charlotte(ignoring) as careless, careless.open_session() as session:
            page = await session.navigate(origin)
    assert "ERR_CERT_AUTHORITY_INVALID" in refusal
    assert "Welcome, stranger" in page.answer_text


async def _refusal(session: Session, url: str) -> str:
    with pytest.raises(NavigationFailed) as refused:
        await session.navigate(url)
    return refused.value.message
