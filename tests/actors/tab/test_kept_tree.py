"""The tree of a page is kept while nothing happens to it (V-CACHE); mode head needs no tree."""

import json
import re
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.answers.answer import Text
from charlotte.tools.observe import observe
from tests.actors.stage import URL, Stage, run_tool
from tests.fake_page import Sent
from tests.fakes import AS_USUAL
from tests.page.modes.documents import answer, button, el, heading

FACTS = {"total": 2, "viewport": [0, 0], "title": "x\nSTATUS: empty"}
SURVEY = json.dumps(answer(el("body", button("Buy"), heading(1, "Pay"))) | FACTS)


@pytest.fixture
async def record(stage: Stage) -> TabRecord:
    """A tab that shows a button and a heading, and reports changes."""

    def evaluated(sent: Sent) -> dict[str, Any] | None:
        if "charlotte.changed" in sent.params["expression"]:
            return None
        if re.search(r"charlotte\.(survey|head)\(", sent.params["expression"]):
            return {"result": {"type": "string", "value": SURVEY}}
        if "charlotte.element(" in sent.params["expression"]:
            return {"result": {"type": "object", "objectId": "buy"}}
        return AS_USUAL

    opened = await stage.open_tab(URL)
    stage.browser.on["Runtime.evaluate"] = evaluated
    stage.browser.on["DOM.describeNode"] = lambda _: {"node": {"nodeId": 1, "backendNodeId": 7}}
    return opened


async def tree(stage: Stage, record: TabRecord, **arguments: Any) -> tuple[str, bool]:
    """The text, and whether it was kept."""
    answer = await run_tool(stage, record, observe, mode="tree", **arguments)
    text, about = [block.text for block in answer.blocks if isinstance(block, Text)]
    return text, json.loads(about)["metadata"]["cached"]


@pytest.mark.req("V-CACHE-01", "V-CACHE-02", "V-PERF-04")
async def test_a_cached_tree_needs_no_browser_call(stage: Stage, record: TabRecord) -> None:
    first = await tree(stage, record)
    sent = len(stage.browser.sent)
    with capture_logs() as logs:
        again = await tree(stage, record)

    assert first == ('- document:\n  - button "Buy" [ref=e7]\n  - heading "Pay" (level 1)', False)
    assert again == (first[0], True)
    assert len(stage.browser.sent) == sent
    assert [row["event"] for row in logs] == ["snapshot cache hit"]


@pytest.mark.req("V-CACHE-03", "V-PERF-02", "V-PERF-03", "V-PERF-04")
async def test_a_cached_tree_expires_after_five_seconds(stage: Stage, record: TabRecord) -> None:
    await tree(stage, record)
    await trio.sleep(4.9)
    assert (await tree(stage, record))[1]
    await trio.sleep(0.2)
    with capture_logs() as logs:
        assert not (await tree(stage, record))[1]

    phases = [row for row in logs if "snapshot" in row["event"]]
    events = [row["event"] for row in phases]
    assert events == ["snapshot cache miss", "capture_snapshot", "format_snapshot"]
    assert all(row["duration_ms"] >= 0 for row in phases[1:])
    assert (await tree(stage, record))[1]


@pytest.mark.req("V-CACHE-03")
async def test_a_change_of_the_page_drops_the_cached_tree(stage: Stage, record: TabRecord) -> None:
    await tree(stage, record)
    asked = await stage.browser.until_sent("Runtime.evaluate", having="charlotte.changed")
    stage.browser.answer(asked, result={"type": "string", "value": "{}"})
    await wait_all_tasks_blocked()

    assert not (await tree(stage, record))[1]


@pytest.mark.req("V-CACHE-05", "V-CACHE-06")
async def test_calls_with_options_bypass_the_cached_tree(stage: Stage, record: TabRecord) -> None:
    assert not (await tree(stage, record, all_refs=True))[1]
    plain, is_cached = await tree(stage, record)
    assert not is_cached
    others = {"grep": None, "include_hidden": True}, {"snapshot": True}, {"all_refs": True}
    assert [(await tree(stage, record, **one))[1] for one in others] == [False] * 3
    assert await tree(stage, record) == (plain, True)


@pytest.mark.req("B-HEAD-02", "B-HEAD-03", "B-META-06")
async def test_mode_head_describes_a_page_without_a_survey(stage: Stage, record: TabRecord) -> None:
    head = str(await run_tool(stage, record, observe, mode="head"))
    asked = str([sent.params for sent in stage.browser.sent])
    assert [name in asked for name in ("charlotte.head(", "charlotte.survey(")] == [True, False]
    assert r"TITLE: x STATUS: empty\nVIEWPORT: 0x0\nSTATUS: loading\n" in head
    listed = str(await run_tool(stage, record, observe, mode="all"))
    assert ["Viewport not initialized (0x0)" in shown for shown in (head, listed)] == [True] * 2
