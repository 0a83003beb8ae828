"""Counts the calls and the characters of one side."""

from collections.abc import Awaitable, Mapping
from typing import Any, Protocol

import attrs

from bench.tasks.model import ActionFailed


class Client(Protocol):
    """A connection or a shell that makes calls."""

    def call(self, tool: str, /, **arguments: Any) -> Awaitable[Mapping[str, Any]]:
        """Make a call; return its answer in the form of MCP."""
        ...


@attrs.define(eq=False)
class Counter:
    """A client whose calls and answers are counted; ``log`` holds them, errors included."""

    client: Client
    prefix: str = ""
    log: list[tuple[str, dict[str, Any], str]] = attrs.field(
        factory=list[tuple[str, dict[str, Any], str]], init=False
    )

    @property
    def calls(self) -> int:
        """The number of calls."""
        return len(self.log)

    @property
    def chars(self) -> int:
        """The characters of all answers."""
        return sum(len(answer) for _, _, answer in self.log)

    async def call(self, tool: str, **arguments: Any) -> str:
        """Return all text of an answer. Raises `ActionFailed`."""
        result = await self.client.call(self.prefix + tool, **arguments)
        text = "\n".join(block.get("text", "") for block in result["content"])
        self.log.append((tool, arguments, text))
        if result.get("isError"):
            raise ActionFailed(f"{tool}: {text}")
        return text
