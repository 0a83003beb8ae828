"""Killed renderers and browsers: reports to callers, restores, and undisturbed tabs."""

from collections.abc import Generator

import pytest

from tests.whole.answers import new_texts, notices
from tests.whole.client import Message, Server, open_server
from tests.whole.processes import browser_of, kill, profile_of, renderer_of, renderers, within
from tests.whole.service_workers import ASKS_AGAIN, FETCHES, SERVED, script
from tests.whole.tabs import Tab, is_usable, new_tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

REPORTED_WITHIN = 2.0
STAYS = "<button onclick=\"fetch('/hang')\">Wait</button><h1>Here</h1>"


@pytest.fixture(scope="module")
def own_server() -> Generator[Server]:
    """A server whose renderers and browser may be killed."""
    with open_server() as server:
        yield server


@pytest.fixture
def victim(own_server: Server, web: Web) -> Generator[Tab]:
    """A tab to be killed, on a site of its own, so that its renderer is of no other tab."""
    with new_tab(own_server, web) as tab:
        tab.call("navigate", url=web.url(web.write(STAYS), host="victim.localhost"))
        yield tab


def first_answer(tab: Tab) -> Message:
    """What observe answers once it answers: a call may be on its way while the renderer dies."""
    reply = tab.reply("observe")
    if reply.result.get("isError"):
        assert reply.error["code"] in {"TAB_CRASHED", "CDP_CONNECTION_LOST"}
        reply = tab.reply("observe")
    answer: Message = reply.json
    return answer


@pytest.mark.req("S-ERR-02")
def test_a_click_fails_when_its_renderer_is_killed_and_the_tab_is_restored(victim: Tab) -> None:
    url, pid = victim.row["url"], renderer_of(victim)
    clicking = victim.start("click", element_id=victim.find("Wait"))
    victim.web.wait_for_request("/hang")

    kill(pid)
    reply = clicking.reply()
    answer = victim.call("observe")

    assert reply.error["code"] == "TAB_CRASHED"
    assert victim.id in reply.error["message"]
    assert reply.error["suggestion"]
    assert (answer["url"], answer["tab_id"]) == (url, victim.id)
    assert answer["structure"]["headings"][0]["text"] == "Here"
    assert any("crashed" in notice for notice in notices(answer))


def test_a_service_worker_that_died_with_its_page_serves_it_again(victim: Tab) -> None:
    victim.js(SERVED % script(victim, ASKS_AGAIN))
    kill(renderer_of(victim))
    assert first_answer(victim)["structure"]["headings"][0]["text"] == "Here"
    assert "headers" in victim.js(FETCHES)


def test_a_crash_is_reported_within_two_seconds(victim: Tab) -> None:
    pid = renderer_of(victim)
    running = victim.start("evaluate", expression="new Promise(() => {})", timeout=20_000)
    assert victim.server.call("tabs").json

    kill(pid)

    assert within(REPORTED_WITHIN, lambda: running.is_answered)
    assert running.reply().error["code"] == "TAB_CRASHED"


def test_a_notice_of_a_crash_is_reported_once(victim: Tab) -> None:
    kill(renderer_of(victim))

    reported = notices(first_answer(victim))

    assert [("crashed" in notice, "reloaded at" in notice) for notice in reported] == [(True, True)]
    assert notices(victim.call("observe")) == []


def test_a_crash_disturbs_no_other_tab(victim: Tab) -> None:
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


def test_calls_that_wait_in_line_are_done_after_the_crash(victim: Tab) -> None:
    pid = renderer_of(victim)
    running = victim.start("evaluate", expression="console.log('begun'); new Promise(() => {})")
    queued = [victim.start("evaluate", expression=f"{n}") for n in range(3)]
    assert within(5, lambda: victim.call("console")["count"] > 0)

    kill(pid)

    assert running.reply().error["code"] == "TAB_CRASHED"
    assert [call.reply().json["value"] for call in queued] == [0, 1, 2]


def test_ids_from_before_the_crash_find_the_same_elements_after_it(victim: Tab) -> None:
    element_id = victim.find("Wait")
    kill(renderer_of(victim))
    first_answer(victim)

    assert victim.find("Wait") == element_id


def test_a_crashed_tab_can_be_closed(victim: Tab) -> None:
    kill(renderer_of(victim))

    reply = victim.server.call("tab_close", tab_id=victim.id)

    assert reply.json == []
    assert reply.seconds < REPORTED_WITHIN


def test_a_renderer_killed_while_its_tab_opens_harms_no_other_tab(victim: Tab) -> None:
    victim.js("globalThis.untouched = true")
    server, browser = victim.server, browser_of(victim.server.process.pid)
    before = set(renderers(server.process.pid))
    opening = server.start(
        "tab_open", url=victim.web.url("/slow?ms=500&name=New", host="new.localhost")
    )

    assert within(5, lambda: bool(set(renderers(server.process.pid)) - before))
    for pid in set(renderers(server.process.pid)) - before:
        kill(pid)
    reply = opening.reply()

    assert not reply.result.get("isError") or reply.error["suggestion"]
    assert victim.js("untouched") is True
    assert browser_of(server.process.pid) == browser


@pytest.mark.req("S-ERR-04")
def test_a_browser_that_is_killed_comes_back_with_all_its_tabs(victim: Tab) -> None:
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
    assert within(5, lambda: len(victim.web.asked("/hang")) > 0 and server.call("tabs").json)

    kill(browser)
    reported = within(REPORTED_WITHIN, lambda: all(call.is_answered for call in flights))
    replies = [call.reply() for call in flights]
    answers = [tab.call("observe") for tab in (victim, *others)]
    after = [(row["id"], row["url"], row["active"]) for row in server.call("tabs").json]

    assert reported
    assert {reply.error["code"] for reply in replies} == {"CDP_CONNECTION_LOST"}
    assert all(reply.error["suggestion"] for reply in replies)
    assert after == before
    assert [answer["url"] for answer in answers] == [url for _, url, _ in before]
    assert all("restarted" in notices(answer)[0] for answer in answers)
    assert is_usable(others[0])
    assert not profile.exists()


def test_a_browser_killed_while_nothing_runs_is_back_for_the_next_call(victim: Tab) -> None:
    url = victim.row["url"]

    kill(browser_of(victim.server.process.pid))

    assert first_answer(victim)["url"] == url
