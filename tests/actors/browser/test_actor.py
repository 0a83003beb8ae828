"""The browser opens and closes tabs, whatever pages do, and cancels downloads it cannot keep."""

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.session_settings import Settings
from charlotte.actors.tab.actor import TabActor
from charlotte.base.errors import TabNotFound
from charlotte.browser.probe import TITLE_BINDING
from tests.actors.stage import URL, Caller, Stage, endless, look, opens_dialog


async def test_every_session_has_a_context_of_its_own_for_all_of_its_tabs(stage: Stage) -> None:
    other = stage.new_session("session-2")
    first = await stage.open_tab()
    second = await stage.open_tab()
    third = await stage.mailbox.ask(Browser.open_tab, other)

    contexts = [stage.target(record).context for record in (first, second, third)]
    assert contexts[0] == contexts[1] != contexts[2]
    assert (stage.record.active, list(stage.record.tabs)) == ("tab-2", ["tab-1", "tab-2"])
    assert other.active == "tab-3"


async def test_the_first_tab_is_opened_when_it_is_needed_and_only_once(stage: Stage) -> None:
    tabs: list[TabRecord] = []

    async def use() -> None:
        tabs.append(await stage.session.tab(None))

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(use)
    assert [tab.id for tab in tabs] == ["tab-1"] * 3


async def test_a_tab_that_is_to_show_a_page_is_sent_there_once_it_answers(stage: Stage) -> None:
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


async def test_a_page_runs_only_when_all_actors_listen(stage: Stage, record: TabRecord) -> None:
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
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    stage.target(record).silent = True
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", record.tab, TabActor.look)
    await wait_all_tasks_blocked()
    before = trio.current_time()
    await stage.session.close_tab(record.id)
    caller.call("later", record.tab, TabActor.look)
    await wait_all_tasks_blocked()

    assert trio.current_time() - before < 1
    assert {name: error.code for name, error in caller.answers.items()} == dict.fromkeys(
        ("in flight", "queued", "later"), "TAB_NOT_FOUND"
    )
    assert not stage.browser.targets
    with pytest.raises(TabNotFound):
        stage.record.find(record.id)


async def test_a_page_may_close_itself(stage: Stage, record: TabRecord, caller: Caller) -> None:
    other = await stage.open_tab(URL)
    for name, tab in (("mine", record), ("other's", other)):
        caller.call(name, tab.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.close(stage.target(record))
    await wait_all_tasks_blocked()
    caller.call("later", record.tab, TabActor.look)
    await wait_all_tasks_blocked()

    assert list(stage.record.tabs) == [other.id]
    assert {name: error.code for name, error in caller.answers.items()} == dict.fromkeys(
        ("mine", "later"), "TAB_NOT_FOUND"
    )
    assert len(stage.lives) == 1


@pytest.mark.req("C-TAB-01")
async def test_titles_are_known_while_the_page_is_blocked(stage: Stage, record: TabRecord) -> None:
    target = stage.target(record)
    payload = {"name": TITLE_BINDING, "payload": "Sale"}
    stage.browser.emit_in(target, "Runtime.bindingCalled", **payload)
    await wait_all_tasks_blocked()
    target.silent = True

    assert stage.session.rows() == [{"id": "tab-1", "url": URL, "title": "Sale", "active": True}]


async def test_a_closed_session_closes_tabs_and_context(stage: Stage, record: TabRecord) -> None:
    await stage.open_tab()
    context = stage.target(record).context
    await stage.close_session(stage.record)

    assert not stage.browser.targets
    (disposed,) = stage.browser.received("Target.disposeBrowserContext")
    assert disposed.params == {"browserContextId": context}
    await stage.close_session(stage.record)
    assert len(stage.browser.received("Target.disposeBrowserContext")) == 1


async def test_nothing_of_the_control_plane_waits_for_tabs_that_are_being_opened(
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    """However many calls open tabs, and however long the browser takes."""
    other = stage.new_session("session-2")
    doomed = await stage.open_tab(URL)
    opens_dialog(stage, record)
    stage.browser.hold("Target.createTarget")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(other)

    for number in range(40):
        caller.call(f"{number}", stage.mailbox, open_tab)
    await wait_all_tasks_blocked()
    with trio.fail_after(1):
        await stage.session.answer_dialog(record, accept=True, text=None)
        await stage.session.close_tab(doomed.id)
        assert [row["id"] for row in stage.session.rows()] == [record.id]
        await stage.close_session(stage.record)
    assert not caller.answers


async def test_an_opening_is_withdrawn_without_a_browser(stage: Stage, record: TabRecord) -> None:
    opened = await stage.session.open_tab(URL)
    assert stage.record.active == opened.id
    stage.browser.drop()
    await wait_all_tasks_blocked()

    stage.session.undo_open(opened, record.id)

    assert (list(stage.record.tabs), stage.record.active) == ([record.id], record.id)
    await trio.sleep(10)
    assert len(stage.lives) == 2
    assert list(stage.record.tabs) == [record.id]
    assert len(stage.browser.targets) == 1


async def test_the_page_of_a_withdrawn_opening_is_closed(stage: Stage, record: TabRecord) -> None:
    opened = await stage.session.open_tab(URL)
    stage.session.undo_open(opened, record.id)
    await trio.sleep(1)
    assert list(stage.browser.targets) == [record.target_id]
    assert opened.tab.closed is not None


FILE = "http://shop.test/sales.csv"


async def test_a_download_without_an_output_directory_is_canceled_and_the_browser_lives(
    stage: Stage, record: TabRecord
) -> None:
    record.session.settings = Settings(output=Path("/dev/null/below"))
    about = {"url": FILE, "suggestedFilename": "sales.csv", "frameId": record.target_id}

    stage.browser.emit("Browser.downloadWillBegin", guid="one", **about)
    await wait_all_tasks_blocked()
    ended: dict[str, Any] = {
        "guid": "one",
        "totalBytes": 5,
        "receivedBytes": 0,
        "state": "canceled",
    }
    stage.browser.emit("Browser.downloadProgress", **ended)
    await wait_all_tasks_blocked()

    assert [one.state for one in record.news.unread(Download)] == ["canceled"]
    assert "/dev/null/below cannot be created" in record.notices[0]
    assert len(stage.lives) == 1
    assert (await look(record)).snapshot.view.title == "Shop"
