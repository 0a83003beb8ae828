"""Finding the websocket of a browser that somebody else started."""

import json
from urllib.parse import SplitResult, urlsplit

import h11
import trio

from charlotte.errors import SessionProblem
from charlotte.protocol.transport import Stream, dial

_WAIT = 5.0
_LONGEST_ANSWER = 65_536
_ADVICE = (
    "Charlotte was told to attach to a browser there: it has to be started with "
    "--remote-debugging-port, or Charlotte without a CDP endpoint."
)


class _NoBrowser(Exception):
    """Something answers, but not as browsers do; the message says what."""


async def endpoint_of(address: str) -> str:
    """The browser's websocket: what has a path after ``ws://host:port`` is one.

    Of any other ``ws://`` or ``http://`` address it is asked. Raises `SessionProblem` when no
    browser answers.
    """
    parts = urlsplit(address)
    if parts.scheme in {"ws", "wss"} and parts.path.strip("/"):
        return address
    scheme = "https" if parts.scheme in {"wss", "https"} else "http"
    url = f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/json/version"
    try:
        with trio.fail_after(_WAIT):
            return _websocket_in(await _get(urlsplit(url)))
    except trio.TooSlowError as error:
        raise _unreachable(url, f"nothing came within {_WAIT:g} s") from error
    except (OSError, trio.BrokenResourceError, h11.RemoteProtocolError, _NoBrowser) as error:
        raise _unreachable(url, error) from error


def _unreachable(url: str, reason: object) -> SessionProblem:
    return SessionProblem(f"No browser answers at {url}: {reason}.", _ADVICE)


async def _get(url: SplitResult) -> bytes:
    async with await dial(url) as stream:
        client = h11.Connection(h11.CLIENT)
        headers = [("Host", url.netloc), ("Connection", "close")]
        request = h11.Request(method="GET", target=url.path, headers=headers)
        asked = [client.send(request) or b"", client.send(h11.EndOfMessage()) or b""]
        await stream.send_all(b"".join(asked))
        return await _body(client, stream)


async def _body(client: h11.Connection, stream: Stream) -> bytes:
    body = bytearray()
    while len(body) < _LONGEST_ANSWER:
        match client.next_event():
            case h11.NEED_DATA:
                client.receive_data(bytes(await stream.receive_some()))
            case h11.Response(status_code=status) if status != 200:  # noqa: PLR2004 - HTTP's OK
                raise _NoBrowser(f"HTTP status {status}")
            case h11.Data(data=data):
                body += data
            case h11.EndOfMessage():
                break
            case _:
                pass
    return bytes(body)


def _websocket_in(answer: bytes) -> str:
    try:
        endpoint = json.loads(answer)["webSocketDebuggerUrl"]
    except (LookupError, TypeError, ValueError):
        endpoint = None
    if not (isinstance(endpoint, str) and endpoint.startswith(("ws://", "wss://"))):
        raise _NoBrowser("what answers is no browser")
    return endpoint
