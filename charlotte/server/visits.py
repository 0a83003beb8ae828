"""Whose session a request is for: what the transports know, and the handlers have to ask."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import attrs
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ToolsListChanged,
)

from charlotte.server.greeting import Greeting
from charlotte.server.service import Service
from charlotte.tools.answer import Changed

Context = ServerRequestContext[dict[str, Any]]


@attrs.frozen
class Visit:
    """A call in its session.

    ``issued`` names the session, if it has begun with this call and the client has to name it from
    now on. ``name`` is the same for every call of a session that has to be named.
    """

    service: Service
    issued: str | None = None
    name: str | None = None


class Desk(Protocol):
    """Knows the sessions of a transport's clients."""

    @property
    def greeting(self) -> Greeting:
        """How the server introduces itself."""
        ...

    def glance(self, context: Context, session: str | None = None, /) -> Service:
        """Return the session of a request that only looks; none begins or is kept open by it.

        ``session`` is the name that the request gives elsewhere than in ``_meta``.
        """
        ...

    def name(self, context: Context, /) -> str | None:
        """Return the name by which a request calls its session, where clients have to do that."""
        ...

    def bus(self, context: Context, /) -> InMemorySubscriptionBus:
        """Where is published what changes in a session; of a client without one, nothing is."""
        ...

    def visit(
        self, context: Context, arguments: dict[str, Any], /
    ) -> AbstractAsyncContextManager[Visit]:
        """The session of a call while it is answered; takes what names it out of the arguments.

        Raises:
            SessionProblem: there is none for this caller.
        """
        ...

    def when_sent(self, context: Context, delivered: Callable[[], None], /) -> None:
        """Have a callback called once the answer to a request is written, and not if it is not."""
        ...

    def parameters(self, context: Context, /) -> dict[str, Any]:
        """What every tool takes with this client besides its own arguments, as JSON schema."""
        ...

    def input_schema(self, name: str, /) -> dict[str, Any] | None:
        """One tool's schema; None if there is no such tool."""
        ...


def list_changed(changed: Changed) -> ToolsListChanged | ResourcesListChanged:
    """Return the event for subscribers of protocol 2026-07-28."""
    return ToolsListChanged() if changed == "tools" else ResourcesListChanged()


async def send_list_changed(client: Connection | ServerSession, changed: Changed) -> None:
    """Notify a client of the handshake era."""
    if changed == "tools":
        await client.send_tool_list_changed()
    else:
        await client.send_resource_list_changed()
