"""The isolated world of the main frame, and calls of the probe in it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from charlotte.errors import DeadlineExceeded
from charlotte.protocol.accessibility import GetRootAXNode
from charlotte.protocol.errors import ContextGone, Terminated
from charlotte.protocol.runtime import (
    Evaluate,
    Evaluated,
    ExecutionContextCreated,
    ExecutionContextDestroyed,
    ExecutionContextsCleared,
)
from charlotte.protocol.session import Session

WORLD_NAME = "charlotte"

_ATTEMPTS = 4

Then = Callable[[], Awaitable[object]]

ContextEvent = ExecutionContextCreated | ExecutionContextDestroyed | ExecutionContextsCleared


class ProbeFailed(Exception):
    """The probe raised an exception, which is a bug of Charlotte."""


def question(context: str, function: str, *arguments: object) -> Evaluate:
    """Build the command that calls a function of the probe in a document."""
    return Evaluate(
        expression=f"charlotte.{function}({', '.join(json.dumps(one) for one in arguments)})",
        unique_context_id=context,
        return_by_value=True,
        await_promise=True,
    )


def answer_of(evaluated: Evaluated) -> Any:
    """Return the result of a function of the probe; raises `ProbeFailed`."""
    if thrown := evaluated.exception_details:
        raise ProbeFailed((thrown.exception and thrown.exception.description) or thrown.text)
    return evaluated.result.value


class World:
    """The execution context of the probe in the main frame."""

    def __init__(self, session: Session, main_frame: str) -> None:
        self._session = session
        self._main_frame = main_frame
        self._changed = trio.Event()
        self.context: str | None = None
        self._awake = ""

    def feed(self, event: ContextEvent) -> None:
        """Record a created or destroyed execution context."""
        match event:
            case ExecutionContextCreated(context):
                if (
                    context.name == WORLD_NAME
                    and context.aux_data.get("frameId") == self._main_frame
                ):
                    self.context = context.unique_id
            case ExecutionContextDestroyed(unique_id):
                if unique_id == self.context:
                    self.context = None
            case ExecutionContextsCleared():
                self.context = None
        self._changed.set()
        self._changed = trio.Event()

    async def current(self) -> str:
        """Return the id of the context; waits while the document is replaced."""
        while self.context is None:
            await self._changed.wait()
        return self.context

    async def ask(self, function: str, *arguments: object, then: Then | None = None) -> Any:
        """Call a probe function without side effects in the present document.

        ``then`` runs while the answer is on its way. Raises `DeadlineExceeded` if no document
        exists
        long enough to answer.
        """
        for _ in range(_ATTEMPTS):
            context = await self.current()
            try:
                return await self.ask_in(context, function, *arguments, then=then)
            except ContextGone:
                self._forget(context)
            except Terminated:  # meant for a script that had just ended
                pass
        raise DeadlineExceeded(
            "The page navigates continuously; no document answered.",
            "Try again in a moment, or navigate to another page.",
        )

    async def ask_in(
        self, context: str, function: str, *arguments: object, then: Then | None = None
    ) -> Any:
        """Call a probe function in one document; raises `ContextGone` if it was replaced."""
        asked = question(context, function, *arguments)
        return answer_of(await self._first_awake(context, asked, then))

    async def _first_awake(self, context: str, asked: Evaluate, then: Then | None) -> Evaluated:
        """Send a question, preceded by a wake-up of the accessibility engine in old documents.

        Enabling the domain affects only documents that load later. In earlier documents, computed
        names are a thousand times slower.
        """
        waking = () if context == self._awake else (GetRootAXNode(),)
        *_, evaluated = await self._session.call_all(*waking, asked, then=then)
        self._awake = context
        answer: Evaluated = evaluated
        return answer

    def _forget(self, context: str) -> None:
        """Drop a context, unless a new one has replaced it already."""
        if self.context == context:
            self.context = None
