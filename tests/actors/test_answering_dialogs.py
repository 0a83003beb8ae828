"""A dialog is answered past the page that it blocks."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import CharlotteError, SessionProblem
from tests.actors.stage import Caller, Stage
from tests.fake_page import Refused


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
