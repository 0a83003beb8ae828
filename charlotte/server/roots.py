"""The directories that a client works in, as it tells over stdio."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import structlog
import trio
from mcp.shared.exceptions import MCPError
from mcp_types import ClientCapabilities, ListRootsRequest, ListRootsResult, RootsCapability

from charlotte.server.visits import Context

log = structlog.get_logger(__name__)

_TAKES = 2.0
_WANTED = ClientCapabilities(roots=RootsCapability())


async def client_roots(context: Context) -> list[Path] | None:
    """The client's roots that are directories here; None if it does not tell."""
    session = context.session
    if not (session.can_send_request and session.check_client_capability(_WANTED)):
        return None
    with trio.move_on_after(_TAKES):
        try:
            told = await session.send_request(ListRootsRequest(), ListRootsResult)
        except MCPError as error:
            log.warning("the client does not tell its roots", error=str(error))
            return None
        return directories([str(root.uri) for root in told.roots])
    log.warning("the client did not tell its roots in time")
    return None


def directories(uris: list[str]) -> list[Path]:
    """Those of the addresses that are directories of this machine."""
    parts = [urlsplit(uri) for uri in uris]
    places = [Path(unquote(one.path)) for one in parts if one.scheme == "file"]
    return [place.resolve() for place in places if place.is_dir()]
