"""A session's contexts have what its sites had stored, and nothing of them outlives the session."""

import gc
import weakref

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser import Browser
from charlotte.protocol.storage import CookieParam
from tests.actors.stage import Stage

LOGIN = CookieParam(name="login", value="1", domain="shop.test", path="/")


async def test_a_first_tab_that_is_not_waited_for_leaves_no_context_without_its_cookies(
    clock: MockClock, stage: Stage
) -> None:
    stage.record.context().cookies.keep([LOGIN])
    await wait_all_tasks_blocked()
    stage.browser.hold("Storage.setCookies")
    async with trio.open_nursery() as leaving:
        leaving.start_soon(stage.session.open_tab)
        unfurnished = await stage.browser.until_sent("Storage.setCookies")
        leaving.cancel_scope.cancel()
    await wait_all_tasks_blocked()
    (disposed,) = stage.browser.received("Target.disposeBrowserContext")
    del stage.browser.on["Storage.setCookies"]

    record = await stage.open_tab()
    assert disposed.params["browserContextId"] == unfurnished.params["browserContextId"]
    assert [
        one.params["browserContextId"] for one in stage.browser.received("Storage.setCookies")
    ] == [
        unfurnished.params["browserContextId"],
        stage.target(record).context,
    ]


async def test_nothing_that_its_sites_stored_is_left_of_a_closed_session(
    clock: MockClock, stage: Stage
) -> None:
    await wait_all_tasks_blocked()
    session = stage.new_session("session-2")
    await stage.mailbox.ask(Browser.open_tab, session, activate=True, url=None)
    left = weakref.ref(session.context())
    await stage.mailbox.ask(Browser.close_session, session)
    del session, stage.registry.sessions["session-2"]
    await wait_all_tasks_blocked()

    gc.collect()
    assert left() is None


async def test_the_end_of_a_session_without_tabs_takes_no_profile_from_another(
    clock: MockClock, stage: Stage
) -> None:
    def open_in_profile(_: object) -> dict[str, str]:
        return {"targetId": stage.browser.open("the profile", "about:blank", held=True).id}

    await wait_all_tasks_blocked()
    stage.browser.on["Target.createTarget"] = open_in_profile
    stage.record.settings.in_profile = True
    await stage.open_tab()
    empty = stage.new_session("session-2")
    empty.context()
    await stage.mailbox.ask(Browser.close_session, empty)

    popup = stage.browser.open("the profile", "about:blank", held=True)
    await wait_all_tasks_blocked()
    assert popup.id in {one.target_id for one in stage.record.tabs.values()}
