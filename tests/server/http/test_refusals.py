"""Refused requests: foreign hosts and origins, and requests without the token."""

import httpx2
import pytest
import trio

from charlotte.config.config import Config
from charlotte.server.http.access import build_host_names
from tests.server.http.stage import TOKEN, Logs, open_http, reasons


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("host", "evil.example", 421),
        ("host", "evil.example:80", 421),
        ("host", "localhost.evil.example", 421),
        ("host", "192.0.2.1", 421),
        ("origin", "http://evil.example", 403),
        ("origin", "http://localhost.evil.example", 403),
        ("host", "evil@127.0.0.1", 421),
        ("host", "127.0.0.1/evil.test", 421),
        ("host", "127.0.0.1?evil.test", 421),
        ("host", "127.0.0.1#evil.test", 421),
        ("host", "127.0.0.1:99999999", 421),
        ("origin", "null", 403),
        ("origin", "http://[", 403),
        ("origin", "http://localhost:9", 403),
        ("origin", "https://127.0.0.1:1", 403),
    ],
)
async def test_foreign_hosts_and_origins_are_refused_and_logged(
    header: str, value: str, status: int, logs: Logs
) -> None:
    async with open_http() as server:
        refused = await server.get("/healthz", **{header: value})
    assert refused.status_code == status
    assert "--server-name" in refused.text
    assert reasons(logs) == [f"foreign {header.title()}"]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("host", "localhost:3737"),
        ("host", "LOCALHOST"),
        ("host", "[::1]:80"),
        ("host", "charlotte.example"),
        ("origin", "https://charlotte.example"),
    ],
)
async def test_own_names_are_allowed_at_any_port(header: str, value: str, logs: Logs) -> None:
    async with open_http(server_name=("Charlotte.example",)) as server:
        assert (await server.get("/healthz", **{header: value})).status_code == 200
    assert not reasons(logs)


@pytest.mark.parametrize(
    ("bind", "host", "known"),
    [
        ("127.0.0.1", "192.0.2.1", False),
        ("0.0.0.0", "192.0.2.1", True),  # noqa: S104 - nothing is bound
        ("0.0.0.0", "evil.example", False),  # noqa: S104
        ("192.0.2.1", "192.0.2.1", True),
        ("::", "2001:db8::1", True),
        ("charlotte.example", "charlotte.example", True),
    ],
)
def test_ip_addresses_are_allowed_unless_the_server_is_bound_to_loopback(
    bind: str, host: str, *, known: bool
) -> None:
    config = Config(http=True, host=bind, auth_token=TOKEN)
    assert build_host_names(config).allows(host) is known


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        ("", "no token"),
        ("Basic dTpw", "no token"),
        ("Bearer", "no token"),
        ("Bearer wrong", "wrong token"),
        (f"Bearer {TOKEN}x", "wrong token"),
        ("Bearer é", "wrong token"),
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/metrics"])
async def test_requests_without_the_token_are_refused(
    path: str, authorization: str, reason: str, logs: Logs
) -> None:
    async with open_http(auth_token=TOKEN) as server:
        refused = await server.get(path, authorization=authorization)
        assert not server.application.sessions
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert reasons(logs) == [reason]
    assert TOKEN not in str(logs)


async def test_pages_of_the_server_are_allowed_under_each_of_its_names() -> None:
    async with open_http() as server:
        port = server.origin.rpartition(":")[2]
        for origin in (server.origin, f"http://localhost:{port}", f"http://[::1]:{port}"):
            assert (await server.get("/healthz", origin=origin)).status_code == 200


async def test_each_of_several_origins_must_be_allowed() -> None:
    async with open_http() as server, httpx2.AsyncClient() as http:
        origins = [("origin", server.origin), ("origin", "http://evil.example")]
        assert (await http.get(server.origin + "/healthz", headers=origins)).status_code == 403


async def test_a_token_is_compared_as_the_bytes_that_clients_send() -> None:
    token = "tok-\u00e9clair-1234"  # noqa: S105
    sent = token.encode().decode("latin-1")
    async with open_http(auth_token=token) as server:
        assert (await server.get("/metrics", authorization=f"Bearer {sent}")).status_code == 200
        assert (await server.get("/metrics", authorization="Bearer tok")).status_code == 401


@pytest.mark.parametrize(
    "foreign", [{}, {"host": "evil.example"}, {"origin": "http://evil.example"}]
)
async def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    foreign: dict[str, str],
) -> None:
    async with open_http() as server:
        lengths = {"content-length": "5", "transfer-encoding": "chunked"}
        refused = await server.get("/healthz", **lengths, **foreign)
    assert refused.status_code == 400
    assert refused.headers["connection"] == "close"


async def test_the_rest_of_a_request_with_two_lengths_is_not_parsed_as_a_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_http() as server:
        host, _, port = server.origin.removeprefix("http://").partition(":")
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
        lengths = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        for _ in range(30):
            answered = b""
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                await stream.send_all(head + lengths + head + b"\r\n")
                async for data in stream:
                    answered += data
            assert answered.startswith(b"HTTP/1.1 400")
            assert answered.count(b"HTTP/1.1") == 1
            assert answered.endswith(b"Transfer-Encoding.")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
