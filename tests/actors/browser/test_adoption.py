"""Agents work in tabs of the browser's owner that were granted, and leave all others alone."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.state.owner_tabs import owner_tabs
from charlotte.actors.state.records import OWNER, SessionRecord, TabRecord
from charlotte.actors.tab.actor import BlockedByDialog, TabActor
from charlotte.actors.tab.site_data import find_cookies
from charlotte.actors.tab.verbs.emulation import run_in_documents, set_headers
from charlotte.actors.tab.verbs.navigation import navigate
from charlotte.base.errors import (
    CharlotteError,
    InvalidArgument,
    NavigationBlocked,
    SessionProblem,
    TabCrashed,
    TabNotFound,
)
from charlotte.base.urls import origin_of
from charlotte.tools.tabs import tab_close
from tests.actors.stage import URL, Caller, Stage, endless, look, open_stage, opens_dialog
from tests.fake_page import FakeTarget
from tests.fakes import PROFILE, FakeBrowser

BANK = "https://bank.test/account"
OTHER = "http://shop.test/offers"

DISTURBING = {
    "Browser.grantPermissions",
    "Browser.setDownloadBehavior",
    "Browser.setPermission",
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setScrollbarsHidden",
    "Page.bringToFront",
    "Page.reload",
    "Target.activateTarget",
    "Target.closeTarget",
}
"""Commands that change what a page or the owner of the browser sees."""


@pytest.fixture
async def stage(clock: MockClock) -> AsyncGenerator[Stage]:
    """A browser whose owner has granted the shop; its first tab shows it, the second the bank."""
    async with open_stage(owner_tabs(["http://shop.test/*"])) as stage:
        stage.prepare = owners_pages
        await wait_all_tasks_blocked()
        yield stage


def owners_pages(browser: FakeBrowser) -> None:
    browser.is_discovered = True
    for url in (URL, BANK):
        browser.open(PROFILE, url)


def page_at(stage: Stage, url: str) -> FakeTarget:
    return next(page for page in stage.browser.targets.values() if page.url == url)


async def adopt(stage: Stage, tab_id: str = "owner-1", *, wake: bool = False) -> TabRecord:
    return await stage.session.adopt_tab(tab_id, wake=wake)


async def refused(stage: Stage, tab_id: str, *, wake: bool = False) -> CharlotteError:
    with pytest.raises(CharlotteError) as caught:
        await adopt(stage, tab_id, wake=wake)
    assert stage.record.tabs == {}
    return caught.value


def disturbances(stage: Stage) -> set[str]:
    """Return the commands that the owner can notice, including auto-attach of the browser."""
    sent = stage.browser.sent
    at_root = {one.method for one in sent if one.session is None} & {"Target.setAutoAttach"}
    return at_root | {one.method for one in sent} & DISTURBING


def discard(stage: Stage) -> None:
    """Have the browser discard the shop's page: it refuses pictures and answers nothing else."""
    page = page_at(stage, URL)
    page.silent = True
    page.refusals["Page.captureScreenshot"] = "Internal error"


def hold_document(stage: Stage, record: TabRecord, url: str) -> None:
    """Have the browser hold the request of the tab's next document."""
    stage.browser.emit(
        "Fetch.requestPaused",
        stage.main_session(record),
        requestId="interception-1",
        request={"url": url, "method": "GET", "headers": {}},
        frameId=record.target_id,
        resourceType="Document",
        networkId="1",
    )


def listed(stage: Stage) -> list[tuple[str, str]]:
    """Return id and address of the session's tabs, and of those that it can adopt."""
    adoptable = [tab.row(str) for tab in stage.record.adoptable()]
    return [(row["id"], row["url"]) for row in (*stage.session.rows(), *adoptable)]


async def test_only_granted_tabs_are_listed_and_none_is_attached(stage: Stage) -> None:
    stage.browser.open("another profile", OTHER)
    await wait_all_tasks_blocked()
    assert listed(stage) == [("owner-1", URL)]
    assert not stage.browser.received("Target.attachToTarget")
    assert not stage.browser.received("Target.setAutoAttach")


async def test_an_adopted_tab_is_read_without_a_change_that_its_owner_sees(stage: Stage) -> None:
    with capture_logs() as logs:
        record = await adopt(stage)
    assert (await look(record)).snapshot.view.title == "Shop"
    assert stage.record.active == record.id == "tab-1"
    assert disturbances(stage) == set()
    scripts = stage.browser.received("Page.addScriptToEvaluateOnNewDocument")
    assert {one.params["worldName"] for one in scripts} == {"charlotte"}
    assert [(line["event"], line["url"]) for line in logs if "owner" in line["event"]] == [
        ("the owner's tab was adopted", URL)
    ]


async def test_an_adopted_tab_has_the_focus_only_while_a_call_works_in_it(stage: Stage) -> None:
    record = await adopt(stage)
    focus = "Emulation.setFocusEmulationEnabled"
    assert not stage.browser.received(focus)

    async def work(tab: TabActor) -> None:
        assert [one.params for one in stage.browser.received(focus)] == [{"enabled": True}]

    await record.tab.ask(TabActor.perform, work)
    assert [one.params["enabled"] for one in stage.browser.received(focus)] == [True, False]


async def test_closing_an_adopted_tab_leaves_it_to_its_owner(stage: Stage) -> None:
    record = await adopt(stage)
    await stage.session.close_tab(record.id)
    await wait_all_tasks_blocked()
    assert not stage.browser.received("Target.closeTarget")
    assert page_at(stage, URL).sessions == []
    assert listed(stage) == [("owner-1", URL)]


async def test_the_end_of_a_session_leaves_its_adopted_tabs_to_their_owner(stage: Stage) -> None:
    await adopt(stage)
    await stage.close_session(stage.record)
    await wait_all_tasks_blocked()
    assert not stage.browser.received("Target.closeTarget")
    assert page_at(stage, URL).sessions == []


async def test_a_tab_is_adopted_by_one_session_only(stage: Stage) -> None:
    other = stage.new_session("session-2")
    await stage.mailbox.ask(Browser.adopt_tab, other, "owner-1", wake=False)
    error = await refused(stage, "owner-1")
    assert isinstance(error, SessionProblem)
    assert "adopted already, as tab-1" in error.message
    assert listed(stage) == []


async def test_a_call_without_a_tab_reports_once_that_the_active_tab_ended(stage: Stage) -> None:
    """Or it would act in another tab of the owner."""
    other = await stage.open_tab(URL)
    record = await adopt(stage)
    stage.browser.close(stage.target(record))
    await wait_all_tasks_blocked()
    with pytest.raises(TabNotFound, match="closed by the browser's owner") as caught:
        await stage.session.tab(None)
    assert (caught.value.suggestion or "").startswith(f"{other.id} is active now.")
    assert await stage.session.tab(None) is other


@pytest.mark.parametrize("name", ["owner", "Owner"])
async def test_the_name_of_the_owners_profile_is_reserved(name: str) -> None:
    assert SessionRecord("session-1", owner=owner_tabs([])).context_named(name) == OWNER
    with pytest.raises(InvalidArgument):
        SessionRecord("session-1").context_named(name)


@pytest.mark.parametrize("tab_id", ["owner-2", "owner-9", "tab-1"])
async def test_a_tab_that_is_not_granted_cannot_be_adopted(stage: Stage, tab_id: str) -> None:
    error = await refused(stage, tab_id)
    assert "no granted tab" in error.message
    assert BANK not in str(error)
    assert not page_at(stage, BANK).sessions


async def test_a_click_of_the_owner_grants_the_site_of_one_tab(stage: Stage) -> None:
    owner = stage.registry.owner
    assert owner is not None
    stage.browser.open(PROFILE, BANK)
    await wait_all_tasks_blocked()
    bank = next(tab for tab in owner.tabs.values() if tab.id == "owner-2")
    owner.change_grant(bank, origin_of(BANK))
    assert listed(stage) == [("owner-1", URL), ("owner-2", BANK)]

    record = await adopt(stage, "owner-2")
    owner.change_grant(bank, None)
    await wait_all_tasks_blocked()

    with pytest.raises(NavigationBlocked):
        await look(record)
    assert page_at(stage, BANK).sessions == []


async def test_a_discarded_tab_is_left_asleep_and_that_is_said(stage: Stage) -> None:
    discard(stage)
    error = await refused(stage, "owner-1")
    assert "owner-1 is asleep" in error.message
    assert "wake: true" in (error.suggestion or "")
    assert disturbances(stage) == set()
    assert page_at(stage, URL).sessions == []


async def test_a_discarded_tab_is_loaded_again_if_that_is_asked_for(stage: Stage) -> None:
    discard(stage)
    record = await adopt(stage, wake=True)
    assert len(stage.browser.received("Page.reload")) == 1
    assert (await look(record)).snapshot.view.title == "Shop"


async def test_a_busy_tab_is_not_waited_for(stage: Stage) -> None:
    page_at(stage, URL).silent = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_is_busy, stage)
        await stage.browser.until_sent("Target.attachToTarget")
        began = trio.current_time()
    assert trio.current_time() - began < 3
    assert page_at(stage, URL).sessions == []
    assert page_at(stage, URL).waiting == []


async def _is_busy(stage: Stage) -> None:
    assert "does not answer" in (await refused(stage, "owner-1")).message


async def test_a_tab_whose_page_leaves_the_grant_is_released(stage: Stage) -> None:
    record = await adopt(stage)
    page = stage.target(record)
    stage.browser.show(page, BANK)
    await wait_all_tasks_blocked()
    assert page.sessions == []
    assert listed(stage) == []
    for ask in (look(record), stage.session.tab(record.id)):
        with pytest.raises(NavigationBlocked, match="was released") as caught:
            await ask
        assert BANK not in str(caught.value)


async def test_a_tab_in_the_owners_profile_that_leaves_the_grant_is_closed(stage: Stage) -> None:
    record = await stage.session.open_tab(OTHER, OWNER)
    stage.browser.show(stage.target(record), BANK)
    await wait_all_tasks_blocked()
    assert record.target_id not in stage.browser.targets
    with pytest.raises(NavigationBlocked, match="was closed"):
        await look(record)


async def test_a_call_whose_page_leaves_the_grant_answers_nothing_of_it(stage: Stage) -> None:
    record = await adopt(stage)

    async def leave(tab: TabActor) -> str:
        stage.browser.show(stage.target(record), BANK)
        await wait_all_tasks_blocked()
        return "something of the bank"

    with pytest.raises(NavigationBlocked):
        await record.tab.ask(TabActor.perform, leave)


async def test_agents_cannot_navigate_an_adopted_tab_outside_of_the_grant(stage: Stage) -> None:
    record = await adopt(stage)

    async def go(tab: TabActor) -> object:
        return await navigate(tab, BANK)

    with pytest.raises(NavigationBlocked):
        await record.tab.ask(TabActor.perform, go)
    assert not stage.browser.received("Page.navigate")


async def test_a_document_outside_of_the_grant_is_not_loaded_for_a_call(stage: Stage) -> None:
    """As by a click on a link, or by a script."""
    record = await adopt(stage)

    async def leave(_: TabActor) -> None:
        hold_document(stage, record, BANK)
        await wait_all_tasks_blocked()

    await record.tab.ask(leave)
    failed = stage.browser.received("Fetch.failRequest")
    assert [one.params["errorReason"] for one in failed] == ["Aborted"]
    assert list(stage.record.tabs) == [record.id]
    assert "is not granted" in str(record.notices)


async def test_an_owner_who_leaves_the_grant_takes_back_the_tab_unloaded(stage: Stage) -> None:
    """Commands that are under way could run in the new document."""
    record = await adopt(stage)
    page = stage.target(record)
    hold_document(stage, record, BANK)
    await wait_all_tasks_blocked()
    assert page.sessions == []
    assert not stage.browser.received("Fetch.failRequest")
    with pytest.raises(NavigationBlocked, match="was released"):
        await stage.session.tab(record.id)


async def test_frames_of_sites_that_are_not_granted_are_not_read(stage: Stage) -> None:
    record = await adopt(stage)
    page = stage.target(record)
    for origin in ("http://shop.test", "https://bank.test", "null"):
        about = {"name": "charlotte", "origin": origin, "auxData": {"frameId": f"frame {origin}"}}
        context = {"id": 7, "uniqueId": origin, **about}
        stage.browser.emit_in(page, "Runtime.executionContextCreated", context=context)
    await wait_all_tasks_blocked()

    async def frames(tab: TabActor) -> list[str]:
        return [world.frame_id for world in tab.page.frames.all()]

    assert [one for one in await record.tab.ask(frames) if one.startswith("frame")] == [
        "frame http://shop.test"
    ]


@pytest.mark.parametrize("change", [set_headers, run_in_documents])
async def test_adopted_tabs_are_not_emulated(
    stage: Stage, change: Callable[..., Awaitable[object]]
) -> None:
    record = await adopt(stage)

    async def work(tab: TabActor) -> object:
        return await change(tab, {})

    with pytest.raises(SessionProblem, match="not available"):
        await record.tab.ask(work)


async def test_sessions_that_adopt_a_tab_at_once_do_not_share_it(stage: Stage) -> None:
    sessions = [stage.record, stage.new_session("session-2")]
    outcomes: list[object] = []

    async def adopt_in(session: SessionRecord) -> None:
        try:
            outcomes.append(
                await stage.mailbox.ask(Browser.adopt_tab, session, "owner-1", wake=False)
            )
        except SessionProblem as error:
            outcomes.append(error)

    async with trio.open_nursery() as nursery:
        for session in sessions:
            nursery.start_soon(adopt_in, session)
    assert sorted(type(one).__name__ for one in outcomes) == ["SessionProblem", "TabRecord"]


async def test_cookies_of_the_owner_are_not_for_agents(stage: Stage) -> None:
    record = await adopt(stage)
    with pytest.raises(SessionProblem, match="not available"):
        await record.tab.ask(find_cookies)
    assert not [one for one in stage.browser.received("Storage.getCookies") if one.params]


async def test_dialogs_in_the_owners_tabs_are_never_answered_automatically(stage: Stage) -> None:
    record = await adopt(stage)
    stage.record.settings.dialog_auto_dismiss = "accept_all"
    opens_dialog(stage, record, "beforeunload")
    await wait_all_tasks_blocked()
    assert record.dialog is not None
    assert not stage.browser.received("Page.handleJavaScriptDialog")


async def test_a_tab_that_its_owner_closes_is_a_closed_tab(stage: Stage, caller: Caller) -> None:
    record = await adopt(stage)
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.close(stage.target(record))
    await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], TabNotFound)
    assert "closed by the browser's owner" in str(caller.answers["in flight"])
    assert stage.record.tabs == {}
    assert listed(stage) == []


async def test_a_crashed_adopted_tab_is_released_unloaded(stage: Stage, caller: Caller) -> None:
    record = await adopt(stage)
    page = stage.target(record)
    caller.call("in flight", record.tab, endless)
    await wait_all_tasks_blocked()
    stage.browser.crash(page)
    await wait_all_tasks_blocked()
    assert isinstance(caller.answers["in flight"], TabCrashed)
    assert "was released" in str(caller.answers["in flight"])
    assert stage.record.tabs == {}
    assert not stage.browser.received("Page.reload")
    assert page.sessions == []


async def test_a_tab_in_the_owners_profile_is_closed_with_its_session(stage: Stage) -> None:
    record = await stage.session.open_tab(OTHER, OWNER)
    assert stage.target(record).context == PROFILE
    assert [tab.id for tab in stage.registry.owner.tabs.values()] == ["owner-1", "owner-2"]  # type: ignore[union-attr]
    await stage.close_session(stage.record)
    await wait_all_tasks_blocked()
    assert sorted(page.url for page in stage.browser.targets.values()) == [URL, BANK]


async def test_a_popup_of_an_adopted_tab_is_a_tab_if_a_call_opened_it(stage: Stage) -> None:
    record = await adopt(stage)

    async def open_popup(_: TabActor) -> None:
        stage.browser.open(PROFILE, OTHER, opener=record.target_id)
        await wait_all_tasks_blocked()

    await record.tab.ask(open_popup)
    assert [tab.id for tab in record.news.unread(TabRecord)] == ["tab-2"]
    await stage.session.close_tab("tab-2")
    assert OTHER in [page.url for page in stage.browser.targets.values()]

    stage.browser.open(PROFILE, f"{OTHER}?of=the-owner", opener=record.target_id)
    await wait_all_tasks_blocked()
    assert [tab.id for tab in record.news.unread(TabRecord)] == ["tab-2"]
    assert listed(stage)[-1] == ("owner-4", f"{OTHER}?of=the-owner")


async def test_an_adopted_tab_is_found_again_in_the_owners_next_browser(stage: Stage) -> None:
    record = await adopt(stage)
    before = record.target_id

    def restarted(browser: FakeBrowser) -> None:
        browser._ids = iter(range(100, 1000))  # type: ignore[assignment]
        owners_pages(browser)

    stage.prepare = restarted
    stage.browser.drop()
    await wait_all_tasks_blocked()
    assert (await look(record)).snapshot.view.title == "Shop"
    assert record.target_id != before
    assert not stage.browser.received("Page.navigate")
    assert listed(stage) == [(record.id, URL)]


async def test_an_adopted_tab_missing_in_the_next_browser_is_reported_as_lost(stage: Stage) -> None:
    record = await adopt(stage)
    stage.prepare = lambda _: None
    stage.browser.drop()
    await wait_all_tasks_blocked()
    with pytest.raises(TabNotFound, match="was lost"):
        await look(record)
    assert listed(stage) == []


async def test_an_adopted_tab_with_an_open_dialog_is_not_closed(stage: Stage) -> None:
    """The dialog would stay open in front of the owner."""
    record = await adopt(stage)
    opens_dialog(stage, record)
    await wait_all_tasks_blocked()
    with pytest.raises(BlockedByDialog):
        await tab_close.handler(stage.session, record.id)
    assert list(stage.record.tabs) == [record.id]


async def test_a_tab_that_its_owner_takes_elsewhere_meanwhile_is_not_adopted(stage: Stage) -> None:
    stage.browser.hold("Page.getFrameTree")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_adopts_nothing, stage)
        asked = await stage.browser.until_sent("Page.getFrameTree")
        page = page_at(stage, URL)
        stage.browser.show(page, BANK)
        stage.browser.answer(asked, frameTree={"frame": page.frame})
    assert page.sessions == []


async def _adopts_nothing(stage: Stage) -> None:
    assert isinstance(await refused(stage, "owner-1"), NavigationBlocked)
