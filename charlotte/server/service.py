"""Interfaces between the transports, the MCP handlers and the sessions of the application."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

import attrs
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ToolsListChanged,
)

from charlotte.progress import Report
from charlotte.server.sdk import Connection
from charlotte.tools.answer import Answer, Changed
from charlotte.tools.schema.tool import ListedTool

Context = ServerRequestContext[dict[str, Any]]


class Service(Protocol):
    """One session of Charlotte, as a client of MCP uses it; `charlotte.app` implements it."""

    def listed(self) -> Sequence[ListedTool]:
        """Return the tools to list now."""
        ...

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the schema of a tool; None if there is no such tool."""
        ...

    def status(self) -> dict[str, Any]:
        """Return the state of the server as JSON."""
        ...

    def hidden(self, text: str) -> str:
        """Return a text with the session's secrets replaced by their names."""
        ...

    def directories(self) -> Sequence[Path]:
        """Return the directories of the files that the session saved or downloaded."""
        ...

    def use_roots(self, directories: Sequence[Path], /) -> None:
        """Allow files to be read and written in the client's directories too."""
        ...

    async def answer(self, name: str, arguments: dict[str, Any], progress: Report | None) -> Answer:
        """Run a tool, under any spelling of its name.

        Call ``delivered`` of the answer once the answer was sent to the client.

        Raises:
            UnknownTool: no tool has that name.
            CharlotteError: the answer is an error.
        """
        ...

    def on_change(self, callback: Callable[[Changed], None]) -> Callable[[], None]:
        """Call ``callback``, from trio's thread, whenever one of the session's lists changes.

        Return a function that unregisters the callback; calling it again has no effect.
        """
        ...


@attrs.frozen
class SessionCall:
    """A call and the session that answers it.

    ``issued`` is the name of the session if this call started it and the client has to name it
    from now on. ``name`` is the session's name in every call of a session that has one.
    """

    service: Service
    issued: str | None = None
    name: str | None = None


class SessionProvider(Protocol):
    """The sessions of the clients of one transport."""

    def find_service(self, context: Context, session: str | None = None, /) -> Service:
        """Return the session of a request that only reads; starts and prolongs no session.

        ``session`` is the name that the request gives elsewhere than in ``_meta``.
        """
        ...

    def find_name(self, context: Context, /) -> str | None:
        """Return the name of the session of a request, if its client has to name it."""
        ...

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

    def extra_parameters(self, context: Context, /) -> dict[str, Any]:
        """Return the parameters that every tool has for this client, as JSON schema."""
        ...

    def input_schema(self, name: str, /) -> dict[str, Any] | None:
        """Return the schema of a tool; None if there is no such tool."""
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
