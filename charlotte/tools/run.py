"""The tool that runs a program whose only API is the other tools."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import attrs

from charlotte.actors.program_run import ProgramResult, ProgramRun
from charlotte.actors.state.news import Client, acting_as, current_client
from charlotte.answers.answer import Answer, Content, Text, deliver
from charlotte.answers.answer_format import answering_in
from charlotte.answers.pages import limit_value
from charlotte.answers.render import cut_entry
from charlotte.base.errors import InvalidArgument
from charlotte.base.progress import stage
from charlotte.page.model import compact_json, count_fitting
from charlotte.tools.batch import CallingSession
from charlotte.tools.schema.arguments import MaxChars, Private, Timeout
from charlotte.tools.schema.tool import UnknownTool, session_tool

_MOST_ATTACHED = 10
"""Images and links of calls that the answer has."""
_LEAST_VALUE = 200
_CONSOLE_SHARE = 3
"""The console has at most this part of the answer."""


@session_tool(title="Run a program", position=810, destructive=True, deadline=400.0)
async def run(
    session: CallingSession,
    code: Annotated[str, Private(), "Body of an async function, or an expression."],
    *,
    timeout: Timeout = 60_000,
    max_chars: MaxChars = None,
) -> Answer[ProgramResult]:
    """Run a JavaScript program that calls tools, and return {value, calls, console}.

    Each tool is an async function that takes its arguments as an object and returns its JSON:
    `tab("tab-1").click({element_id})`, `tab.find({text})` for the active tab,
    `charlotte.tab_open({url})`. Calls in Promise.all run in parallel. `return` the value. The
    program has no network and no page of its own; use evaluate for the page's JavaScript.
    """
    client = current_client.get()
    if client is not None and client.is_program:
        raise InvalidArgument(
            "run cannot be called by a program.", "Make the calls in the program itself."
        )
    attached: list[Content] = []
    program = ProgramRun(partial(_perform, session, attached))
    stage("running the program")
    with acting_as(Client("program", is_program=True)):
        async with session.open_sandbox() as sandbox:
            result = await program.run(sandbox, code, timeout)
    most, hidden = session.settings.max_chars, session.settings.secrets.hidden_in
    shown = attrs.evolve(result, value=hidden(result.value), console=hidden(result.console))
    body = _fit(shown, min(max_chars or most, most))
    blocks = (Text(compact_json(body), form="json"), *attached)
    return Answer(blocks, value=result)


async def _perform(
    session: CallingSession, attached: list[Content], name: str, arguments: dict[str, Any]
) -> Any:
    """Make a call of a program; return the JSON of the answer."""
    try:
        with answering_in("json"):
            prepared = session.prepare(name, arguments)
    except UnknownTool as error:
        raise InvalidArgument(f"{error}.", "Use a tool of this session.") from error
    answer = await deliver(session.perform(prepared))
    others = [block for block in answer.blocks if not isinstance(block, Text)]
    attached += others[: _MOST_ATTACHED - len(attached)]
    return json.loads(answer.document)


def _fit(result: ProgramResult, limit: int) -> Mapping[str, Any]:
    """Return the answer as JSON, with console and value cut to a number of characters."""
    body: dict[str, Any] = {"value": result.value, "calls": result.calls}
    count = count_fitting(map(compact_json, result.console), limit // _CONSOLE_SHARE)
    if lines := result.console[:count]:
        body["console"] = lines
    if more := len(result.console) - len(lines) + result.dropped:
        body["console_dropped"] = more
    if result.total is None and len(compact_json(body)) <= limit:
        return body
    spent = len(compact_json({**body, "value": ""})) + _LEAST_VALUE
    body |= limit_value("value", result.value, max(limit - spent, _LEAST_VALUE))
    if result.total is not None:  # the value is the first part of a longer text
        body["truncation"] = cut_entry("value", result.total, len(body["value"]))
    return body
