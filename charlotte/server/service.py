"""Interfaces between the transports, the MCP handlers and the sessions of the application."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Protocol

import attrs
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ToolsListChanged,
)

from charlotte.server.sdk import Connection
from charlotte.tools.answer import Changed

if TYPE_CHECKING:
    from charlotte.session import Session

SESSION_KEY = "charlotte/session"
"""Key of the name of a session in ``_meta``."""

Context = ServerRequestContext[dict[str, Any]]


@attrs.frozen
class SessionCall:
    """A call and the session that answers it.

    ``issued`` is the name of the session if this call started it and the client has to name it
    from now on. ``name`` is the session's name in every call of a session that has one.
    """

    service: "Session"
    issued: str | None = None
    name: str | None = None


class SessionProvider(Protocol):
    """The sessions of the clients of one transport."""

    def find_service(self, context: Context, session: str | None = None, /) -> "Session":
        """Return the session of a request that only reads; starts and prolongs no session.

        ``session`` is the name that the request gives elsewhere than in ``_meta``.
        """
        ...

    def find_name(self, _context: Context, /) -> str | None:
        """Return the name of the session of a request, if its client has to name it."""
        return None

    def get_bus(self, context: Context, /) -> InMemorySubscriptionBus:
        """Return the bus on which changes of the client's lists are published."""
        ...

    def open_call(
        self, context: Context, arguments: dict[str, Any], /
    ) -> AbstractAsyncContextManager[SessionCall]:
        """Hold the session of a call open, and remove its name from the arguments.

        Raises:
            SessionProblem: no session can answer this call.
        """
        ...

    def call_when_sent(self, context: Context, delivered: Callable[[], None], /) -> None:
        """Call ``delivered`` once the answer to a request was sent, and never if it was not."""
        ...

    def extra_parameters(self, _context: Context, /) -> dict[str, Any]:
        """Return the parameters that every tool has for this client, as JSON schema."""
        return {}


def list_changed(changed: Changed) -> ToolsListChanged | ResourcesListChanged:
    """Return the event for subscribers of protocol 2026-07-28."""
    return ToolsListChanged() if changed == "tools" else ResourcesListChanged()


async def send_list_changed(client: Connection | ServerSession, changed: Changed) -> None:
    """Notify a client of the handshake era."""
    if changed == "tools":
        await client.send_tool_list_changed()
    else:
        await client.send_resource_list_changed()
