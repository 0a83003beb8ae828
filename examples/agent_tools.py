"""Charlotte as the tools of an agent framework: plain async functions that return text.

LangGraph, AutoGen and others make tools of such functions, by their names, types and docstrings
(see docs/embedding.md). Run ``python -m examples.agent_tools`` for an agent without a model.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable

from charlotte import CharlotteError
from charlotte.aio import Session, open_charlotte

AgentTool = Callable[..., Awaitable[str]]


def browser_tools(session: Session) -> list[AgentTool]:
    """The tools of one agent, on the active tab of its session."""

    async def told(asking: Awaitable[object]) -> str:
        """What the agent reads: the answer, or the error, which says how to go on."""
        try:
            return str(await asking)
        except CharlotteError as error:
            return json.dumps(error.as_json())

    async def navigate(url: str) -> str:
        """Load a URL; returns the page with the ids of its elements."""
        return await told(session.navigate(url))

    async def observe() -> str:
        """Look at the page as it is now."""
        return await told(session.observe(detail="auto"))

    async def click(element_id: str) -> str:
        """Click the element with that id; returns what changed."""
        return await told(session.click(element_id))

    async def type_text(element_id: str, text: str) -> str:
        """Type text into the field with that id; returns what changed."""
        return await told(session.type(text, element_id=element_id))

    return [navigate, observe, click, type_text]


PAGE = "data:text/html,<title>Shop</title><button onclick='this.textContent=1'>Buy</button>"


async def main() -> None:
    """Do what a model might ask for: load a page, and click something that is not there."""
    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        navigate, _, click, _ = browser_tools(session)
        print(await navigate(PAGE))
        print(await click("btn-0000"))


if __name__ == "__main__":
    asyncio.run(main())
