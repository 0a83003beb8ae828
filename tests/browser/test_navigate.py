"""Navigation: the arrival of documents, and its errors."""

from functools import partial
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import DeadlineExceeded, NavigationFailed
from charlotte.browser.world.navigate import WaitFor, move_in_history, navigate, reload, stop
from charlotte.protocol import page
from tests.browser.stage import Stage, open_stage

URL = "http://a.test/next"


async def going(stage: Stage, url: str, wait_for: WaitFor) -> page.NavigateReply:
    """Depart and arrive."""
    depart = partial(stage.session.call, page.Navigate(url=url))
    return await navigate(stage.activity, depart, url, wait_for)


async def overtaken(stage: Stage, times: int) -> None:
    """Let other documents come in the place of the one that was navigated to."""
    reply = {"frameId": stage.shown.id, "loaderId": "overtaken"}
    stage.browser.on["Page.navigate"] = lambda _: reply
    for number in range(1, times + 1):
        await stage.browser.until_sent("Page.navigate", number)
        await wait_all_tasks_blocked()
        for _ in range(3):
            stage.commits("http://a.test/elsewhere")


async def test_a_navigation_that_the_previous_page_overtakes_is_repeated() -> None:
    async with open_stage() as stage, trio.open_nursery() as nursery:
        nursery.start_soon(going, stage, URL, "load")
        await overtaken(stage, 2)
        await wait_all_tasks_blocked()
        frame = stage.shown.frame | {"loaderId": "overtaken"}
        stage.emit("Page.frameNavigated", frame=frame)
        about = {"frameId": stage.shown.id, "loaderId": "overtaken"}
        stage.emit("Page.lifecycleEvent", name="load", timestamp=1.0, **about)


async def test_a_navigation_that_is_overtaken_each_time_is_an_error() -> None:
    async with open_stage() as stage, trio.open_nursery() as nursery:

        async def run() -> None:
            with pytest.raises(DeadlineExceeded, match="was not loaded"):
                await going(stage, URL, "load")

        nursery.start_soon(run)
        await overtaken(stage, 5)


@pytest.mark.req("C-NAV-02")
@pytest.mark.parametrize(
    ("wait_for", "milestone"),
    [("load", "load"), ("domcontentloaded", "DOMContentLoaded"), ("networkidle", "networkIdle")],
)
async def test_a_navigation_ends_at_the_given_milestone(wait_for: WaitFor, milestone: str) -> None:
    async with open_stage() as stage:
        frame = stage.shown.frame | {"loaderId": "L9", "url": URL}
        reply = {"frameId": frame["id"], "loaderId": "L9"}
        stage.browser.on["Page.navigate"] = lambda _: reply
        results: list[page.NavigateReply] = []

        async def run() -> None:
            results.append(await going(stage, URL, wait_for))

        def reaches(name: str) -> None:
            about = {"frameId": frame["id"], "loaderId": "L9"}
            stage.emit("Page.lifecycleEvent", name=name, timestamp=1.0, **about)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await wait_all_tasks_blocked()
            stage.emit("Page.frameNavigated", frame=frame)
            for name in {"DOMContentLoaded", "load", "networkIdle"} - {milestone}:
                reaches(name)
            await wait_all_tasks_blocked()
            assert results == []
            reaches(milestone)
    assert [each.loader_id for each in results] == ["L9"]


@pytest.mark.parametrize(("kind", "holds"), [("Document", 5), ("Script", 30)])
async def test_a_silent_frame_holds_a_load_for_5_s(
    autojump_clock: MockClock, kind: str, holds: float
) -> None:
    async with open_stage() as stage:

        def load(_: object) -> dict[str, Any]:
            stage.commits(URL)
            loader = stage.shown.frame["loaderId"]
            about = {"frameId": stage.shown.id, "loaderId": loader}
            stage.requests("open", kind=kind, frameId="child", loaderId="other")
            stage.emit("Page.lifecycleEvent", name="DOMContentLoaded", timestamp=1.0, **about)
            return about

        stage.browser.on["Page.navigate"] = load
        before = trio.current_time()
        with trio.move_on_after(30):
            await going(stage, URL, "load")
        assert trio.current_time() - before == pytest.approx(holds)


async def test_a_navigation_within_the_document_ends_at_once() -> None:
    async with open_stage() as stage:
        stage.browser.on["Page.navigate"] = lambda _: {"frameId": stage.shown.id}
        assert (await going(stage, URL + "#x", "load")).loader_id is None


async def test_a_download_is_reported_and_the_page_stays() -> None:
    async with open_stage() as stage:
        stage.browser.on["Page.navigate"] = lambda _: {
            "frameId": stage.shown.id,
            "loaderId": "L9",
            "errorText": "net::ERR_ABORTED",
            "isDownload": True,
        }
        arrival = await going(stage, URL, "load")
    assert arrival.is_download
    assert stage.activity.documents == 0


async def test_a_failed_load_is_an_error_with_the_reason_of_the_browser() -> None:
    async with open_stage() as stage:
        stage.browser.on["Page.navigate"] = lambda _: {
            "frameId": stage.shown.id,
            "loaderId": "L9",
            "errorText": "net::ERR_CONNECTION_REFUSED",
        }
        with pytest.raises(NavigationFailed, match="net::ERR_CONNECTION_REFUSED"):
            await going(stage, URL, "load")


async def test_a_page_with_an_error_status_and_no_body_is_a_page() -> None:
    async with open_stage() as stage:

        def load(_: object) -> dict[str, Any]:
            stage.browser.load(stage.shown, URL)
            loader = stage.shown.frame["loaderId"]
            error = "net::ERR_HTTP_RESPONSE_CODE_FAILURE"
            return {"frameId": stage.shown.id, "loaderId": loader, "errorText": error}

        stage.browser.on["Page.navigate"] = load
        assert (await going(stage, URL, "load")).loader_id == stage.activity.loader


@pytest.mark.parametrize("hard", [True, False])
async def test_a_reload_ends_with_the_load_of_the_new_document(*, hard: bool) -> None:
    async with open_stage() as stage:
        await reload(stage.session, stage.activity, hard=hard)
        (sent,) = stage.browser.received("Page.reload")
        assert sent.params == {"ignoreCache": hard}
        assert stage.activity.documents == 1
        assert stage.activity.reached("load")


def history(stage: Stage, index: int) -> None:
    entries = [{"id": 10 + n, "url": f"http://a.test/{n}", "title": ""} for n in range(3)]
    reply = {"currentIndex": index, "entries": entries}
    stage.browser.on["Page.getNavigationHistory"] = lambda _: reply


async def test_back_and_forward_use_the_neighbouring_entry() -> None:
    async with open_stage() as stage:
        history(stage, 1)

        def load(sent: Any) -> dict[str, Any]:
            stage.browser.load(stage.shown, f"http://a.test/{sent.params['entryId'] - 10}")
            return {}

        stage.browser.on["Page.navigateToHistoryEntry"] = load
        await move_in_history(stage.session, stage.activity, -1)
        assert stage.activity.url == "http://a.test/0"
        await move_in_history(stage.session, stage.activity, 1)
        assert stage.activity.url == "http://a.test/2"


@pytest.mark.parametrize(("index", "steps", "way"), [(0, -1, "back"), (2, 1, "forward")])
async def test_the_end_of_the_history_is_an_error(index: int, steps: Any, way: str) -> None:
    async with open_stage() as stage:
        history(stage, index)
        with pytest.raises(NavigationFailed, match=f"no page to go {way} to from http://a.test/"):
            await move_in_history(stage.session, stage.activity, steps)
        assert not stage.browser.received("Page.navigateToHistoryEntry")


async def test_stopping_does_not_wait_for_the_browser(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.browser.hold("Page.stopLoading")
        before = trio.current_time()
        await stop(stage.session)
        assert trio.current_time() - before <= 1
