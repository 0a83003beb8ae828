"""A page that ends the browser each time it is brought back is found and given up."""

import pytest
import trio
from trio.testing import MockClock

from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.restore_policy import PROBATION, RestorePolicy, plan_restore
from tests.actors.stage import URL, Stage, look
from tests.fake_page import Refused, Sent
from tests.fakes import AS_USUAL, FakeBrowser

KILLER = "http://killer.test/"


@pytest.fixture
async def killer(stage: Stage, record: TabRecord) -> TabRecord:
    """Beside a harmless tab, one whose page ends every browser that loads it from now on."""
    assert record.url == URL
    tab = await stage.open_tab(KILLER)

    def prepare(browser: FakeBrowser) -> None:
        def navigate(sent: Sent) -> dict[str, object] | None:
            if sent.params["url"] != KILLER:
                return AS_USUAL
            browser.drop()
            return None

        browser.on["Page.navigate"] = navigate

    stage.prepare = prepare
    return tab


async def come_back(stage: Stage) -> None:
    stage.browser.drop()
    await trio.sleep(5)


async def test_a_page_that_kills_each_browser_is_left_blank_and_the_others_come_back(
    stage: Stage, record: TabRecord, killer: TabRecord
) -> None:
    await come_back(stage)
    assert len(stage.lives) == 3

    assert (await look(record)).snapshot.view.url == URL
    await look(killer)

    assert len(stage.lives) == 4
    assert stage.target(killer).url == "about:blank"
    assert [KILLER in notice and "blank" in notice for notice in killer.notices] == [True]
    assert (await look(record)).snapshot.view.url == URL


async def test_tabs_that_wait_to_be_asked_for_say_where_they_will_be(
    stage: Stage, record: TabRecord, killer: TabRecord
) -> None:
    await come_back(stage)

    assert [row["url"] for row in stage.session.rows()] == [URL, KILLER]
    assert not stage.browser.received("Page.navigate", having=KILLER)


def tab() -> tuple[RestorePolicy, str]:
    return RestorePolicy(), URL


async def test_no_page_restored_with_others_is_given_up_at_once(clock: MockClock) -> None:
    """One of them ends the browser some time after its load, whenever they are asked for."""
    tabs = [tab(), tab()]
    for death in range(5):
        plan_restore(tabs)
        assert [comeback.is_given_up for comeback, _ in tabs] == [death == 4] * 2
        for comeback, _ in tabs:
            comeback.begin()
            comeback.end()
        await trio.sleep(PROBATION / 2)


async def test_a_page_that_is_asked_for_alone_is_known_for_what_it_does(clock: MockClock) -> None:
    innocent, killer = tabs = [tab(), tab()]
    plan_restore(tabs)
    for comeback, _ in tabs:
        comeback.begin()
    plan_restore(tabs)
    innocent[0].begin()
    innocent[0].end()
    await trio.sleep(PROBATION)
    killer[0].begin()
    killer[0].end()
    await trio.sleep(PROBATION / 2)
    plan_restore(tabs)

    assert (innocent[0].is_given_up, innocent[0].strikes) == (False, 0)
    assert killer[0].is_given_up


async def test_a_page_that_is_lost_leaves_a_usable_tab(stage: Stage, record: TabRecord) -> None:
    def refuse(sent: Sent) -> None:
        raise Refused("Cannot navigate to invalid URL")

    stage.prepare = lambda browser: browser.on.update({"Page.navigate": refuse})
    await come_back(stage)

    assert (await look(record)).snapshot.view.document
    assert record.restore.url is None
    assert len(stage.lives) == 2
