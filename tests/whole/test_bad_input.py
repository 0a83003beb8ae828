"""Malformed input: each gets a clear answer or none, and the server keeps running."""

import json

import pytest

from tests.whole.client import Message, Server

pytestmark = pytest.mark.chromium


def answer(server: Server, message: Message | bytes, number: object) -> Message:
    server.say(message)
    found, _ = server.answer_to(number)
    return found


@pytest.mark.parametrize(
    "line",
    [
        b"not json at all",
        b'{"jsonrpc": "2.0", "id": 1, "method"',
        b"\x00\x01\xff\xfe",
        b"[]",
        b"42",
        b"null",
        b'"text"',
        b"{}",
        b'{"jsonrpc": "1.0", "id": "x", "method": "ping"}',
        b"x" * 2_000_000,
        b"[" * 100_000,
    ],
    ids=lambda line: line[:12].decode(errors="replace"),
)
def test_a_malformed_line_is_logged_and_the_server_keeps_running(
    shared_server: Server, line: bytes
) -> None:
    warnings = shared_server.log().count("malformed line on stdin")

    shared_server.say(line)

    assert shared_server.ask("ping").result == {}
    assert shared_server.log().count("malformed line on stdin") == warnings + 1
    assert isinstance(shared_server.call("tabs").json, list)


def test_empty_lines_are_ignored(shared_server: Server) -> None:
    log = shared_server.log()

    for line in (b"", b"   ", b"\r"):
        shared_server.say(line)

    assert shared_server.ask("ping").result == {}
    assert shared_server.log() == log


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {}),
        ("tools/call", {"name": 5}),
        ("tools/call", {"name": "tabs", "arguments": []}),
        ("tools/call", {"name": "tabs", "arguments": "{}"}),
        ("no/such/method", {}),
        ("tools/list", {"cursor": 5}),
    ],
)
def test_a_malformed_request_gets_a_protocol_error(
    shared_server: Server, method: str, params: Message
) -> None:
    message = shared_server.ask(method, params).message

    assert message["error"]["code"] in {-32602, -32601, -32600}
    assert message["error"]["message"]
    assert isinstance(shared_server.call("tabs").json, list)


def test_a_response_repeats_the_id_of_its_request(shared_server: Server) -> None:
    for number in ("text", 0, -1, 2**40):
        message: Message = {"jsonrpc": "2.0", "id": number, "method": "ping"}
        assert answer(shared_server, message, number)["result"] == {}


def test_unknown_notifications_are_ignored(shared_server: Server) -> None:
    for params in ({}, {"requestId": "unknown"}, {"progressToken": 1, "progress": 1}):
        for method in ("notifications/cancelled", "notifications/progress", "notifications/x"):
            shared_server.say({"jsonrpc": "2.0", "method": method, "params": params})

    assert shared_server.ask("ping").result == {}


def test_a_second_initialize_leaves_the_server_usable(shared_server: Server) -> None:
    info = {"name": "again", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}

    message = shared_server.ask("initialize", params).message

    assert "result" in message or "error" in message
    assert isinstance(shared_server.call("tabs").json, list)


def test_a_megabyte_in_a_call_arrives_whole(shared_server: Server) -> None:
    text = "x" * 1_000_000

    assert shared_server.call("evaluate", expression=f"'{text}'.length").json["value"] == 1_000_000


def test_many_concurrent_calls_are_all_answered(shared_server: Server) -> None:
    calls = [shared_server.start("tabs") for _ in range(300)]

    assert all(isinstance(call.reply().json, list) for call in calls)


def test_split_and_joined_lines_are_parsed_alike(shared_server: Server) -> None:
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": f"piece-{n}", "method": "ping"}).encode()
        for n in range(4)
    ]
    stdin = shared_server.process.stdin
    assert stdin is not None
    stdin.write(lines[0][:10])
    stdin.flush()
    shared_server.say(lines[0][10:] + b"\n" + lines[1] + b"\r\n" + lines[2])
    shared_server.say(lines[3])

    assert all(shared_server.answer_to(f"piece-{n}")[0]["result"] == {} for n in range(4))
