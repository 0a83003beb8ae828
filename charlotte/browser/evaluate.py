"""Running an agent's own JavaScript, with the semantics of a console."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import cache
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
from charlotte.protocol.errors import ContextGone, NodeGone, ProtocolError
from charlotte.protocol.runtime import (
    AwaitPromise,
    CallFunctionOn,
    Evaluate,
    ExceptionDetails,
    ReleaseObjectGroup,
    RemoteObject,
)
from charlotte.protocol.session import Session

_TERMINATED = ("execution was terminated", "internal error")
"""What Chromium calls its end of a script at its timeout, the latter for top-level code."""

_DECLARED = "has already been declared"
_OF_ITS_OWN = (
    "It was declared before: by the page, or as something else (const, let). "
    "Take another name, or put the program in braces, { … }: then its names are its own."
)

_ASKED = "charlotte-asked"
_RELEASE_WAIT = 1.0
_FALSY = {"NaN", "-0", "0n"}


@attrs.frozen
class Value:
    """What an expression came to (C-EVAL-01): a JSON value, and its type."""

    value: Any
    type: str

    def as_json(self) -> dict[str, Any]:
        """``{value, type}``."""
        return {"value": self.value, "type": self.type}


async def evaluate(
    session: Session,
    expression: str,
    *,
    timeout_ms: int,
    await_promise: bool,
    context: str | None = None,
) -> Value:
    """The completion value of a program in the page's own world, or that of one of its frames.

    Raises `EvaluationFailed` when it throws or does not compile, `DeadlineExceeded` when it loops.
    """
    program = Evaluate(
        expression=expression,
        repl_mode=True,
        user_gesture=True,
        timeout=timeout_ms,
        object_group=_ASKED,
        unique_context_id=context,
    )
    async with _letting_go(session):
        result = await _as_console(session, program)
        if await_promise and result.subtype == "promise":
            result = await _awaited(session, result)
        return await _by_value(session, result)


async def is_true(session: Session, expression: str, *, timeout_ms: int) -> bool:
    """Whether a program comes to something true, or a promise of it; unlike a click, unseen by it.

    Raises `EvaluationFailed` when it throws, `NotCompiled` when it never can do otherwise,
    `InvalidArgument` when it gives a function.
    """
    result = await _completed(
        session,
        Evaluate(expression=expression, repl_mode=True, timeout=timeout_ms, object_group=_ASKED),
    )
    if result.object_id is None:
        return _counts_as_true(result)
    async with _letting_go(session):
        return _counts_as_true(
            await _awaited(session, result) if result.subtype == "promise" else result
        )


@asynccontextmanager
async def _letting_go(session: Session) -> AsyncGenerator[None]:
    """Let go of what was asked for at the end, also when the call is cancelled."""
    try:
        yield
    finally:
        with trio.move_on_after(_RELEASE_WAIT, shield=True):
            await session.begin(ReleaseObjectGroup(object_group=_ASKED))


def _counts_as_true(result: RemoteObject) -> bool:
    if result.type == "function":
        raise InvalidArgument(
            "js gives a function, which is true whatever it would return.",
            "Give the expression itself, or call it: (() => …)().",
        )
    if result.unserializable_value is not None:
        return result.unserializable_value not in _FALSY
    return result.object_id is not None or bool(result.value)


async def _as_console(session: Session, program: Evaluate) -> RemoteObject:
    """What is in braces is an object, if it can be one, and else a block."""
    if program.expression.lstrip().startswith("{") and program.expression.rstrip().endswith("}"):
        with suppress(NotCompiled):
            return await _completed(
                session, attrs.evolve(program, expression=f"({program.expression}\n)")
            )
    return await _completed(session, program)


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
        told = _told(thrown)
        raise kind(told, _OF_ITS_OWN if _DECLARED in told else "Mend the expression and try again.")
    return evaluated.result


def _is_syntax_error(thrown: ExceptionDetails) -> bool:
    """Whether the program itself did not compile: nothing ran, so there is no stack."""
    exception = thrown.exception
    described = (exception and exception.description) or ""
    return described.startswith("SyntaxError") and "\n" not in described


async def _awaited(session: Session, promise: RemoteObject) -> RemoteObject:
    """What a promise comes to; a program in REPL mode does not wait for its own."""
    settled = await session.call(AwaitPromise(promise_object_id=promise.object_id or ""))
    if thrown := settled.exception_details:
        raise EvaluationFailed(_told(thrown), "Mend the expression and try again.")
    return settled.result


def timed_out(timeout_ms: float) -> DeadlineExceeded:
    """The error for an expression that did not come to an end."""
    return DeadlineExceeded(
        f"The expression did not end within {timeout_ms:.0f} ms and was stopped; the tab lives.",
        "Let it do less, or pass a larger timeout.",
    )


def _told(thrown: ExceptionDetails) -> str:
    """What was thrown, with its stack or, where nothing ran, its place: else it is a wrapper's."""
    exception = thrown.exception
    told = exception.description or _literal(exception) if exception else thrown.text
    if not _is_syntax_error(thrown):
        return told
    return f"{told} (line {thrown.line_number + 1}, column {thrown.column_number + 1})"


def _literal(value: RemoteObject) -> str:
    """A primitive that was thrown, as a console prints it."""
    if value.type == "undefined" or isinstance(value.value, str):
        return value.value or value.type
    return json.dumps(value.value)


async def _by_value(session: Session, result: RemoteObject) -> Value:
    kind = result.subtype if result.subtype == "null" else result.type
    if result.unserializable_value is not None:
        return Value(_number(result.unserializable_value), kind)
    if result.object_id is None:
        return Value(result.value, kind)
    if result.type == "function" or result.subtype in {"node", "promise"}:
        return Value(result.description, result.subtype or result.type)
    return Value(await _copied(session, result), result.subtype or kind)


def _number(text: str) -> float | str:
    """Return -0 as a number; NaN, Infinity and BigInt, which JSON cannot hold, as text."""
    return -0.0 if text == "-0" else text


@cache
def _plain() -> str:
    return files(__package__ or "").joinpath("plain.js").read_text(encoding="utf-8")


async def _copied(session: Session, result: RemoteObject) -> Any:
    """The object as JSON (plain.js), or its description where the page keeps that from being."""
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
