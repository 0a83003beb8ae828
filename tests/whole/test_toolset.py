"""The list of tools, their names, and enabling and disabling of groups."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

NOW = [
    "navigate", "back", "forward", "reload", "observe", "find", "screenshot", "diff", "click",
    "click_at", "type", "select_text", "select", "toggle", "submit", "fill_form", "scroll",
    "hover", "drag", "key", "wait_for", "dialog", "evaluate", "console", "requests", "tabs",
    "tab_open", "tab_switch", "tab_close", "batch", "tools",
]  # fmt: skip


@pytest.fixture
def own_server(shared_server: Server) -> Generator[Server]:
    """The shared server, whose list of tools is restored afterwards."""
    yield shared_server
    shared_server.call("tools", action="enable", group="evaluate")


def listed(server: Server) -> list[Message]:
    tools: list[Message] = server.ask("tools/list").result["tools"]
    return tools


def names(server: Server) -> list[str]:
    return [tool["name"] for tool in listed(server)]


def list_changes(server: Server) -> int:
    methods = [message["method"] for message in server.notifications]
    return methods.count("notifications/tools/list_changed")


@pytest.mark.req("C-TOOL-01", "P-03")
def test_tool_names_use_only_characters_that_every_model_accepts(own_server: Server) -> None:
    assert names(own_server) == [f"charlotte_{name}" for name in NOW]


@pytest.mark.req("P-04")
def test_disabling_and_enabling_a_group_each_change_the_list_once(own_server: Server) -> None:
    before, shown = list_changes(own_server), names(own_server)

    own_server.call("tools", action="disable", group="evaluate")
    assert "charlotte_evaluate" not in names(own_server)
    own_server.call("tools", action="enable", group="evaluate")
    assert names(own_server) == shown

    own_server.ask("ping")
    assert list_changes(own_server) == before + 2


STRICT = ("--profile", "core", "--strict-profile", "--tool-naming", "bare")


def test_a_strict_profile_refuses_unlisted_tools_and_calls_before_initialize() -> None:
    with open_server(*STRICT, initialized=False) as server:
        early = [server.ask("tools/list"), server.call("observe")]
        hello = server.initialize()
        shown = names(server)
        size = len(json.dumps(listed(server)))
        refused = server.call("evaluate", expression="1").message["error"]
        server.call("tools", action="enable", group="evaluate")
        value = server.call("evaluate", expression="1").json["value"]

    assert all("error" in reply.message for reply in early)
    assert hello["serverInfo"]["name"] == "charlotte"
    assert hello["instructions"]
    assert shown == ["navigate", "observe", "find", "click", "type", "submit", "tools"]
    assert size < 8_000
    assert refused["code"] == -32602
    assert value == 1


def test_a_refused_call_opens_no_tab(server: Server) -> None:
    server.call("navigate", url=[])

    assert server.call("tabs").json == []


def test_click_accepts_the_argument_names_of_other_clients(tab: Tab) -> None:
    cases: list[Any] = [
        {"elementId": "{id}", "clickType": "left"},
        {"ref": "{id}", "button": "left"},
        {"element": "{id}"},
        {"element_id": "{id}", "element": "the button that counts"},
        {"element_id": "{id}", "click_type": None, "modifiers": None, "detail": None},
        {"element_id": "{id}", "modifiers": "[]"},
    ]

    for spelled in cases:
        with case(spelled):
            tab.open("/counter.html")
            element_id = tab.find("Clicked 0")
            arguments = {k: element_id if v == "{id}" else v for k, v in spelled.items()}
            assert "The count is 1." in new_texts(tab.call("click", **arguments))


def test_the_arguments_object_may_be_omitted(shared_server: Server) -> None:
    reply = shared_server.ask("tools/call", {"name": "tabs"})

    assert isinstance(reply.json, list)
