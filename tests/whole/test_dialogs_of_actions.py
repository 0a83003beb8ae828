"""Dialogs that actions open: each answers at once, and none is begun while one is open."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

QUICK = 2.0

PAGE = """<body style="margin: 0"><button style="position: fixed; right: 0; top: 0; width: 50px;
  height: 50px" onclick="alert('now')" aria-label=Corner></button>
<form aria-label=Order onsubmit="alert('now'); return false">
  <label>Name<input name=name oninput="alert('now')"></label><label>Last<input name=last></label>
  <label><input type=checkbox onchange="alert('now')">Agree</label>
  <select aria-label=Size onchange="alert('now')"><option>S<option>L</select>
  <input type=file aria-label=File onchange="alert('now')"></form>
<p id=over onmouseover="alert('now')">Over</p>
<p id=from>From</p><p id=to onmouseup="alert('now')">To</p>
<div id=box style="height: 40px; overflow: auto" onscroll="alert('now')">
  <div style="height: 900px">Far</div></div>"""
NAMES = ("Name", "Last", "Agree", "Size", "File", "Corner")
SELECTORS = ("#over", "#from", "#to", "#box", "form")
CALLS: dict[str, Message] = {
    "click_at": {"x": 1260, "y": 20},
    "type": {"element_id": "Name", "text": "slow words", "slowly": True},
    "select": {"element_id": "Size", "value": "L"},
    "toggle": {"element_id": "Agree"},
    "submit": {"form_id": "form"},
    "scroll": {"element_id": "#box", "direction": "down"},
    "hover": {"element_id": "#over"},
    "drag": {"source_id": "#from", "target_id": "#to"},
    "fill_form": {
        "fields": [{"element_id": "Name", "value": "a"}, {"element_id": "Last", "value": "b"}]
    },
    "upload": {"element_id": "File", "paths": ["note.txt"]},
    "dev_inject": {"js": "alert('now')"},
}
"""The calls of which each opens the dialog; elements go by their label or selector."""


@pytest.fixture
def ids(tab: Tab, shots: Path) -> dict[str, str]:
    """The page is open; of all that is on it, the id."""
    shots.mkdir(exist_ok=True)
    (shots / "note.txt").write_text("note")
    tab.open(PAGE)
    found = {name: tab.find(name) for name in NAMES}
    return found | {css: tab.call("find", selector=css)[0]["id"] for css in SELECTORS}


def arguments(tool: str, ids: Mapping[str, str]) -> Message:
    """The arguments of its call, with ids in place of what elements go by."""
    text = json.dumps(CALLS[tool])
    for name, element_id in ids.items():
        text = text.replace(json.dumps(name), json.dumps(element_id))
    found: Message = json.loads(text)
    return found


@pytest.mark.req("C-DLG-04")
@pytest.mark.parametrize("tool", CALLS)
def test_every_action_that_opens_a_dialog_answers_at_once(
    tab: Tab, ids: dict[str, str], tool: str
) -> None:
    reply = tab.reply(tool, **arguments(tool, ids))

    assert reply.json["pending_dialog"]["message"] == "now"
    assert reply.seconds < QUICK
    assert tab.call("dialog", accept=True)["dialog_handled"]["action"] == "accepted"
    assert tab.js("document.forms[0].last.value") == ""


@pytest.mark.req("C-PR-33")
def test_no_action_is_begun_while_a_dialog_is_open(tab: Tab, ids: dict[str, str]) -> None:
    tab.js("setTimeout(alert, 0, 'first')")
    calls = {**{tool: arguments(tool, ids) for tool in CALLS}, "wait_for": {"text": "Over"}}

    for tool, given in calls.items():
        reply = tab.reply(tool, **given)
        assert reply.error["code"] == "SESSION_ERROR", tool
        assert reply.error["details"]["pending_dialog"]["message"] == "first"
        assert reply.seconds < QUICK

    assert "pending_dialog" not in tab.call("dialog", accept=True)["page"]
    state = "[document.forms[0].name.value, document.querySelector('select').value, box.scrollTop]"
    assert tab.js(state) == ["", "S", 0]


def test_a_tab_that_asks_before_it_is_left_is_closed_without_a_question(fresh_tab: Tab) -> None:
    fresh_tab.open("/dialog.html")
    fresh_tab.click("Ask before leaving")

    reply = fresh_tab.server.call("tab_close", tab_id=fresh_tab.id)

    assert reply.json == []
    assert reply.seconds < QUICK
