"""Calls of the probe while documents are replaced."""

import json
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.isolated_world import ProbeFailed
from tests.browser.stage import Stage, open_stage
from tests.fake_page import Refused, Sent
from tests.fakes import FakeBrowser


def gone(_: object) -> dict[str, Any]:
    raise Refused("uniqueContextId not found")


def ends(stage: Stage, context: str) -> None:
    stage.emit(
        "Runtime.executionContextDestroyed", executionContextId=1, executionContextUniqueId=context
    )


def begins(stage: Stage, context: str, *, name: str = "charlotte", frame: str = "") -> None:
    about = {"frameId": frame or stage.shown.id}
    stage.emit(
        "Runtime.executionContextCreated",
        context={"id": 1, "uniqueId": context, "name": name, "origin": "", "auxData": about},
    )


def asked(browser: FakeBrowser) -> list[str]:
    """The contexts in which the probe was asked."""
    return [one.params["uniqueContextId"] for one in browser.received("Runtime.evaluate")]


async def test_the_probe_is_called_in_its_world_with_json_arguments() -> None:
    async with open_stage() as stage:
        stage.probe_answers({"x": 1})
        answer = await stage.frames.ask("target", 7, {"need": "enabled"}, 'a "quote" \u2028')
        assert json.loads(answer) == {"x": 1}
        (sent,) = stage.browser.received("Runtime.evaluate")
    assert sent.params["uniqueContextId"] == stage.shown.world
    assert sent.params["expression"] == (
        'charlotte.target(7, {"need": "enabled"}, "a \\"quote\\" \\u2028")'
    )
    assert sent.params["returnByValue"]
    assert sent.params["awaitPromise"]


async def test_the_accessibility_engine_is_woken_once_per_document() -> None:
    async with open_stage() as stage:
        for _ in range(2):
            await stage.frames.ask("capture")
        assert len(stage.browser.received("Accessibility.getRootAXNode")) == 1
        stage.browser.load(stage.shown, "http://a.test/2")
        await wait_all_tasks_blocked()
        await stage.frames.ask("capture")
        assert len(stage.browser.received("Accessibility.getRootAXNode")) == 2


@pytest.mark.parametrize("event", ["destroyed", "cleared"])
async def test_a_question_waits_for_a_document_that_is_being_replaced(event: str) -> None:
    async with open_stage() as stage:
        if event == "destroyed":
            ends(stage, stage.shown.world)
        else:
            stage.emit("Runtime.executionContextsCleared")
        await wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stage.frames.ask, "capture")
            await wait_all_tasks_blocked()
            assert asked(stage.browser) == []
            begins(stage, "next")
    assert asked(stage.browser) == ["next"]


async def test_a_query_is_repeated_in_the_next_document() -> None:
    async with open_stage() as stage:
        first = stage.shown.world

        def replaced(_: object) -> dict[str, Any]:
            stage.probe_answers("seen")
            return gone(_)

        stage.browser.on["Runtime.evaluate"] = replaced
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stage.frames.ask, "capture")
            await wait_all_tasks_blocked()
            assert asked(stage.browser) == [first]
            begins(stage, "next")
    assert asked(stage.browser) == [first, "next"]


async def test_a_query_fails_if_documents_are_replaced_continuously() -> None:
    async with open_stage() as stage:
        documents = iter(range(100))

        def replaced(_: object) -> dict[str, Any]:
            begins(stage, f"document {next(documents)}")
            return gone(_)

        stage.browser.on["Runtime.evaluate"] = replaced
        with pytest.raises(DeadlineExceeded, match="navigates continuously"):
            await stage.frames.ask("capture")
    assert len(asked(stage.browser)) == 4


@pytest.mark.parametrize(
    ("exception", "message"),
    [
        ({"type": "object", "description": "TypeError: x\n  at y"}, "TypeError: x\n  at y"),
        ({"type": "string", "value": "thrown"}, "Uncaught"),
        (None, "Uncaught"),
    ],
)
async def test_an_exception_in_the_probe_is_an_internal_error(exception: Any, message: str) -> None:
    details = {"text": "Uncaught", "lineNumber": 0, "columnNumber": 0, "exceptionId": 1}
    if exception:
        details["exception"] = exception

    def throw(_: Sent) -> dict[str, Any]:
        return {"result": {"type": "object"}, "exceptionDetails": details}

    async with open_stage() as stage:
        stage.browser.on["Runtime.evaluate"] = throw
        with pytest.raises(ProbeFailed) as raised:
            await stage.frames.ask("capture")
    assert str(raised.value) == message
