"""The parts of the MCP SDK that it does not document: a new release that changes one fails here."""

# pyright: reportPrivateUsage=false

import tomllib
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import trio
from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.connection import Connection, NotifyOnlyOutbound
from mcp.server.runner import ServerRunner
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.dispatcher import as_request_id
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import ServerMessageMetadata
from packaging.requirements import Requirement

from charlotte.server import sdk
from tests.server.clients import ENVELOPE
from tests.server.http.clients import Handshaking
from tests.server.http.stage import open_http, until

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
CHANGED = f"mcp {version('mcp')} changed a part that charlotte/server/sdk.py uses: "

PARAMETERS: dict[Any, tuple[str, ...]] = {
    ServerRunner.__init__: ("server", "connection", "lifespan_state"),
    ServerRunner._on_request: ("dctx", "method", "params"),
    ServerRunner._on_notify: ("dctx", "method", "params"),
    Connection.for_loop: ("outbound",),
    Connection.from_envelope: (
        "protocol_version",
        "client_info",
        "client_capabilities",
        "outbound",
    ),
    NotifyOnlyOutbound.__init__: ("outbound",),
    JSONRPCDispatcher.__init__: (
        "read_stream",
        "write_stream",
        "inline_methods",
        "on_stream_exception",
    ),
    JSONRPCDispatcher.run: ("on_request", "on_notify"),
    ServerMessageMetadata.__init__: ("on_request_unanswered", "can_send_request"),
    ServerSession.__init__: ("connection",),
    StreamableHTTPSessionManager.__init__: (
        "event_store",
        "retry_interval",
        "session_idle_timeout",
        "max_sessions",
    ),
    StreamableHTTPSessionManager._admit_session: ("requestor",),
    StreamableHTTPSessionManager._discard_session: ("session_id", "transport"),
    classify_inbound_request: ("body",),
    as_request_id: ("value",),
}


def test_a_runner_caches_no_bound_methods() -> None:
    members = vars(ServerRunner)
    for name in ("on_request", "on_notify"):
        assert isinstance(members.get(name), property), f"{CHANGED}ServerRunner.{name}"
    cached = [name for name, member in members.items() if isinstance(member, cached_property)]
    assert not cached, f"{CHANGED}ServerRunner has cached properties {cached}"


def test_an_enveloped_request_is_classified() -> None:
    route = classify_inbound_request({"method": "tools/list", "params": {"_meta": ENVELOPE}})
    assert isinstance(route, InboundModernRoute), f"{CHANGED}classify_inbound_request"
    assert route.protocol_version == "2026-07-28"
    assert route.client_info == {"name": "test", "version": "1"}
    assert route.client_capabilities == {}


async def test_a_session_calls_back_when_its_connection_is_closed() -> None:
    class Channel:
        async def send_raw_request(self, *_: Any) -> dict[str, Any]:
            return {}

        async def notify(self, *_: Any) -> None:
            pass

    channel: Any = Channel()
    connection, closed = Connection.for_loop(channel), list[str]()
    sdk.call_when_disconnected(ServerSession(channel, connection), lambda: closed.append("closed"))
    await connection.exit_stack.aclose()
    assert closed == ["closed"], f"{CHANGED}ServerSession._connection.exit_stack"


async def test_a_connection_over_http_has_an_event_store_that_is_closed_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = list[str]()
    admit = StreamableHTTPSessionManager._admit_session
    discard = StreamableHTTPSessionManager._discard_session

    def note_admit(manager: Any, requestor: AuthorizationContext | None) -> Any:
        calls.append("admitted")
        return admit(manager, requestor)

    async def note_discard(manager: Any, session_id: str, transport: Any) -> None:
        calls.append("discarded")
        await discard(manager, session_id, transport)

    monkeypatch.setattr(StreamableHTTPSessionManager, "_admit_session", note_admit)
    monkeypatch.setattr(StreamableHTTPSessionManager, "_discard_session", note_discard)
    async with open_http() as server, server.client(Handshaking) as client:
        assert calls == ["admitted"], f"{CHANGED}it opens connections without _admit_session"
        await client.leave()
        with trio.fail_after(60):
            await until(lambda: "discarded" in calls)


def test_the_installed_release_is_one_that_the_package_allows() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    [mcp] = [each for each in map(Requirement, project["dependencies"]) if each.name == "mcp"]
    assert version("mcp") in mcp.specifier, (
        f"mcp {version('mcp')} is not in the range {mcp.specifier} of pyproject.toml: "
        "run tests/server with it, then widen the range"
    )
