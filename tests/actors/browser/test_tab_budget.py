"""A limit of open tabs that sessions share: calls are refused, popups are closed."""

import pytest
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.session_settings import TabBudget
from charlotte.base.errors import BudgetExceeded
from tests.actors.stage import Stage

POPUP = "http://shop.test/help"


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
