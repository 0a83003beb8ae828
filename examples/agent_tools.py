"""Charlotte as the tools of an agent framework: plain async functions that return text.

LangGraph, AutoGen and others make tools of such functions, by their names, types and docstrings
(see docs/guides/embedding.md). Run ``python -m examples.agent_tools`` for an agent without a model.
"""

import asyncio
from collections.abc import Awaitable, Callable

from charlotte import CharlotteError
from charlotte.aio import AsyncioSession, open_charlotte

AgentTool = Callable[..., Awaitable[str]]


def browser_tools(session: AsyncioSession) -> list[AgentTool]:
    """Return the tools of one agent, on the active tab of its session."""

    async def as_text(asking: Awaitable[object]) -> str:
        """Return the answer, or the error with its suggestion, as text for the agent."""
        try:
            return str(await asking)
        except CharlotteError as error:
            return error.text or str(error)

    async def navigate(url: str) -> str:
        """Load a URL; return the page with the ids of its elements."""
        return await as_text(session.navigate(url))

    async def observe() -> str:
        """Return the current page."""
        return await as_text(session.observe(detail="auto"))

    async def click(element_id: str) -> str:
        """Click the element with that id; return the changes."""
        return await as_text(session.click(element_id))

    async def type_text(element_id: str, text: str) -> str:
        """Type text into the field with that id; return the changes."""
        return await as_text(session.type(text, element_id=element_id))

    return [navigate, observe, click, type_text]


PAGE = "data:text/html,<title>Shop</title><button onclick='this.textContent=1'>Buy</button>"


async def main() -> None:
    """Act like a model: load a page and click an unknown element."""
    async with open_charlotte() as charlotte, charlotte.open_session() as session:
        navigate, _, click, _ = browser_tools(session)
        print(await navigate(PAGE))
        print(await click("btn-0000"))


if __name__ == "__main__":
    asyncio.run(main())
