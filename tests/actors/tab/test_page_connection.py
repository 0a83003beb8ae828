"""Events of a page, and detection of hung pages and silent browsers."""

from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.actors.tab.verbs import navigation
from charlotte.base.errors import BrowserSilent, DeadlineExceeded, TabHung
from tests.actors.stage import URL, Caller, Stage, act, endless, look, opens_dialog
from tests.fake_page import Refused, Sent
from tests.fakes import AS_USUAL


async def test_the_record_follows_events_of_the_page(stage: Stage, record: TabRecord) -> None:
    assert (record.url, record.loading) == (URL, False)
    target = stage.target(record)
    starts_loading(stage, record, "http://b.test/")
    await wait_all_tasks_blocked()
    assert record.loading
    stage.browser.load(target, "http://b.test/")
    await wait_all_tasks_blocked()
    assert (record.url, record.loading) == ("http://b.test/", False)


async def test_a_dialog_interrupts_a_running_question_and_frees_the_tab(
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    async def work(tab: TabActor) -> str:
        with tab.page.until_dialog():
            await endless(tab)
        return "a dialog is open" if tab.record.dialog else "no dialog"

    caller.call("a", record.tab, work)
    await wait_all_tasks_blocked()
    opens_dialog(stage, record)
    await wait_all_tasks_blocked()

    assert caller.answers == {"a": "a dialog is open"}
    assert record.dialog is not None
    assert (record.dialog.type, record.dialog.message) == ("confirm", "Sure?")
    assert record.row()["dialog"] == "confirm"

    stage.browser.emit_in(stage.target(record), "Page.javascriptDialogClosed", result=True)
    await wait_all_tasks_blocked()
    assert record.dialog is None


async def test_large_pages_get_more_time(stage: Stage, record: TabRecord, caller: Caller) -> None:
    stage.browser.hold("Runtime.evaluate", having="charlotte.capture")
    caller.call("a", record.tab, TabActor.look)
    await trio.sleep(HANG_AFTER * 3)
    assert caller.answers == {}

    sent = await stage.browser.until_sent("Runtime.evaluate", having="charlotte.capture")
    text = stage.target(record).probed("charlotte.capture")
    stage.browser.answer(sent, result={"type": "string", "value": text})
    await wait_all_tasks_blocked()
    assert isinstance(caller.answers["a"], Look)
    assert not record.hung


async def test_a_page_that_takes_long_to_read_is_not_said_to_hang(
    stage: Stage, record: TabRecord
) -> None:
    stage.browser.hold("Runtime.evaluate", having="charlotte.capture")
    with pytest.raises(DeadlineExceeded, match="tab-1 has been read for 15 s"):
        await look(record)


async def test_a_hung_page_keeps_its_running_script(stage: Stage, record: TabRecord) -> None:
    stage.target(record).silent = True
    before = trio.current_time()
    with pytest.raises(TabHung, match=f"has not answered for 2 s: a script of {URL}"):
        await look(record)
    assert trio.current_time() - before == pytest.approx(HANG_AFTER)
    assert record.row()["hung"]
    assert not stage.browser.received("Runtime.terminateExecution")


async def test_a_page_hung_after_an_action_is_reported(stage: Stage, record: TabRecord) -> None:
    async def start_a_loop() -> None:
        stage.target(record).silent = True

    before = trio.current_time()
    with pytest.raises(TabHung):
        await record.tab.ask(act, start_a_loop)
    assert trio.current_time() - before < 4


async def test_a_silent_browser_is_not_called_a_hung_page(stage: Stage, record: TabRecord) -> None:
    stage.target(record).silent = True
    stage.browser.hold("Browser.getVersion")
    with pytest.raises(BrowserSilent, match="Neither tab-1 nor the browser") as raised:
        await look(record)
    assert raised.value.code == "CDP_CONNECTION_LOST"
    assert not record.hung


async def be_behind(stage: Stage, until: float) -> None:
    """Send messages but no answers until then; answer the first question of the page at last."""
    stage.browser.hold("Browser.getVersion")
    stage.browser.hold("Runtime.evaluate", having="'0'")
    ping = await stage.browser.until_sent("Runtime.evaluate", having="'0'")
    while trio.current_time() < until:
        await trio.sleep(0.5)
        stage.browser.emit("Target.targetInfoChanged", targetInfo={})
    stage.browser.on.clear()
    for sent in stage.browser.received("Browser.getVersion"):
        stage.browser.answer(sent, product="Fake/1", protocolVersion="1.3")
    await trio.sleep(0.5)
    stage.browser.answer(ping, result={"type": "number", "value": 0})


async def test_a_page_may_answer_late_while_the_browser_sends_messages_and_answers_late(
    stage: Stage, record: TabRecord
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(be_behind, stage, trio.current_time() + HANG_AFTER + 2)

        assert (await look(record)).snapshot.view.url == URL
    assert not record.hung


ARRIVED = "http://127.0.0.1/busy"  # an address, which is not looked up in a thread


def arrives_busy(stage: Stage, record: TabRecord, *milestones: str) -> None:
    """Have the next document of a tab keep its renderer busy after these milestones."""

    def arrive(sent: Sent) -> dict[str, Any]:
        target = stage.target(record)
        stage.browser.load(target, sent.params["url"], milestones)
        target.silent = True
        return {"frameId": target.id, "loaderId": target.frame["loaderId"]}

    stage.browser.on["Page.navigate"] = arrive


async def navigate(tab: TabActor, timeout_ms: int = 30_000) -> Look:
    return await navigation.navigate(tab, ARRIVED, timeout_ms=timeout_ms)


async def test_a_navigation_waits_for_a_script_that_runs_5_s_after_the_load(
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    arrives_busy(stage, record, "DOMContentLoaded", "load")
    caller.call("navigate", record.tab, navigate)
    await stage.browser.until_sent("Page.navigate")
    await trio.sleep(5)
    assert caller.answers == {}

    stage.browser.wake(stage.target(record))
    await trio.sleep(1)
    assert ARRIVED in str(caller.answers["navigate"])
    assert not record.hung


@pytest.mark.parametrize("seconds", [8, 30])
async def test_a_navigation_whose_document_stays_busy_fails_at_its_timeout(
    stage: Stage, record: TabRecord, seconds: int
) -> None:
    arrives_busy(stage, record, "DOMContentLoaded", "load")
    before = trio.current_time()
    with pytest.raises(TabHung, match=f"{ARRIVED} has arrived in tab-1, but a script") as raised:
        await record.tab.ask(navigate, seconds * 1000)

    assert trio.current_time() - before == pytest.approx(seconds, abs=1)
    assert "navigate or reload to end it" in str(raised.value.suggestion)
    assert not stage.browser.received("Runtime.terminateExecution")


async def free(tab: TabActor) -> None:
    await tab.page.free()


@pytest.mark.parametrize("known", [True, False])
async def test_navigations_end_a_script(stage: Stage, record: TabRecord, *, known: bool) -> None:
    stage.target(record).silent = True
    if known:
        with pytest.raises(TabHung):
            await look(record)
    before = trio.current_time()
    await record.tab.ask(free)

    assert trio.current_time() - before == pytest.approx(0 if known else HANG_AFTER)
    (ended,) = stage.browser.received("Runtime.terminateExecution")
    assert ended.session == stage.target(record).sessions[0]
    assert not record.hung
    assert (await look(record)).snapshot.view.url == URL


async def depart(tab: TabActor, url: str) -> None:
    await tab.page.depart(url)


async def test_the_load_that_began_when_the_tab_opened_is_not_begun_again(stage: Stage) -> None:
    record = await stage.session.open_tab(URL)
    await record.tab.ask(depart, URL)
    assert len(stage.browser.received("Page.navigate")) == 1
    await record.tab.ask(depart, URL)
    assert len(stage.browser.received("Page.navigate")) == 2


def starts_loading(stage: Stage, record: TabRecord, url: str) -> None:
    target = stage.target(record)
    about = {"frameId": target.id, "loaderId": "L", "navigationType": "differentDocument"}
    stage.browser.emit_in(target, "Page.frameStartedNavigating", url=url, **about)


async def test_an_unanswered_load_is_stopped_by_the_next(stage: Stage, record: TabRecord) -> None:
    def stop(_: object) -> dict[str, Any]:
        target = stage.target(record)
        stage.browser.emit_in(target, "Page.frameStoppedLoading", frameId=target.id)
        return {}

    stage.browser.on["Page.stopLoading"] = stop
    starts_loading(stage, record, "http://slow.test/")
    await wait_all_tasks_blocked()
    await record.tab.ask(depart, "http://other.test/")
    assert stage.target(record).url == "http://other.test/"
    assert len(stage.browser.received("Page.stopLoading")) == 1


async def test_a_capture_waits_for_a_load(stage: Stage, record: TabRecord, caller: Caller) -> None:
    starts_loading(stage, record, "http://slow.test/")
    await wait_all_tasks_blocked()
    caller.call("look", record.tab, TabActor.look)
    await trio.sleep(5)
    assert caller.answers == {}
    stage.browser.load(stage.target(record), "http://slow.test/")
    await wait_all_tasks_blocked()
    assert caller.answers["look"].snapshot.view.url == "http://slow.test/"


async def test_the_end_of_another_script_ends_no_capture(stage: Stage, record: TabRecord) -> None:
    left = [Refused("Execution was terminated")] * 2

    def refuse(_: Sent) -> dict[str, Any]:
        if left:
            raise left.pop()
        return AS_USUAL

    stage.browser.on["Runtime.evaluate"] = refuse

    assert (await look(record)).snapshot.view.url == URL
    assert not left


async def test_a_document_busy_before_its_load_is_not_slow(stage: Stage, record: TabRecord) -> None:
    arrives_busy(stage, record)
    with pytest.raises(TabHung, match=f"{ARRIVED} has arrived in tab-1"):
        await record.tab.ask(navigate, 8000)
