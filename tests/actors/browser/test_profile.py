"""Sessions that share the browser's profile: each has its own tabs, popups, files and clipboard."""

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.state.context_record import DEFAULT, Clip
from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.session_settings import Settings
from tests.actors.stage import URL, Stage
from tests.fake_page import FakeTarget
from tests.fakes import PROFILE

POPUP = "http://shop.test/help"


@pytest.fixture
def other(stage: Stage, tmp_path: Path) -> SessionRecord:
    """A second session in the profile."""
    stage.share_profile(tmp_path / "downloads")
    return stage.new_session("session-2")


@pytest.fixture
async def mine(stage: Stage, other: SessionRecord) -> TabRecord:
    return await stage.open_tab(URL)


@pytest.fixture
async def theirs(stage: Stage, other: SessionRecord, mine: TabRecord) -> TabRecord:
    return await opened(stage, other)


async def opened(stage: Stage, session: SessionRecord, context: str = DEFAULT) -> TabRecord:
    record = await stage.mailbox.ask(Browser.open_tab, session, context=context)
    stage.browser.load(stage.target(record), URL)
    await wait_all_tasks_blocked()
    return record


async def arrives(stage: Stage, opener: str | None = None) -> FakeTarget:
    """A page arrives that was not requested by a session."""
    page = stage.browser.open(PROFILE, POPUP, opener=opener, held=True)
    await wait_all_tasks_blocked(0.01)
    return page


def request_page(stage: Stage, record: TabRecord) -> None:
    """The page of a tab requests a new tab without an opener."""
    stage.browser.emit_in(
        stage.target(record),
        "Page.frameRequestedNavigation",
        frameId=record.target_id, url=POPUP, reason="anchorClick", disposition="newTab",
    )  # fmt: skip


def targets(session: SessionRecord) -> set[str]:
    return {record.target_id for record in session.tabs.values()}


async def test_a_popup_belongs_to_the_session_of_its_opener(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    popups = [(await arrives(stage, tab.target_id)).id for tab in (mine, theirs)]

    assert targets(mine.session) == {mine.target_id, popups[0]}
    assert targets(theirs.session) == {theirs.target_id, popups[1]}


async def test_a_page_without_an_opener_belongs_to_the_session_that_requested_it(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    request_page(stage, theirs)
    first = await arrives(stage)
    second = stage.browser.open(PROFILE, POPUP, held=True)
    await wait_all_tasks_blocked()
    request_page(stage, mine)
    await wait_all_tasks_blocked()

    assert targets(theirs.session) == {theirs.target_id, first.id}
    assert targets(mine.session) == {mine.target_id, second.id}


async def test_pages_of_a_person_and_their_popups_belong_to_no_session(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    pages = [stage.browser.open(PROFILE, POPUP, held=True)]
    await trio.sleep(1)
    pages.append(await arrives(stage, pages[0].id))

    assert len(stage.registry.tabs()) == 2
    assert not any(page.silent for page in pages)
    assert {page.id for page in pages} < stage.browser.targets.keys()


async def test_the_end_of_a_session_closes_only_its_own_tabs(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    named = await opened(stage, theirs.session, "clean")
    context = stage.target(named).context
    await stage.close_session(theirs.session)
    await wait_all_tasks_blocked()

    assert stage.browser.targets.keys() == {mine.target_id}
    disposed = stage.browser.received("Target.disposeBrowserContext")
    assert [one.params["browserContextId"] for one in disposed] == [context]
    popup = await arrives(stage)
    assert targets(mine.session) == {mine.target_id, popup.id}


async def test_a_download_is_moved_to_the_session_of_its_tab(
    stage: Stage, mine: TabRecord, theirs: TabRecord, tmp_path: Path
) -> None:
    [behavior] = stage.browser.received("Browser.setDownloadBehavior")
    directory = Path(behavior.params["downloadPath"])
    directory.mkdir()  # noqa: ASYNC240 - a test may block
    for tab in (mine, theirs):
        tab.session.settings = Settings(output=tmp_path / tab.session.id)
        (directory / tab.id).write_text(tab.id)
        about = {"url": URL, "suggestedFilename": "a.csv", "frameId": tab.target_id}
        stage.browser.emit("Browser.downloadWillBegin", guid=tab.id, **about)
        ended: dict[str, Any] = {
            "guid": tab.id,
            "totalBytes": 5,
            "receivedBytes": 5,
            "state": "completed",
        }
        stage.browser.emit("Browser.downloadProgress", **ended)
    await wait_all_tasks_blocked()

    assert "browserContextId" not in behavior.params
    for tab in (mine, theirs):
        [download] = tab.news.unread(Download)
        path = tmp_path / tab.session.id / "a.csv"
        assert (download.path, path.read_text()) == (path, tab.id)
    assert not list(directory.iterdir())  # noqa: ASYNC240 - a test may block


async def test_each_session_has_its_own_clipboard(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    mine.clip = Clip("mine")
    more = await opened(stage, mine.session)

    assert (more.clip, theirs.clip) == (Clip("mine"), Clip())


async def test_a_popup_whose_opener_was_closed_is_closed(
    stage: Stage, mine: TabRecord, theirs: TabRecord
) -> None:
    opener = theirs.target_id
    await stage.close_session(theirs.session)
    popup = await arrives(stage, opener)

    assert popup.id not in stage.browser.targets
    assert targets(mine.session) == {mine.target_id}
