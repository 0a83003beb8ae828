"""The frames of a page are asked together, and none that is slow, gone or broken holds a look."""

import json
from typing import Any

import attrs
import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import FRAMES_WAIT, MOST_ROWS
from tests.actors.stage import Caller, Stage, look
from tests.fake_page import Refused, Sent
from tests.fakes import AS_USUAL
from tests.page.pages import Page


@attrs.define(eq=False)
class Framed:
    """A page with one frame that lives in the page's own process."""

    stage: Stage
    record: TabRecord
    child: Page = attrs.field(factory=lambda: Page("child"))
    world: str = "child world"
    silent: bool = False
    held: list[Sent] = attrs.field(factory=list[Sent])

    def appear(self) -> None:
        """The frame gets a document with the probe in it."""
        about = {"name": "charlotte", "origin": "", "auxData": {"frameId": "frame"}}
        context = {"id": 7, "uniqueId": self.world, **about}
        self.emit("Runtime.executionContextCreated", context=context)

    def vanish(self) -> None:
        """The document goes."""
        about = {"executionContextId": 7, "executionContextUniqueId": self.world}
        self.emit("Runtime.executionContextDestroyed", **about)

    def emit(self, method: str, **params: Any) -> None:
        self.stage.browser.emit_in(self.stage.target(self.record), method, **params)

    def evaluate(self, sent: Sent) -> dict[str, Any] | None:
        """The frame's probe answers; what is asked of the page is answered as usual."""
        if sent.params["expression"].startswith("charlotte.element("):
            return {"result": {"type": "object", "objectId": "iframe"}}
        if "child world" not in str(sent.params.get("uniqueContextId")):
            return AS_USUAL
        if sent.params["uniqueContextId"] != self.world:
            raise Refused("uniqueContextId not found")
        if self.silent:
            self.held.append(sent)
            return None
        return {"result": {"type": "string", "value": self.child.as_text()}}

    def asked(self, function: str) -> list[Sent]:
        return self.stage.browser.received("Runtime.evaluate", having=f"charlotte.{function}(")

    async def labels(self) -> list[str]:
        return [one.label for one in (await look(self.record)).snapshot.view.interactive]


@pytest.fixture
async def framed(stage: Stage, record: TabRecord) -> Framed:
    framed = Framed(stage, record)
    page = stage.target(record).page
    page.button("Before")
    page.add("d", "iframe", "Part", inner=[0, 0, 1280, 720])
    page.button("After")
    framed.child.button("In")
    stage.browser.on["Runtime.evaluate"] = framed.evaluate
    stage.browser.on["DOM.describeNode"] = lambda _: {
        "node": {"backendNodeId": 1, "frameId": "frame"}
    }
    framed.appear()
    await wait_all_tasks_blocked()
    return framed


async def test_a_hung_frame_is_left_out_and_reported(clock: MockClock, framed: Framed) -> None:
    framed.silent = True
    start = clock.current_time()

    assert await framed.labels() == ["Before", "After"]
    assert clock.current_time() - start == pytest.approx(FRAMES_WAIT, abs=0.1)
    assert framed.record.notices == ["The frame 'Part' does not answer; its content is left out."]


async def test_a_late_answer_of_a_frame_is_dropped_and_queried_again(framed: Framed) -> None:
    framed.silent = True
    await framed.labels()
    framed.silent = False
    old = {"type": "string", "value": json.dumps({"not": "a capture"})}
    framed.stage.browser.answer(framed.held[0], result=old)
    await wait_all_tasks_blocked()

    assert await framed.labels() == ["Before", "In", "After"]


async def test_a_frame_that_navigates_during_a_capture_is_read_in_its_next_document(
    framed: Framed, caller: Caller
) -> None:
    await framed.labels()
    framed.world = "child world 2"  # the browser knows, and we do not yet
    framed.child = Page("child 2")
    framed.child.button("Next")
    caller.call("look", framed.record.tab, TabActor.look)
    await wait_all_tasks_blocked(0.01)
    framed.appear()
    await wait_all_tasks_blocked()

    view = caller.answers["look"].snapshot.view
    assert [one.label for one in view.interactive] == ["Before", "Next", "After"]
    assert not framed.record.notices


@pytest.mark.req("S-PERF-04")
async def test_all_nodes_of_a_frame_are_asked_together(framed: Framed) -> None:
    async def ask(tab: TabActor) -> None:
        await tab.frames.ask_nodes("selectors", range(1, 500))

    await look(framed.record)
    await framed.record.tab.ask(ask)
    assert len(framed.asked("selectors")) == 1


async def test_a_frame_whose_probe_fails_is_reported(framed: Framed) -> None:
    def evaluate(sent: Sent) -> dict[str, Any] | None:
        if sent.params.get("uniqueContextId") != framed.world:
            return framed.evaluate(sent)
        details = {"text": "Uncaught bug", "lineNumber": 1, "columnNumber": 1}
        return {"result": {"type": "object"}, "exceptionDetails": details}

    framed.stage.browser.on["Runtime.evaluate"] = evaluate

    assert await framed.labels() == ["Before", "After"]
    assert "'Part' could not be read: Uncaught bug" in framed.record.notices[0]


async def test_counted_elements_are_captured_on_request_in_this_document_only(
    stage: Stage, record: TabRecord
) -> None:
    target = stage.target(record)
    target.page.uncaptured = [[0, "link", "", "", False, 3]]
    await record.tab.ask(TabActor.view_of_all)
    stage.browser.load(target, "http://shop.test/next")
    target.page.document = "doc2"
    await wait_all_tasks_blocked()
    await look(record)
    await look(record)

    asked = stage.browser.received("Runtime.evaluate", having="charlotte.capture")
    expressions = [sent.params["expression"] for sent in asked]
    most = [int(text.partition('"most": ')[2].rstrip("})")) for text in expressions]
    assert most == [MOST_ROWS, 10**9, 10**9, MOST_ROWS]
