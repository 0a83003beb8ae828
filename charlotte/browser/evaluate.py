"""Evaluation of the agent's JavaScript, with the semantics of a console."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from importlib.resources import files
from typing import Any

import attrs
import trio

from charlotte.errors import (
    DeadlineExceeded,
    EvaluationFailed,
    Fatal,
    InvalidArgument,
    NotCompiled,
)
from charlotte.protocol.connection import Session
from charlotte.protocol.errors import ContextGone, NodeGone, ProtocolError
from charlotte.protocol.runtime import (
    AwaitPromise,
    CallFunctionOn,
    Evaluate,
    ExceptionDetails,
    ReleaseObjectGroup,
    RemoteObject,
)

_TERMINATED = ("execution was terminated", "internal error")
"""Chromium's messages for a script ended by its timeout, the second for top-level code."""

_DECLARED = "has already been declared"
_REDECLARED_ADVICE = (
    "The page or an earlier call has declared the name, for example by const or let. "
    "Use another name, or put the program in braces, { … }, which makes its names local."
)

_OBJECT_GROUP = "charlotte-asked"
_RELEASE_WAIT = 1.0
_FALSY = {"NaN", "-0", "0n"}


@attrs.frozen
class Value:
    """The result of an expression (C-EVAL-01): a JSON value and its type."""

    value: Any
    type: str

    def as_json(self) -> dict[str, Any]:
        """Return ``{value, type}``."""
        return {"value": self.value, "type": self.type}


async def evaluate(
    session: Session,
    expression: str,
    *,
    timeout_ms: int,
    await_promise: bool,
    context: str | None = None,
) -> Value:
    """Evaluate a program in the page's main world, or that of a frame.

    Raises `EvaluationFailed` if it throws or does not compile, `DeadlineExceeded` if it does not
    end.
    """
    program = partial(
        Evaluate,
        repl_mode=True,
        user_gesture=True,
        timeout=timeout_ms,
        object_group=_OBJECT_GROUP,
        unique_context_id=context,
    )
    async with _releasing_objects(session):
        result = await _as_console(session, expression, program)
        if await_promise and result.subtype == "promise":
            result = await _awaited(session, result)
        return await _by_value(session, result)


async def is_true(session: Session, expression: str, *, timeout_ms: int) -> bool:
    """Return whether a program, or its promise, has a true value, without user activation.

    Raises `EvaluationFailed` if it throws, `NotCompiled` if it has a syntax error,
    `InvalidArgument` if its value is a function.
    """
    result = await _completed(
        session,
        Evaluate(
            expression=expression, repl_mode=True, timeout=timeout_ms, object_group=_OBJECT_GROUP
        ),
    )
    if result.object_id is None:
        return _counts_as_true(result)
    async with _releasing_objects(session):
        return _counts_as_true(
            await _awaited(session, result) if result.subtype == "promise" else result
        )


@asynccontextmanager
async def _releasing_objects(session: Session) -> AsyncGenerator[None]:
    """Release the remote objects of the block at its end, also if it is cancelled."""
    try:
        yield
    finally:
        with trio.move_on_after(_RELEASE_WAIT, shield=True):
            await session.begin(ReleaseObjectGroup(object_group=_OBJECT_GROUP))


def _counts_as_true(result: RemoteObject) -> bool:
    if result.type == "function":
        raise InvalidArgument(
            "js must be an expression with a value, got a function.",
            "Pass the expression itself, or call the function: (() => …)().",
        )
    if result.unserializable_value is not None:
        return result.unserializable_value not in _FALSY
    return result.object_id is not None or bool(result.value)


async def _as_console(
    session: Session, expression: str, program: Callable[..., Evaluate]
) -> RemoteObject:
    """Read a program in braces as an object if possible, else as a block."""
    if expression.lstrip().startswith("{") and expression.rstrip().endswith("}"):
        with suppress(NotCompiled):
            return await _completed(session, program(expression=f"({expression}\n)"))
    return await _completed(session, program(expression=expression))


async def _completed(session: Session, program: Evaluate) -> RemoteObject:
    try:
        evaluated = await session.call(program)
    except Fatal:
        raise
    except ProtocolError as error:
        if error.refusal.lower().startswith(_TERMINATED):
            raise timed_out(program.timeout or 0) from error
        raise EvaluationFailed(f"The expression could not be evaluated: {error.refusal}") from error
    if thrown := evaluated.exception_details:
        kind = NotCompiled if _is_syntax_error(thrown) else EvaluationFailed
        text = _format_thrown(thrown)
        raise kind(
            text, _REDECLARED_ADVICE if _DECLARED in text else "Fix the expression and retry."
        )
    return evaluated.result


def _is_syntax_error(thrown: ExceptionDetails) -> bool:
    """Return whether the program did not compile: nothing ran, so there is no stack."""
    exception = thrown.exception
    described = (exception and exception.description) or ""
    return described.startswith("SyntaxError") and "\n" not in described


async def _awaited(session: Session, promise: RemoteObject) -> RemoteObject:
    """Wait for a promise; a program in REPL mode does not wait for it."""
    settled = await session.call(AwaitPromise(promise_object_id=promise.object_id or ""))
    if thrown := settled.exception_details:
        raise EvaluationFailed(_format_thrown(thrown), "Fix the expression and retry.")
    return settled.result


def timed_out(timeout_ms: float) -> DeadlineExceeded:
    """Build the error for an expression that did not end."""
    return DeadlineExceeded(
        f"The expression was stopped after {timeout_ms:.0f} ms; the tab is usable.",
        "Shorten the work of the expression, or pass a larger timeout.",
    )


def _format_thrown(thrown: ExceptionDetails) -> str:
    """Format a thrown value with its stack, or with its position if nothing ran."""
    exception = thrown.exception
    text = exception.description or _literal(exception) if exception else thrown.text
    if not _is_syntax_error(thrown):
        return text
    return f"{text} (line {thrown.line_number + 1}, column {thrown.column_number + 1})"


def _literal(value: RemoteObject) -> str:
    """Format a thrown primitive as a console does."""
    if value.type == "undefined" or isinstance(value.value, str):
        return value.value or value.type
    return json.dumps(value.value)


async def _by_value(session: Session, result: RemoteObject) -> Value:
    kind = result.subtype if result.subtype == "null" else result.type
    if result.unserializable_value is not None:
        # JSON can hold -0, but neither NaN, Infinity nor BigInt
        text = result.unserializable_value
        return Value(-0.0 if text == "-0" else text, kind)
    if result.object_id is None:
        return Value(result.value, kind)
    if result.type == "function" or result.subtype in {"node", "promise"}:
        return Value(result.description, result.subtype or result.type)
    return Value(await _copied(session, result), result.subtype or kind)


@cache
def _plain() -> str:
    return files(__package__ or "").joinpath("plain.js").read_text(encoding="utf-8")


async def _copied(session: Session, result: RemoteObject) -> Any:
    """Return an object as JSON (plain.js), or its description if the page prevents that."""
    try:
        copy = await session.call(
            CallFunctionOn(
                function_declaration=_plain(),
                object_id=result.object_id or "",
                return_by_value=True,
            )
        )
    except Fatal:
        raise
    except (ContextGone, NodeGone) as error:
        raise EvaluationFailed(
            "The page navigated before the value of the expression could be read.",
            "Observe the page, then decide whether to evaluate the expression again.",
        ) from error
    except ProtocolError:
        return result.description
    return copy.result.value if copy.exception_details is None else result.description
