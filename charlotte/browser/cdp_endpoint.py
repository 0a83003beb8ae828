"""Discovery of the websocket of a browser that was started by someone else."""

import json
import ssl
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2
import trio

from charlotte.errors import SessionProblem

_WAIT = 5.0
_LONGEST_ANSWER = 65_536
_ADVICE = (
    "Start the browser with --remote-debugging-port, or start Charlotte without a CDP endpoint."
)


class _NoBrowser(Exception):
    """The answer is not that of a browser; the message describes the difference."""


async def endpoint_of(address: str) -> str:
    """Return the browser's websocket: ``address`` itself if it is ``ws://`` with a path.

    The websocket of any other ``ws://`` or ``http://`` address is requested there.

    Raises:
        SessionProblem: no browser answers.
    """
    parts = urlsplit(address)
    if parts.scheme in {"ws", "wss"} and parts.path.strip("/"):
        return address
    scheme = "https" if parts.scheme in {"wss", "https"} else "http"
    url = f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/json/version"
    try:
        with trio.fail_after(_WAIT):
            return _websocket_in(await _get(url))
    except trio.TooSlowError as error:
        raise _unreachable(url, f"no answer within {_WAIT:g} s") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, _NoBrowser) as error:
        raise _unreachable(url, str(error) or type(error).__name__) from error


def _unreachable(url: str, reason: str) -> SessionProblem:
    return SessionProblem(f"No browser answers at {url}: {reason}.", _ADVICE)


async def _get(url: str) -> bytes:
    """Return the start of the answer to a GET; proxies of the environment are not used."""
    body = bytearray()
    async with (
        httpx2.AsyncClient(
            trust_env=False, timeout=None, verify=ssl.create_default_context()
        ) as http,
        http.stream("GET", url) as response,
    ):
        if response.status_code != HTTPStatus.OK:
            raise _NoBrowser(f"HTTP status {response.status_code}")
        with trio.CancelScope() as reading:  # leaving the loop would not finish httpx2's generators
            async for data in response.aiter_raw():  # decompression could multiply the size
                body += data
                if len(body) >= _LONGEST_ANSWER:
                    reading.cancel("long enough")
    return bytes(body[:_LONGEST_ANSWER])


def _websocket_in(answer: bytes) -> str:
    try:
        endpoint = json.loads(answer)["webSocketDebuggerUrl"]
    except (LookupError, TypeError, ValueError):
        endpoint = None
    if not (isinstance(endpoint, str) and endpoint.startswith(("ws://", "wss://"))):
        raise _NoBrowser("the answer is not a browser's")
    return endpoint
