"""A tab looks at one page and acts on it, and survives whatever becomes of the page."""

import json
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.live import HANG_AFTER
from charlotte.actors.records import TabRecord
from charlotte.actors.tab import Look, Tab
from charlotte.errors import (
    CharlotteError,
    ConnectionLost,
    DeadlineExceeded,
    ElementNotFound,
    SessionProblem,
    SnapshotExpired,
    TabCrashed,
    TabHung,
)
from tests.actors.stage import ENDLESS, URL, Caller, Stage, endless
from tests.fake_page import Refused, Sent
from tests.fakes import AS_USUAL


async def nothing() -> None:
    """An action without consequences."""


async def look(record: TabRecord) -> Look:
    return await record.tab.ask(Tab.look)


async def act(tab: Tab, action: Any) -> Look:
    return await tab.act(action)


def opens_dialog(stage: Stage, record: TabRecord, kind: str = "confirm", **more: Any) -> None:
    about = {"url": URL, "message": "Sure?", "type": kind, "hasBrowserHandler": False}
    stage.browser.emit_in(stage.target(record), "Page.javascriptDialogOpening", **(about | more))


def probe_answers(stage: Stage, function: str, *answers: Any) -> None:
    """Let the probe answer one function so, one after the other, the last for ever."""
    left = list(answers)

    def answer(sent: Sent) -> dict[str, Any]:
        if not sent.params["expression"].startswith(f"charlotte.{function}("):
            return AS_USUAL
        value = left.pop(0) if len(left) > 1 else left[0]
        return {"result": {"type": "string", "value": json.dumps(value)}}

    stage.browser.on["Runtime.evaluate"] = answer


async def test_a_tab_has_a_session_of_its_own_prepared_before_its_page_runs(
    clock: MockClock, stage: Stage
) -> None:
    record = await stage.open_tab()
    target = stage.target(record)
    control, *actors = target.sessions

    assert len(actors) == 3
    methods = stage.browser.methods(stage.main_session(record))
    assert "Emulation.setFocusEmulationEnabled" in methods
    assert methods.count("Page.addScriptToEvaluateOnNewDocument") == 2
    assert "Runtime.runIfWaitingForDebugger" in stage.browser.methods(control)
    (viewport,) = stage.browser.received("Emulation.setDeviceMetricsOverride")
    assert (viewport.params["width"], viewport.params["height"]) == record.viewport


async def test_a_look_is_stored_as_a_snapshot_of_the_tab(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).page.button("Buy")
    seen = await look(record)

    assert [one.label for one in seen.snapshot.view.interactive] == ["Buy"]
    assert await record.tab.ask(Tab.snapshot, seen.snapshot.id) is seen.snapshot
    assert record.title == "Shop"
    with pytest.raises(SnapshotExpired):
        await record.tab.ask(Tab.snapshot, 99)


async def test_the_record_follows_the_page_without_asking_it(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    assert (record.url, record.loading) == (URL, False)
    target = stage.target(record)
    starts_loading(stage, record, "http://b.test/")
    await wait_all_tasks_blocked()
    assert record.loading
    stage.browser.load(target, "http://b.test/")
    await wait_all_tasks_blocked()
    assert (record.url, record.loading) == ("http://b.test/", False)


async def test_an_action_is_answered_with_what_it_changed(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    page = stage.target(record).page
    page.button("Buy")

    async def buy() -> None:
        page.button("Pay")

    changed = await record.tab.ask(act, buy)
    assert changed.delta is not None
    assert [one.label for one in changed.snapshot.view.interactive] == ["Buy", "Pay"]
    assert (await record.tab.ask(act, nothing)).delta is not None


async def test_an_action_that_leads_to_another_document_has_no_delta(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    async def follow_link() -> None:
        stage.browser.load(stage.target(record), "http://shop.test/next")
        await wait_all_tasks_blocked()

    changed = await record.tab.ask(act, follow_link)
    assert changed.delta is None
    assert changed.settled is not None
    assert changed.settled.waited_for == ["navigation"]


async def test_news_of_an_action_are_what_came_after_its_beginning(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    record.console_log.added, record.request_log.added = 5, 7
    since = (await record.tab.ask(act, nothing)).since

    assert (since.messages, since.requests) == (5, 7)


async def test_when_the_renderer_crashes_the_call_in_flight_hears_it_and_the_next_is_served(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", record.tab, Tab.look)
    await wait_all_tasks_blocked()
    crashed_at = trio.current_time()
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()

    told = caller.answers["in flight"]
    assert isinstance(told, TabCrashed)
    assert URL in told.message
    assert "may or may not have happened" in (told.suggestion or "")
    assert record.row()["crashed"]

    assert (await look(record)).snapshot.view.url == URL
    assert isinstance(caller.answers["queued"], Look)
    assert trio.current_time() - crashed_at == pytest.approx(0.1)
    assert len(stage.browser.received("Page.reload")) == 1
    assert "crashed" not in record.row()
    assert record.notices == [f"The page crashed and was reloaded at {URL}."]
    assert len(stage.browser.received("Runtime.evaluate", having=ENDLESS)) == 1


async def test_a_crash_of_one_renderer_is_nothing_to_the_other_tabs(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    neighbour = await stage.open_tab("http://other.test/")
    caller.call("neighbour", neighbour.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()
    await look(record)

    assert caller.answers == {}
    assert neighbour.notices == []
    (waiting,) = stage.browser.received("Runtime.evaluate", having=ENDLESS)
    stage.browser.answer(waiting, result={"type": "undefined"})
    await wait_all_tasks_blocked()
    assert caller.answers == {"neighbour": None}


async def test_a_renderer_that_crashes_while_the_tab_comes_back_is_a_crash_like_others(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    stage.browser.hold("Page.getFrameTree")
    stage.browser.crash(target)
    await stage.browser.until_sent("Page.getFrameTree", 2)
    del stage.browser.on["Page.getFrameTree"]
    stage.browser.crash(target)

    assert (await look(record)).snapshot.view.url == URL
    assert len(stage.browser.received("Page.reload")) == 2


async def test_a_renderer_that_crashes_again_and_again_is_given_up_and_its_tab_can_be_closed(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    for _ in range(4):
        stage.browser.crash(stage.target(record))
        await trio.sleep(1)
    with pytest.raises(SessionProblem, match="given up after 4 crashes"):
        await look(record)
    await stage.session.close_tab(record.id)
    assert not stage.record.tabs


async def test_a_dialog_interrupts_what_the_page_is_asked_and_the_tab_is_free(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    async def work(tab: Tab) -> str:
        await tab.page.until_dialog(endless(tab))
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


async def test_a_dialog_goes_with_the_renderer(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    opens_dialog(stage, record)
    await wait_all_tasks_blocked()
    stage.browser.crash(stage.target(record))
    await trio.sleep(1)
    assert record.dialog is None


async def test_work_that_no_dialog_interrupts_comes_to_its_own_end(
    clock: MockClock, record: TabRecord
) -> None:
    async def work(tab: Tab) -> Look | None:
        return await tab.page.until_dialog(tab.look())

    assert isinstance(await record.tab.ask(work), Look)


@pytest.mark.parametrize(("kind", "default"), [("prompt", "you"), ("alert", None)])
async def test_only_a_prompt_has_a_default(
    clock: MockClock, stage: Stage, record: TabRecord, kind: str, default: str | None
) -> None:
    opens_dialog(stage, record, kind, defaultPrompt="you")
    await wait_all_tasks_blocked()
    assert record.dialog is not None
    assert record.dialog.default_value == default


async def test_a_page_that_lets_nothing_run_is_hung_and_its_script_is_left_alone(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).silent = True
    before = trio.current_time()
    with pytest.raises(TabHung, match=f"has not answered for 2 s: a script of {URL}"):
        await look(record)
    assert trio.current_time() - before == pytest.approx(HANG_AFTER)
    assert record.row()["hung"]
    assert not stage.browser.received("Runtime.terminateExecution")


async def test_a_page_that_answers_again_is_hung_no_more(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).silent = True
    with pytest.raises(TabHung):
        await look(record)
    stage.target(record).silent = False

    assert (await look(record)).snapshot.view.url == URL
    assert not record.hung


async def test_a_page_that_hangs_after_an_action_is_told_so_too(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    async def start_a_loop() -> None:
        stage.target(record).silent = True

    before = trio.current_time()
    with pytest.raises(TabHung):
        await record.tab.ask(act, start_a_loop)
    assert trio.current_time() - before < 4


async def test_when_the_browser_does_not_answer_either_it_is_the_browser(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).silent = True
    stage.browser.hold("Browser.getVersion")
    with pytest.raises(ConnectionLost, match="The browser does not answer"):
        await look(record)
    assert not record.hung


async def free(tab: Tab) -> None:
    await tab.page.free()


@pytest.mark.parametrize("known", [True, False])
async def test_what_replaces_the_page_ends_its_script_first(
    clock: MockClock, stage: Stage, record: TabRecord, *, known: bool
) -> None:
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


async def depart(tab: Tab, url: str) -> None:
    await tab.page.depart(url)


async def test_the_load_that_began_when_the_tab_opened_is_not_begun_again(
    clock: MockClock, stage: Stage
) -> None:
    record = await stage.session.open_tab(URL)
    await record.tab.ask(depart, URL)
    assert len(stage.browser.received("Page.navigate")) == 1
    await record.tab.ask(depart, URL)
    assert len(stage.browser.received("Page.navigate")) == 2


async def test_a_load_that_began_when_the_tab_opened_is_not_taken_for_another(
    clock: MockClock, stage: Stage
) -> None:
    record = await stage.session.open_tab(URL)
    await record.tab.ask(depart, "http://other.test/")
    assert stage.target(record).url == "http://other.test/"


def starts_loading(stage: Stage, record: TabRecord, url: str) -> None:
    target = stage.target(record)
    about = {"frameId": target.id, "loaderId": "L", "navigationType": "differentDocument"}
    stage.browser.emit_in(target, "Page.frameStartedNavigating", url=url, **about)


async def test_a_load_that_does_not_arrive_is_stopped_by_the_next(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
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


async def test_a_document_on_its_way_is_waited_for(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    starts_loading(stage, record, "http://slow.test/")
    await wait_all_tasks_blocked()
    caller.call("look", record.tab, Tab.look)
    await trio.sleep(5)
    assert caller.answers == {}
    stage.browser.load(stage.target(record), "http://slow.test/")
    await wait_all_tasks_blocked()
    assert caller.answers["look"].snapshot.view.url == "http://slow.test/"


async def test_a_document_that_stays_on_its_way_is_told_as_such_and_the_tab_is_not_hung(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    starts_loading(stage, record, "http://slow.test/")
    await wait_all_tasks_blocked()
    with pytest.raises(DeadlineExceeded, match="on its way to"):
        await look(record)
    assert not record.hung


async def test_a_page_that_answers_is_free_already(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    await record.tab.ask(free)

    assert not stage.browser.received("Runtime.terminateExecution")


async def on_element(record: TabRecord, element_id: str) -> dict[str, Any]:
    return await record.tab.ask(Tab.on_element, element_id, "target", {"need": "enabled"})


async def test_an_element_is_asked_about_by_its_number_in_its_document(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    probe_answers(stage, "target", {"x": 1, "y": 2})

    assert await on_element(record, button.id) == {"x": 1, "y": 2}
    (asked,) = stage.browser.received("Runtime.evaluate", having="target(")
    assert asked.params["expression"] == 'charlotte.target(1, {"need": "enabled"})'
    assert asked.params["uniqueContextId"] == stage.target(record).world


@pytest.mark.req("C-ID-09")
async def test_an_element_that_was_made_anew_is_found_again_once(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    page = stage.target(record).page
    page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    page.rows.clear()
    page.button("Buy")
    probe_answers(stage, "target", {"error": "gone"}, {"x": 1, "y": 2})

    assert await on_element(record, button.id) == {"x": 1, "y": 2}
    asked = stage.browser.received("Runtime.evaluate", having="target(")
    assert [one.params["expression"].split(",")[0] for one in asked] == [
        "charlotte.target(1",
        "charlotte.target(2",
    ]


async def test_an_element_of_a_document_that_was_replaced_is_looked_for_in_the_new_one(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    target.page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    old = target.world
    stage.browser.load(target, URL)
    await wait_all_tasks_blocked()

    def answer(sent: Sent) -> dict[str, Any]:
        if sent.params.get("uniqueContextId") == old:
            raise Refused("uniqueContextId not found")
        if "target(" in sent.params["expression"]:
            return {"result": {"type": "string", "value": '{"x": 3}'}}
        return AS_USUAL

    stage.browser.on["Runtime.evaluate"] = answer
    assert await on_element(record, button.id) == {"x": 3}


async def test_an_element_that_stays_away_is_not_found(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    probe_answers(stage, "target", {"error": "gone"})
    with pytest.raises(ElementNotFound, match=f"No element '{button.id}' on tab-1 now"):
        await on_element(record, button.id)


@pytest.mark.req("C-ID-10")
async def test_an_unknown_element_is_answered_with_those_it_could_be(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    page = stage.target(record).page
    page.button("Buy")
    page.link("Home")
    with pytest.raises(ElementNotFound) as told:
        await on_element(record, "btn-0000")
    assert "'Buy'" in (told.value.suggestion or "")
    assert "Home" not in (told.value.suggestion or "")


async def test_an_element_of_another_tab_is_answered_with_that_tab(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    other = await stage.open_tab("http://other.test/")
    stage.target(other).page.button("Buy")
    (button,) = (await look(other)).snapshot.view.interactive
    with pytest.raises(ElementNotFound) as told:
        await on_element(record, button.id)
    assert "tab_id='tab-2'" in (told.value.suggestion or "")


async def test_a_probe_that_throws_is_an_internal_error_and_the_tab_comes_back(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    details = {"exceptionId": 1, "text": "Uncaught bug", "lineNumber": 1, "columnNumber": 1}
    stage.browser.on["Runtime.evaluate"] = lambda _: {
        "result": {"type": "object"},
        "exceptionDetails": details,
    }
    with pytest.raises(CharlotteError, match=r"Internal error in tab-1: ProbeFailed.*Uncaught bug"):
        await look(record)
    del stage.browser.on["Runtime.evaluate"]
    assert (await look(record)).snapshot.view.url == URL
    assert not stage.browser.received("Page.reload")
    assert record.notices == []


async def test_what_the_browser_refuses_is_an_answer_and_the_tab_lives(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def refuse(_: object) -> None:
        raise Refused("Cannot do that")

    stage.browser.on["Runtime.evaluate"] = refuse
    with pytest.raises(SessionProblem, match=r"refused Runtime.evaluate: Cannot do that"):
        await look(record)
    del stage.browser.on["Runtime.evaluate"]
    attached = len(stage.target(record).sessions)
    assert (await look(record)).snapshot.view.url == URL
    assert len(stage.target(record).sessions) == attached
