"""Relays present client certificates only to the right server, for the right browser."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import attrs
import pytest
import trio

from charlotte.browser.client_cert_relay import open_relays
from charlotte.guard.url_guard import Guard
from charlotte.secrets.certificates import ClientCertificate
from tests.authority import Authority

OPEN = Guard()


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """Whom this machine believes."""
    known = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(known.file))
    return known


@attrs.frozen
class Stage:
    """A server that wants to know who asks, and the way to it."""

    authority: Authority
    port: int
    guard: Guard = OPEN
    verify: bool = True

    async def ask(self, name: str | None = "localhost") -> bytes:
        """What a browser is answered that asks the relay for a host; nothing if that hangs up."""
        me = ClientCertificate(f"https://localhost:{self.port}", str(self.authority.issue("Ada")))
        async with open_relays([me], self.guard, verify=self.verify) as (rules, _):
            port = int(rules.rpartition(":")[2])
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            asking = trio.SSLStream(stream, context, server_hostname=name, https_compatible=True)
            said = b""
            with trio.fail_after(60), suppress(trio.BrokenResourceError):
                async with stream:
                    await asking.send_all(b"hello")
                    while more := await asking.receive_some():
                        said += more
        return said


async def _name(stream: trio.SSLStream[trio.SocketStream]) -> None:
    with trio.fail_after(60), suppress(trio.BrokenResourceError):
        asked = await stream.receive_some()
        ((_, name),) = stream.getpeercert()["subject"][0]
        await stream.send_all(f"{asked.decode()} {name}".encode())
        await stream.aclose()


@asynccontextmanager
async def open_stage(authority: Authority, server: Authority) -> AsyncGenerator[Stage]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server.issue("localhost"))
    context.load_verify_locations(authority.file)
    context.verify_mode = ssl.CERT_REQUIRED
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, _name, [trio.SSLListener(listener, context)])
        yield Stage(authority, port)
        nursery.cancel_scope.cancel()


async def test_a_server_receives_the_certificate(authority: Authority) -> None:
    async with open_stage(authority, authority) as stage:
        assert await stage.ask() == b"hello Ada"


async def test_an_untrusted_server_is_reported_and_receives_no_certificate(
    authority: Authority, tmp_path: Path
) -> None:
    (tmp_path / "stranger").mkdir()
    async with open_stage(authority, Authority(tmp_path / "stranger")) as stage:
        assert b"502 Bad Gateway" in (answer := await stage.ask())
        assert b"CERTIFICATE_VERIFY_FAILED" in answer
        assert await attrs.evolve(stage, verify=False).ask() == b"hello Ada"


@pytest.mark.parametrize("name", ["evil.test", None])
async def test_pages_reach_a_relay_by_no_other_name(authority: Authority, name: str | None) -> None:
    async with open_stage(authority, authority) as stage:
        assert await stage.ask(name) == b""


async def test_a_relay_does_not_connect_to_a_refused_host(authority: Authority) -> None:
    async with open_stage(authority, authority) as stage:
        for guard in (Guard(blocked=("localhost",)), Guard(public_only=True)):
            assert b"502 Bad Gateway" in await attrs.evolve(stage, guard=guard).ask()
