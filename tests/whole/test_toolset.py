"""The list of tools, their names, and enabling and disabling of groups."""

import json
from collections.abc import Generator

import pytest

from tests.whole.client import Message, Server, open_server

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


def test_every_tool_has_a_title_a_description_a_schema_and_annotations(own_server: Server) -> None:
    for tool in listed(own_server):
        assert len(tool["description"]) > 30
        assert tool["inputSchema"]["type"] == "object"
        assert tool["title"]
        hints = set(tool.get("annotations", {}))
        assert hints <= {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


def test_every_page_tool_accepts_a_tab_id(own_server: Server) -> None:
    without = {"tabs", "tab_open", "batch", "configure", "tools"}

    for tool in listed(own_server):
        takes = "tab_id" in tool["inputSchema"]["properties"]
        assert takes == (tool["name"].removeprefix("charlotte_") not in without), tool["name"]


def test_the_tool_list_is_small(own_server: Server) -> None:
    assert len(json.dumps(listed(own_server), separators=(",", ":"))) < 26_000


@pytest.mark.parametrize("name", ["charlotte_tabs", "charlotte:tabs", "tabs"])
def test_a_tool_is_called_by_any_of_its_names(own_server: Server, name: str) -> None:
    assert isinstance(own_server.call(name).json, list)


@pytest.mark.parametrize("name", ["charlotte_nonsense", "clik", "", "charlotte_"])
def test_an_unknown_tool_is_a_protocol_error(own_server: Server, name: str) -> None:
    message = own_server.call(name).message

    assert message["error"]["code"] == -32602
    assert name in message["error"]["message"]


def test_the_error_for_a_misspelt_tool_suggests_the_right_name(own_server: Server) -> None:
    error = own_server.call("charlotte_clik").message["error"]

    assert "charlotte_click" in error["message"]


def test_tools_lists_the_groups_with_their_enabled_tools(own_server: Server) -> None:
    groups = own_server.call("tools").json["groups"]

    assert set(groups["evaluate"]["enabled"]) == {"evaluate"}
    assert "click" in groups["interaction"]["enabled"]
    assert {"tabs", "tab_open"} <= set(groups["session"]["enabled"])


@pytest.mark.req("P-04")
def test_disabling_and_enabling_a_group_each_change_the_list_once(own_server: Server) -> None:
    before, shown = list_changes(own_server), names(own_server)

    own_server.call("tools", action="disable", group="evaluate")
    assert "charlotte_evaluate" not in names(own_server)
    own_server.call("tools", action="enable", group="evaluate")
    assert names(own_server) == shown

    own_server.ask("ping")
    assert list_changes(own_server) == before + 2


def test_an_unchanged_tool_list_is_not_announced(own_server: Server) -> None:
    before = list_changes(own_server)

    own_server.call("tools", action="enable", group="evaluate")
    own_server.call("tools", action="list")

    own_server.ask("ping")
    assert list_changes(own_server) == before


def test_a_disabled_tool_can_still_be_called(own_server: Server) -> None:
    own_server.call("tools", action="disable", group="evaluate")

    assert own_server.call("evaluate", expression="1 + 1").json["value"] == 2


def test_the_tools_tool_cannot_be_disabled() -> None:
    with open_server() as server:
        server.call("tools", action="disable", group="session")

        assert "charlotte_tools" in names(server)
        assert "charlotte_tabs" not in names(server)


@pytest.mark.parametrize(
    "arguments", [{"action": "enable"}, {"action": "enable", "group": "magic"}, {"action": "x"}]
)
def test_an_invalid_change_of_the_tool_list_is_refused(
    own_server: Server, arguments: dict[str, str]
) -> None:
    assert own_server.call("tools", **arguments).error["code"] == "INVALID_ARGUMENT"


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
