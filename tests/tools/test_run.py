"""The tool `run`: calls of a program in the session, and an answer within its limit."""

import json
from contextlib import AbstractAsyncContextManager
from typing import Any

import attrs
import pytest
import trio

from charlotte.actors.state.news import current_client
from charlotte.actors.state.session_settings import Settings
from charlotte.answers.answer import Answer, Text
from charlotte.answers.answer_format import answer_format
from charlotte.base.errors import InvalidArgument
from charlotte.browser.sandbox_page import Sandbox
from charlotte.tools.batch import Prepared, batch
from charlotte.tools.run import run
from charlotte.tools.schema.tool import Tool, UnknownTool
from tests.actors.fake_programs import FakeProgram, call, end, failure


@attrs.define(eq=False)
class FakeSession:
    """A session whose calls have scripted answers."""

    program: FakeProgram
    answers: dict[str, Answer] = attrs.field(factory=dict[str, Answer])
    clients: list[Any] = attrs.field(factory=list[Any])
    formats: list[Any] = attrs.field(factory=list[Any])
    delivered: list[str] = attrs.field(factory=list[str])
    settings: Settings = attrs.field(factory=Settings)

    def open_sandbox(self) -> AbstractAsyncContextManager[Sandbox]:
        return self.program.opened()

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        self.formats.append(answer_format.get())
        tool: Tool = run if name == "run" else batch
        if name not in {*self.answers, "run"}:
            raise UnknownTool(f"Unknown tool: {name}")
        return Prepared(tool, arguments | {"name": name}, None, "json")

    async def perform(self, prepared: Prepared) -> Answer:
        self.clients.append(current_client.get())
        if prepared.tool is run:
            return await run.handler(self, "code")
        name = prepared.arguments["name"]
        return attrs.evolve(self.answers[name], delivered=lambda: self.delivered.append(name))


def value_answer(value: Any, *others: Any) -> Answer:
    return Answer((Text(json.dumps(value), form="json"), *others))


async def body_of(session: FakeSession, **arguments: Any) -> Any:
    with trio.fail_after(60):
        answer = await run.handler(session, "code", **arguments)
    return json.loads(answer.text)


async def test_calls_are_those_of_a_client_of_their_own() -> None:
    program = FakeProgram([[call(1, "tabs")], [call(2, "tabs")], [end()]])
    session = FakeSession(program, {"tabs": value_answer([])})

    await body_of(session)

    [client, other] = session.clients
    assert client is other
    assert client.is_program
    assert session.delivered == ["tabs", "tabs"]
    assert current_client.get() is None


async def test_a_program_cannot_run_another_one() -> None:
    program = FakeProgram([[call(1, "run")], [end()]])

    await body_of(FakeSession(program))

    assert "cannot be called by a program" in program.answers[0]["error"]["message"]


async def test_an_unknown_tool_is_an_error_of_the_call() -> None:
    program = FakeProgram([[call(1, "clik")], [failure("Error", number=1)]])

    with pytest.raises(InvalidArgument, match="Unknown tool: clik"):
        await body_of(FakeSession(program))


@pytest.mark.parametrize("value", ["x" * 5000, [["row", "é", '"quoted"']] * 500])
async def test_a_long_value_is_cut_to_the_limit(value: Any) -> None:
    lines = [{"line": f"line {number}"} for number in range(200)]
    program = FakeProgram([[*lines, end(value)]])

    with trio.fail_after(60):
        answer = await run.handler(FakeSession(program), "code", max_chars=2000)

    assert 1000 < len(answer.text) <= 2000
    body = json.loads(answer.text)
    assert body["truncation"]["returned"] == len(body["value"])
    assert body["truncation"]["total"] >= 5000
    assert body["console"][0] == "line 0"
    assert body["console_dropped"] == 200 - len(body["console"])
