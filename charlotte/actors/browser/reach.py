"""Getting to the browser: its endpoint, its websocket, the connection."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from charlotte.actors.state.records import Registry
from charlotte.browser.browser_source import OpenEndpoint
from charlotte.errors import CharlotteError
from charlotte.log import span
from charlotte.protocol.connection import Connection, open_connection
from charlotte.protocol.transport import open_websocket


@asynccontextmanager
async def reach_browser(
    open_endpoint: OpenEndpoint, registry: Registry
) -> AsyncGenerator[Connection]:
    """Start or find the browser and connect; where there is none, who waits for a tab is told."""
    async with AsyncExitStack() as stack:
        try:
            with span("browser_initialize"):
                endpoint = await stack.enter_async_context(open_endpoint())
                transport = await stack.enter_async_context(open_websocket(endpoint))
        except CharlotteError as error:
            registry.refuse(error)
            raise
        yield await stack.enter_async_context(open_connection(transport))
