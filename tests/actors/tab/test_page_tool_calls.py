"""Calls of a page's tools: each ends, whatever the page does meanwhile."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import (
    CharlotteError,
    DeadlineExceeded,
    PageToolFailed,
    PageToolNotFound,
    PageToolNotShown,
)
from charlotte.tools.page_tools import page_tool_call
from tests.actors.stage import URL, Stage, opens_dialog, run_tool
from tests.fake_page import Refused, Sent

FRAME = "frame-id"


@attrs.frozen(eq=False)
class Offering:
    """A tab whose page offers tools that the agent was shown."""

    stage: Stage
    record: TabRecord
    session: str

    def emit(self, event: str, **params: Any) -> None:
        self.stage.browser.emit(f"WebMCP.{event}", self.session, **params)

    def tool(self, name: str = "pay", **more: Any) -> dict[str, Any]:
        about = {"name": name, "description": "Pays", "frameId": self.record.target_id}
        return {**about, **more}

    async def add(self, name: str = "pay", **more: Any) -> None:
        self.emit("toolsAdded", tools=[self.tool(name, **more)])
        await wait_all_tasks_blocked()

    async def show(self, name: str = "pay", **more: Any) -> None:
        await self.add(name, **more)
        self.record.page_tools.note_shown(self.record.page_tools.by_name.values())

    def starts(self, then: Callable[[], object] = lambda: None) -> None:
        """Have the page start its tool when it is called; ``then`` is what follows."""

        def start(sent: Sent) -> dict[str, Any]:
            self.stage.browser.answer(sent, invocationId="call-1")
            self.invoked(sent)
            then()
            return None  # type: ignore[return-value]

        self.stage.browser.on["WebMCP.invokeTool"] = start

    def invoked(self, sent: Sent) -> None:
        name, frame = sent.params["toolName"], sent.params["frameId"]
        self.emit("toolInvoked", toolName=name, frameId=frame, invocationId="call-1", input="{}")

    def responds(self, status: str = "Completed", **more: Any) -> None:
        self.emit("toolResponded", invocationId="call-1", status=status, **more)

    def responds_when_canceled(self, status: str = "Completed", **more: Any) -> None:
        def cancel(_: object) -> dict[str, Any]:
            self.responds(status, **more)
            return {}

        self.stage.browser.on["WebMCP.cancelInvocation"] = cancel

    def navigates(self) -> None:
        self.stage.browser.load(self.stage.target(self.record), "http://b.test/")

    async def call(self, **more: Any) -> dict[str, Any]:
        answer = await run_tool(self.stage, self.record, page_tool_call, name="pay", **more)
        about: dict[str, Any] = answer.value.extras["page_tool"]
        return about

    async def error(self, kind: type[CharlotteError], **more: Any) -> str:
        with pytest.raises(kind) as raised:
            await self.call(**more)
        return raised.value.message

    @property
    def invocations(self) -> int:
        return len(self.stage.browser.received("WebMCP.invokeTool"))

    @property
    def cancelled(self) -> list[str]:
        sent = self.stage.browser.received("WebMCP.cancelInvocation")
        return [one.params["invocationId"] for one in sent]


@pytest.fixture
async def offering(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Offering:
    async def run_here(function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    # a thread takes real time, in which the clock would jump by hours
    monkeypatch.setattr("charlotte.tools.page_tools.trio.to_thread.run_sync", run_here)
    stage.record.settings.page_tools = True
    record = await stage.open_tab(URL)
    offering = Offering(stage, record, stage.main_session(record))
    await offering.show()
    return offering


@pytest.mark.parametrize("on", [True, False])
async def test_webmcp_is_enabled_once_or_never(stage: Stage, *, on: bool) -> None:
    stage.record.settings.page_tools = on
    record = await stage.open_tab(URL)
    sessions = [sent.session for sent in stage.browser.received("WebMCP.enable")]
    assert sessions == ([stage.main_session(record)] if on else [])


async def test_a_browser_without_the_domain_is_used_all_the_same(stage: Stage) -> None:
    def refuse(_: Sent) -> dict[str, Any]:
        raise Refused("'WebMCP.enable' wasn't found", -32601)

    stage.record.settings.page_tools = True
    stage.prepare = lambda browser: browser.on.update({"WebMCP.enable": refuse})
    record = await stage.open_tab(URL)
    assert record.url == URL


async def test_events_that_precede_the_id_of_the_call_belong_to_it(offering: Offering) -> None:
    def start(sent: Sent) -> dict[str, Any]:
        offering.invoked(sent)
        offering.responds(output=1)
        return {"invocationId": "call-1"}

    offering.stage.browser.on["WebMCP.invokeTool"] = start
    assert (await offering.call())["result"] == 1


async def test_answers_to_calls_of_other_clients_are_ignored(offering: Offering) -> None:
    offering.starts()
    offering.emit("toolResponded", invocationId="another", status="Completed", output="theirs")
    assert "canceled" in await offering.error(DeadlineExceeded, timeout=100)


async def test_a_tool_without_an_answer_is_canceled_at_the_timeout(offering: Offering) -> None:
    offering.starts()
    begun = trio.current_time()
    offering.responds_when_canceled("Canceled")
    message = await offering.error(DeadlineExceeded, timeout=4_000)
    assert "has not answered within 4000 ms and was canceled" in message
    assert "may have had an effect" in message
    assert trio.current_time() - begun < 6
    assert offering.cancelled == ["call-1"]
    assert offering.invocations == 1


async def test_an_answer_that_arrives_while_the_call_is_canceled_counts(offering: Offering) -> None:
    offering.starts()
    offering.responds_when_canceled(output="late")
    assert (await offering.call(timeout=100))["result"] == "late"


async def test_a_navigation_without_an_answer_ends_the_call(offering: Offering) -> None:
    offering.starts(offering.navigates)
    message = await offering.error(PageToolFailed)
    assert "was replaced before it answered" in message
    assert not offering.cancelled


async def test_a_tool_that_navigates_answers_with_the_next_document(offering: Offering) -> None:
    def lead_away() -> None:
        offering.navigates()
        offering.responds(output=[])

    offering.starts(lead_away)
    about = await offering.call()
    assert (about["result"], about["leads_away"]) == ([], True)


async def test_the_first_of_two_answers_is_the_result(offering: Offering) -> None:
    def answer_and_lead_away() -> None:
        offering.responds(output="mine")
        offering.navigates()
        offering.responds(output=[{"@type": "Thing"}])

    offering.starts(answer_and_lead_away)
    about = await offering.call()
    assert about["result"] == "mine"
    assert "leads_away" not in about


async def test_a_tool_replaced_on_the_way_of_a_call_is_canceled_at_once(offering: Offering) -> None:
    def start(sent: Sent) -> dict[str, Any]:
        removed = [{"name": "pay", "frameId": offering.record.target_id}]
        offering.emit("toolsRemoved", tools=removed)
        offering.emit("toolsAdded", tools=[offering.tool(description="Pays twice")])
        offering.invoked(sent)
        return {"invocationId": "call-1"}

    offering.stage.browser.on["WebMCP.invokeTool"] = start
    message = await offering.error(PageToolNotShown)
    assert "while the call was on its way" in message
    assert "may have had an effect" in message
    assert offering.cancelled == ["call-1"]


@pytest.mark.parametrize(
    "more",
    [
        {"description": "Pays twice"},
        {"inputSchema": {"type": "object"}},
        {"annotations": {"readOnly": True}},
    ],
    ids=["description", "schema", "claims"],
)
async def test_a_replaced_tool_is_not_called(offering: Offering, more: dict[str, Any]) -> None:
    await offering.add(**more)
    assert "has replaced its tool" in await offering.error(PageToolNotShown)
    assert offering.invocations == 0


def stack(*urls: str) -> dict[str, Any]:
    """Return the stack of a registration by scripts, the innermost first."""
    place = {"lineNumber": 1, "columnNumber": 1, "functionName": ""}
    return {"stackTrace": {"callFrames": [{"url": url, **place} for url in urls]}}


async def test_another_script_cannot_replace_a_tool_it_once_called(offering: Offering) -> None:
    library, other = "http://c.test/x.js", "http://c.test/y.js"
    await offering.add(**stack(library))
    assert "has replaced its tool" in await offering.error(PageToolNotShown)
    await offering.show(**stack(URL, library, other))
    await offering.add(**stack(library, URL, other))
    assert "has replaced its tool" in await offering.error(PageToolNotShown)
    await offering.add(**stack(URL, other, library))
    offering.starts(lambda: offering.responds(output=1))
    assert (await offering.call())["result"] == 1


async def test_a_tool_that_is_replaced_back_is_the_shown_one_again(offering: Offering) -> None:
    await offering.add(description="Pays twice")
    await offering.add()
    offering.starts(lambda: offering.responds(output=1))
    assert (await offering.call())["result"] == 1


async def test_a_refusal_by_the_browser_means_that_the_tool_is_gone(offering: Offering) -> None:
    def refuse(_: Sent) -> dict[str, Any]:
        raise Refused("Tool not found", -32602)

    offering.stage.browser.on["WebMCP.invokeTool"] = refuse
    assert "no longer offers its tool" in await offering.error(PageToolNotFound)


async def test_a_dialog_leaves_the_call_pending(offering: Offering) -> None:
    offering.starts(lambda: opens_dialog(offering.stage, offering.record))
    with pytest.raises(CharlotteError, match="A dialog"):
        await offering.call()
    assert not offering.cancelled


async def test_a_caller_that_leaves_cancels_the_call(offering: Offering) -> None:
    offering.starts()
    with trio.move_on_after(1):
        await offering.call(timeout=60_000)
    await wait_all_tasks_blocked()
    assert offering.cancelled == ["call-1"]


async def test_forms_and_huge_schemas_are_no_tools_but_replace_tools(offering: Offering) -> None:
    huge = {"inputSchema": {"description": "x" * 40_000}}
    cases: list[dict[str, Any]] = [{"backendNodeId": 3}, huge]
    for more in cases:
        await offering.show()
        await offering.add(**more)
        assert not offering.record.page_tools
        await offering.error(PageToolNotFound)


async def test_frames_offer_no_tools_and_replace_none_of_the_page(offering: Offering) -> None:
    await offering.add("inner", frameId=FRAME)
    await offering.add(frameId=FRAME, description="Pays twice")
    offering.emit("toolsRemoved", tools=[{"name": "pay", "frameId": FRAME}])
    await wait_all_tasks_blocked()
    assert [*offering.record.page_tools.by_name] == ["pay"]
    offering.starts(lambda: offering.responds(output=1))
    assert (await offering.call())["result"] == 1


async def test_new_and_restored_documents_have_the_tools_they_report(offering: Offering) -> None:
    frame = {**offering.stage.target(offering.record).frame, "loaderId": "restored"}
    offering.stage.browser.emit(
        "Page.frameNavigated", offering.session, frame=frame, type="BackForwardCacheRestore"
    )
    await wait_all_tasks_blocked()
    assert not offering.record.page_tools
    await offering.add()
    assert [*offering.record.page_tools.by_name] == ["pay"]


async def test_a_navigation_inside_the_document_changes_nothing(offering: Offering) -> None:
    offering.stage.browser.emit(
        "Page.navigatedWithinDocument",
        offering.session,
        frameId=offering.record.target_id,
        url=f"{URL}#x",
    )
    await wait_all_tasks_blocked()
    assert [*offering.record.page_tools.by_name] == ["pay"]


async def test_a_crash_drops_the_tools(offering: Offering) -> None:
    offering.stage.browser.crash(offering.stage.target(offering.record))
    await wait_all_tasks_blocked()
    assert not offering.record.page_tools


async def test_a_flood_of_registrations_pauses_the_reports(offering: Offering) -> None:
    for _ in range(600):
        offering.emit("toolsAdded", tools=[offering.tool()])
    await offering.stage.browser.until_sent("WebMCP.disable")
    await wait_all_tasks_blocked()
    assert not offering.record.page_tools
    await offering.stage.browser.until_sent("WebMCP.enable", 2)
