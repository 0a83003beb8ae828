"""The format of answers, as clients choose it."""

import json
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab

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


CALLS: dict[str, dict[str, Any]] = {
    "find": {"text": "row"},
    "observe": {},
    "diff": {},
    "screenshot": {},
    "console": {},
    "requests": {},
    "get_cookies": {},
    "evaluate": {"expression": "1"},
    "dev_audit": {"checks": ["seo"]},
    "key": {"key": "Tab"},
}


def test_no_answer_is_more_than_one_json_document(tab: Tab) -> None:
    tab.open("<p>A row</p><button onclick='1'>Row</button>")

    for _ in ("a page", "the browser's error page"):
        for tool, arguments in CALLS.items():
            with case(tool):
                [document] = tab.reply(tool, **arguments).texts
                assert isinstance(json.loads(document), dict | list)
        tab.refused("navigate", url="http://127.0.0.1:1/")
