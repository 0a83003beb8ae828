"""Many tabs at once: calls on different tabs overlap, calls on one tab run in order."""

import re

import pytest
from starlette.responses import HTMLResponse, Response

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]


EIGHT = range(8)


def test_eight_slow_tabs_opened_at_once_each_return_their_own_page(
    server: Server, web: Web
) -> None:
    paths = [web.hold(page_called(f"Page-{n}")) for n in EIGHT]
    urls = [web.url(path, host=f"s{n}.localhost") for n, path in enumerate(paths)]
    calls = [server.start("tab_open", url=url) for url in urls]
    for path in paths:  # all are on their way before the first is answered
        web.wait_for_request(path)
    for path in paths:
        web.release(path)

    pages = [call.reply().json for call in calls]

    assert [page["title"] for page in pages] == [f"Page-{n}" for n in EIGHT]
    assert len({page["tab_id"] for page in pages}) == 8
    for n, page in enumerate(pages):
        assert page["url"] == urls[n]
        assert [each["label"] for each in page["interactive"]] == [f"Page-{n}"]
    active = [row["id"] for row in server.call("tabs").json if row["active"]]
    assert active[0] in {page["tab_id"] for page in pages}


def page_called(name: str) -> Response:
    return HTMLResponse(f"<!DOCTYPE html><title>{name}</title><button>{name}</button>".encode())


def test_concurrent_work_in_eight_tabs_stays_separate(server: Server, web: Web) -> None:
    opened = [server.start("tab_open", url=web.url("/counter.html")) for _ in EIGHT]
    tabs = [Tab(server, web, call.reply().json["tab_id"]) for call in opened]
    button = tabs[0].find("Clicked 0")

    clicks = [tab.start("click", element_id=button) for n, tab in enumerate(tabs) for _ in range(n)]
    for click in clicks:
        click.reply()

    assert [tab.js("clicks") for tab in tabs] == [*EIGHT]


@pytest.mark.req("C-PIPE-06", "C-ID-08")
def test_concurrent_observe_and_click_calls_keep_ids_valid(tab: Tab) -> None:
    tab.open("/counter.html")
    button = tab.find("Clicked 0")

    calls = [
        call
        for _ in range(25)
        for call in (tab.start("observe"), tab.start("click", element_id=button))
    ]
    replies = [call.reply() for call in calls]

    assert not any(reply.result.get("isError") for reply in replies)
    assert "The count is 25." in new_texts(replies[-1].json)


def test_the_first_page_tools_of_a_session_share_one_tab(server: Server) -> None:
    calls = [server.start("evaluate", expression=str(n)) for n in range(5)]

    assert [call.reply().json["value"] for call in calls] == [*range(5)]
    assert len(server.call("tabs").json) == 1


def test_an_answer_says_that_its_call_waited_for_another_one_in_the_tab(tab: Tab) -> None:
    tab.open("/counter.html")

    for answers in ("json", "text"):
        with case(answers):
            waiting = tab.start("wait_for", text="never", timeout=1500)
            observing = tab.start("observe", answers=answers)
            waiting.reply()
            reply = observing.reply()
            assert reply.metadata["waited"]["behind"] == "wait_for"
            assert reply.metadata["waited"]["ms"] > 1000
            said = re.fullmatch(r"\n! waited \d\.\d s for wait_for in this tab", reply.texts[-1])
            assert (said is not None) is (answers == "text")
    assert "waited" not in tab.reply("observe").metadata
