"""Dialogs: reporting, blocking and answering."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.whole.answers import headings, new_texts
from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def pending(tab: Tab) -> Message:
    dialog: Message = tab.call("observe")["pending_dialog"]
    return dialog


@pytest.mark.smoke
@pytest.mark.req("C-DLG-01", "C-DLG-02", "C-DLG-04", "C-DLG-05", "C-PR-32")
def test_a_click_returns_its_dialog_and_the_page_receives_the_answer(tab: Tab) -> None:
    tab.open("/dialog.html")
    cases: list[Any] = [
        ("Show an alert", "alert", {"accept": True}, "The alert was read."),
        ("Ask to confirm", "confirm", {"accept": True}, "Put back."),
        ("Show an alert", "alert", {"accept": False}, "The alert was read."),
        ("Ask to confirm", "confirm", {"accept": False}, "Kept."),
        (
            "Ask for a name",
            "prompt",
            {"accept": True, "prompt_text": "Ada"},
            "The parcel is for Ada.",
        ),
        ("Ask for a name", "prompt", {"accept": True}, "The parcel is for A friend."),
        ("Ask for a name", "prompt", {"accept": True, "prompt_text": ""}, "The parcel is for ."),
        ("Ask for a name", "prompt", {"accept": False}, "No name given."),
    ]

    for button, kind, answer, expected in cases:
        with case(button, kind, answer, expected):
            reply = tab.reply("click", element_id=tab.find(button))
            answered = tab.call("dialog", **answer)

            dialog = reply.json["pending_dialog"]
            assert (dialog["type"], dialog["timestamp"][-1]) == (kind, "Z")
            assert dialog["message"]
            assert dialog.get("default_value") == ("A friend" if kind == "prompt" else None)
            assert answered["dialog_handled"] == {
                "type": kind,
                "message": dialog["message"],
                "action": "accepted" if answer["accept"] else "dismissed",
            }
            assert expected in new_texts(answered["page"])
            assert "pending_dialog" not in tab.call("observe")


@pytest.mark.req("C-REND-05", "C-PR-33")
def test_observe_reports_an_open_dialog_each_time(tab: Tab) -> None:
    tab.open("/dialog.html")
    opened = tab.click("Show an alert")["pending_dialog"]

    assert [pending(tab) for _ in range(3)] == [opened] * 3
    tab.call("dialog", accept=True)

    assert "pending_dialog" not in tab.call("observe")


@pytest.mark.req("C-REND-05", "C-PR-33")
def test_other_page_tools_are_refused_while_a_dialog_is_open(tab: Tab) -> None:
    tab.open("/dialog.html")
    button = tab.find("Ask to confirm")
    tab.click("Ask to confirm")
    calls: list[tuple[str, Message]] = [
        ("navigate", {"url": tab.web.url("/counter.html")}),
        ("back", {}),
        ("forward", {}),
        ("reload", {}),
        ("screenshot", {}),
        ("click", {"element_id": button}),
        ("type", {"element_id": button, "text": "x"}),
        ("key", {"key": "Enter"}),
        ("evaluate", {"expression": "1"}),
    ]

    for tool, arguments in calls:
        reply = tab.reply(tool, **arguments)
        assert reply.error["code"] == "SESSION_ERROR", tool
        assert reply.error["details"]["pending_dialog"]["type"] == "confirm"
        assert "dialog" in reply.error["suggestion"]

    assert "Put back." in new_texts(tab.call("dialog", accept=True)["page"])


@pytest.mark.req("C-REND-05", "C-PR-33")
def test_find_returns_an_open_dialog_as_the_only_entry_of_its_list(tab: Tab) -> None:
    tab.open("/dialog.html")
    tab.click("Show an alert")

    [entry] = tab.call("find", text="Show")

    assert (entry["type"], entry["tab_id"]) == ("dialog", tab.id)
    assert entry["pending_dialog"]["type"] == "alert"


def test_tools_that_need_no_page_do_not_wait_for_a_dialog(tab: Tab) -> None:
    tab.open("/dialog.html")
    tab.click("Show an alert")

    replies = [tab.server.call("tabs"), tab.reply("console"), tab.reply("requests")]

    [row] = replies[0].json
    assert row["dialog"] == "alert"
    assert row["title"].startswith("Dialogs")


@pytest.mark.req("C-DLG-04")
def test_keys_that_open_a_dialog_return_immediately(tab: Tab) -> None:
    tab.open('<form onsubmit="alert(`sent`); return false"><input aria-label="Name"></form>')
    cases: list[Any] = [("type", {"text": "x", "press_enter": True}), ("key", {"key": "Enter"})]

    for tool, arguments in cases:
        with case(tool, arguments):
            reply = tab.reply(tool, element_id=tab.find("Name"), **arguments)

            assert reply.json["pending_dialog"]["message"] == "sent"
            tab.call("dialog", accept=True)


@pytest.mark.req("C-DLG-04")
def test_a_script_that_opens_a_dialog_returns_immediately(tab: Tab) -> None:
    tab.open("/counter.html")

    reply = tab.reply("evaluate", expression="globalThis.answer = prompt('Well?')")

    assert reply.json["pending_dialog"]["message"] == "Well?"
    tab.call("dialog", accept=True, prompt_text="Yes")
    assert tab.js("answer") == "Yes"


@pytest.mark.req("C-DLG-04")
def test_a_dialog_opened_during_page_load_is_returned_immediately(tab: Tab) -> None:
    path = tab.web.write("<script>alert('Welcome')</script><h1>After it</h1>")

    reply = tab.reply("navigate", url=tab.web.url(path))
    answer = tab.call("dialog", accept=True)

    assert reply.json["pending_dialog"]["message"] == "Welcome"
    assert headings(answer["page"]) == ["After it"]


def test_consecutive_dialogs_are_reported_one_after_the_other(tab: Tab) -> None:
    tab.open("""<button onclick="alert('first'); alert('second'); document.title = 'done'">
      Go</button>""")

    first = tab.click("Go")
    second = tab.call("dialog", accept=True)
    third = tab.call("dialog", accept=True)

    assert first["pending_dialog"]["message"] == "first"
    assert second["page"]["pending_dialog"]["message"] == "second"
    assert third["page"]["title"] == "done"


@pytest.mark.req("C-DLG-03")
def test_dialog_fails_if_no_dialog_is_open(tab: Tab) -> None:
    tab.open("/dialog.html")

    error = tab.refused("dialog", accept=True)

    assert error["code"] == "SESSION_ERROR"
    assert "observe" in error["suggestion"]


@pytest.mark.req("C-PR-32")
def test_a_beforeunload_dialog_can_be_accepted_or_dismissed(fresh_tab: Tab) -> None:
    for leave in [True, False]:
        with case(leave):
            fresh_tab.open("/dialog.html")
            fresh_tab.click("Ask before leaving")

            reply = fresh_tab.reply("navigate", url=fresh_tab.web.url("/counter.html"))
            assert reply.json["pending_dialog"]["type"] == "beforeunload"
            answer = fresh_tab.call("dialog", accept=leave)

            where = "/counter.html" if leave else "/dialog.html"
            assert answer["dialog_handled"]["type"] == "beforeunload"
            assert answer["page"]["url"] == fresh_tab.web.url(where)
            assert fresh_tab.call("observe")["url"] == fresh_tab.web.url(where)


def test_a_dialog_in_another_tab_blocks_only_that_tab(tab: Tab) -> None:
    tab.open("/dialog.html")
    tab.click("Show an alert")
    other = tab.beside()

    answer = other.open("/counter.html")

    assert answer["status"] == 200
    assert "The count is 1." in new_texts(other.click("Clicked 0"))
    assert pending(tab)["type"] == "alert"


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


def test_a_dialog_of_a_popup_that_holds_up_its_opener_is_named(tab: Tab) -> None:
    popup = tab.web.write("<script>alert('Hello')</script>")
    tab.open(f"<button onclick=\"window.open('{popup}')\">Open</button>")

    error = tab.refused("click", element_id=tab.find("Open"))

    assert "shows a dialog" in error["message"]
    [other] = [row["id"] for row in tab.server.call("tabs").json if row["id"] != tab.id]
    assert f'"tab_id": "{other}"' in error["suggestion"]
    tab.server.call("dialog", tab_id=other, accept=True)
    assert tab.find("Open")
