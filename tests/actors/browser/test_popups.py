"""Popups become tabs of their session; the limit of open tabs holds for popups and for calls."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.browser.targets import MOST_POPUPS
from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.session_settings import TabBudget
from charlotte.answers.news import news_of
from charlotte.base.errors import BudgetExceeded
from tests.actors.stage import URL, Caller, Stage, endless, look
from tests.fake_page import FakeTarget

POPUP = "http://shop.test/help"
NOTHING_YET = ""


async def opens_popup(stage: Stage, opener: TabRecord, url: str = POPUP) -> FakeTarget:
    """The page of a tab opens another; wait until that has been seen to."""
    target = stage.target(opener)
    popup = stage.browser.open(target.context, url, opener=target.id, held=True)
    await wait_all_tasks_blocked()
    return popup


async def test_a_popup_is_not_reported_in_another_session(stage: Stage, record: TabRecord) -> None:
    other = stage.new_session("session-2")
    theirs = await stage.mailbox.ask(Browser.open_tab, other)
    context, target_id = stage.target(record).context, theirs.target_id
    stage.record.remove(record)
    theirs.target_id = ""  # as while it is being restored

    stage.browser.open(context, POPUP, opener=None, held=True)
    stage.browser.open(context, POPUP, opener=target_id, held=True)
    await wait_all_tasks_blocked()

    assert theirs.news.added == 0
    assert len(stage.record.tabs) == 2


async def test_a_page_that_arrives_after_its_caller_gave_up_is_closed_and_no_popup(
    stage: Stage, record: TabRecord, caller: Caller
) -> None:
    context = stage.target(record).context
    stage.browser.hold("Target.createTarget")

    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record)

    caller.call("open", stage.mailbox, open_tab)
    asked = await stage.browser.until_sent("Target.createTarget", 2)
    await trio.sleep(15)
    assert "did not open a tab in time" in caller.answers["open"].message

    late = stage.browser.open(context, "about:blank", held=True)
    await wait_all_tasks_blocked()
    stage.browser.answer(asked, targetId=late.id)
    await trio.sleep(1)
    assert list(stage.record.tabs) == [record.id]
    assert list(stage.browser.targets) == [record.target_id]


async def test_a_closed_popup_disturbs_no_other_tab(stage: Stage, record: TabRecord) -> None:
    popup = await opens_popup(stage, record)
    stage.browser.close(popup)
    await wait_all_tasks_blocked()

    assert list(stage.record.tabs) == ["tab-1"]
    assert (await look(record)).snapshot.view.url == URL
    assert len(stage.lives) == 1


async def becomes_download(stage: Stage, popup: FakeTarget) -> None:
    """What the popup was opened for is a file."""
    about = {"guid": "1", "url": POPUP, "suggestedFilename": "bill.pdf"}
    stage.browser.emit("Browser.downloadWillBegin", frameId=popup.id, **about)
    await wait_all_tasks_blocked()


async def test_a_popup_of_a_download_is_closed_unreported(stage: Stage, record: TabRecord) -> None:
    popup = await opens_popup(stage, record, NOTHING_YET)
    await becomes_download(stage, popup)

    assert list(stage.record.tabs) == ["tab-1"]
    assert list(stage.browser.targets) == [record.target_id]
    assert (record.news.unread(TabRecord), record.notices) == ([], [])
    assert [one.name for one in record.news.unread(Download)] == ["bill.pdf"]


async def test_the_closing_of_a_reported_popup_is_reported(stage: Stage, record: TabRecord) -> None:
    popup = await opens_popup(stage, record, NOTHING_YET)
    news_of(record).consume()
    await becomes_download(stage, popup)

    assert list(stage.record.tabs) == ["tab-1"]
    assert record.notices == ["tab-2 was closed: it was opened only for a download."]


async def test_more_popups_than_anybody_wants_are_closed_and_that_is_said_once(
    stage: Stage, record: TabRecord
) -> None:
    for _ in range(MOST_POPUPS + 5):
        await opens_popup(stage, record)

    assert len(record.news.unread(TabRecord)) == MOST_POPUPS
    assert len(stage.browser.targets) == 1 + MOST_POPUPS
    assert record.notices == [f"Pages have opened {MOST_POPUPS} tabs; more were closed at once."]


async def test_a_popup_closed_before_it_is_ready_is_gone(stage: Stage, record: TabRecord) -> None:
    stage.browser.hold("Page.getFrameTree")
    popup = await opens_popup(stage, record)
    stage.browser.close(popup)
    await trio.sleep(5)

    assert list(stage.record.tabs) == ["tab-1"]
    assert len(stage.lives) == 1


@pytest.mark.parametrize("why", ["active", "at work", "blank", "shown"])
async def test_a_popup_that_somebody_has_use_for_outlives_a_download(
    stage: Stage, record: TabRecord, caller: Caller, why: str
) -> None:
    urls = {"blank": "about:blank", "shown": POPUP}
    popup = await opens_popup(stage, record, urls.get(why, NOTHING_YET))
    if why == "active":
        stage.record.active = "tab-2"
    if why == "at work":
        caller.call("work", stage.record.find("tab-2").tab, endless)
        await wait_all_tasks_blocked()
    await becomes_download(stage, popup)

    assert list(stage.record.tabs) == ["tab-1", "tab-2"]


async def test_a_popup_with_a_late_answer_is_not_lost(stage: Stage, record: TabRecord) -> None:
    stage.browser.hold("Page.getFrameTree")
    await opens_popup(stage, record, NOTHING_YET)
    await trio.sleep(30)
    assert list(stage.record.tabs) == ["tab-1", "tab-2"]

    await trio.sleep(31)
    assert list(stage.record.tabs) == ["tab-1"]
    assert record.notices == [
        "tab-2 was opened for an address that has not answered for 60 s. It was closed."
    ]


async def test_a_full_budget_refuses_tabs_until_one_ends(stage: Stage, record: TabRecord) -> None:
    stage.record.budget = lambda: TabBudget(limit=5, others=3)
    second = await stage.mailbox.ask(Browser.open_tab, stage.record)
    with pytest.raises(BudgetExceeded, match="this session has 2, your other sessions have 3"):
        await stage.mailbox.ask(Browser.open_tab, stage.record)
    assert len(stage.browser.targets) == 2
    await stage.session.close_tab(second.id)
    await stage.mailbox.ask(Browser.open_tab, stage.record)


async def test_a_popup_beyond_the_budget_is_closed_and_its_opener_reports_it(
    stage: Stage, record: TabRecord
) -> None:
    stage.record.budget = lambda: TabBudget(limit=2, others=0)
    for _ in range(3):
        opener = stage.target(record)
        stage.browser.open(opener.context, POPUP, opener=opener.id, held=True)
        await wait_all_tasks_blocked()
    assert len(stage.record.tabs) == len(stage.browser.targets) == 2
    assert record.notices == [
        (
            "A tab that the page opened was closed: The budget of 2 open tabs is used up: "
            "this session has 2, your other sessions have 0."
        )
    ]
