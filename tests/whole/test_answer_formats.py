"""The format of answers, as clients choose it."""

import pytest

from tests.whole.client import Server

pytestmark = pytest.mark.chromium


def test_configure_sets_the_format_of_the_session(shared_server: Server) -> None:
    assert shared_server.call("configure").json["answers"] == "json"
    try:
        assert shared_server.call("configure", answers="text").json["answers"] == "text"
    finally:
        assert shared_server.call("configure", answers="json").json["answers"] == "json"


def test_every_tool_accepts_the_format_of_one_call(shared_server: Server) -> None:
    shared_server.call("tabs", answers="text")
    assert shared_server.call("tabs", answers="json").json == shared_server.call("tabs").json
    assert shared_server.call("tools", answers="json").json["groups"]
