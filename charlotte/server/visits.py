"""Whose session a request is for: what the transports know, and the handlers have to ask."""

from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import attrs
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus

from charlotte.server.greeting import Greeting
from charlotte.server.service import Service

Context = ServerRequestContext[dict[str, Any]]


@attrs.frozen
class Visit:
    """A call in its session.

    ``issued`` names the session, if it has begun with this call and the client has to name it from
    now on.
    """

    service: Service
    issued: str | None = None


class Desk(Protocol):
    """Knows the sessions of a transport's clients."""

    @property
    def greeting(self) -> Greeting:
        """How the server introduces itself."""
        ...

    def glance(self, context: Context, /) -> Service:
        """The session of a request that only looks: none is begun for it, nor kept by it."""
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

    def parameters(self, context: Context, /) -> dict[str, Any]:
        """What every tool takes with this client besides its own arguments, as JSON schema."""
        ...

    def input_schema(self, name: str, /) -> dict[str, Any] | None:
        """One tool's schema; None if there is no such tool."""
        ...
