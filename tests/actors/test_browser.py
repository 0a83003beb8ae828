"""The browser opens, adopts and closes tabs, dies as one, and comes back with all of them."""

from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser import Browser
from charlotte.actors.records import PendingDialog, TabRecord
from charlotte.actors.snapshots import SnapshotStore
from charlotte.actors.tab import Look, Tab
from charlotte.errors import (
    CharlotteError,
    ConnectionLost,
    SessionProblem,
    SnapshotExpired,
    TabCrashed,
    TabNotFound,
)
from tests.actors.stage import ENDLESS, URL, Caller, Stage, endless
from tests.fake_page import FakeTarget, Refused
from tests.fakes import AS_USUAL, FakeBrowser

POPUP = "http://shop.test/help"


async def look(record: TabRecord) -> Look:
    return await record.tab.ask(Tab.look)


async def restored(stage: Stage, life: int) -> None:
    """Wait for the ``life``th life of the browser and for its tabs to be on their way back."""
    await trio.sleep(0.5)
    assert len(stage.lives) == life


async def opens_popup(stage: Stage, opener: TabRecord) -> FakeTarget:
    """The page of a tab opens another; wait until that has been seen to."""
    target = stage.target(opener)
    popup = stage.browser.open(target.context, POPUP, opener=target.id, held=True)
    await wait_all_tasks_blocked()
    return popup


async def test_every_session_has_a_context_of_its_own_for_all_of_its_tabs(
    clock: MockClock, stage: Stage
) -> None:
    other = stage.new_session("session-2")
    first = await stage.open_tab()
    second = await stage.open_tab()
    third = await stage.mailbox.ask(Browser.open_tab, other, activate=True, url=None)

    contexts = [stage.target(record).context for record in (first, second, third)]
    assert contexts[0] == contexts[1] != contexts[2]
    assert (stage.record.active, list(stage.record.tabs)) == ("tab-2", ["tab-1", "tab-2"])
    assert other.active == "tab-3"


async def test_the_first_tab_is_opened_when_it_is_needed_and_only_once(
    clock: MockClock, stage: Stage
) -> None:
    tabs: list[TabRecord] = []

    async def use() -> None:
        tabs.append(await stage.session.tab(None))

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(use)
    assert [tab.id for tab in tabs] == ["tab-1"] * 3


async def test_eight_tabs_open_at_once(clock: MockClock, stage: Stage) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(8):
            nursery.start_soon(stage.open_tab)
    assert len(stage.record.tabs) == len(stage.browser.targets) == 8
    assert len({record.target_id for record in stage.record.tabs.values()}) == 8


async def test_a_tab_that_is_to_show_a_page_is_sent_there_once_it_answers(
    clock: MockClock, stage: Stage
) -> None:
    """A navigation that overtakes the preparation often kills the renderer."""
    await wait_all_tasks_blocked()
    stage.browser.hold("Page.getFrameTree")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.session.open_tab, URL)
        asked = await stage.browser.until_sent("Page.getFrameTree")
        await wait_all_tasks_blocked()
        assert not stage.browser.received("Page.navigate")
        (target,) = stage.browser.targets.values()
        stage.browser.answer(asked, frameTree={"frame": target.frame})
    (navigated,) = stage.browser.received("Page.navigate")
    assert navigated.params == {"url": URL}


async def test_a_page_runs_once_everybody_listens_whoever_is_attached_first(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    """Or the monitors miss its first request."""
    browser, before = stage.browser, len(stage.browser.sent)
    answered = set(browser.received("Target.attachToTarget"))
    browser.hold("Target.attachToTarget")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.open_tab)
        for _ in range(3):
            await wait_all_tasks_blocked()
            asked = browser.received("Target.attachToTarget")
            newest = [one for one in asked if one not in answered][-1]
            session = browser.attach(browser.targets[newest.params["targetId"]])
            browser.answer(newest, sessionId=session)
            answered.add(newest)
    methods = [one.method for one in browser.sent[before:]]
    run = methods.index("Runtime.runIfWaitingForDebugger")
    assert methods[:run].count("Network.enable") == 2
    assert methods[:run].count("Runtime.enable") == 2


async def test_a_closed_tab_answers_that_it_was_closed_whatever_it_was_doing(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    stage.target(record).silent = True
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", record.tab, Tab.look)
    await wait_all_tasks_blocked()
    before = trio.current_time()
    await stage.session.close_tab(record.id)
    caller.call("later", record.tab, Tab.look)
    await wait_all_tasks_blocked()

    assert trio.current_time() - before < 1
    assert {name: error.code for name, error in caller.answers.items()} == dict.fromkeys(
        ("in flight", "queued", "later"), "TAB_NOT_FOUND"
    )
    assert not stage.browser.targets
    with pytest.raises(TabNotFound):
        stage.record.find(record.id)


async def test_closing_a_tab_forgets_its_snapshots(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    await look(record)
    await stage.session.close_tab(record.id)
    with pytest.raises(SnapshotExpired, match="tab-1 has none"):
        await stage.snapshots.ask(SnapshotStore.find, record.id)


async def test_closing_a_tab_that_is_gone_already_is_no_error(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def refuse(_: object) -> None:
        raise Refused("No target with given id found", -32602)

    stage.browser.on["Target.closeTarget"] = refuse
    await stage.session.close_tab(record.id)
    assert not stage.record.tabs


async def test_a_page_that_closes_itself_is_a_closed_tab(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    other = await stage.open_tab(URL)
    for name, tab in (("mine", record), ("other's", other)):
        caller.call(name, tab.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.close(stage.target(record))
    await wait_all_tasks_blocked()
    caller.call("later", record.tab, Tab.look)
    await wait_all_tasks_blocked()

    assert list(stage.record.tabs) == [other.id]
    assert {name: error.code for name, error in caller.answers.items()} == dict.fromkeys(
        ("mine", "later"), "TAB_NOT_FOUND"
    )
    assert len(stage.lives) == 1


async def test_titles_come_from_the_browser_and_not_from_a_page_that_may_hang(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    target.silent, target.page.title = True, "Sale"

    assert await stage.session.rows() == [
        {"id": "tab-1", "url": URL, "title": "Sale", "active": True}
    ]


async def test_a_dialog_is_answered_past_the_page_it_blocks(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.target(record).silent = True
    await stage.session.answer_dialog(record, accept=True, text="me")

    (answered,) = stage.browser.received("Page.handleJavaScriptDialog")
    assert answered.params == {"accept": True, "promptText": "me"}
    assert answered.session == stage.target(record).sessions[0]


async def test_a_dialog_that_is_gone_already_is_an_answer_and_no_crash(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    def refuse(_: object) -> None:
        raise Refused("No dialog is showing")

    stage.browser.on["Page.handleJavaScriptDialog"] = refuse
    record.dialog = PendingDialog("alert", "Hello", "then")
    with pytest.raises(SessionProblem):
        await stage.session.answer_dialog(record, accept=True, text=None)
    assert record.dialog is None
    await trio.sleep(5)
    assert len(stage.lives) == 1


async def test_a_dialog_of_a_page_that_is_closed_meanwhile_is_no_crash_of_the_browser(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    stage.browser.hold("Page.handleJavaScriptDialog")

    async def answer(browser: Browser) -> None:
        await browser.answer_dialog(record, accept=True, text=None)

    caller.call("dialog", stage.mailbox, answer)
    await wait_all_tasks_blocked()
    stage.browser.close(stage.target(record))
    await trio.sleep(5)
    assert isinstance(caller.answers["dialog"], CharlotteError)
    assert len(stage.lives) == 1


@pytest.mark.parametrize("end", ["crashes", "closes"])
async def test_a_tab_that_ends_while_it_is_opened_is_no_crash_of_the_browser(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller, end: str
) -> None:
    stage.browser.hold("Page.getFrameTree")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record, activate=True, url=None)

    caller.call("open", stage.mailbox, open_tab)
    await stage.browser.until_sent("Page.getFrameTree", 2)
    newest = list(stage.browser.targets.values())[-1]
    if end == "crashes":
        stage.browser.crash(newest)
    else:
        stage.browser.close(newest)
    await trio.sleep(5)
    assert isinstance(caller.answers["open"], CharlotteError)
    assert list(stage.record.tabs) == [record.id]
    assert list(stage.browser.targets) == [record.target_id]
    assert len(stage.lives) == 1
    assert (await look(record)).snapshot.view.url == URL


async def test_a_tab_whose_caller_leaves_while_it_is_opened_leaves_nothing_behind(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.hold("Page.getFrameTree")
    async with trio.open_nursery() as leaving:
        leaving.start_soon(stage.session.open_tab, URL)
        await stage.browser.until_sent("Page.getFrameTree", 2)
        leaving.cancel_scope.cancel()
    await trio.sleep(5)
    assert list(stage.record.tabs) == [record.id]
    assert list(stage.browser.targets) == [record.target_id]
    assert stage.record.active == record.id


async def test_a_tab_that_is_opened_while_the_browser_dies_is_told_and_not_brought_back(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    stage.browser.hold("Page.getFrameTree")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record, activate=True, url=None)

    caller.call("open", stage.mailbox, open_tab)
    await stage.browser.until_sent("Page.getFrameTree", 2)
    stage.browser.drop()
    await restored(stage, 2)
    assert isinstance(caller.answers["open"], ConnectionLost)
    assert list(stage.record.tabs) == [record.id]
    assert list(stage.browser.targets) == [record.target_id]


async def test_a_popup_becomes_a_tab_that_its_opener_can_tell_of(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    popup = await opens_popup(stage, record)
    (adopted,) = record.opened

    assert (adopted.id, adopted.url, adopted.target_id) == ("tab-2", POPUP, popup.id)
    assert list(stage.record.tabs) == ["tab-1", "tab-2"]
    assert stage.record.active == "tab-1"
    assert not popup.silent
    assert (await look(adopted)).snapshot.view.title == "Shop"


async def test_a_popup_of_a_popup_is_told_of_by_the_popup(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    await opens_popup(stage, record)
    (first,) = record.opened
    await opens_popup(stage, first)
    (second,) = first.opened

    assert (second.id, len(record.opened)) == ("tab-3", 1)


async def test_a_popup_without_an_opener_is_told_of_by_the_active_tab(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    """As one opened with ``noopener``."""
    await stage.open_tab(URL)
    stage.browser.open(stage.target(record).context, POPUP, held=True)
    await wait_all_tasks_blocked()
    active = stage.record.find("tab-2")
    assert [one.id for one in active.opened] == ["tab-3"]
    assert record.opened == []


async def test_a_popup_that_opens_while_tabs_are_opened_is_not_taken_for_one_of_them(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    target = stage.target(record)
    stage.browser.hold("Target.createTarget")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record, activate=True, url=None)

    caller.call("open", stage.mailbox, open_tab)
    asked = await stage.browser.until_sent("Target.createTarget", 2)
    popup = stage.browser.open(target.context, POPUP, opener=target.id, held=True)
    await wait_all_tasks_blocked()
    assert record.opened == []

    wanted = stage.browser.open(target.context, "about:blank", held=True)
    stage.browser.answer(asked, targetId=wanted.id)
    await wait_all_tasks_blocked()
    assert caller.answers["open"].target_id == wanted.id
    assert [one.target_id for one in record.opened] == [popup.id]


async def test_a_popup_that_closes_itself_is_gone_and_nobody_else_notices(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    popup = await opens_popup(stage, record)
    stage.browser.close(popup)
    await wait_all_tasks_blocked()

    assert list(stage.record.tabs) == ["tab-1"]
    assert (await look(record)).snapshot.view.url == URL
    assert len(stage.lives) == 1


async def test_a_popup_that_closes_itself_before_it_is_ready_is_gone_too(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.hold("Page.getFrameTree")
    popup = await opens_popup(stage, record)
    stage.browser.close(popup)
    await trio.sleep(5)

    assert list(stage.record.tabs) == ["tab-1"]
    assert len(stage.lives) == 1


async def test_a_page_of_nobody_is_let_run_and_left_alone(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stranger = stage.browser.open("somebody else's", "http://b.test/", held=True)
    await wait_all_tasks_blocked()

    assert not stranger.silent
    assert list(stage.record.tabs) == [record.id]


async def test_closing_a_session_closes_its_tabs_and_its_context(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    await stage.open_tab()
    context = stage.target(record).context
    await stage.session.close()

    assert not stage.browser.targets
    (disposed,) = stage.browser.received("Target.disposeBrowserContext")
    assert disposed.params == {"browserContextId": context}
    await stage.session.close()
    assert len(stage.browser.received("Target.disposeBrowserContext")) == 1


async def test_when_the_browser_dies_calls_in_flight_are_told_and_all_tabs_come_back(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    second = await stage.open_tab("http://other.test/")
    for name, tab in (("first", record), ("second", second)):
        caller.call(name, tab.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", second.tab, Tab.look)
    await wait_all_tasks_blocked()
    stage.browser.drop()
    await wait_all_tasks_blocked()

    assert {name: answer.code for name, answer in caller.answers.items()} == dict.fromkeys(
        ("first", "second"), "CDP_CONNECTION_LOST"
    )
    await restored(stage, 2)
    assert isinstance(caller.answers["queued"], Look)
    assert list(stage.record.tabs) == ["tab-1", "tab-2"]
    assert {record.target_id, second.target_id} == set(stage.browser.targets)
    for tab, url in ((record, URL), (second, "http://other.test/")):
        assert stage.target(tab).url == url
        assert (await look(tab)).snapshot.view.url == url
        assert tab.notices == [f"The browser was restarted; this tab was reopened at {url}."]
        assert tab.restore_url is None


async def test_when_the_browser_dies_its_own_calls_are_told_and_later_ones_are_served(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    async def refresh(browser: Browser) -> None:
        await browser.refresh(stage.record)

    stage.browser.hold("Target.getTargets")
    caller.call("in flight", stage.mailbox, refresh)
    await wait_all_tasks_blocked()
    stage.browser.drop()
    await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], ConnectionLost)

    assert [row["id"] for row in await stage.session.rows()] == ["tab-1"]
    assert len(stage.lives) == 2


async def test_a_tab_that_is_being_brought_back_has_no_dialog_to_answer(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.prepare = lambda browser: browser.hold("Target.createTarget")
    stage.browser.drop()
    await restored(stage, 2)
    with pytest.raises(SessionProblem, match="only being restored"):
        await stage.session.answer_dialog(record, accept=True, text=None)
    assert len(stage.lives) == 2


async def test_sessions_keep_apart_when_the_browser_comes_back(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    other = stage.new_session("session-2")
    theirs = await stage.mailbox.ask(Browser.open_tab, other, activate=True, url=None)
    stage.browser.drop()
    await restored(stage, 2)

    assert stage.target(record).context != stage.target(theirs).context


async def test_a_renderer_that_dies_with_its_browser_is_restored_at_its_url(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()
    assert record.crashed
    stage.browser.drop()
    await restored(stage, 2)

    assert (await look(record)).snapshot.view.url == URL
    assert not stage.browser.received("Page.reload")
    assert record.notices == [f"The browser was restarted; this tab was reopened at {URL}."]


async def test_a_browser_that_dies_again_before_all_is_back_forgets_no_url(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.prepare = lambda browser: browser.hold("Page.navigate")
    stage.browser.drop()
    await restored(stage, 2)
    target = stage.target(record)
    about = {"frameId": target.id, "loaderId": target.frame["loaderId"], "name": "load"}
    stage.browser.emit_in(target, "Page.lifecycleEvent", timestamp=1.0, **about)
    await wait_all_tasks_blocked()
    stage.prepare = lambda _: None
    stage.browser.drop()
    await restored(stage, 3)

    assert (await look(record)).snapshot.view.url == URL


async def test_a_page_that_does_not_come_back_holds_its_tab_for_a_while_only(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.prepare = lambda browser: browser.hold("Page.navigate")
    stage.browser.drop()
    await restored(stage, 2)
    before = trio.current_time()

    assert (await look(record)).snapshot.view.document
    assert trio.current_time() - before < 10


async def test_a_tab_that_cannot_be_brought_back_is_closed_and_the_others_are_back(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    second = await stage.open_tab("http://other.test/")

    def prepare(browser: FakeBrowser) -> None:
        left = [Refused("Failed to open a new tab")]

        def refuse_once(_: object) -> dict[str, Any]:
            if left:
                raise left.pop()
            return AS_USUAL

        browser.on["Target.createTarget"] = refuse_once

    stage.prepare = prepare
    stage.browser.drop()
    await restored(stage, 2)
    for tab in (record, second):
        caller.call(tab.id, tab.tab, Tab.look)
    await wait_all_tasks_blocked()
    (left,) = stage.record.tabs.values()
    (gone,) = {"tab-1", "tab-2"} - {left.id}
    assert isinstance(caller.answers[left.id], Look)
    assert isinstance(caller.answers[gone], TabNotFound)


async def test_a_browser_that_dies_too_often_takes_the_program_down_with_the_cause(
    clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage()
    monkeypatch.setattr("charlotte.actors.browser.open_websocket", stage.connect)
    stage.prepare = lambda browser: browser.drop()
    raised: BaseExceptionGroup[Any] | None = None
    with trio.fail_after(100):
        try:
            async with stage.supervised() as supervisor:
                stage.start(supervisor)
                await trio.sleep_forever()
        except* ConnectionLost as group:
            raised = group
    assert raised is not None
    assert len(stage.lives) == 4


async def test_calls_that_come_while_the_browser_is_started_are_served_then(
    clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, attempts = Stage(), list[float]()
    monkeypatch.setattr("charlotte.actors.browser.open_websocket", stage.connect)

    def prepare(browser: FakeBrowser) -> None:
        attempts.append(trio.current_time())
        if len(attempts) < 3:
            browser.drop()

    stage.prepare = prepare
    with trio.fail_after(100):
        async with stage.supervised() as supervisor:
            stage.start(supervisor)
            record = await stage.open_tab(URL)
            assert (await look(record)).snapshot.view.url == URL
    assert [later - attempts[0] for later in attempts] == pytest.approx([0, 0.1, 0.3])


async def test_a_tab_that_crashes_is_nothing_to_the_browser(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("a", record.tab, endless)
    await wait_all_tasks_blocked()
    with capture_logs() as logs:
        stage.browser.crash(stage.target(record))
        await wait_all_tasks_blocked()
        await look(record)
    assert isinstance(caller.answers["a"], TabCrashed)
    assert [entry["actor"] for entry in logs] == ["tab-1"]
    assert len(stage.lives) == 1
    assert len(stage.browser.received("Runtime.evaluate", having=ENDLESS)) == 1


async def test_shutting_down_ends_every_actor_without_a_crash(
    clock: MockClock, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    stage, caller = Stage(), Caller(nursery)
    monkeypatch.setattr("charlotte.actors.browser.open_websocket", stage.connect)
    with capture_logs() as logs, trio.fail_after(100):
        async with stage.supervised() as supervisor:
            stage.start(supervisor)
            record = await stage.open_tab(URL)
            caller.call("in flight", record.tab, endless)
            await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], ConnectionLost)
    assert [entry for entry in logs if entry["log_level"] != "debug"] == []
