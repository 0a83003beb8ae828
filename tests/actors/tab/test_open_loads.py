"""Calls whose document is still on its way, or still loading, when they are answered."""

from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.verbs import navigation
from charlotte.actors.tab.verbs.images import ImageRequest, take_image
from charlotte.actors.tab.verbs.keyboard import press_keys
from charlotte.actors.tab.verbs.wait_for import WaitConditions, wait_for
from charlotte.base.errors import ConnectionLost, DeadlineExceeded
from charlotte.browser.input.input import NAMED
from charlotte.browser.world.navigate import WaitFor
from charlotte.browser.world.settle import ANSWER_WAIT
from charlotte.tools.tabs import tab_open
from tests.actors.stage import URL, Stage, act, look
from tests.fake_page import FakeTarget, Sent

SLOW = "http://127.0.0.1/slow"  # an address, which is not looked up in a thread
ON_ITS_WAY = f"on its way to {SLOW}: no answer for 8 s; this is the page as last read"


def leave(stage: Stage, target: FakeTarget) -> None:
    """Begin a load whose server does not answer: the browser holds back what the page is asked."""
    about = {"frameId": target.id, "loaderId": "L", "navigationType": "differentDocument"}
    stage.browser.emit_in(target, "Page.frameStartedNavigating", url=SLOW, **about)
    target.silent = True


def requests(stage: Stage, target: FakeTarget, *kinds: str) -> None:
    """Have the page load resources of these types, which do not come."""
    request = {"url": "http://127.0.0.1/part", "method": "GET"}
    about = {"loaderId": target.frame["loaderId"], "frameId": target.id, "wallTime": 1.0}
    for number, kind in enumerate(kinds):
        about |= {"requestId": f"r{number}", "request": request, "type": kind}
        stage.browser.emit_in(target, "Network.requestWillBeSent", **about)


def navigates(stage: Stage, *loading: str, milestones: tuple[str, ...] | None = ()) -> None:
    """Have documents reach these milestones and go on loading, or, for None, not arrive."""

    def begin(sent: Sent) -> dict[str, Any] | None:
        [target] = [one for one in stage.browser.targets.values() if sent.session in one.sessions]
        if milestones is None:
            leave(stage, target)
            return None
        stage.browser.load(target, sent.params["url"], milestones)
        requests(stage, target, *loading)
        return {"frameId": target.id, "loaderId": target.frame["loaderId"]}

    stage.browser.on["Page.navigate"] = begin


def unsettled(look: Look) -> str | None:
    return look.settled.unsettled if look.settled else None


async def box(tab: TabActor) -> object:
    return await tab.frames.ask_node(tab.place(1), "box")


async def navigate(tab: TabActor, timeout_ms: int, wait_for: WaitFor = "load") -> Look:
    return await navigation.navigate(tab, SLOW, wait_for, timeout_ms)


async def test_a_page_that_is_left_is_shown_as_last_read(stage: Stage, record: TabRecord) -> None:
    before = await look(record)
    leave(stage, stage.target(record))
    await wait_all_tasks_blocked()
    for seconds in (ANSWER_WAIT, 0):
        begun = trio.current_time()
        now = await look(record)
        assert trio.current_time() - begun == pytest.approx(seconds, abs=0.1)
        assert now.snapshot.view is before.snapshot.view
        assert unsettled(now) == ON_ITS_WAY
    enter, image = [(NAMED["Enter"], ())], ImageRequest()
    calls: list[list[Any]] = [[box], [press_keys, enter], [take_image, image]]
    for call in calls:
        with pytest.raises(DeadlineExceeded, match=f"on its way to {SLOW}"):
            await record.tab.ask(*call)
    assert trio.current_time() - begun < 1
    assert not stage.browser.received("Input.dispatchKeyEvent")


async def test_a_page_that_was_not_read_before_it_was_left_is_not_replaced_by_an_older_one(
    stage: Stage, record: TabRecord
) -> None:
    await look(record)
    stage.browser.load(stage.target(record), "http://shop.test/unread")
    leave(stage, stage.target(record))
    with pytest.raises(DeadlineExceeded, match=f"on its way to {SLOW}"):
        await look(record)
    assert not record.hung


async def test_a_load_that_is_refused_before_it_is_sent_is_not_awaited_as_a_download(
    stage: Stage, record: TabRecord
) -> None:
    target, browser = stage.target(record), stage.browser

    async def submit() -> None:
        leave(stage, target)
        await wait_all_tasks_blocked()

    async def refuse() -> None:
        await trio.sleep(0.1)
        about = {"requestId": "L", "loaderId": "L", "frameId": target.id, "type": "Document"}
        request = {"request": {"url": SLOW, "method": "POST"}, "wallTime": 1.0}
        browser.emit_in(target, "Network.requestWillBeSent", **request, **about)
        browser.emit_in(target, "Network.loadingFailed", errorText="net::ERR_ABORTED", **about)
        browser.emit_in(target, "Page.frameStoppedLoading", frameId=target.id)
        browser.wake(target)

    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuse)
        await record.tab.ask(act, submit)
    assert trio.current_time() - begun < 1


async def test_a_navigation_without_a_document_fails_at_its_timeout_and_goes_on(
    stage: Stage, record: TabRecord, nursery: trio.Nursery
) -> None:
    before = await look(record)
    navigates(stage, milestones=None)
    begun = trio.current_time()
    with pytest.raises(DeadlineExceeded) as raised:
        await record.tab.ask(navigate, 300)

    assert trio.current_time() - begun == pytest.approx(0.3, abs=0.1)
    assert raised.value.message == (
        f"{SLOW} did not answer within 300 ms; its load goes on. tab-1 still shows {URL}."
    )
    assert not stage.browser.received("Page.stopLoading")
    assert (await look(record)).snapshot.view is before.snapshot.view
    assert trio.current_time() - begun < 1

    async def arrive() -> None:
        await trio.sleep(4)
        stage.browser.load(stage.target(record), SLOW)
        stage.browser.wake(stage.target(record))

    nursery.start_soon(arrive)
    _, unmet = await record.tab.ask(wait_for, WaitConditions(text="There at last"), 8)
    assert not unmet


@pytest.mark.parametrize(
    ("loading", "open_parts"),
    [
        (["Script", "Image", "Script", "Stylesheet"], "2 scripts, 1 image, 1 style sheet"),
        (["Font"], "1 request"),
        ([], "the document"),
    ],
)
async def test_a_document_that_does_not_load_in_time_is_returned_with_what_is_still_open(
    stage: Stage, record: TabRecord, loading: list[str], open_parts: str
) -> None:
    navigates(stage, *loading)
    begun = trio.current_time()
    loaded = await record.tab.ask(navigate, 3000)

    assert 3 <= trio.current_time() - begun <= 4
    assert loaded.snapshot.view.url == SLOW
    assert unsettled(loaded) == f"still loading: {open_parts}"
    assert loaded.note is None
    assert not stage.browser.received("Page.stopLoading")
    assert unsettled(await look(record)) == unsettled(loaded)

    target = stage.target(record)
    stage.browser.emit_in(target, "Page.frameStoppedLoading", frameId=target.id)
    assert unsettled(await look(record)) is None


async def test_a_loaded_page_that_does_not_reach_network_idle_is_returned_with_a_note(
    stage: Stage, record: TabRecord
) -> None:
    navigates(stage, milestones=("DOMContentLoaded", "load"))
    loaded = await record.tab.ask(navigate, 3000, "networkidle")

    assert loaded.note == "The page did not reach networkidle within 3000 ms."
    assert unsettled(loaded) is None


async def test_a_tab_whose_page_is_too_late_stays_open(stage: Stage, record: TabRecord) -> None:
    navigates(stage, milestones=None)
    with pytest.raises(DeadlineExceeded, match=r"its load goes on\. tab-2 still shows about:blank"):
        await tab_open.handler(stage.session, SLOW)
    assert stage.record.active == "tab-2"


@pytest.mark.parametrize(("detail", "error"), [("full", ConnectionLost), ([], TypeError)])
async def test_an_opening_that_fails_leaves_the_session_as_it_was(
    stage: Stage, record: TabRecord, nursery: trio.Nursery, detail: Any, error: type[Exception]
) -> None:
    """By a lost connection, or by an internal error in the writing of the answer."""

    async def drop() -> None:
        await stage.browser.until_sent("Page.navigate")
        await wait_all_tasks_blocked()
        stage.browser.drop()

    navigates(stage)
    if detail:
        stage.browser.hold("Page.navigate")
        nursery.start_soon(drop)
    with pytest.raises(error):
        await tab_open.handler(stage.session, SLOW, detail=detail)
    assert (list(stage.record.tabs), stage.record.active) == ([record.id], record.id)


async def test_a_wait_in_an_unshown_tab_returns_its_page(stage: Stage, record: TabRecord) -> None:
    waited, _ = await record.tab.ask(wait_for, WaitConditions(time=1), 5)
    assert waited.delta is None
