"""Finding the websocket of a browser that somebody else started."""

import json
import urllib.request
from http.client import HTTPException

import trio

from charlotte.errors import InvalidArgument, SessionProblem

_WAIT = 5.0


async def endpoint_of(address: str) -> str:
    """The browser's websocket: ``ws://`` as it is, ``http://host:port`` by asking there."""
    if address.startswith(("ws://", "wss://")):
        return address
    if not address.startswith(("http://", "https://")):
        raise InvalidArgument(f"cdp_endpoint is a ws:// or http:// address, not {address!r}.")
    url = address.rstrip("/") + "/json/version"
    return await trio.to_thread.run_sync(_ask, url, abandon_on_cancel=True)


def _ask(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=_WAIT) as response:  # noqa: S310 - http only
            endpoint: str = json.load(response)["webSocketDebuggerUrl"]
            return endpoint
    except (HTTPException, OSError, ValueError, LookupError, TypeError) as error:
        raise SessionProblem(f"No browser answers at {url}: {error}.") from error
