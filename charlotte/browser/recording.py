"""Recordings: the responses in a HAR file, which answer requests in place of the network."""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from charlotte.errors import InvalidArgument
from charlotte.protocol.network import FailRequest, FulfillRequest, HeaderEntry
from charlotte.redaction import REDACTED

MOST_BYTES = 50_000_000
"""Bytes of the longest HAR file that is read."""

_LONGEST_URL = 2000
"""Characters of a URL that are compared, because saved requests have no more."""

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
_OF_TRANSFER = {
    "connection",
    "content-encoding",
    "content-length",
    "keep-alive",
    "transfer-encoding",
}
"""Headers of the recorded transfer, which do not apply to a stored body."""

_REASONS = {
    "AccessDenied",
    "AddressUnreachable",
    "BlockedByClient",
    "BlockedByResponse",
    "ConnectionAborted",
    "ConnectionClosed",
    "ConnectionFailed",
    "ConnectionRefused",
    "ConnectionReset",
    "InternetDisconnected",
    "NameNotResolved",
    "TimedOut",
}
"""Reasons with which the browser can fail a request; ``Failed`` stands for all others."""

_REDIRECTS = {301, 302, 303, 307, 308}
_BODILESS = {204, 205, *_REDIRECTS}
_STATUSES = range(200, 600)
_CHARSET = re.compile(r";\s*charset=[^;]*", re.IGNORECASE)
_ADVICE = "Pass a HAR file, such as one that requests{har: true} saved."


@attrs.frozen
class RecordedResponse:
    """A response, or the ``error`` of a request without one; ``sent`` is the request's body."""

    status: int
    headers: Sequence[HeaderEntry] = ()
    body: str = ""
    is_base64: bool = False
    error: str | None = None
    sent: str | None = None

    def command(self, request_id: str) -> FulfillRequest | FailRequest:
        """Return the command that answers a paused request."""
        if self.error is not None:
            return FailRequest(request_id=request_id, error_reason=self.error)
        encoded = self.body if self.is_base64 else base64.b64encode(self.body.encode()).decode()
        return FulfillRequest(
            request_id=request_id,
            response_code=self.status,
            response_headers=[*self.headers],
            body=encoded,
        )


@attrs.define(eq=False)
class Recording:
    """The responses of a HAR file; ``hidden`` redacts a request as saved requests are.

    ``count`` is the number of responses, ``left_out`` that of entries without a response that could
    be sent again: their bodies are not in the file, or they were never answered.
    """

    path: Path
    count: int = 0
    left_out: int = 0
    hidden: Callable[[str], str] = str
    _responses: dict[tuple[str, str], list[RecordedResponse]] = attrs.field(
        factory=dict[tuple[str, str], list[RecordedResponse]]
    )
    _sent: dict[tuple[str, str, str | None], int] = attrs.field(
        factory=dict[tuple[str, str, "str | None"], int]
    )

    def add(self, method: str, url: str, response: RecordedResponse | None) -> None:
        """Add the response to a request."""
        if response is None:
            self.left_out += 1
            return
        self.count += 1
        self._responses.setdefault((method, _comparable(url)), []).append(response)

    def find(self, method: str, url: str, body: str | None) -> RecordedResponse | None:
        """Return the next response to a request; the last one repeats.

        Of several responses, those to a request with the same body are used, or else all.
        """
        key = method, _comparable(self.hidden(url))
        recorded, sent = self._responses.get(key, []), self.hidden(body or "")
        same = [response for response in recorded if response.sent == sent]
        candidates = same or recorded
        if not candidates:
            return None
        counter = (*key, sent if same else None)
        number = self._sent.get(counter, 0)
        self._sent[counter] = number + 1
        return candidates[min(number, len(candidates) - 1)]


def _comparable(url: str) -> str:
    return url.partition("#")[0][:_LONGEST_URL]


def read_recording(path: Path, hidden: Callable[[str], str] = str) -> Recording:
    """Read a HAR file; raises `InvalidArgument` if the file is not one."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidArgument(
                f"{path} is longer than {MOST_BYTES:,} bytes.",
                "Save fewer requests: requests{har: true} takes url_pattern and resource_type.",
            )
        entries: list[dict[str, Any]] = list(json.loads(path.read_bytes())["log"]["entries"])
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise InvalidArgument(f"{path} is not a HAR file.", _ADVICE) from error
    recording = Recording(path, hidden=hidden)
    for number, entry in enumerate(entries):
        try:
            request = entry["request"]
            if request["url"].startswith(("http:", "https:")):
                recording.add(request["method"].upper(), request["url"], _read_response(entry))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise InvalidArgument(
                f"{path} is not a HAR file: log.entries[{number}] is malformed.", _ADVICE
            ) from error
    return recording


def _read_response(entry: Mapping[str, Any]) -> RecordedResponse | None:
    """Return the response of an entry, None if it cannot be sent again."""
    response, sent = entry["response"], entry["request"].get("postData", {}).get("text", "")
    status, content = int(response["status"]), response.get("content", {})
    error = response.get("_error")
    if not status and error and "ERR_ABORTED" not in error:
        return RecordedResponse(0, error=_reason(error), sent=sent)
    has_body = "text" in content or status in _BODILESS or not content.get("size")
    if status not in _STATUSES or not has_body or entry.get("_resourceType") == "eventsource":
        return None
    is_base64 = content.get("encoding") == "base64"
    body = str(content.get("text", ""))
    if is_base64:
        base64.b64decode(body, validate=True)
    headers = _read_headers(response, is_text=bool(body) and not is_base64)
    return RecordedResponse(status, headers, body, is_base64, sent=sent)


def _reason(error: str) -> str:
    """Return the protocol's name of a network error such as ``net::ERR_CONNECTION_REFUSED``."""
    words = error.rpartition("ERR_")[2].split("_")
    name = "".join(word.capitalize() for word in words)
    return name if name in _REASONS else "Failed"


def _read_headers(response: Mapping[str, Any], *, is_text: bool) -> list[HeaderEntry]:
    """Return the headers without redacted ones; a text is sent as UTF-8."""
    headers = [
        HeaderEntry(one["name"], one["value"])
        for one in response.get("headers", [])
        if _HEADER_NAME.fullmatch(one["name"])
        and _HEADER_VALUE.fullmatch(one["value"])
        and one["name"].lower() not in _OF_TRANSFER
        and one["value"] != REDACTED
    ]
    names = {header.name.lower() for header in headers}
    location, kind = response.get("redirectURL"), response.get("content", {}).get("mimeType")
    if location and "location" not in names and response["status"] in _REDIRECTS:
        headers.append(HeaderEntry("Location", str(location)))
    if kind and "content-type" not in names:
        headers.append(HeaderEntry("Content-Type", str(kind)))
    return [*map(_as_utf8, headers)] if is_text else headers


def _as_utf8(header: HeaderEntry) -> HeaderEntry:
    if header.name.lower() != "content-type":
        return header
    kind = _CHARSET.sub("", header.value)
    has_charset = kind != header.value or kind.startswith("text/")
    return HeaderEntry(header.name, f"{kind}; charset=utf-8") if has_charset else header
