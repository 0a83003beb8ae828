"""Killed renderers and browsers: reports, recovery, and isolation of other tabs."""

from collections.abc import Generator

import pytest

from tests.browser.processes import kill
from tests.whole.answers import new_texts, notices
from tests.whole.client import Server
from tests.whole.processes import browser_of, profile_of, renderer_of, renderers, within
from tests.whole.tabs import Tab, is_usable, new_tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

MAX_REPORT_SECONDS = 60.0
STAYS = "<button onclick=\"fetch('/hang')\">Wait</button><h1>Here</h1>"


@pytest.fixture
def victim(own_server: Server, web: Web) -> Generator[Tab]:
    """A tab on its own site, so that no other tab shares its renderer."""
    with new_tab(own_server, web) as tab:
        tab.call("navigate", url=web.url(web.write(STAYS), host="victim.localhost"))
        yield tab


def test_a_renderer_killed_during_a_click_is_reported_and_the_tab_restored(victim: Tab) -> None:
    url, pid = victim.row["url"], renderer_of(victim)
    clicking = victim.start("click", element_id=victim.find("Wait"))
    victim.web.wait_for_request("/hang")

    kill(pid)
    error, answer = clicking.reply().error, victim.call("observe")

    assert (error["code"], bool(error["suggestion"])) == ("TAB_CRASHED", True)
    assert victim.id in error["message"]
    assert (answer["url"], answer["tab_id"]) == (url, victim.id)
    assert answer["structure"]["headings"][0]["text"] == "Here"
    assert any("crashed" in notice for notice in notices(answer))


@pytest.mark.parametrize("tool", ["click", "batch", "find", "evaluate"])
def test_no_action_relies_on_what_a_crash_between_calls_has_lost(victim: Tab, tool: str) -> None:
    victim.open("<form><input name=n aria-label=Name><button>Save</button></form>")
    victim.type("Name", "Ada")
    path, renderer = victim.js("location.pathname"), renderer_of(victim)
    click = {"element_id": victim.find("Save"), "tab_id": victim.id}
    kill(browser_of(victim.server.process.pid) if tool == "batch" else renderer)
    assert within(60, lambda: len(victim.web.asked(path)) == 2)
    calls = {"click": click, "find": {"text": "Save"}, "evaluate": {"expression": "1"}}
    look = {"tool": "observe", "arguments": {"tab_id": victim.id}}
    steps = [look, *[{"tool": "click", "arguments": click}] * 2]
    batch = {"steps": steps, "stop_on_error": False}
    answer = victim.server.call(tool, **calls.get(tool, batch)).text
    assert (tool == "click") == answer.count("TAB_CRASHED")
    assert (tool == "batch") * 2 == answer.count("CDP_CONNECTION_LOST")
    assert "What had been typed into the page is lost." in answer
    assert victim.server.call("click", **click).json["url"].endswith("?n=")


def test_a_crash_does_not_affect_other_tabs(victim: Tab) -> None:
    neighbour = victim.beside()
    neighbour.call("navigate", url=victim.web.url("/counter.html", host="neighbour.localhost"))
    neighbour.js("globalThis.untouched = true")
    pid = renderer_of(victim)
    waiting = neighbour.start("evaluate", expression="fetch('/slow?ms=500').then((r) => r.status)")

    kill(pid)

    assert waiting.reply().json["value"] == 200
    assert neighbour.js("untouched") is True
    assert "The count is 1." in new_texts(neighbour.click("Clicked 0"))
    assert notices(neighbour.call("observe")) == []


def test_a_renderer_killed_while_its_tab_opens_leaves_other_tabs_intact(victim: Tab) -> None:
    victim.js("globalThis.untouched = true")
    server, browser = victim.server, browser_of(victim.server.process.pid)
    before = set(renderers(server.process.pid))
    opening = server.start(
        "tab_open", url=victim.web.url("/slow?ms=500&name=New", host="new.localhost")
    )

    assert within(60, lambda: bool(set(renderers(server.process.pid)) - before))
    for pid in set(renderers(server.process.pid)) - before:
        kill(pid)
    reply = opening.reply()

    assert not reply.result.get("isError") or reply.error["suggestion"]
    assert victim.js("untouched") is True
    assert browser_of(server.process.pid) == browser


@pytest.mark.req("S-ERR-04")
def test_a_killed_browser_is_restarted_with_all_its_tabs(victim: Tab) -> None:
    server = victim.server
    others = [victim.beside() for _ in range(2)]
    for number, tab in enumerate(others):
        tab.open(f"/slow?ms=0&name=Tab-{number}")
    before = [(row["id"], row["url"], row["active"]) for row in server.call("tabs").json]
    browser = browser_of(server.process.pid)
    profile = profile_of(browser)
    flights = [
        victim.start("click", element_id=victim.find("Wait")),
        others[0].start("evaluate", expression="new Promise(() => {})", timeout=20_000),
        others[1].start("navigate", url=victim.web.url("/hang?browser")),
    ]
    assert within(60, lambda: len(victim.web.asked("/hang")) > 0 and server.call("tabs").json)

    kill(browser)
    in_time = within(MAX_REPORT_SECONDS, lambda: all(call.is_answered for call in flights))
    replies = [call.reply() for call in flights]
    answers = [tab.call("observe") for tab in (victim, *others)]
    after = [(row["id"], row["url"], row["active"]) for row in server.call("tabs").json]

    assert in_time
    assert {reply.error["code"] for reply in replies} == {"CDP_CONNECTION_LOST"}
    assert all(reply.error["suggestion"] for reply in replies)
    assert after == before
    assert [answer["url"] for answer in answers] == [url for _, url, _ in before]
    assert all("restarted" in notices(answer)[0] for answer in answers)
    assert is_usable(others[0])
    assert not profile.exists()
