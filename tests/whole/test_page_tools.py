"""Tools that pages offer: they are listed, called once, and every call ends."""

from typing import Any

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

OTHER_SITE = "other.localhost"
REGISTER = """
const offer = (name, execute, more = {}, options = {}) => document.modelContext.registerTool(
  {name, description: `Does ${name}`, execute, ...more}, options);
"""
ADD = """offer('add', ({by}) => {
  count.textContent = +count.textContent + by; return 'now ' + by }, {
  inputSchema: {type: 'object', properties: {by: {type: 'integer'}, note: {type: 'string'}},
                required: ['by']}, annotations: {readOnlyHint: true}});"""
COUNTER = "<h1>Shop</h1><p id=count>0</p>"


def page_with(script: str, markup: str = COUNTER) -> str:
    return f"{markup}<script>{REGISTER}{script}</script>"


def listed(server: Server) -> set[str]:
    """Return the tools for tools of pages that the client sees."""
    names = {tool["name"] for tool in server.ask("tools/list").result["tools"]}
    return {name for name in names if "page_tool" in name}


def show(tab: Tab) -> list[str]:
    return [row["name"] for row in tab.call("page_tools")["tools"]]


def run(tab: Tab, name: str, given: Message | None = None, **more: Any) -> Message:
    """Call a tool of the page; return what the answer says about the call."""
    found: Message = tab.call("page_tool_call", name=name, input=given or {}, **more)
    return found


def refusal(tab: Tab, name: str, given: Message | None = None, **more: Any) -> Message:
    return tab.refused("page_tool_call", name=name, input=given or {}, **more)


# ---------------------------------------------------------------------------- listing


def test_an_answer_counts_the_tools_of_a_page_once(fresh_tab: Tab) -> None:
    address = fresh_tab.web.url(fresh_tab.web.write(page_with(ADD)))
    text = fresh_tab.reply("navigate", url=address, answers="text").text
    assert "! 1 page tool: page_tools" in text.splitlines()
    assert "page_tools" not in fresh_tab.call("observe")
    fresh_tab.js("offer('late', () => 1); 0")
    assert fresh_tab.call("observe")["page_tools"] == 2


def test_the_two_tools_are_listed_only_while_a_page_has_tools(server: Server, web: Web) -> None:
    tab = Tab(server, web, server.call("tab_open").json["tab_id"])
    tab.open("<p>plain")
    assert listed(server) == set()
    server.notifications.clear()
    tab.open(page_with(ADD))
    changed = "notifications/tools/list_changed"
    eventually(lambda: [one["method"] for one in server.notifications] == [changed])
    assert listed(server) == {"charlotte_page_tools", "charlotte_page_tool_call"}
    tab.open(page_with(ADD))
    assert len(server.notifications) == 1
    server.call("tab_close", tab_id=tab.id)
    eventually(lambda: len(server.notifications) == 2)
    assert listed(server) == set()


def test_page_tools_describes_them_in_full(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with(ADD))
    [row] = fresh_tab.call("page_tools")["tools"]
    assert row == {
        "name": "add",
        "origin": fresh_tab.web.url("").rstrip("/"),
        "description": "Does add",
        "input": {
            "type": "object",
            "properties": {"by": {"type": "integer"}, "note": {"type": "string"}},
            "required": ["by"],
        },
        "registered_by": ["the document"],
        "claims": ["read_only"],
    }


def test_a_page_without_tools_has_none(fresh_tab: Tab) -> None:
    fresh_tab.open("<p>plain")
    assert fresh_tab.call("page_tools") == {"untrusted": True, "tools": []}
    error = refusal(fresh_tab, "add")
    assert error["code"] == "PAGE_TOOL_NOT_FOUND"


def test_a_tool_is_called_only_after_it_was_listed(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with(ADD))
    assert refusal(fresh_tab, "add", {"by": 1})["code"] == "PAGE_TOOL_NOT_SHOWN"
    assert show(fresh_tab) == ["add"]
    fresh_tab.js("offer('late', () => 1); 0")
    assert refusal(fresh_tab, "late")["code"] == "PAGE_TOOL_NOT_SHOWN"
    assert show(fresh_tab) == ["add", "late"]
    assert run(fresh_tab, "late")["page_tool"]["result"] == 1


def test_a_page_has_at_most_two_hundred_tools(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with("for (let i = 100; i < 350; i++) offer('tool' + i, () => i);"))
    assert len(show(fresh_tab)) == 200
    assert run(fresh_tab, "tool190")["page_tool"]["result"] == 190


def test_a_tool_in_a_part_of_the_list_that_was_not_read_cannot_be_called(fresh_tab: Tab) -> None:
    many = "for (let i = 0; i < 20; i++) offer('t' + i, () => i, {description: 'x'.repeat(9000)});"
    fresh_tab.open(page_with(many))
    part = fresh_tab.call("page_tools")
    assert refusal(fresh_tab, "t19")["code"] == "PAGE_TOOL_NOT_SHOWN"
    rest = fresh_tab.call("page_tools", cursor=part["truncation"]["next_cursor"])
    assert len(part["tools"]) + len(rest["tools"]) > len(part["tools"])


def test_the_same_tool_on_the_next_page_of_a_site_stays_known(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with(ADD))
    show(fresh_tab)
    assert "page_tools" not in fresh_tab.open(page_with(ADD, "<p id=count>5</p>"))
    assert run(fresh_tab, "add", {"by": 1})["page_tool"]["result"] == "now 1"


# ---------------------------------------------------------------------------- results


def test_a_call_answers_with_the_result_and_the_changes(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with(ADD))
    show(fresh_tab)
    answer = run(fresh_tab, "add", {"by": 2})
    assert answer["page_tool"] == {"name": "add", "untrusted": True, "result": "now 2"}
    [change] = changes(answer["page"])
    assert (change["from"], change["to"]) == ("0", "2")


def test_input_that_does_not_fit_the_schema_is_refused(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with(ADD))
    show(fresh_tab)
    cases: list[tuple[Message, str]] = [
        ({}, "'by' is a required property"),
        ({"by": "two"}, 'by: must match {"type":"integer"}, got "two"'),
        ({"by": 1, "note": 5}, 'note: must match {"type":"string"}, got 5'),
    ]

    for given, problem in cases:
        with case(given, problem):
            error = refusal(fresh_tab, "add", given)
            assert error["code"] == "INVALID_ARGUMENT"
            assert problem in error["message"]
            assert fresh_tab.js("count.textContent") == "0"


def test_a_long_result_is_cut(fresh_tab: Tab) -> None:
    fresh_tab.open(page_with("offer('long', () => 'x'.repeat(300000))"))
    show(fresh_tab)
    about = run(fresh_tab, "long")["page_tool"]
    assert about["truncation"] == {"part": "result", "total": 300_000, "returned": 15_001}
    assert about["result"] == "x" * 15_000 + "…"


def test_a_failure_is_an_error_with_the_words_of_the_page(fresh_tab: Tab) -> None:
    cases = [
        ("() => { throw new RangeError('too\\nmany') }", "RangeError: too"),
        ("() => Promise.reject('no')", '"no"'),
        ("() => { const a = {}; a.a = a; return a }", "TypeError"),
    ]

    for execute, words in cases:
        with case(execute, words):
            fresh_tab.open(page_with(f"offer('fails', {execute})"))
            show(fresh_tab)
            error = refusal(fresh_tab, "fails")
            assert error["code"] == "PAGE_TOOL_FAILED"
            assert words in error["message"].replace('\\"', '"')
            assert "may have had an effect" in error["message"]
            assert error["suggestion"].startswith("Check what changed")
            assert error["details"]["page"]["tab_id"] == fresh_tab.id


# ---------------------------------------------------------------------------- settings


def test_without_webmcp_pages_have_no_tools(web: Web) -> None:
    with open_server("--no-webmcp") as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        assert "page_tools" not in tab.open("<p>plain")
        assert tab.js("'modelContext' in document") is False
        assert tab.call("page_tools")["tools"] == []
