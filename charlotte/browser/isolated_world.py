"""The probe's isolated world: asking it things, and finding it in the main frame."""

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
    """The probe itself raised: a bug of ours; the message is the JavaScript exception's."""


def question(context: str, function: str, *arguments: object) -> Evaluate:
    """The command that calls a function of the probe in one document."""
    return Evaluate(
        expression=f"charlotte.{function}({', '.join(json.dumps(one) for one in arguments)})",
        unique_context_id=context,
        return_by_value=True,
        await_promise=True,
    )


def answer_of(evaluated: Evaluated) -> Any:
    """What the probe's function returned; raises `ProbeFailed`."""
    if thrown := evaluated.exception_details:
        raise ProbeFailed((thrown.exception and thrown.exception.description) or thrown.text)
    return evaluated.result.value


class World:
    """Keeps up with the execution context in which the main frame's probe lives."""

    def __init__(self, session: Session, main_frame: str) -> None:
        self._session = session
        self._main_frame = main_frame
        self._changed = trio.Event()
        self.context: str | None = None
        self._awake = ""

    def feed(self, event: ContextEvent) -> None:
        """Take note of a context that came or went."""
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
        """The context's id; waits for a document that is just being replaced."""
        while self.context is None:
            await self._changed.wait()
        return self.context

    async def ask(self, function: str, *arguments: object, then: Then | None = None) -> Any:
        """Call a probe function that only looks, in whatever document is there then.

        ``then`` is done while its answer is on the way. Raises `DeadlineExceeded` when no document
        stays for long enough to answer.
        """
        for _ in range(_ATTEMPTS):
            context = await self.current()
            try:
                return await self.ask_in(context, function, *arguments, then=then)
            except ContextGone:
                self._forget(context)
            except Terminated:  # in place of a script that ended just before
                pass
        raise DeadlineExceeded(
            "The page goes to another document again and again: none stayed for an answer.",
            "Try again in a moment, or navigate to a page that stays.",
        )

    async def ask_in(
        self, context: str, function: str, *arguments: object, then: Then | None = None
    ) -> Any:
        """Call a probe function in one document; raises `ContextGone` when it was replaced."""
        asked = question(context, function, *arguments)
        return answer_of(await self._first_awake(context, asked, then))

    async def _first_awake(self, context: str, asked: Evaluate, then: Then | None) -> Evaluated:
        """Ask, waking the accessibility engine first in a document that was there before us.

        Enabling the domain does so only for documents that load afterwards; in others, computed
        names are a thousand times slower.
        """
        waking = () if context == self._awake else (GetRootAXNode(),)
        *_, evaluated = await self._session.call_all(*waking, asked, then=then)
        self._awake = context
        answer: Evaluated = evaluated
        return answer

    def _forget(self, context: str) -> None:
        """Wait for the next one, unless it has been announced before we heard of the end."""
        if self.context == context:
            self.context = None
