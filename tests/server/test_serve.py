"""One client on one pipe: eras, concurrency, cancellation, bounds."""

from pathlib import Path
from typing import Any

import pytest
import trio
from mcp.server.subscriptions import ToolsListChanged
from mcp_types import INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, UNSUPPORTED_PROTOCOL_VERSION
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from tests.server.clients import ENVELOPE, call, cancel, open_client, open_raw, request, text_of
from tests.server.fake_server import FakeService

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


async def test_discover_then_initialize_then_calls_of_both_eras_on_one_pipe() -> None:
    async with open_raw(FakeService()) as client:
        discovered = await client.ask(1, "server/discover", _meta=ENVELOPE)
        assert discovered["result"]["supportedVersions"] == ["2026-07-28"]
        assert (await client.initialize())["result"]["protocolVersion"] == "2025-11-25"
        plain = await client.ask(2, "tools/call", name="noop")
        enveloped = await client.ask(3, "tools/call", name="noop", _meta=ENVELOPE)
    assert text_of(plain) == text_of(enveloped) == "ok"
    assert "resultType" not in plain["result"]
    assert enveloped["result"]["resultType"] == "complete"


async def test_an_envelope_with_an_unsupported_version_is_refused_with_the_supported_one() -> None:
    version = {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    async with open_raw(FakeService()) as client:
        refused = await client.ask(1, "tools/call", name="noop", _meta=ENVELOPE | version)
    assert refused["error"]["code"] == UNSUPPORTED_PROTOCOL_VERSION
    assert refused["error"]["data"]["supported"] == ["2026-07-28"]


async def test_a_second_initialize_leaves_the_server_usable() -> None:
    async with open_raw(FakeService()) as client:
        await client.initialize()
        again = await client.initialize()
        assert "result" in again or "error" in again
        assert text_of(await client.ask(1, "tools/call", name="noop")) == "ok"


async def test_a_call_before_initialize_is_refused_with_the_missing_step() -> None:
    async with open_raw(FakeService()) as client:
        refused = await client.ask(1, "tools/call", name="noop")
        pinged = await client.ask(2, "ping")
        unknown = await client.ask(3, "no/such/method")
    assert refused["error"]["code"] == INVALID_REQUEST
    assert "initialize" in refused["error"]["message"]
    assert pinged["result"] == {}
    assert unknown["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize("spelled", [7, "7"])
async def test_a_cancelled_call_is_ended_and_never_answered(spelled: int | str) -> None:
    service = FakeService()
    async with open_raw(service, limit=1) as client:
        await client.initialize()
        await client.send(call(7, "wait"))
        await wait_all_tasks_blocked()
        assert (service.started, service.ended) == (["wait"], [])
        await client.send(cancel(spelled))
        await wait_all_tasks_blocked()
        assert service.ended == ["wait"]
        assert (await client.ask(8, "tools/call", name="noop"))["id"] == 8


async def test_requests_beyond_the_limit_wait_but_cancellations_are_read() -> None:
    service = FakeService()
    async with open_raw(service, limit=2) as client:
        await client.initialize()
        await client.send(call(1, "wait", name="1"), call(2, "wait", name="2"), cancel(1))
        await client.send(call(3, "wait", name="3"), call(4, "wait", name="4"), call(5, "noop"))
        await wait_all_tasks_blocked()
        assert service.started == ["1", "2", "3"]
        service.gate.set()
        answers = [(await client.receive())["id"] for _ in range(4)]
    assert sorted(answers) == [2, 3, 4, 5]


async def test_a_ping_is_answered_while_all_places_are_taken() -> None:
    async with open_raw(FakeService(), limit=1) as client:
        await client.initialize()
        await client.send(call(1, "wait", name="1"), call(2, "wait", name="2"))
        assert (await client.ask(3, "ping"))["id"] == 3


async def test_a_cancellation_behind_waiting_requests_is_read() -> None:
    service = FakeService()
    async with open_raw(service, limit=1) as client:
        await client.initialize()
        await client.send(call(1, "wait", name="1"), call(2, "wait", name="2"), cancel(1))
        await wait_all_tasks_blocked()
        assert (service.started, service.ended) == (["1", "2"], ["1"])
        await client.send(call(3, "wait", name="3"), cancel(3), cancel(2), call(4, "noop"))
        assert (await client.receive())["id"] == 4
        assert service.started == ["1", "2"]


@both_eras
async def test_progress_is_sent_to_a_client_that_requests_it(mode: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with open_client(FakeService(), mode) as client:
        await client.call_tool("report")
        await client.call_tool("report", progress_callback=note)
        await wait_all_tasks_blocked()
    assert sorted(seen) == [(1, 2, "half"), (2, 2, None)]


async def test_a_client_of_the_handshake_era_is_notified_once_per_change() -> None:
    async with open_raw(FakeService()) as client:
        await client.initialize()
        received: list[Any] = []
        for i in (1, 2):
            await client.send(call(i, "grow"))
            received += [await client.receive(), await client.receive()]
        await client.send(request(3, "ping"))
        received.append(await client.receive())
    methods = [message.get("method", "answer") for message in received]
    changed = "notifications/tools/list_changed"
    assert sorted(methods[:2]) == sorted(methods[2:4]) == ["answer", changed]
    assert received[4]["id"] == 3


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_capabilities_declare_what_is_sent(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        declared = client.server_capabilities
        templates = await client.list_resource_templates()
    assert declared is not None
    assert declared.tools is not None
    assert declared.resources is not None
    assert declared.prompts is None
    assert (declared.tools.list_changed, declared.resources.list_changed) == (True, False)
    assert declared.resources.subscribe is False
    assert templates.resource_templates == []


async def test_a_subscription_is_acknowledged_with_the_accepted_changes() -> None:
    async with open_raw(FakeService()) as client:
        wanted = {
            "toolsListChanged": True,
            "promptsListChanged": True,
            "resourceSubscriptions": ["charlotte://status"],
        }
        await client.send(request(1, "subscriptions/listen", notifications=wanted, _meta=ENVELOPE))
        received = await client.receive()
    assert received["method"] == "notifications/subscriptions/acknowledged"
    assert received["params"]["notifications"] == {"toolsListChanged": True}


async def test_a_stateless_client_is_notified_of_changes_only_if_it_listens(tmp_path: Path) -> None:
    async with open_raw(FakeService()) as client:
        answer = await client.ask(1, "tools/call", name="grow", _meta=ENVELOPE)
        assert answer["id"] == 1
        assert (await client.ask(2, "tools/list", _meta=ENVELOPE))["id"] == 2
    async with open_client(FakeService(kept=[tmp_path]), "2026-07-28") as sdk:
        async with sdk.listen(tools_list_changed=True) as changes:
            await sdk.call_tool("grow")
            with trio.fail_after(60):
                assert isinstance(await anext(changes), ToolsListChanged)
        assert "extra_0" in [tool.name for tool in (await sdk.list_tools()).tools]


@pytest.mark.parametrize(
    ("line", "code"), [(b"\x1b[31mgarbage", PARSE_ERROR), (b"[]", INVALID_REQUEST)]
)
async def test_a_malformed_line_is_logged_and_refused(line: bytes, code: int) -> None:
    async with open_raw(FakeService()) as client:
        await client.initialize()
        with capture_logs() as logged:
            await client.send(b"", line, b"  ")
            refused = await client.receive()
            assert text_of(await client.ask(1, "tools/call", name="noop")) == "ok"
    assert (refused["id"], refused["error"]["code"]) == (None, code)
    assert [(entry["log_level"], entry["line"]) for entry in logged] == [
        ("warning", repr(line + b"\n"))
    ]
