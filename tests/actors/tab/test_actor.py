"""A tab looks at one page and acts on it."""

import json
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor, message_notes
from charlotte.base.errors import CharlotteError, ElementNotFound, SnapshotExpired
from charlotte.browser.world.settle import SettleResult
from charlotte.page.model import PageView
from charlotte.tools.aliases import page_screenshot
from tests.actors.stage import URL, Stage, look, run_tool
from tests.fake_page import Refused, Sent
from tests.fakes import AS_USUAL
from tests.page.pages import Page, view_of


def probe_answers(stage: Stage, function: str, *answers: Any) -> None:
    """Let the probe answer one function so, one after the other, the last for ever."""
    left = list(answers)

    def answer(sent: Sent) -> dict[str, Any]:
        if not sent.params["expression"].startswith(f"charlotte.{function}("):
            return AS_USUAL
        value = left.pop(0) if len(left) > 1 else left[0]
        return {"result": {"type": "string", "value": json.dumps(value)}}

    stage.browser.on["Runtime.evaluate"] = answer


async def test_an_observation_is_stored_as_a_snapshot(stage: Stage, record: TabRecord) -> None:
    stage.target(record).page.button("Buy")
    seen = await look(record)

    assert [one.label for one in seen.snapshot.view.interactive] == ["Buy"]
    assert await record.tab.ask(TabActor.snapshot, seen.snapshot.id) is seen.snapshot
    assert record.title == "Shop"
    with pytest.raises(SnapshotExpired):
        await record.tab.ask(TabActor.snapshot, 99)


@pytest.mark.req("S-OPT-03")
@pytest.mark.parametrize("action", ["click", "type", "scroll", "keypress"])
async def test_actions_at_points_may_wait(stage: Stage, record: TabRecord, action: str) -> None:
    given = {"coordinates": {"x": 5, "y": 5}, "text": "a", "key": "a", "scroll_offset": {"y": 5}}
    for options, seconds in (({}, 0), ({"wait_after_action": 7000}, 7)):
        start = trio.current_time()
        await run_tool(stage, record, page_screenshot, action=action, options=options, **given)
        assert trio.current_time() - start == seconds


async def on_element(record: TabRecord, element_id: str) -> dict[str, Any]:
    return await record.tab.ask(TabActor.on_element, element_id, "target", {"need": "enabled"})


async def test_elements_are_known_by_number_and_document(stage: Stage, record: TabRecord) -> None:
    stage.target(record).page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    probe_answers(stage, "target", {"x": 1, "y": 2})

    assert await on_element(record, button.id) == {"x": 1, "y": 2}
    (asked,) = stage.browser.received("Runtime.evaluate", having="target(")
    assert asked.params["expression"] == 'charlotte.target(1, {"need": "enabled"})'
    assert asked.params["uniqueContextId"] == stage.target(record).world


@pytest.mark.req("C-ID-09")
async def test_a_recreated_element_is_resolved_again_once(stage: Stage, record: TabRecord) -> None:
    page = stage.target(record).page
    page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    page.rows.clear()
    page.button("Buy")
    probe_answers(stage, "target", {"error": "gone"}, {"x": 1, "y": 2})

    assert await on_element(record, button.id) == {"x": 1, "y": 2}
    asked = stage.browser.received("Runtime.evaluate", having="target(")
    assert [one.params["expression"].split(",")[0] for one in asked] == [
        "charlotte.target(1",
        "charlotte.target(2",
    ]


async def test_an_element_of_a_replaced_document_is_resolved_in_the_new_document(
    stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    target.page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    old = target.world
    stage.browser.load(target, URL)
    await wait_all_tasks_blocked()

    def answer(sent: Sent) -> dict[str, Any]:
        if sent.params.get("uniqueContextId") == old:
            raise Refused("uniqueContextId not found")
        if "target(" in sent.params["expression"]:
            return {"result": {"type": "string", "value": '{"x": 3}'}}
        return AS_USUAL

    stage.browser.on["Runtime.evaluate"] = answer
    assert await on_element(record, button.id) == {"x": 3}


async def test_a_removed_element_is_not_found(stage: Stage, record: TabRecord) -> None:
    stage.target(record).page.button("Buy")
    (button,) = (await look(record)).snapshot.view.interactive
    probe_answers(stage, "target", {"error": "gone"})
    with pytest.raises(ElementNotFound, match=f"No element '{button.id}' on tab-1 now"):
        await on_element(record, button.id)


@pytest.mark.req("C-ID-10")
async def test_unknown_elements_have_similar_suggestions(stage: Stage, record: TabRecord) -> None:
    page = stage.target(record).page
    page.button("Buy")
    page.link("Home")
    with pytest.raises(ElementNotFound) as raised:
        await on_element(record, "btn-0000")
    assert "'Buy'" in (raised.value.suggestion or "")
    assert "Home" not in (raised.value.suggestion or "")


async def test_errors_for_elements_of_other_tabs_name_it(stage: Stage, record: TabRecord) -> None:
    other = await stage.open_tab("http://other.test/")
    stage.target(other).page.button("Buy")
    (button,) = (await look(other)).snapshot.view.interactive
    with pytest.raises(ElementNotFound) as raised:
        await on_element(record, button.id)
    assert "tab_id='tab-2'" in (raised.value.suggestion or "")


async def test_an_exception_of_the_probe_restarts_the_tab(stage: Stage, record: TabRecord) -> None:
    details = {"exceptionId": 1, "text": "Uncaught bug", "lineNumber": 1, "columnNumber": 1}
    stage.browser.on["Runtime.evaluate"] = lambda _: {
        "result": {"type": "object"},
        "exceptionDetails": details,
    }
    with pytest.raises(CharlotteError, match=r"Internal error in tab-1: ProbeFailed.*Uncaught bug"):
        await look(record)
    del stage.browser.on["Runtime.evaluate"]
    assert (await look(record)).snapshot.view.url == URL
    assert not stage.browser.received("Page.reload")
    assert record.notices == []


async def test_a_page_replaced_while_read_is_read_again(stage: Stage, record: TabRecord) -> None:
    target = stage.target(record)
    captures = iter(["only its beginning", "all of it"])

    def grows(sent: Sent) -> Any:
        if "charlotte.capture(" in sent.params["expression"]:
            if next(captures) == "all of it":
                target.page.button("New")
            else:
                stage.browser.load(target, "http://shop.test/next")
        return AS_USUAL

    stage.browser.on["Runtime.evaluate"] = grows
    seen = await look(record)
    assert [one.label for one in seen.snapshot.view.interactive] == ["New"]


def saying(*alerts: str, line: str = "") -> PageView:
    page = Page(alerts=list(alerts))
    if line:
        page.text(line)
    return view_of(page.capture())


def test_a_message_that_disappeared_is_noted() -> None:
    assert message_notes(
        SettleResult(removed_messages=["Saved.", "Sent."]), saying(), saying()
    ) == ['Said meanwhile: "Saved."; "Sent."']


@pytest.mark.parametrize(
    ("before", "after", "notes"),
    [
        (saying("Wrong."), saying("Wrong."), ['Said again: "Wrong."']),
        (saying(line="Wrong."), saying(line="Wrong."), ['Said again: "Wrong."']),
        (saying(), saying("Wrong."), []),
        (saying("Wrong."), saying(), []),
    ],
)
def test_only_a_repeated_message_is_noted_as_repeated(
    before: PageView, after: PageView, notes: list[str]
) -> None:
    assert message_notes(SettleResult(set_messages=["Wrong.", "Wrong."]), before, after) == notes
