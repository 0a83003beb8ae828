"""observe{mode: tree} is answered from a cache until the page changes (V-CACHE)."""

import json
from typing import Any

import pytest
from starlette.responses import HTMLResponse

from charlotte.actors.tab.page.page_connection import KEPT
from tests.whole.cases import case
from tests.whole.client import Message, open_server
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

PAGE = """<button onclick="0">Buy</button><input aria-label=Name><p id=p>Text</p>
<iframe srcdoc="<p id=inner>Inside</p>"></iframe>"""
FORM = """<form onsubmit="return false"><input type=checkbox aria-label=Agree>
<select aria-label=Size><option>Small<option>Large</select></form>"""


def cached(tab: Tab, **arguments: object) -> bool:
    about = json.loads(tab.reply("observe", mode="tree", **arguments).texts[1])
    return bool(about["metadata"]["cached"])


def changes_once_released(tab: Tab, change: str) -> str:
    """Make the page change when a path is released; return the path."""
    gate = tab.web.hold(HTMLResponse(b"Go"))
    tab.js(f"fetch('{gate}').then(() => {{ {change} }}), 0")
    return gate


@pytest.mark.req("V-CACHE-04")
def test_a_tool_that_may_change_the_page_invalidates_the_cached_tree(tab: Tab) -> None:
    tab.open(PAGE + FORM)
    cases: list[Any] = [
        ("click", {"element_id": "Buy"}),
        ("type", {"element_id": "Name", "text": "Ada"}),
        ("key", {"key": "Tab"}),
        ("click_at", {"x": 3, "y": 3}),
        ("evaluate", {"expression": "1"}),
        ("scroll", {"direction": "down"}),
        ("reload", {}),
        ("hover", {"element_id": "Buy"}),
        ("drag", {"source_id": "Buy", "target_id": "Name"}),
        ("toggle", {"element_id": "Agree"}),
        ("select", {"element_id": "Size", "value": "Large"}),
        ("submit", {"form_id": "Size"}),
        ("fill_form", {"fields": [{"element_id": "Agree", "value": True}]}),
        ("viewport", {"width": 1280, "height": 720}),
        ("dev_inject", {"css": "p { color: red }"}),
    ]

    for tool, arguments in cases:
        with case(tool, arguments):
            called = with_ids(tab, arguments)
            cached(tab)
            assert cached(tab)
            tab.call(tool, **called)
            assert not cached(tab)


def with_ids(tab: Tab, arguments: Message) -> Message:
    named = {
        name: tab.find(value) if name.endswith("_id") else value
        for name, value in arguments.items()
    }
    fields: list[Message] = arguments.get("fields", [])
    return named | ({"fields": [with_ids(tab, field) for field in fields]} if fields else {})


@pytest.mark.req("V-CACHE-01", "V-CACHE-02", "V-CACHE-03")
def test_a_spontaneous_change_of_the_page_invalidates_the_cached_tree(tab: Tab) -> None:
    tab.open(PAGE)
    cases = [
        "p.textContent = 'Other'",
        "frames[0].inner.hidden = true",
        "history.pushState(0, '', '?x')",
    ]

    for change in cases:
        with case(change):
            gate = changes_once_released(tab, change)
            cached(tab)
            assert cached(tab)
            tab.web.release(gate)
            eventually(lambda: not cached(tab), KEPT / 2)


SILENT_CHANGES = {
    "value": "n.value = 'Ada'",
    "number": "m.valueAsNumber = 7",
    "checked": "c.checked = true",
    "mixed": "c.indeterminate = true",
    "chosen": "s.value = 'b'",
    "several": "w.options[1].selected = true",
    "long": "t.value = 'Ada'",
    "popover": "o.showPopover()",
    "open root": "h.attachShadow({ mode: 'open' }).innerHTML = '<button>Ada</button>'",
    "closed root": "o.attachShadow({ mode: 'closed' }).innerHTML = '<button>Ada</button>'",
    "in a root": "e.shadowRoot.firstChild.value = 'Ada'",
}
FIELDS = """<input id=n aria-label=Name><input id=m type=number><input id=c type=checkbox>
<select id=s><option>a<option>b</select><select id=w multiple><option>a<option>b</select>
<textarea id=t></textarea><div id=o popover>Ada</div><p id=h>Text</p>
<div id=e><template shadowrootmode=open><input></template></div>"""


@pytest.mark.req("V-CACHE-03")
def test_a_change_without_a_mutation_invalidates_the_cached_tree(tab: Tab) -> None:
    tab.open(FIELDS)

    for change, script in SILENT_CHANGES.items():
        with case(change):
            gate = changes_once_released(tab, script)
            first = tab.reply("observe", mode="tree").texts[0]
            assert cached(tab)
            tab.web.release(gate)
            eventually(lambda: not cached(tab), KEPT / 2)
            assert tab.reply("observe", mode="tree").texts[0] != first


@pytest.mark.req("V-PERF-01", "C-PIPE-01", "C-ARCH-01")
def test_the_debug_log_contains_the_start_and_the_capture_stages() -> None:
    with open_server("--log-level", "debug") as server:
        server.call("navigate", url="data:text/html,<button>Buy</button>")
        server.call("observe")
        rows = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]

    [start] = [row for row in rows if row["event"] == "browser_initialize"]
    stages = [row for row in rows if row["event"] == "capture stage"][-5:]
    names = ("a11y", "layout", "interactive", "content", "ids")
    assert [(row["stage"], row["count"]) for row in stages] == [(name, 1) for name in names]
    assert {row["level"] for row in (start, *stages)} == {"debug"}
    assert start["duration_ms"] > 1
