"""A tab listens before its page runs, and brings the page back when its renderer has died."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.site_data import write_site_data
from charlotte.base.errors import CharlotteError, TabCrashed
from charlotte.protocol.connection import CdpSession
from tests.actors.stage import ENDLESS, URL, Caller, Stage, endless, look
from tests.fake_page import Sent
from tests.fakes import AS_USUAL


async def test_the_session_of_a_tab_is_prepared_before_its_page_runs(stage: Stage) -> None:
    record = await stage.open_tab()
    target = stage.target(record)
    control, *actors = target.sessions

    assert len(actors) == 3
    methods = stage.browser.methods(stage.main_session(record))
    assert "Emulation.setFocusEmulationEnabled" in methods
    assert methods.count("Page.addScriptToEvaluateOnNewDocument") == 2
    assert "Runtime.runIfWaitingForDebugger" in stage.browser.methods(control)
    (viewport,) = stage.browser.received("Emulation.setDeviceMetricsOverride")
    assert (viewport.params["width"], viewport.params["height"]) == (1280, 720)


async def test_a_crash_fails_the_running_call_and_serves_the_next(
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("queued", record.tab, TabActor.look)
    await wait_all_tasks_blocked()
    crashed_at = trio.current_time()
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()

    error = caller.answers["in flight"]
    assert isinstance(error, TabCrashed)
    assert URL in error.message
    assert "may or may not have happened" in (error.suggestion or "")
    assert record.row()["crashed"]

    assert (await look(record)).snapshot.view.url == URL
    assert isinstance(caller.answers["queued"], Look)
    assert trio.current_time() - crashed_at == pytest.approx(0.1)
    assert len(stage.browser.received("Page.reload")) == 1
    assert "crashed" not in record.row()
    assert record.notices == [f"The page crashed and was reloaded at {URL}."]
    assert len(stage.browser.received("Runtime.evaluate", having=ENDLESS)) == 1


async def test_a_repeated_crash_event_costs_two_restarts(stage: Stage, record: TabRecord) -> None:
    target = stage.target(record)

    def repeat_crash(sent: Sent) -> dict[str, Any]:
        if target.url == URL:
            stage.browser.emit("Inspector.targetCrashed", sent.session)
        return AS_USUAL

    stage.browser.on["Inspector.enable"] = repeat_crash
    stage.browser.on["Page.reload"] = lambda _: {}
    stage.browser.crash(target)
    await trio.sleep(5)

    assert record.tab.closed is None
    assert target.url == URL
    assert len(stage.browser.received("Page.reload")) == 1
    assert record.notices == [f"The page crashed and was reloaded at {URL}."]
    assert record.restore.url is None


async def test_a_browser_without_renderers_is_restarted(stage: Stage, record: TabRecord) -> None:
    def crash_blank_pages(sent: Sent) -> dict[str, Any]:
        stage.lives[0].emit("Inspector.targetCrashed", sent.session)
        return AS_USUAL

    stage.browser.on["Inspector.enable"] = crash_blank_pages
    for _ in range(3):
        with pytest.raises(CharlotteError):
            await stage.open_tab()
    await trio.sleep(1)

    assert len(stage.lives) == 2
    assert list(stage.record.tabs) == [record.id]
    assert (await look(record)).snapshot.view.url == URL
    assert (await stage.open_tab()).id in stage.record.tabs


async def test_a_posted_page_whose_server_never_answers_does_not_keep_its_tab(
    stage: Stage, record: TabRecord
) -> None:
    record.posted = True
    stage.browser.hold("Page.navigate")
    stage.browser.crash(stage.target(record))
    await stage.browser.until_sent("Page.navigate")
    stage.browser.load(stage.target(record), URL)

    with trio.fail_after(30):
        assert (await look(record)).snapshot.view.url == URL


async def test_a_cancelled_caller_never_leaves_a_tab(stage: Stage, record: TabRecord) -> None:
    opened: list[TabRecord] = []

    async def open_tab() -> None:
        opened.append(await stage.session.open_tab(URL))

    steps = 0
    while not opened:
        async with trio.open_nursery() as leaving:
            leaving.start_soon(open_tab)
            for _ in range(steps):
                await trio.lowlevel.checkpoint()
            leaving.cancel_scope.cancel()
        await wait_all_tasks_blocked()
        assert list(stage.record.tabs) == [record.id, *(tab.id for tab in opened)]
        steps += 3
    assert steps > 10


async def never_opens(_: str | None) -> tuple[str, CdpSession]:
    await trio.sleep_forever()
    raise AssertionError


class FakePage:
    root = None

    async def context(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_no_origin_is_reached_without_the_hidden_page(autojump_clock: MockClock) -> None:
    tab = SimpleNamespace(page=FakePage(), record=SimpleNamespace(context=ContextRecord()))
    with trio.fail_after(100):
        missing = await write_site_data(
            cast("Any", tab), never_opens, [], [("https://a.test", []), ("https://b.test", [])]
        )
    assert missing == ["https://a.test", "https://b.test"]
