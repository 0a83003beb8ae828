"""The real list of tools: its size, and whether it covers everyday tasks."""

import json
import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.config.config import ProfileName
from charlotte.tools.schema.tool import ListedTool, Toolbox
from charlotte.tools.toolkit import CATALOG


@attrs.frozen
class Task:
    """A task of a user, and the call that performs it."""

    wish: str
    tool: str
    arguments: dict[str, Any]


TASKS = (
    Task("Open example.org.", "navigate", {"url": "https://example.org"}),
    Task("What is on this page?", "observe", {"detail": "minimal"}),
    Task("Read this article to me.", "observe", {"mode": "content", "format": "markdown"}),
    Task("Where is the search field?", "find", {"text": "Search", "type": "text_input"}),
    Task("Press the button “Buy”.", "click", {"element_id": "btn-a3f1"}),
    Task("Write “tides” into the search field, and search.", "type",
         {"element_id": "inp-01ab", "text": "tides", "press_enter": True}),
    Task("Choose Switzerland as the country.", "select",
         {"element_id": "sel-77aa", "value": "Switzerland"}),
    Task("Tick “Remember me”.", "toggle", {"element_id": "chk-9c01"}),
    Task("Fill in name and email and send the form.", "fill_form",
         {"fields": [{"element_id": "inp-1111", "value": "Ada"},
                     {"element_id": "inp-2222", "value": "ada@example.org"}], "submit": True}),
    Task("Scroll to the end of the page.", "key", {"key": "End"}),
    Task("Scroll down a page.", "scroll", {"direction": "down"}),
    Task("Show me what it looks like.", "screenshot", {"full_page": True}),
    Task("Wait until the results are there.", "wait_for", {"text": "results", "timeout": 20000}),
    Task("Accept the confirmation.", "dialog", {"accept": True}),
    Task("Which errors are in the console?", "console", {"level": "error"}),
    Task("Which requests have failed?", "requests", {"failed": True}),
    Task("Compare it with the page of another shop, in a second tab.", "tab_open",
         {"url": "https://other.example"}),
    Task("What did the page change by itself?", "diff", {}),
    Task("How many rows has the table?", "evaluate",
         {"expression": "document.querySelectorAll('tr').length"}),
    Task("Open three pages at once.", "batch",
         {"parallel": True, "steps": [{"tool": "tab_open", "arguments": {"url": "https://a.test"}},
                                      {"tool": "tab_open", "arguments": {"url": "https://b.test"}},
                                      {"tool": "tab_open", "arguments": {"url": "https://c.test"}}
                                      ]}),
)  # fmt: skip

RARER = (
    Task("See the page as a phone shows it.", "viewport", {"device": "mobile"}),
    Task("Try it on a slow network.", "network", {"throttle": "3g"}),
    Task("Serve the directory dist, and show it.", "dev_serve", {"path": "dist"}),
    Task("What if headings were red?", "dev_inject", {"css": "h1 { color: red }"}),
    Task("Is the page accessible?", "dev_audit", {"checks": ["a11y", "contrast"]}),
    Task("Keep me logged in for the next time.", "storage",
         {"action": "save", "path": "login.json"}),
    Task("Print it.", "pdf", {"path": "page.pdf", "landscape": True}),
    Task("Give the form this file.", "upload", {"element_id": "inp-aaaa", "paths": ["cv.pdf"]}),
)  # fmt: skip


def listed(profile: ProfileName) -> dict[str, ListedTool]:
    box = Toolbox(CATALOG, profile=profile, naming="bare")
    return {listing.name: listing for listing in box.listed()}


def check(task: Task, profile: ProfileName) -> None:
    """Check that a tool is listed, documents the arguments and accepts them."""
    known = listed(profile)[task.tool].input_schema["properties"]
    assert set(task.arguments) <= set(known)
    tool = next(tool for tool in CATALOG if tool.name == task.tool)
    parsed = tool.parse(task.arguments)
    assert set(task.arguments) <= {name.rstrip("_") for name in parsed}


@pytest.mark.req("P-22")
@pytest.mark.parametrize("task", TASKS, ids=[task.wish for task in TASKS])
def test_everyday_tasks_need_only_the_tools_of_the_default_profile(task: Task) -> None:
    check(task, "browse")


@pytest.mark.parametrize("task", RARER, ids=[task.wish for task in RARER])
def test_rarer_tasks_need_only_the_tools_of_the_full_profile(task: Task) -> None:
    check(task, "full")


BTN = "btn-a3f1"
MALFORMED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("click", {"element_id": "Buy"}, "'Buy' is not a reference"),
    ("drag", {"source_id": BTN, "target_id": "#bin"}, "target_id: '#bin' is not a reference"),
    ("drag", {}, "either source_id, or x and y, to start"),
    ("drag", {"x": 1, "y": 1}, "needs one end"),
    ("drag", {"source_id": BTN, "x": 1, "y": 1, "to_x": 2, "to_y": 2}, "either source_id"),
    ("drag", {"x": 1, "to_x": 2, "to_y": 2}, "either source_id, or x and y, to start"),
    ("drag", {"x": 1, "y": 1, "to_x": 2, "to_y": 2, "by": {"x": 1}}, "needs one end"),
    ("hover", {}, "either element_id, or x and y"),
    ("hover", {"x": 1}, "x and y, or coordinates"),
    ("hover", {"x": 1, "y": 1, "element_id": BTN}, "either element_id, or x and y"),
    ("type", {"text": "a", "element_id": BTN, "x": 1, "y": 1}, "either element_id, or x and y"),
    ("type", {"text": "a", "x": 1}, "x and y, or coordinates"),
    ("type", {"text": "a" * 10_001}, "at most 10000 characters"),
    ("select_text", {"text": "a", "occurrence": 0}, "occurrence must be at least 1"),
    ("select_text", {"text": ""}, "text must have at least 1 characters"),
    ("clipboard", {"action": "write"}, "write needs text or html"),
    ("clipboard", {"action": "copy", "text": "a"}, "copy takes no text"),
    ("scroll", {}, "direction, element_id, or x and y"),
    ("scroll", {"x": 1, "y": 1}, "direction or scroll_offset"),
    ("scroll", {"direction": "down", "amount": "third"}, "number of px, got 'third'"),
    ("key", {}, "key or keys"),
    ("key", {"key": "a", "keys": ["b"]}, "must not both"),
    ("key", {"key": "Retrun"}, "Key 'Retrun' not found"),
    ("fill_form", {"fields": [{"element_id": BTN, "value": "a"}] * 2}, "given twice"),
    ("wait_for", {}, "at least one condition"),
    ("wait_for", {"timeout": 1, "text": ""}, "at least one condition"),
    ("wait_for", {"state": "visible", "text": "a"}, "element_id is required"),
    ("find", {}, "find needs"),
    ("find", {"refs": [BTN], "text": "a"}, "refs is not allowed with text"),
    ("find", {"cursor": "x"}, "next_cursor of a truncation, got 'x'"),
    ("observe", {"format": "markdown"}, "mode content"),
    ("observe", {"cursor": "x"}, "next_cursor of a truncation, got 'x'"),
    ("screenshot", {"quality": 5}, "quality is not allowed with format png"),
    ("screenshot", {"format": "jpeg", "quality": 0}, "quality must be at least 1"),
    ("screenshot", {"format": "webp", "quality": 101}, "quality must be at most 100"),
    ("screenshot", {"format": "gif"}, "format must be one of"),
    ("console", {"cursor": "x"}, "next_cursor of a truncation, got 'x'"),
    ("requests", {"cursor": "x"}, "next_cursor of a truncation, got 'x'"),
    ("tab_open", {"context": "a b"}, "context must be a name"),
    ("tools", {"action": "enable"}, "group is required"),
    ("viewport", {"device": "Nokia"}, "Device 'Nokia' not found"),
    ("network", {"mock": [{"url": "*", "headers": {"a b": "c"}}]}, "HTTP header"),
    ("set_headers", {"headers": {"Host": "c"}}, "Host"),
    ("storage", {"action": "load"}, "path or state"),
    ("storage", {"action": "load", "state": {"cookies": 1}}, "Invalid storage state"),
    ("dev_inject", {}, "css, js or both"),
)


@pytest.mark.req("C-SCR-01", "C-SHOT-03", "C-WAIT-01")
@pytest.mark.parametrize(("name", "arguments", "why"), MALFORMED)
def test_arguments_are_checked_before_a_page_is_needed(
    name: str, arguments: dict[str, Any], why: str
) -> None:
    tool = next(tool for tool in CATALOG if tool.name == name)

    with pytest.raises(InvalidArgument) as caught:
        tool.parse(arguments)

    assert why in caught.value.message


@pytest.mark.parametrize(
    ("profile", "most"), [("core", 8_000), ("browse", 26_000), ("full", 46_000)]
)
def test_the_tool_list_stays_within_its_size_limit(profile: ProfileName, most: int) -> None:
    text = [
        {
            "name": f"charlotte_{one.name}",
            "title": one.title,
            "description": one.description,
            "inputSchema": one.input_schema,
            **({"annotations": one.annotations} if one.annotations else {}),
        }
        for one in listed(profile).values()
    ]
    assert len(json.dumps(text, separators=(",", ":"))) <= most


def parameters(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return all parameters of a schema with their paths, nested ones too."""
    for name, described in schema.get("properties", {}).items():
        yield f"{path}.{name}", described
        yield from parameters(described, f"{path}.{name}")
        for inner in ("items", "additionalProperties"):
            yield from parameters(described.get(inner, {}), f"{path}.{name}[]")
        for member in described.get("anyOf", ()):
            yield from parameters(member, f"{path}.{name}")


ALL_PARAMETERS = {
    path: described
    for one in listed("full").values()
    for path, described in parameters(one.input_schema, one.name)
}


SENTENCES = re.compile(r"[A-Z].*\.", re.DOTALL)


def test_every_parameter_is_described_in_a_sentence() -> None:
    assert len(ALL_PARAMETERS) > 200
    for path, described in ALL_PARAMETERS.items():
        assert SENTENCES.fullmatch(described.get("description", "")), path


def test_tools_whose_effect_a_page_decides_are_not_announced_as_harmless() -> None:
    harmless = {
        name
        for name, one in listed("full").items()
        if one.annotations.get("destructiveHint") is False
    }
    assert {"navigate", "scroll", "hover", "viewport", "console"} <= harmless
    assert not {"click", "type", "submit", "key", "evaluate", "dialog", "clear_cookies"} & harmless


@pytest.mark.req("P-22")
@pytest.mark.parametrize("tool", listed("full").values(), ids=lambda tool: tool.name)
def test_every_tool_has_a_title_and_a_description_of_sentences(tool: ListedTool) -> None:
    assert tool.title
    assert tool.description.endswith((".", "…"))


def test_a_tool_that_writes_files_or_runs_scripts_is_not_announced_as_read_only() -> None:
    tools = listed("full")
    reading = {name for name, one in tools.items() if one.annotations.get("readOnlyHint")}
    assert reading == {
        "observe", "find", "diff", "tabs", "get_cookies", "dev_audit",
    }  # fmt: skip


def test_tools_are_listed_once_and_by_position() -> None:
    positions = [tool.position for tool in CATALOG]

    assert positions == sorted(positions)
    assert len({tool.name for tool in CATALOG}) == len(CATALOG) == 53
    assert [tool.name for tool in CATALOG][:3] == ["navigate", "back", "forward"]


@pytest.mark.parametrize(
    ("given", "pattern", "ignore_case"),
    [
        ('{"pattern": "a", "ignore_case": true}', "a", True),
        ('{"name": 1}', '{"name": 1}', False),
        ("[12]", "[12]", False),
    ],
)
def test_options_of_grep_are_accepted_as_json_in_a_text(
    given: str, pattern: str, *, ignore_case: bool
) -> None:
    arguments = (
        Toolbox(CATALOG, profile="full", naming="bare").find("observe").parse({"grep": given})
    )

    assert (arguments["grep"].pattern, arguments["grep"].ignore_case) == (pattern, ignore_case)


FOUNDING = {
    "navigate", "back", "forward", "reload", "observe", "find", "screenshot", "diff", "click",
    "type", "select", "toggle", "submit", "scroll", "hover", "drag", "key", "wait_for", "dialog",
    "console", "requests", "tabs", "tab_open", "tab_switch", "tab_close", "viewport", "network",
    "set_cookies", "set_headers", "configure", "dev_serve", "dev_inject", "dev_audit", "evaluate",
}  # fmt: skip


@pytest.mark.req("C-TOOL-01")
def test_every_tool_of_the_founding_specification_is_listed_by_full() -> None:
    listed = {tool.name for tool in Toolbox(CATALOG, profile="full", naming="bare").listed()}

    assert len(FOUNDING) == 34
    assert listed >= FOUNDING


REQUIRED = {
    "navigate": "url", "click": "element_id", "type": "text", "select": "element_id value",
    "toggle": "element_id", "submit": "form_id", "fill_form": "fields", "run": "code",
    "upload": "element_id paths", "clipboard": "action", "dialog": "accept",
    "evaluate": "expression", "tab_switch": "tab_id", "tab_close": "tab_id",
    "set_cookies": "cookies", "set_headers": "headers", "storage": "action",
    "dev_serve": "path", "batch": "steps",
}  # fmt: skip


@pytest.mark.req("C-NAV-01", "C-CLK-01", "C-TYP-01", "C-DLG-01", "C-COOK-01", "C-DEV-01")
def test_parameters_without_a_default_are_required() -> None:
    listed = Toolbox(CATALOG, profile="full", naming="bare").listed()
    required = {tool.name: " ".join(tool.input_schema.get("required", ())) for tool in listed}

    assert {name: names for name, names in required.items() if names} == REQUIRED


@pytest.mark.parametrize(
    ("tool", "name", "value"),
    [
        pytest.param("navigate", "wait_for", "load", marks=pytest.mark.req("C-NAV-02")),
        pytest.param("navigate", "timeout", 30_000, marks=pytest.mark.req("C-NAV-03")),
        pytest.param("wait_for", "timeout", 10_000, marks=pytest.mark.req("C-WAIT-06")),
        pytest.param("evaluate", "timeout", 5_000, marks=pytest.mark.req("C-EVAL-02")),
    ],
)
def test_a_parameter_has_its_default(tool: str, name: str, value: str | int) -> None:
    schema = Toolbox(CATALOG, profile="full", naming="bare").find(tool).input_schema

    assert schema["properties"][name]["default"] == value
