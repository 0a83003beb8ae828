"""Evaluation of the agent's JavaScript, with the semantics of a console."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from typing import Any

import attrs
import trio

from charlotte.base.errors import DeadlineExceeded, EvaluationFailed, InvalidArgument, NotCompiled
from charlotte.protocol import runtime
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import ContextGone, NodeGone, Refused

_TERMINATED = ("execution was terminated", "internal error")
"""Chromium's messages for a script ended by its timeout, the second for top-level code."""

_DECLARED = "has already been declared"
_REDECLARED_ADVICE = (
    "The page or an earlier call has declared the name, for example by const or let. "
    "Use another name, or put the program in braces, { … }, which makes its names local."
)

_ADVICE = "Fix the expression and retry."
_OBJECT_GROUP = "charlotte-asked"
_FALSY = {"NaN", "-0", "0n"}
_PLAIN = files(__package__ or "").joinpath("plain.js").read_text(encoding="utf-8")
_ITSELF = "function () { return this; }"  # for pages that have replaced what _PLAIN needs


@attrs.frozen
class ScriptValue:
    """The result of an expression (C-EVAL-01): a JSON value and its type."""

    value: Any
    type: str

    def as_json(self) -> dict[str, Any]:
        """Return ``{value, type}``."""
        return {"value": self.value, "type": self.type}


async def evaluate_script(
    session: CdpSession,
    expression: str,
    *,
    timeout_ms: int,
    await_promise: bool,
    context: str | None = None,
) -> ScriptValue:
    """Evaluate a program in the page's main world, or that of a frame.

    A program in braces is read as an object if possible, as in a console. Raises
    `EvaluationFailed` if the program throws or does not compile, `DeadlineExceeded` if it does not
    end.
    """
    program = partial(
        runtime.Evaluate,
        repl_mode=True,
        user_gesture=True,
        timeout=timeout_ms,
        object_group=_OBJECT_GROUP,
        unique_context_id=context,
    )
    async with _releasing_objects(session):
        result = None
        if expression.lstrip().startswith("{") and expression.rstrip().endswith("}"):
            with suppress(NotCompiled):  # then it is no object, but a block
                result = await _completed(session, program(expression=f"({expression}\n)"))
        if result is None:
            result = await _completed(session, program(expression=expression))
        if await_promise:
            result = await _awaited(session, result)
        return await _by_value(session, result)


async def is_true(session: CdpSession, expression: str, *, timeout_ms: int) -> bool:
    """Return whether a program, or its promise, has a true value, without user activation.

    Raises `EvaluationFailed` if it throws, `NotCompiled` if it has a syntax error,
    `InvalidArgument` if its value is a function.
    """
    program = runtime.Evaluate(
        expression=expression, repl_mode=True, timeout=timeout_ms, object_group=_OBJECT_GROUP
    )
    result = await _completed(session, program)
    if result.object_id is not None:
        async with _releasing_objects(session):
            result = await _awaited(session, result)
    if result.type == "function":
        raise InvalidArgument(
            "js must be an expression with a value, got a function.",
            "Pass the expression itself, or call the function: (() => …)().",
        )
    if result.unserializable_value is not None:
        return result.unserializable_value not in _FALSY
    return result.object_id is not None or bool(result.value)


@asynccontextmanager
async def _releasing_objects(session: CdpSession) -> AsyncGenerator[None]:
    """Release the remote objects of the block at its end, also if it is cancelled."""
    try:
        yield
    finally:
        with trio.move_on_after(1.0, shield=True):
            await session.begin(runtime.ReleaseObjectGroup(object_group=_OBJECT_GROUP))


async def _completed(session: CdpSession, program: runtime.Evaluate) -> runtime.RemoteObject:
    try:
        evaluated = await session.call(program)
    except Refused as error:
        if error.refusal.lower().startswith(_TERMINATED):
            raise timed_out(program.timeout or 0) from error
        raise EvaluationFailed(f"The expression could not be evaluated: {error.refusal}") from error
    if thrown := evaluated.exception_details:
        text, is_compiled = _format_thrown(thrown)
        kind = EvaluationFailed if is_compiled else NotCompiled
        raise kind(text, _REDECLARED_ADVICE if _DECLARED in text else _ADVICE)
    return evaluated.result


async def _awaited(session: CdpSession, result: runtime.RemoteObject) -> runtime.RemoteObject:
    """Wait for a promise; a program in REPL mode does not wait for it."""
    if result.subtype != "promise":
        return result
    settled = await session.call(runtime.AwaitPromise(promise_object_id=result.object_id or ""))
    if thrown := settled.exception_details:
        raise EvaluationFailed(_format_thrown(thrown)[0], _ADVICE)
    return settled.result


def timed_out(timeout_ms: float) -> DeadlineExceeded:
    """Build the error for an expression that did not end."""
    return DeadlineExceeded(
        f"The expression was stopped after {timeout_ms:.0f} ms; the tab is usable.",
        "Shorten the work of the expression, or pass a larger timeout.",
    )


def _format_thrown(thrown: runtime.ExceptionDetails) -> tuple[str, bool]:
    """Format a thrown value as a console does; return the text and whether the program compiled.

    If it did not compile, there is no stack, and the text contains the position.
    """
    exception = thrown.exception
    if exception is None:
        return thrown.text, True
    text = exception.description or ""
    if text.startswith("SyntaxError") and "\n" not in text:
        position = f"line {thrown.line_number + 1}, column {thrown.column_number + 1}"
        return f"{text} ({position})", False
    if text:
        return text, True
    if exception.type == "undefined" or isinstance(exception.value, str):
        return exception.value or exception.type, True
    return json.dumps(exception.value), True


async def _by_value(session: CdpSession, result: runtime.RemoteObject) -> ScriptValue:
    """Return an object as JSON (plain.js), or its description if the page prevents that."""
    kind = result.subtype if result.subtype == "null" else result.type
    if result.unserializable_value is not None:
        # JSON can hold -0, but neither NaN, Infinity nor BigInt
        text = result.unserializable_value
        return ScriptValue(-0.0 if text == "-0" else text, kind)
    if result.object_id is None:
        return ScriptValue(result.value, kind)
    described = ScriptValue(result.description, result.subtype or kind)
    if result.type == "function" or result.subtype in {"node", "promise"}:
        return described
    copying = partial(runtime.CallFunctionOn, object_id=result.object_id, return_by_value=True)
    try:
        for function in (_PLAIN, _ITSELF):
            copy = await session.call(copying(function_declaration=function))
            if copy.exception_details is None:
                return ScriptValue(copy.result.value, described.type)
    except (ContextGone, NodeGone) as error:
        raise EvaluationFailed(
            "The page navigated before the value of the expression could be read.",
            "Observe the page, then decide whether to evaluate the expression again.",
        ) from error
    except Refused:
        pass
    return described
