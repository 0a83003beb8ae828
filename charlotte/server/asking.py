"""Questions of a policy to people, through the client of the call that causes them.

In the handshake era, the server sends the client a request. In protocol 2026-07-28, the call is
answered with the question; the client repeats it with the person's answer, while the work of the
call goes on in the server.
"""

from collections.abc import Awaitable, Callable
from secrets import token_urlsafe
from typing import Any, Final, TypeVar

import attrs
import outcome
import structlog
import trio
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from charlotte.actors.state.questions import Channel, Question
from charlotte.base.blocks import cancel_once
from charlotte.server.sdk import Context

T = TypeVar("T")

GiveBack = Callable[[Question], None]

_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "Decision",
            "description": "Whether the request is sent, this once.",
            "enum": ["allow", "refuse"],
        }
    },
    "required": ["decision"],
}
_KEPT = 60.0
"""Seconds for which the answer of a call is kept for a client that has not fetched it."""

log = structlog.get_logger(__name__)


def shows_questions(context: Context) -> bool:
    """Return whether the client of a request can show a person a question."""
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return repeats_calls(context) or context.session.can_send_request


def repeats_calls(context: Context) -> bool:
    """Return whether a client gets questions in place of answers, and repeats its calls."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _is_allowed(result: ElicitResult) -> bool:
    """Return whether a person has chosen to allow: a form that is only accepted does not."""
    decision = (result.content or {}).get("decision")
    return result.action == "accept" and decision == "allow"


async def ask_during(
    context: Context, give_back: GiveBack, work: Callable[[Channel], Awaitable[T]]
) -> T:
    """Do the work of a call, and send its questions to the client meanwhile."""
    async with trio.open_nursery() as nursery:

        def ask(question: Question) -> None:
            nursery.start_soon(_elicit, context, question, give_back)

        result = await outcome.acapture(work, ask)
        nursery.cancel_scope.cancel("the call has ended")
    return result.unwrap()


async def _elicit(context: Context, question: Question, give_back: GiveBack) -> None:
    """Send a question to the client, until a person has answered it there or elsewhere."""
    try:
        async with trio.open_nursery() as nursery:
            scope, reason = nursery.cancel_scope, "the question is settled"
            nursery.start_soon(cancel_once, question.settled, scope, reason)
            result = await context.session.elicit_form(
                question.text, _SCHEMA, related_request_id=context.request_id
            )
            question.decide(allow=_is_allowed(result))
    except* (MCPError, ValidationError) as errors:
        log.warning("the client did not show a question", error=str(errors.exceptions[0]))
    finally:
        if not question.settled.is_set():
            give_back(question)


@attrs.define(eq=False)
class RepeatedCall:
    """A call whose client is given questions and repeats the call with the answers.

    ``context`` is that of the newest request. ``state`` is the secret by which the client names the
    call. ``waiting`` are questions that the client has not been given.
    """

    tool: str
    context: Context
    give_back: GiveBack
    state: str = attrs.field(factory=token_urlsafe, repr=False)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    waiting: list[Question] = attrs.field(factory=list[Question])
    asked: dict[str, Question] = attrs.field(factory=dict[str, Question])
    result: outcome.Outcome[Any] | None = None
    fetched: trio.Event = attrs.field(factory=trio.Event)
    _changed: trio.Event = attrs.field(factory=trio.Event)

    def ask(self, question: Question) -> None:
        """Give the client a question with the answer to its present request."""
        self.waiting.append(question)
        self._changed.set()

    async def run(self, work: Callable[[Channel], Awaitable[Any]]) -> None:
        """Do the work; its result, or error, is kept until the client fetches it."""
        with self.scope:
            result = await outcome.acapture(work, self.ask)
            await trio.lowlevel.checkpoint_if_cancelled()
            self.result = result
            self._changed.set()
            with trio.move_on_after(_KEPT):
                await self.fetched.wait()
        for question in (*self.waiting, *self.asked.values()):
            if not question.settled.is_set():
                self.give_back(question)

    async def next(self) -> Any:
        """Return the result of the work, or the next questions; raises `MCPError`."""
        try:
            while self.result is None and not self.waiting:
                await self._changed.wait()
                self._changed = trio.Event()
        except trio.Cancelled:
            self.scope.cancel("its client has cancelled it")
            raise
        if self.result is not None:
            self.fetched.set()
            return self.result.unwrap()
        asked, self.waiting = self.waiting, []
        self.asked |= {question.id: question for question in asked}
        requests: dict[str, InputRequest] = {
            question.id: ElicitRequest(
                params=ElicitRequestFormParams(message=question.text, requested_schema=_SCHEMA)
            )
            for question in asked
        }
        return InputRequiredResult(input_requests=requests, request_state=self.state)

    def answer(self, params: CallToolRequestParams) -> None:
        """Record the answers that a client sends with a repeated call."""
        responses = params.input_responses or {}
        for name, question in self.asked.items():
            response = responses.get(name)
            if isinstance(response, ElicitResult):
                question.decide(allow=_is_allowed(response))
            else:
                self.give_back(question)
        self.asked.clear()


@attrs.define(eq=False)
class RepeatedCalls:
    """The calls whose clients have been given questions."""

    _calls: dict[str, RepeatedCall] = attrs.field(factory=dict[str, RepeatedCall])

    async def run(self, call: RepeatedCall, work: Callable[[Channel], Awaitable[Any]]) -> None:
        """Do the work of a call, which can be resumed meanwhile."""
        self._calls[call.state] = call
        try:
            await call.run(work)
        finally:
            del self._calls[call.state]

    def resume(self, context: Context, params: CallToolRequestParams) -> RepeatedCall:
        """Return the call that a client repeats; raises `MCPError` if it has ended."""
        call = self._calls.get(params.request_state or "")
        if call is None or call.tool != params.name:
            raise MCPError(
                INVALID_PARAMS, "requestState names no call that waits for an answer: call again."
            )
        call.context = context
        call.answer(params)
        return call
