"""Every action that opens a dialog returns immediately with that dialog."""

from collections.abc import Callable

import pytest

from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

ASKS = """<body style="height: 3000px"><form onsubmit="alert('submit'); return false">
<input aria-label=Name oninput="alert('fill_form')"><button>Send</button></form>
<input type=checkbox aria-label=Tick onchange="alert('toggle')">
<select aria-label=Pick onchange="alert('select')"><option>One<option>Two</select>
<button>From</button><button onmouseup="alert('drag')">To</button>
<button onmouseenter="alert('hover')">Over</button>
<script>document.addEventListener('scroll', () => alert('scroll'), {once: true})</script>"""

ACTIONS: dict[str, Callable[[Tab], Message]] = {
    "submit": lambda tab: {"form_id": tab.call("observe")["forms"][0]["id"]},
    "toggle": lambda tab: {"element_id": tab.find("Tick")},
    "select": lambda tab: {"element_id": tab.find("Pick"), "value": "Two"},
    "drag": lambda tab: {"source_id": tab.find("From"), "target_id": tab.find("To")},
    "hover": lambda tab: {"element_id": tab.find("Over")},
    "scroll": lambda _: {"direction": "down"},
    "fill_form": lambda tab: {"fields": [{"element_id": tab.find("Name"), "value": "Ada"}]},
}


@pytest.mark.req("C-DLG-04")
def test_an_action_that_opens_a_dialog_returns_immediately(tab: Tab) -> None:
    for tool, made in ACTIONS.items():
        with case(tool):
            tab.open(ASKS)
            arguments = made(tab)
            reply = tab.reply(tool, **arguments)
            answer = tab.call("dialog", accept=True)
            assert reply.json["pending_dialog"]["message"] == tool
            assert answer["page"]["url"] == reply.json["url"]
