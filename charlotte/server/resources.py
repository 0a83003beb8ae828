"""What the server offers to be read: its own status."""

import json
from typing import Final

import attrs
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)

from charlotte.server.visits import Context, Desk

STATUS: Final = "charlotte://status"


@attrs.frozen
class Resources:
    """The SDK's two resource handlers."""

    _desk: Desk

    async def list(self, _: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        """Answer resources/list."""
        status = Resource(
            uri=STATUS,
            name="status",
            description="The process, the browser, and what each actor is doing since when",
            mime_type="application/json",
        )
        return ListResourcesResult(resources=[status])

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer resources/read. Raises `MCPError` (-32602) for what is not there."""
        if params.uri != STATUS:
            raise MCPError(INVALID_PARAMS, f"There is no resource {params.uri[:200]!r}.")
        text = json.dumps(self._desk.glance(context).status(), indent=1)
        contents = TextResourceContents(uri=STATUS, mime_type="application/json", text=text)
        return ReadResourceResult(contents=[contents])
