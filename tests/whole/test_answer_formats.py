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


def test_an_unknown_format_is_an_error(shared_server: Server) -> None:
    error = shared_server.call("tabs", answers="yaml").error
    assert error["code"] == "INVALID_ARGUMENT"
    assert error["message"] == 'answers must be "text" or "json", got "yaml".'


def test_a_batch_and_its_steps_accept_a_format(shared_server: Server) -> None:
    steps = [{"tool": "tabs", "arguments": {"answers": "json"}}, {"tool": "tools"}]
    first, second = shared_server.call("batch", steps=steps, answers="json").json["results"]
    assert (first["tool"], second["tool"]) == ("tabs", "tools")
    wrong = [{"tool": "tabs", "arguments": {"answers": "yaml"}}]
    error = shared_server.call("batch", steps=wrong).error
    assert error["message"].startswith('Step 1: answers must be "text" or "json"')
