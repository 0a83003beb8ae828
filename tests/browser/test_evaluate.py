"""Evaluation of an agent's JavaScript: JSON values and errors."""

from typing import Any

import pytest

from charlotte.base.errors import DeadlineExceeded, EvaluationFailed
from charlotte.browser.evaluate import ScriptValue, evaluate_script
from charlotte.protocol.errors import SessionGone
from tests.browser.stage import Stage, open_stage
from tests.fake_page import Refused


async def run(stage: Stage, *, await_promise: bool = True) -> ScriptValue:
    return await evaluate_script(stage.session, "x", timeout_ms=5000, await_promise=await_promise)


def comes_to(stage: Stage, method: str = "Runtime.evaluate", **result: Any) -> None:
    stage.browser.on[method] = lambda _: {"result": result}


def throws(stage: Stage, method: str = "Runtime.evaluate", **exception: Any) -> None:
    details: dict[str, Any] = {
        "exceptionId": 1,
        "text": "Uncaught",
        "lineNumber": 2,
        "columnNumber": 4,
    }
    if exception:
        details["exception"] = exception
    stage.browser.on[method] = lambda _: {"result": {"type": "object"}, "exceptionDetails": details}


async def test_a_program_runs_with_console_semantics() -> None:
    async with open_stage() as stage:
        comes_to(stage, type="number", value=2, description="2")
        assert await run(stage) == ScriptValue(2, "number")
        (sent,) = stage.browser.received("Runtime.evaluate")
    assert sent.params["replMode"]
    assert sent.params["userGesture"]
    assert sent.params["timeout"] == 5000
    assert "uniqueContextId" not in sent.params


@pytest.mark.parametrize("way", ["refused", "thrown"])
async def test_an_object_that_cannot_be_copied_is_described(way: str) -> None:
    """As one with a cycle, or the window."""

    def refuse(_: object) -> None:
        raise Refused("Object reference chain is too long")

    async with open_stage() as stage:
        comes_to(stage, type="object", description="Window", objectId="1")
        if way == "refused":
            stage.browser.on["Runtime.callFunctionOn"] = refuse
        else:
            throws(stage, "Runtime.callFunctionOn")
        assert await run(stage) == ScriptValue("Window", "object")


@pytest.mark.parametrize("method", ["Runtime.evaluate", "Runtime.awaitPromise"])
@pytest.mark.parametrize(
    ("thrown", "expected"),
    [
        ({"type": "object", "description": "Error: no\n  at f"}, "Error: no\n  at f"),
        (
            {"type": "object", "description": "SyntaxError: no\n  at eval"},
            "SyntaxError: no\n  at eval",
        ),
        (
            {"type": "object", "description": "SyntaxError: no"},
            "SyntaxError: no (line 3, column 5)",
        ),
        ({"type": "string", "value": "oops"}, "oops"),
        ({"type": "number", "value": 7, "description": "7"}, "7"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "undefined"}, "undefined"),
        ({}, "Uncaught"),
    ],
)
async def test_a_thrown_value_is_reported_with_its_stack_or_position(
    method: str, thrown: dict[str, Any], expected: str
) -> None:
    async with open_stage() as stage:
        comes_to(stage, type="object", subtype="promise", description="Promise", objectId="1")
        throws(stage, method, **thrown)
        with pytest.raises(EvaluationFailed) as raised:
            await run(stage)
    assert raised.value.message == expected


@pytest.mark.parametrize("message", ["Execution was terminated", "Internal error"])
async def test_a_terminated_loop_is_a_timeout(message: str) -> None:
    def refuse(_: object) -> None:
        raise Refused(message)

    async with open_stage() as stage:
        stage.browser.on["Runtime.evaluate"] = refuse
        with pytest.raises(DeadlineExceeded, match="stopped after 5000 ms"):
            await run(stage)


async def test_a_refusal_of_the_browser_is_an_evaluation_error() -> None:
    def refuse(_: object) -> None:
        raise Refused("Promise was collected")

    async with open_stage() as stage:
        stage.browser.on["Runtime.evaluate"] = refuse
        with pytest.raises(EvaluationFailed, match="Promise was collected"):
            await run(stage)


async def test_a_tab_closed_during_the_call_is_not_an_evaluation_error() -> None:
    async with open_stage() as stage:
        stage.browser.close(stage.shown)
        with pytest.raises(SessionGone):
            await run(stage)
