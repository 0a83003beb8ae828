"""Malformed input: each gets a clear answer or none, and the server keeps running."""

import pytest

from tests.whole.cases import case
from tests.whole.client import Message, Server

pytestmark = pytest.mark.chromium


def answer(server: Server, message: Message | bytes, number: object) -> Message:
    server.say(message)
    found, _ = server.answer_to(number)
    return found


def test_a_malformed_line_is_logged_and_the_server_keeps_running(shared_server: Server) -> None:
    cases = [
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
    ]

    for line in cases:
        with case(line):
            warnings = shared_server.log().count("malformed line on stdin")
            shared_server.say(line)
            assert shared_server.ask("ping").result == {}
            assert shared_server.log().count("malformed line on stdin") == warnings + 1
            assert isinstance(shared_server.call("tabs").json, list)


def test_a_second_initialize_leaves_the_server_usable(shared_server: Server) -> None:
    info = {"name": "again", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}

    message = shared_server.ask("initialize", params).message

    assert "result" in message or "error" in message
    assert isinstance(shared_server.call("tabs").json, list)
