"""Running an agent's own JavaScript, with the semantics of a console."""

import json
from typing import Any

import attrs

from charlotte.errors import DeadlineExceeded, EvaluationFailed, Fatal
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import (
    AwaitPromise,
    CallFunctionOn,
    Evaluate,
    ExceptionDetails,
    RemoteObject,
)
from charlotte.protocol.session import Session

_TERMINATED = ("execution was terminated", "internal error")
"""What Chromium calls its end of a script at its timeout, the latter for top-level code."""


@attrs.frozen
class Value:
    """What an expression came to (C-EVAL-01): a JSON value, and its type."""

    value: Any
    type: str

    def as_json(self) -> dict[str, Any]:
        """``{value, type}``."""
        return {"value": self.value, "type": self.type}


async def evaluate(
    session: Session, expression: str, *, timeout_ms: int, await_promise: bool
) -> Value:
    """The completion value of a program in the page's own world.

    Raises `EvaluationFailed` when it throws or does not compile, `DeadlineExceeded` when it loops.
    """
    try:
        evaluated = await session.call(
            Evaluate(
                expression=expression,
                repl_mode=True,
                user_gesture=True,
                timeout=timeout_ms,
            )
        )
    except Fatal:
        raise
    except ProtocolError as error:
        if error.refusal.lower().startswith(_TERMINATED):
            raise timed_out(timeout_ms) from error
        raise EvaluationFailed(f"The expression could not be evaluated: {error.refusal}") from error
    if thrown := evaluated.exception_details:
        raise EvaluationFailed(_told(thrown), "Mend the expression and try again.")
    result = evaluated.result
    if await_promise and result.subtype == "promise":
        return await _awaited(session, result)
    return await _by_value(session, result)


async def _awaited(session: Session, promise: RemoteObject) -> Value:
    """What a promise comes to; a program in REPL mode does not wait for its own."""
    settled = await session.call(AwaitPromise(promise_object_id=promise.object_id or ""))
    if thrown := settled.exception_details:
        raise EvaluationFailed(_told(thrown), "Mend the expression and try again.")
    return await _by_value(session, settled.result)


def timed_out(timeout_ms: int) -> DeadlineExceeded:
    """The error for an expression that did not come to an end."""
    return DeadlineExceeded(
        f"The expression did not end within {timeout_ms} ms and was stopped; the tab lives.",
        "Let it do less, or pass a larger timeout.",
    )


def _told(thrown: ExceptionDetails) -> str:
    exception = thrown.exception
    told = exception.description or _literal(exception) if exception else thrown.text
    return f"{told} (line {thrown.line_number + 1}, column {thrown.column_number + 1})"


def _literal(value: RemoteObject) -> str:
    """A primitive that was thrown, as a console prints it."""
    if value.type == "undefined" or isinstance(value.value, str):
        return value.value or value.type
    return json.dumps(value.value)


async def _by_value(session: Session, result: RemoteObject) -> Value:
    kind = result.subtype if result.subtype == "null" else result.type
    if result.unserializable_value is not None:
        return Value(result.unserializable_value, kind)
    if result.object_id is None:
        return Value(result.value, kind)
    if result.type == "function" or result.subtype in {"node", "promise"}:
        return Value(result.description, result.subtype or result.type)
    return Value(await _copied(session, result), result.subtype or kind)


async def _copied(session: Session, result: RemoteObject) -> Any:
    """The object as JSON, or its description when it cannot be copied (cyclic, or the window)."""
    try:
        copy = await session.call(
            CallFunctionOn(
                function_declaration="function () { return this }",
                object_id=result.object_id or "",
                return_by_value=True,
            )
        )
    except ProtocolError:
        return result.description
    return copy.result.value if copy.exception_details is None else result.description
