"""Clients of both eras over HTTP: each has its session, which ends with it."""

import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest
import trio
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.subscriptions import ToolsListChanged
from mcp_types import JSONRPCMessage, ResourceLink, TextResourceContents

from charlotte.server.http import serve
from charlotte.server.mcp_server import SESSION_KEY
from charlotte.server.stdio import decode
from tests.server.clients import PATIENCE
from tests.server.fake_server import FakeService
from tests.server.http.clients import ERAS, Handshaking, Message, Stateless
from tests.server.http.stage import TOKEN, Logs, Running, open_http, reasons, until

Era = type[Handshaking | Stateless]
both_eras = pytest.mark.parametrize("era", ERAS)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:Async generator:ResourceWarning")  # the client's own
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
async def test_the_sdk_client_lists_and_calls_tools(mode: str) -> None:
    async with (
        open_http() as server,
        Client(streamable_http_client(server.url), mode=mode) as client,
    ):
        assert "noop" in [tool.name for tool in (await client.list_tools()).tools]
        assert not (await client.call_tool("noop")).is_error


@both_eras
async def test_every_client_has_its_own_session(era: Era) -> None:
    async with open_http() as server, server.client(era) as one, server.client(era) as other:
        for client in (one, one, other):
            await client.call("noop")
        assert len(server.application.sessions) == 2


async def test_a_closed_connection_is_not_found(logs: Logs) -> None:
    async with open_http() as server, server.client(Handshaking) as client:
        await client.call("noop")
        await client.leave()
        response = await client.post({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}})
        assert response.status_code == 404
    assert reasons(logs) == ["no such session"]


async def test_a_stateless_call_returns_the_session_that_later_calls_continue() -> None:
    async with open_http() as server:
        async with server.client(Stateless) as client:
            begun = await client.call("noop")
        name = begun["_meta"][SESSION_KEY]
        async with server.client(Stateless) as again:
            by_parameter = await again.call("noop", session=name)
            again.session = name
            by_meta = await again.call("noop")
        assert len(server.application.sessions) == 1
    assert name in begun["content"][1]["text"]
    for later in (by_parameter, by_meta):
        assert SESSION_KEY not in later["_meta"]
        assert len(later["content"]) == 1


async def test_an_unknown_id_in_the_first_call_of_a_session_is_explained(logs: Logs) -> None:
    async with open_http() as server, server.client(Stateless) as client:
        first = await client.call("missing")
        later = await client.call("missing")
    assert "This call began a new session, because it names none" in str(first["content"])
    assert "began a new session" not in str(later["content"])


@pytest.mark.parametrize("session", ["nonsense", 7])
async def test_an_unknown_session_is_refused(session: object) -> None:
    async with open_http() as server, server.client(Stateless) as client:
        refused = await client.call("noop", session=session)
        assert not server.application.sessions
    assert refused["isError"]


async def test_a_closed_session_is_refused(logs: Logs) -> None:
    async with open_http() as server, server.client(Stateless) as client:
        await client.call("noop")
        await client.leave()
        refused = await client.call("noop")
    assert "SESSION_ERROR" in refused["content"][0]["text"]
    assert reasons(logs) == ["not found"]


@both_eras
async def test_progress_is_sent_while_the_call_runs(era: Era) -> None:
    async with open_http() as server, server.client(era) as client:
        await client.ask("tools/call", name="report", arguments={}, _meta={"progressToken": "mine"})
    params = [message["params"] for message in client.notifications]
    assert [(one["progressToken"], one["progress"]) for one in params] == [("mine", 1), ("mine", 2)]


async def test_a_call_is_cancelled_by_a_notification() -> None:
    answers: list[Message] = []

    async def wait(client: Handshaking) -> None:
        answers.append(await client.ask("tools/call", name="wait", arguments={}))

    async with open_http() as server, server.client(Handshaking) as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait, client)
            [service] = await _started(server)
            await client.cancel(1)
        assert service.ended
    assert "cancelled" in answers[0]["error"]["message"]


async def test_disconnecting_cancels_the_call_but_not_its_session() -> None:
    async with open_http() as server, server.client(Stateless) as client:
        await client.call("noop")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.call, "wait")
            [service] = await _started(server)
            nursery.cancel_scope.cancel()
        await until(lambda: service.ended)
        assert not (await client.call("noop"))["isError"]


async def test_a_session_whose_name_was_not_delivered_is_ended() -> None:
    async with open_http() as server, server.client(Stateless) as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.call, "wait")
            await _started(server)
            nursery.cancel_scope.cancel()
        await until(lambda: server.application.closed == server.application.sessions)


async def _started(server: Running) -> list[FakeService]:
    await until(lambda: [one for one in server.application.sessions if one.started])
    return [one for one in server.application.sessions if one.started]


async def test_a_client_is_notified_only_of_its_own_tools() -> None:
    async with (
        open_http() as server,
        server.client(Handshaking) as one,
        server.client(Handshaking) as other,
        trio.open_nursery() as nursery,
    ):
        for client in (one, other):
            await client.call("noop")
            await nursery.start(client.listen)
        await one.call("grow")
        await until(lambda: one.notifications)
        nursery.cancel_scope.cancel()
    assert [message["method"] for message in one.notifications] == [
        "notifications/tools/list_changed"
    ]
    assert not other.notifications


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:Async generator:ResourceWarning")  # the client's own
async def test_a_client_without_meta_is_notified_of_changes_and_reads_saved_files(
    tmp_path: Path,
) -> None:
    async with (
        open_http() as server,
        Client(streamable_http_client(server.url), mode="2026-07-28") as client,
        client.listen(tools_list_changed=True) as changes,
    ):
        begun = await client.call_tool("noop")
        assert begun.meta is not None
        session = begun.meta[SESSION_KEY]
        server.application.sessions[0].kept = [tmp_path]
        await client.call_tool("grow", {"session": session})
        saved = await client.call_tool("save", {"session": session})
        with trio.fail_after(PATIENCE):
            received = await anext(changes)
        [link] = saved.content
        assert isinstance(link, ResourceLink)
        read = await client.read_resource(str(link.uri))
        foreign = str(link.uri).replace(session, "0" * len(session))
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource(foreign)
    assert received == ToolsListChanged()
    assert isinstance(read.contents[0], TextResourceContents)
    assert read.contents[0].text == "kept"


@pytest.mark.parametrize(
    ("path", "most"), [("/mcp", 4 * 2**20), ("/dashboard/api/owner/tab-1", 256 * 2**10)]
)
async def test_a_body_above_the_limit_of_its_route_is_refused(path: str, most: int) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        while True:
            yield b"x" * 2**16

    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    async with (
        open_http(dashboard=True, auth_token=TOKEN) as server,
        httpx2.AsyncClient(timeout=PATIENCE) as http,
    ):
        statuses = [
            (await http.post(server.origin + path, headers=headers, content=content)).status_code
            for content in (b"x" * most, b"x" * (most + 1), endless())
        ]
    assert statuses[0] != 413
    assert statuses[1:] == [413, 413]


async def test_a_large_body_is_parsed_outside_of_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []

    def parse(body: bytes) -> JSONRPCMessage:
        threads.append(threading.get_ident())
        return decode(body)

    monkeypatch.setattr(serve, "decode", parse)
    call = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"%s"}}'
    async with open_http() as server, server.client(Handshaking) as client:
        headers = {**client.headers, "content-type": "application/json"}
        threads.clear()
        for size in (10, 200_000):
            await client.http.post(client.url, content=call % (b"x" * size), headers=headers)
    small, large = threads
    assert small == threading.get_ident() != large


async def test_a_lone_surrogate_in_a_body_becomes_a_question_mark() -> None:
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nam\\ud83d"}}'
    async with open_http() as server, server.client(Handshaking) as client:
        headers = {**client.headers, "content-type": "application/json"}
        answer = await client.http.post(client.url, content=call, headers=headers)
    assert "nam?" in answer.text


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"nope", "Parse error: not JSON"),
        (b"[]", "Invalid request: must be one JSON-RPC object; MCP has no batches"),
        (b'{"a": 1}', "Invalid request: not a JSON-RPC 2.0 message"),
    ],
)
async def test_a_body_that_is_not_a_message_gets_a_short_error(body: bytes, problem: str) -> None:
    async with open_http() as server, server.client(Stateless) as client:
        response = await client.http.post(client.url, content=body)
    assert response.status_code == 400
    assert response.json()["error"]["message"] == problem
