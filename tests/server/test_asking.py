"""Questions of a policy reach a person through clients of both protocol eras."""

from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ErrorData, TextContent
from trio.testing import wait_all_tasks_blocked

from tests.server.clients import ENVELOPE, open_client, open_raw, request
from tests.server.fake_server import FakeService

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
ALLOW = ElicitResult(action="accept", content={"decision": "allow"})


class Person:
    """Answers every question in the same way, and remembers the questions."""

    def __init__(self, answer: ElicitResult | ErrorData) -> None:
        self.answer = answer
        self.questions: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult | ErrorData:  # noqa: ARG002
        self.questions.append(params.message)
        assert params.requested_schema["required"] == ["decision"]
        return self.answer


async def ask(mode: str, person: Person, **arguments: Any) -> tuple[str, FakeService]:
    service = FakeService(may_ask=True)
    async with open_client(service, mode, elicitation_callback=person) as client:
        result = await client.call_tool("ask", arguments)
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text, service


@ERAS
async def test_a_person_sees_the_held_request_and_allows_it(mode: str) -> None:
    person = Person(ALLOW)
    text, service = await ask(mode, person)

    assert text == "a person allowed it"
    [question] = person.questions
    assert "POST https://shop.test/orders" in question
    assert "https://shop.test" in question
    assert service.delivered == ["ask"]


@ERAS
@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="accept", content={"decision": "refuse"}),
        ElicitResult(action="accept", content={}),
        ElicitResult(action="accept"),
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
    ],
)
async def test_everything_but_a_chosen_allow_refuses(mode: str, answer: ElicitResult) -> None:
    text, _ = await ask(mode, Person(answer))
    assert text == "a person refused it"


@ERAS
async def test_each_question_of_a_call_is_put_to_the_person(mode: str) -> None:
    person = Person(ALLOW)
    text, service = await ask(mode, person, times=3)

    assert text == ", ".join(["a person allowed it"] * 3)
    assert len(person.questions) == 3
    assert service.ended == ["ask"]


async def test_a_client_that_fails_to_show_a_question_gives_it_back() -> None:
    text, service = await ask("legacy", Person(ErrorData(code=-32603, message="no window")))
    assert text == "not shown"
    assert len(service.returned) == 1


@ERAS
async def test_a_client_without_elicitation_is_not_asked(mode: str) -> None:
    service = FakeService(may_ask=True)
    async with open_client(service, mode) as client:
        result = await client.call_tool("ask", {})
    assert service.channel is None
    assert isinstance(result.content[0], TextContent)
    assert result.content[0].text == "no person to ask"


@ERAS
async def test_without_questions_in_the_policy_calls_have_no_way_to_a_person(mode: str) -> None:
    service = FakeService()
    async with open_client(service, mode, elicitation_callback=Person(ALLOW)) as client:
        await client.call_tool("noop", {})
    assert service.channel is None


@ERAS
async def test_an_unknown_tool_is_a_protocol_error_also_for_clients_that_are_asked(
    mode: str,
) -> None:
    service = FakeService(may_ask=True)
    async with open_client(service, mode, elicitation_callback=Person(ALLOW)) as client:
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("no_such_tool", {})


MODERN: dict[str, Any] = {
    **ENVELOPE,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


def modern_call(number: int, tool: str, **more: Any) -> dict[str, Any]:
    return request(number, "tools/call", name=tool, arguments={}, _meta=MODERN, **more)


async def test_the_state_of_a_repeated_call_is_good_for_this_call_once() -> None:
    async with open_raw(FakeService(may_ask=True)) as client:
        await client.send(modern_call(1, "ask"))
        asked = (await client.receive())["result"]
        assert asked["resultType"] == "input_required"
        state = asked["requestState"]
        [name] = asked["inputRequests"]
        answers = {name: {"action": "accept", "content": {"decision": "allow"}}}
        repeated = {"requestState": state, "inputResponses": answers}

        await client.send(modern_call(2, "noop", **repeated))
        assert (await client.receive())["error"]["code"] == -32602
        await client.send(modern_call(3, "ask", requestState="guessed", inputResponses=answers))
        assert (await client.receive())["error"]["code"] == -32602
        await client.send(modern_call(4, "ask", **repeated))
        answer = await client.receive()
        assert answer["result"]["content"][0]["text"] == "a person allowed it"
        await client.send(modern_call(5, "ask", **repeated))
        assert (await client.receive())["error"]["code"] == -32602


async def test_a_cancelled_request_ends_the_call_that_asks() -> None:
    service = FakeService(may_ask=True)
    async with open_raw(service) as client:
        await client.send(modern_call(1, "wait"))
        await wait_all_tasks_blocked()
        assert service.started == ["wait"]
        params: dict[str, Any] = {"requestId": 1, "_meta": MODERN}
        await client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        await wait_all_tasks_blocked()
        assert service.ended == ["wait"]
