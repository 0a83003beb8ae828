"""A held order is put to a person by real clients of both protocol eras."""

import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ElicitResult, TextContent

from tests.whole.client import PATIENCE
from tests.whole.shop_site import open_shop
from tests.whole.test_policies import ASK

pytestmark = pytest.mark.chromium


class Person:
    """Decides on every question, and remembers it."""

    def __init__(self, decision: str) -> None:
        self.decision = decision
        self.questions: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult:  # noqa: ARG002
        self.questions.append(params.message)
        return ElicitResult(action="accept", content={"decision": self.decision})


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_an_order_is_sent_once_a_person_has_allowed_it(mode: str, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(ASK)
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "charlotte", "--policy", str(file)]
    )
    person = Person("refuse")
    with trio.fail_after(4 * PATIENCE):
        async with (
            open_shop() as shop,
            Client(
                program, mode=mode, read_timeout_seconds=PATIENCE, elicitation_callback=person
            ) as client,
        ):

            async def call(tool: str, **arguments: Any) -> str:
                return text_of(await client.call_tool(f"charlotte_{tool}", arguments))

            await call("navigate", url=shop.url("/checkout?plain=1"))
            [row] = [
                line for line in (await call("find", text="fetch")).split("\n") if "btn" in line
            ]
            button = row.split()[0]
            refused = await call("click", element_id=button)
            orders = len(shop.orders())
            person.decision = "allow"
            steps = [{"tool": "click", "arguments": {"element_id": button}}]
            allowed = await call("batch", steps=steps)

            assert (orders, len(shop.orders())) == (0, 1)
            assert "a person refused it" in refused
            assert "a person allowed it" in allowed
            assert len(person.questions) == 2
            held = f"POST {shop.url('/orders')}"
            assert all(held in question for question in person.questions)
            assert "token-" not in "".join(person.questions)
