"""The browser dies as one and comes back as one, with all of its tabs."""

from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.browser.incarnation import BUSY_PATIENCE, HEARTBEAT, PATIENCE
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.base.errors import ConnectionLost, SessionProblem
from tests.actors.stage import URL, Caller, Stage, endless, look
from tests.fake_page import Refused
from tests.fakes import AS_USUAL, FakeBrowser

VERSION = {"product": "Chrome/156.0.0.0", "protocolVersion": "1.3"}


async def restored(stage: Stage, life: int) -> None:
    """Wait for the ``life``th life of the browser and for its tabs to be on their way back."""
    await trio.sleep(0.5)
    assert len(stage.lives) == life


async def fail(_: object) -> None:
    """Work with a bug."""
    raise ZeroDivisionError


async def test_opening_a_tab_while_the_browser_dies_fails_and_the_tab_is_not_restored(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    stage.browser.hold("Page.getFrameTree")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record)

    caller.call("open", stage.mailbox, open_tab)
    await stage.browser.until_sent("Page.getFrameTree", 2)
    stage.browser.drop()
    await restored(stage, 2)
    assert isinstance(caller.answers["open"], ConnectionLost)
    assert list(stage.record.tabs) == [record.id]
    assert list(stage.browser.targets) == [record.target_id]


async def test_when_the_browser_dies_calls_in_flight_fail_and_all_tabs_are_restored(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    second = await stage.open_tab("http://other.test/")
    for name, tab in (("first", record), ("second", second)):
        caller.call(name, tab.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", second.tab, TabActor.look)
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
        assert tab.restore.url is None


async def ends_gracefully(stage: Stage, *, is_answering: bool) -> None:
    """Close all pages and then the connection, as Chromium does that was asked to end."""
    if not is_answering:
        stage.browser.hold("Target.getTargets")
    for target in list(stage.browser.targets.values()):
        stage.browser.close(target)
    await wait_all_tasks_blocked()
    await trio.sleep(0.5)
    stage.browser.drop()
    await wait_all_tasks_blocked()


@pytest.mark.parametrize("is_answering", [True, False])
async def test_a_browser_that_is_asked_to_end_loses_no_tab(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller, *, is_answering: bool
) -> None:
    second = await stage.open_tab("http://other.test/")
    for tab in (record, second):
        caller.call(tab.id, tab.tab, endless)
    await wait_all_tasks_blocked()

    await ends_gracefully(stage, is_answering=is_answering)

    assert list(stage.record.tabs) == ["tab-1", "tab-2"]
    assert {name: answer.code for name, answer in caller.answers.items()} == dict.fromkeys(
        ("tab-1", "tab-2"), "CDP_CONNECTION_LOST"
    )
    await restored(stage, 2)
    assert [(await look(tab)).snapshot.view.url for tab in (record, second)] == [
        URL,
        "http://other.test/",
    ]


async def test_the_last_page_of_a_browser_that_goes_on_was_closed(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("waiting", record.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.close(stage.target(record))
    await trio.sleep(0.5)
    assert list(stage.record.tabs) == ["tab-1"]
    assert caller.answers == {}
    await trio.sleep(1)

    assert list(stage.record.tabs) == []
    assert caller.answers["waiting"].code == "TAB_NOT_FOUND"


async def test_a_browser_that_is_frozen_is_replaced_and_all_tabs_come_back(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.hold("Browser.getVersion")

    await trio.sleep(HEARTBEAT + PATIENCE + 0.1)

    await restored(stage, 2)
    assert (await look(record)).snapshot.view.url == URL


@pytest.mark.parametrize(("seconds", "lives"), [(BUSY_PATIENCE - 5, 1), (BUSY_PATIENCE + 10, 2)])
async def test_a_browser_that_answers_late_during_a_flood_is_not_replaced_for_a_while(
    clock: MockClock, stage: Stage, record: TabRecord, seconds: float, lives: int
) -> None:
    browser = stage.browser
    browser.hold("Browser.getVersion")
    await browser.until_sent("Browser.getVersion")
    with trio.move_on_after(seconds):
        while True:
            for _ in range(100):
                browser.emit("Target.targetInfoChanged", targetInfo={})
            await trio.sleep(1)
    for heartbeat in browser.received("Browser.getVersion"):
        browser.answer(heartbeat, **VERSION)
    await trio.sleep(1)

    assert len(stage.lives) == lives


async def test_sessions_keep_apart_when_the_browser_comes_back(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    other = stage.new_session("session-2")
    theirs = await stage.mailbox.ask(Browser.open_tab, other)
    stage.browser.drop()
    await restored(stage, 2)

    assert stage.target(record).context != stage.target(theirs).context


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


@pytest.mark.parametrize("failing", ["Target.createTarget", "Target.attachToTarget"])
async def test_a_tab_that_cannot_be_brought_back_at_once_is_tried_again(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller, failing: str
) -> None:
    second = await stage.open_tab("http://other.test/")
    caller.call("first", record.tab, TabActor.look)

    def prepare(browser: FakeBrowser) -> None:
        left = [Refused("Failed to open a new tab")] * 2

        def fail_twice(_: object) -> dict[str, Any]:
            if not left:
                return AS_USUAL
            refused = left.pop()
            if failing == "Target.createTarget":
                raise refused
            return {"session": "unread"}  # which is a bug of ours

        browser.on[failing] = fail_twice

    stage.prepare = prepare
    stage.browser.drop()
    await restored(stage, 2)
    for tab in (record, second):
        caller.call(tab.id, tab.tab, TabActor.look)
    await trio.sleep(10)
    for tab in (record, second):
        assert (await look(tab)).snapshot.view.url == tab.url
    assert set(stage.record.tabs) == {"tab-1", "tab-2"}
    assert {tab.target_id for tab in (record, second)} == set(stage.browser.targets)
    assert len(stage.lives) == 2


async def test_calls_of_an_unrestored_tab_fail_with_the_reason(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    def refuse(_: object) -> dict[str, Any]:
        raise Refused("Failed to open a new tab")

    stage.prepare = lambda browser: browser.on.update({"Target.createTarget": refuse})
    stage.browser.drop()
    await wait_all_tasks_blocked()
    caller.call("a", record.tab, TabActor.look)
    await trio.sleep(2)
    assert "could not be reopened" in caller.answers["a"].message
    assert "Charlotte tries again" in caller.answers["a"].suggestion
    assert record.row()["url"] == URL


async def test_few_tabs_are_brought_back_at_once_and_those_first_that_have_calls_waiting(
    clock: MockClock, stage: Stage, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds at once would take the processors from everything else."""
    monkeypatch.setattr("charlotte.actors.browser.actor._OPENED_AT_ONCE", 2)
    tabs = [await stage.open_tab(f"http://shop.test/{number}") for number in range(6)]
    stage.prepare = lambda browser: browser.hold("Page.getFrameTree")
    stage.browser.drop()
    await trio.lowlevel.checkpoint()
    caller.call("waits", tabs[4].tab, TabActor.look)
    await restored(stage, 2)
    assert len(stage.browser.targets) == 2
    assert tabs[4].target_id

    for number in range(1, 7):
        asked = await stage.browser.until_sent("Page.getFrameTree", number)
        target = next(
            one for one in stage.browser.targets.values() if asked.session in one.sessions
        )
        stage.browser.answer(asked, frameTree={"frame": target.frame})
    await wait_all_tasks_blocked()
    assert len(stage.browser.targets) == 6
    assert isinstance(caller.answers["waits"], Look)


async def test_a_tab_that_is_closed_while_it_is_brought_back_stays_closed(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.prepare = lambda browser: browser.hold("Target.createTarget")
    stage.browser.drop()
    await restored(stage, 2)
    await stage.session.close_tab(record.id)
    asked = await stage.browser.until_sent("Target.createTarget")
    new = stage.browser.open(asked.params["browserContextId"], "about:blank", held=True)
    stage.browser.answer(asked, targetId=new.id)
    await trio.sleep(5)

    assert not stage.record.tabs
    assert not stage.browser.targets
    assert len(stage.lives) == 2


async def test_a_browser_that_dies_too_often_takes_the_program_down_with_the_cause(
    clock: MockClock,
) -> None:
    stage = Stage()
    raised: BaseExceptionGroup[Any] | None = None
    with trio.fail_after(100):
        try:
            async with stage.supervised() as supervisor:
                stage.start(supervisor)
                while True:
                    await stage.mailbox.ask(Browser.open_tab, stage.record)
                    stage.browser.drop()
                    await wait_all_tasks_blocked()
        except* ConnectionLost as group:
            raised = group
    assert raised is not None
    assert len(stage.lives) == 6


async def test_calls_that_come_while_the_browser_is_started_are_served_then(
    clock: MockClock,
) -> None:
    stage, attempts = Stage(), list[float]()

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


async def test_shutting_down_ends_every_actor_without_a_crash(
    clock: MockClock, nursery: trio.Nursery
) -> None:
    stage, caller = Stage(), Caller(nursery)
    with capture_logs() as logs, trio.fail_after(100):
        async with stage.supervised() as supervisor:
            stage.start(supervisor)
            record = await stage.open_tab(URL)
            caller.call("in flight", record.tab, endless)
            await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], ConnectionLost)
    assert [entry for entry in logs if entry["log_level"] != "debug"] == []


async def test_a_tab_that_is_being_brought_back_has_no_dialog_to_answer(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.prepare = lambda browser: browser.hold("Target.createTarget")
    stage.browser.drop()
    await restored(stage, 2)
    with pytest.raises(SessionProblem, match="only being restored"):
        await stage.session.answer_dialog(record, accept=True, text=None)
    assert len(stage.lives) == 2
