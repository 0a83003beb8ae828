"""Puts a service behind the SDK's server; whatever a tool does, the call is answered."""

from typing import Any

import attrs
import structlog
import trio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import ListenHandler, SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
    ToolAnnotations,
)

from charlotte.errors import CharlotteError, SessionProblem
from charlotte.server.content import error_answer, tool_result
from charlotte.server.late import LateService
from charlotte.server.service import Progress
from charlotte.tools.answer import Answer
from charlotte.tools.toolbox import Listing, UnknownTool

Context = ServerRequestContext[dict[str, Any]]

log = structlog.get_logger(__name__)


def build_server(service: LateService, bus: SubscriptionBus) -> Server[dict[str, Any]]:
    """Return a server that answers for ``service`` and announces what is published on ``bus``."""
    tools = Tools(service)
    server = Server(
        "charlotte",
        title="Charlotte",
        version=service.greeting.version,
        instructions=service.greeting.instructions,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_subscriptions_listen=ListenHandler(bus),
        get_tool_input_schema=service.input_schema,
    )
    server.middleware.clear()  # only OpenTelemetry's: 50 µs per call for spans that nobody collects
    return server


@attrs.frozen
class Tools:
    """The SDK's two tool handlers."""

    _service: LateService

    async def list(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """Answer tools/list, all of it at once."""
        listings = self._service.now().listed()
        return ListToolsResult(tools=[_tool(listing) for listing in listings])

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Answer tools/call. Raises `MCPError` (-32602) for a tool that does not exist."""
        started = trio.current_time()
        progress = context.session.report_progress
        answer = await self._answer(params.name, params.arguments or {}, progress)
        seconds = trio.current_time() - started
        return tool_result(answer, seconds=seconds, version=self._service.greeting.version)

    async def _answer(self, name: str, arguments: dict[str, Any], progress: Progress) -> Answer:
        try:
            return await self._service.now().call(name, arguments, progress)
        except UnknownTool as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        except CharlotteError as error:
            return error_answer(error)
        except Exception as error:
            log.exception("tool crashed", tool=name)
            return error_answer(_internal(name, error))


def _internal(name: str, error: Exception) -> SessionProblem:
    return SessionProblem(
        f"internal error in {name} ({type(error).__name__}); "
        "what the call was to do may or may not have been done.",
        "Look at the page before you repeat the call.",
    )


def _tool(listing: Listing) -> Tool:
    return Tool(
        name=listing.name,
        description=listing.description,
        input_schema=listing.input_schema,
        annotations=ToolAnnotations.model_validate(listing.annotations),
    )
