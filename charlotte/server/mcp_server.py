"""Puts sessions behind the SDK's server; whatever a tool does, the call is answered."""

from functools import cached_property
from typing import Any

import attrs
import structlog
import trio
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.runner import ServerRunner
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ServerCapabilities,
    SubscriptionFilter,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    Tool,
    ToolAnnotations,
)

from charlotte.errors import CharlotteError, SessionProblem
from charlotte.progress import Report
from charlotte.server.content import error_answer, tool_result
from charlotte.server.prompts import get_prompt, list_prompts
from charlotte.server.resources import Resources
from charlotte.server.service import Service
from charlotte.server.visits import Context, Desk
from charlotte.tools.answer import Answer
from charlotte.tools.toolbox import ListedTool, UnknownTool

log = structlog.get_logger(__name__)

# The SDK's runner keeps its bound methods in itself. That reference cycle would keep the runner of
# every connection, and of every request of protocol 2026-07-28, until the garbage collector runs.
for _name, _member in tuple(vars(ServerRunner).items()):
    if isinstance(_member, cached_property):
        setattr(ServerRunner, _name, property(_member.func))


class CharlotteServer(Server[dict[str, Any]]):
    """The SDK's server; declares the notifications that are sent, in both protocol eras."""

    def get_capabilities(
        self,
        notification_options: NotificationOptions | None = None,  # noqa: ARG002 - the SDK's guess
        *arguments: Any,
        **options: Any,
    ) -> ServerCapabilities:
        """Return the capabilities: lists of tools and of resources change, nothing else does."""
        changing = NotificationOptions(tools_changed=True, resources_changed=True)
        capabilities = super().get_capabilities(changing, *arguments, **options)
        if capabilities.resources is not None:
            capabilities.resources.subscribe = False
        if capabilities.prompts is not None:
            capabilities.prompts.list_changed = False
        return capabilities


def build_server(desk: Desk) -> CharlotteServer:
    """Return a server that answers for the sessions of a transport."""
    tools, resources = Tools(desk), Resources(desk)

    async def listen(
        context: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        wanted = SubscriptionFilter(
            tools_list_changed=params.notifications.tools_list_changed,
            resources_list_changed=params.notifications.resources_list_changed,
        )  # what the capabilities declare; the client is told that this much was accepted
        params = params.model_copy(update={"notifications": wanted})
        return await ListenHandler(desk.bus(context))(context, params)

    server = CharlotteServer(
        "charlotte",
        title="Charlotte",
        version=desk.greeting.version,
        instructions=desk.greeting.instructions,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_subscriptions_listen=listen,
        get_tool_input_schema=desk.input_schema,
    )
    server.middleware.clear()  # only OpenTelemetry's: 50 µs per call for spans that nobody collects
    return server


@attrs.frozen
class Tools:
    """The SDK's two tool handlers."""

    _desk: Desk

    async def list(self, context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        """Answer tools/list, all of it at once."""
        listings = self._desk.glance(context).listed()
        more = self._desk.parameters(context)
        return ListToolsResult(tools=[_tool(listing, more) for listing in listings])

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Answer tools/call. Raises `MCPError` (-32602) for a tool that does not exist."""
        started = trio.current_time()
        arguments = params.arguments or {}
        issued = session = None
        try:
            async with self._desk.visit(context, arguments) as visit:
                issued, session = visit.issued, visit.name
                answer = await _answer(visit.service, params.name, arguments, _progress(context))
        except CharlotteError as error:
            answer = error_answer(error)
        self._desk.when_sent(context, answer.delivered)
        return tool_result(
            answer,
            seconds=trio.current_time() - started,
            version=self._desk.greeting.version,
            issued=issued,
            session=session,
        )


def _progress(context: Context) -> Report | None:
    asked = context.meta is not None and "progress_token" in context.meta
    return context.session.report_progress if asked else None


async def _answer(
    service: Service, name: str, arguments: dict[str, Any], progress: Report | None
) -> Answer:
    try:
        return await service.answer(name, arguments, progress)
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


def _tool(listing: ListedTool, more: dict[str, Any]) -> Tool:
    schema = listing.input_schema
    if more:
        schema = {**schema, "properties": {**schema["properties"], **more}}
    return Tool(
        name=listing.name,
        description=listing.description,
        input_schema=schema,
        annotations=ToolAnnotations.model_validate(listing.annotations),
    )
