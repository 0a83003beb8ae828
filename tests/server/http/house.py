"""Sessions of HTTP clients without a server and a browser."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import attrs
import trio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from charlotte.server.http.budget import Admission
from charlotte.server.http.sessions import Sessions
from charlotte.server.mcp_server import SESSION_KEY, SessionCall
from charlotte.server.sdk import Context
from tests.server.fake_server import FakeService
from tests.server.http.stage import FakeApplication

IDLE = 100.0


def stateless(name: str | None = None, caller: str = "me", **headers: str) -> Context:
    """A call of protocol 2026-07-28 that names a session, or none."""
    user = AuthenticatedUser(AccessToken(token="", client_id=caller, scopes=[]))
    context = SimpleNamespace(
        protocol_version="2026-07-28",
        meta={SESSION_KEY: name} if name else {},
        request=SimpleNamespace(scope={"user": user}, headers=headers),
    )
    return cast("Context", context)


def connected(connection: str, stack: AsyncExitStack, **headers: str) -> Context:
    """A call on a connection, which lasts as long as the stack."""
    context = SimpleNamespace(
        protocol_version="2025-11-25",
        meta=None,
        request=SimpleNamespace(scope={}, headers={"mcp-session-id": connection, **headers}),
        session=SimpleNamespace(_connection=SimpleNamespace(exit_stack=stack)),
    )
    return cast("Context", context)


@attrs.define(eq=False)
class House:
    """Sessions, and those of them that were closed."""

    sessions: Sessions
    closed: list[Any]

    async def begin(self, caller: str = "me") -> str:
        call = await self.call(stateless(caller=caller))
        assert call.issued is not None
        return call.issued

    async def call(self, context: Context) -> SessionCall:
        async with self.sessions.open_call(context, {}) as call:
            return call

    async def settle(self, caller: str = "me") -> str:
        """Begin a session, and name it in a second call."""
        name = await self.begin(caller)
        await self.visit(name, caller)
        return name

    async def visit(self, name: str, caller: str = "me") -> SessionCall:
        return await self.call(stateless(name, caller))


@asynccontextmanager
async def open_house(
    limit: int = 9, queue: int = 0, *, per_token: bool = False, **budgets: int
) -> AsyncGenerator[House]:
    async with trio.open_nursery() as nursery:
        admission = Admission(limit, queue, **cast("Any", budgets))
        engine = FakeApplication()
        lobby = cast("Any", FakeService())
        sessions = Sessions(admission, IDLE, cast("Any", engine), lobby, nursery, per_token)
        yield House(sessions, engine.closed)
        nursery.cancel_scope.cancel()
