"""The parts of the MCP SDK that it does not document: a new release that changes one fails here."""

# pyright: reportPrivateUsage=false

import tomllib
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp.server.connection import Connection
from mcp.server.runner import ServerRunner
from mcp.server.session import ServerSession
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from packaging.requirements import Requirement

from charlotte.server import sdk
from tests.server.clients import ENVELOPE

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
CHANGED = f"mcp {version('mcp')} changed a part that charlotte/server/sdk.py uses: "


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


def test_the_installed_release_is_one_that_the_package_allows() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    [mcp] = [each for each in map(Requirement, project["dependencies"]) if each.name == "mcp"]
    assert version("mcp") in mcp.specifier, (
        f"mcp {version('mcp')} is not in the range {mcp.specifier} of pyproject.toml: "
        "run tests/server with it, then widen the range"
    )
