"""Calls of an MCP server, counted."""

from typing import Any, Final

import attrs

from tests.whole.client import Server

_PATIENCE: Final = 60.0


class ToolFailed(Exception):
    """A tool answered with an error; its text is the message."""


@attrs.define(eq=False)
class Calls:
    """Calls of a server, with the sum of their characters and seconds."""

    server: Server
    count: int = 0
    chars: int = 0
    seconds: float = 0.0
    log: list[tuple[str, dict[str, Any], str]] = attrs.field(
        factory=list[tuple[str, dict[str, Any], str]]
    )

    def call(self, tool: str, /, **arguments: Any) -> str:
        """Return all text of an answer. Raises `ToolFailed`."""
        reply = self.server.start(tool, **arguments).reply(_PATIENCE)
        if "error" in reply.message:
            raise ToolFailed(f"{tool} {arguments}: {reply.message['error']['message']}")
        text = "\n".join(block.get("text", "") for block in reply.result["content"])
        self.count += 1
        self.chars += len(text)
        self.seconds += reply.seconds
        self.log.append((tool, arguments, text))
        if reply.result.get("isError"):
            raise ToolFailed(f"{tool} {arguments}: {text}")
        return text
