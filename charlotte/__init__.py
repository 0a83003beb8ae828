"""A browser for AI agents: an MCP server, and the same supervisor inside a trio program.

    async with open_charlotte(Config(viewport="1024x768")) as charlotte:
        async with charlotte.open_session() as session:
            answer = await session.call("navigate", {"url": "https://example.org"})

``session.call`` takes every tool of the server by name; it raises the `CharlotteError` that says
what went wrong. Sessions are isolated from one another; calls on different tabs run in parallel.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charlotte.app import Charlotte, Session, open_charlotte
    from charlotte.config import Config
    from charlotte.errors import CharlotteError
    from charlotte.tools.answer import Answer, Image, Link, Text

__all__ = [
    "Answer",
    "Charlotte",
    "CharlotteError",
    "Config",
    "Image",
    "Link",
    "Session",
    "Text",
    "open_charlotte",
]

_HOMES = {
    **dict.fromkeys(("Charlotte", "Session", "open_charlotte"), "charlotte.app"),
    **dict.fromkeys(("Answer", "Image", "Link", "Text"), "charlotte.tools.answer"),
    "CharlotteError": "charlotte.errors",
    "Config": "charlotte.config",
}


def __getattr__(name: str) -> object:
    """Import what is asked for only then: the server greets its client before it loads the rest."""
    if name not in _HOMES:
        raise AttributeError(f"module 'charlotte' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
