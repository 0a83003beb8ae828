"""Servers that let in only who shows a certificate."""

import json
import ssl
from pathlib import Path

import pytest
import trio

from charlotte import Config, Text, open_charlotte
from tests.authority import Authority

pytestmark = pytest.mark.chromium


async def _greet(stream: trio.SSLStream[trio.SocketStream]) -> None:
    """Answer every request on a connection with the name of who asks."""
    await stream.do_handshake()
    ((_, name),) = stream.getpeercert()["subject"][0]
    page = f"<title>Members</title><p>Welcome, {name}</p>"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
    while await stream.receive_some():
        await stream.send_all((head + page).encode())


@pytest.mark.parametrize("password", [None, "word"])
async def test_a_server_that_asks_for_a_certificate_gets_the_one_of_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str | None
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.issue("localhost"))
    context.load_verify_locations(authority.file)
    context.verify_mode = ssl.CERT_REQUIRED
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    origin = f"https://localhost:{listener.socket.getsockname()[1]}"
    file = authority.archive("Ada", password.encode()) if password else authority.issue("Ada")
    config = Config(client_certificate=(f"{origin}={file}",), client_certificate_password=password)
    async with trio.open_nursery() as nursery:
        await nursery.start(
            trio.serve_listeners,
            _greet,
            [trio.SSLListener(listener, context, https_compatible=True)],
        )
        async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
            page = await session.navigate(origin)
            fetched = await session.call(
                "evaluate", {"expression": "fetch('/').then((answer) => answer.text())"}
            )
        nursery.cancel_scope.cancel()
    assert page.status == 200
    assert "Welcome, Ada" in page.told
    [block] = fetched.blocks
    assert isinstance(block, Text)
    assert "Welcome, Ada" in json.loads(block.text)["value"]
