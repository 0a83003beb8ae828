"""Export of requests: one with headers and bodies, or all as an HTTP archive (HAR 1.2)."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import trio

from charlotte.actors.monitors.network import BODY_WAIT, NetworkMonitor
from charlotte.actors.state.request_log import HeaderMap, RequestRecord
from charlotte.files import write
from charlotte.protocol.network import Body, Response
from charlotte.tools.results import RequestDetails, SavedFile

REDACTED = "[redacted]"
_SENSITIVE = re.compile(
    "authorization|cookie|token|secret|password|api-?key|csrf|session", re.IGNORECASE
)
_LONGEST_BODY = 10_000
_UNKNOWN = -1
_PASSED_ON = (
    "The service worker passed the response on without a copy: see the request of the page."
)
_LATE = (
    f"The page did not return the body within {BODY_WAIT:g} s: it is busy or hangs. "
    "Retry when it responds."
)
_HOP = "A redirect has no response body: the request that it led to has its own id."


def redact_headers(headers: HeaderMap, *, include_sensitive: bool) -> dict[str, str]:
    """Return headers with the values of credentials replaced, unless they are wanted."""
    return {
        name: value if include_sensitive or not _SENSITIVE.search(name) else REDACTED
        for name, value in headers.items()
    }


async def in_full(
    monitor: NetworkMonitor, record: RequestRecord, *, include_sensitive: bool
) -> dict[str, Any]:
    """Return headers, timing in ms, and bodies: text, or a file if binary or long."""
    exchange, response = record.exchange, record.exchange.response
    bodies = await monitor.bodies(record)
    request: dict[str, Any] = {
        "headers": redact_headers(exchange.sent_headers, include_sensitive=include_sensitive)
    }
    if bodies.sent is not None:
        request["body"] = await _body(monitor, record, "request", bodies.sent)
    details: dict[str, Any] = {"request": request, "timing": timings(record)}
    if response is not None:
        details["response"] = {
            "headers": redact_headers(
                exchange.received_headers, include_sensitive=include_sensitive
            ),
            "mimeType": response.mime_type,
            "protocol": response.protocol,
            "body": (
                None
                if bodies.received is None or bodies.is_forwarded
                else await _body(monitor, record, "response", bodies.received)
            ),
        }
    if exchange.is_hop:
        details["note"] = _HOP
    elif bodies.is_forwarded:
        details["note"] = _PASSED_ON
    elif bodies.is_late:
        details["note"] = _LATE
    return details


def exchange_of(details: Mapping[str, Any]) -> RequestDetails:
    """Return the result of `in_full` as an object for programs."""
    request, response = details["request"], details.get("response", {})
    return RequestDetails(
        request_headers=request["headers"],
        request_body=_saved(request.get("body")),
        response_headers=response.get("headers", {}),
        response_body=_saved(response.get("body")),
        mime_type=response.get("mimeType", ""),
        timing=details["timing"],
        note=details.get("note", ""),
    )


def _saved(body: Any) -> str | SavedFile | None:
    """Return the text of a body, or the file that contains it."""
    if isinstance(body, dict):
        file = cast("dict[str, Any]", body)
        return SavedFile(path=Path(file["path"]), bytes=file["bytes"])
    return cast("str | None", body)


async def _body(
    monitor: NetworkMonitor, record: RequestRecord, side: str, body: Body
) -> str | dict[str, Any]:
    if body.base64_encoded:
        return await _saved_body(monitor, f"{side}-{record.number}.bin", _bytes(body))
    text = monitor.hidden(body.body)
    if len(text) <= _LONGEST_BODY:
        return text
    saved = await _saved_body(monitor, f"{side}-{record.number}.txt", text.encode())
    return saved | {"beginning": text[:1000]}


def _bytes(body: Body) -> bytes:
    return b64decode(body.body) if body.base64_encoded else body.body.encode()


async def _saved_body(monitor: NetworkMonitor, name: str, data: bytes) -> dict[str, Any]:
    place = monitor.writable().new_file(f"{monitor.tab_id}-{name}", Path(name).suffix)
    await trio.to_thread.run_sync(write, place, data)
    return {"path": str(place), "bytes": len(data)}


def timings(record: RequestRecord) -> dict[str, float]:
    """Return the phases of a request in ms, under their names in HAR; -1 if there was none."""
    exchange = record.exchange
    timing = (exchange.response.timing if exchange.response else None) or {}
    total = max(exchange.ended - exchange.began, 0) * 1000 if exchange.ended else 0
    received = timing.get("receiveHeadersEnd", 0)
    passed = (timing.get("requestTime", exchange.began) - exchange.began) * 1000 + received
    send = max(timing.get("sendEnd", 0) - timing.get("sendStart", 0), 0)
    return {
        "dns": _part(timing, "dnsStart", "dnsEnd"),
        "connect": _part(timing, "connectStart", "connectEnd"),
        "ssl": _part(timing, "sslStart", "sslEnd"),
        "send": round(send, 1),
        "wait": round(max(received - timing.get("sendEnd", 0), 0), 1),
        "receive": round(max(total - passed, 0), 1),
        "total": round(total, 1),
    }


def _part(timing: Mapping[str, float], start: str, end: str) -> float:
    if timing.get(start, _UNKNOWN) < 0:
        return _UNKNOWN
    return round(max(timing.get(end, 0) - timing[start], 0), 1)


async def saved_archive(
    monitor: NetworkMonitor, records: Sequence[RequestRecord], *, include_sensitive: bool
) -> dict[str, Any]:
    """Write a HAR file of the requests and return its path."""
    entries = [_entry(record, include_sensitive=include_sensitive) for record in records]
    creator = {"name": "Charlotte", "version": version("charlotte")}
    archive = {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": entries}}
    last = records[-1].number if records else 0
    place = monitor.writable().free_file(f"{monitor.tab_id}-requests-{last}.har")
    await trio.to_thread.run_sync(write, place, monitor.hidden(json.dumps(archive)).encode())
    return {"path": str(place), "entries": len(entries)}


def _entry(record: RequestRecord, *, include_sensitive: bool) -> dict[str, Any]:
    parts = timings(record)
    total = parts.pop("total")
    entry: dict[str, Any] = {
        "startedDateTime": record.timestamp,
        "time": total,
        "request": _request(record, include_sensitive=include_sensitive),
        "response": _response(record, include_sensitive=include_sensitive),
        "cache": {},
        "timings": parts,
        "_resourceType": record.resource_type,
    }
    if record.by:
        entry["_initiator"] = {"type": record.by}
    if (source := record.exchange.source) in {"memory", "disk"}:
        entry["_fromCache"] = source
    return entry


def _request(record: RequestRecord, *, include_sensitive: bool) -> dict[str, Any]:
    exchange = record.exchange
    sent = exchange.post_data
    headers = redact_headers(exchange.sent_headers, include_sensitive=include_sensitive)
    request: dict[str, Any] = {
        "method": record.method,
        "url": record.url,
        "httpVersion": _protocol(exchange.response),
        "cookies": _cookies(exchange.sent_headers, include_sensitive=include_sensitive),
        "headers": _pairs(headers),
        "queryString": [
            {"name": name, "value": value} for name, value in parse_qsl(urlsplit(record.url).query)
        ],
        "headersSize": _UNKNOWN,
        "bodySize": len(_bytes(sent)) if sent else 0,
    }
    if sent is not None:
        kind = {name.lower(): value for name, value in headers.items()}.get("content-type", "")
        request["postData"] = {"mimeType": kind, "text": sent.body}
        if sent.base64_encoded:
            request["postData"]["_encoding"] = "base64"
    return request


def _response(record: RequestRecord, *, include_sensitive: bool) -> dict[str, Any]:
    exchange, response = record.exchange, record.exchange.response
    size = round(exchange.size)
    headers = redact_headers(exchange.received_headers, include_sensitive=include_sensitive)
    low = {name.lower(): value for name, value in headers.items()}
    answer: dict[str, Any] = {
        "status": record.status or 0,
        "statusText": record.status_text,
        "httpVersion": _protocol(response),
        "cookies": _cookies(exchange.received_headers, include_sensitive=include_sensitive),
        "headers": _pairs(headers),
        "content": {"size": max(size, 0), "mimeType": response.mime_type if response else ""},
        "redirectURL": low.get("location", ""),
        "headersSize": _UNKNOWN,
        "bodySize": size,
    }
    if record.error:
        answer["_error"] = record.error
    if exchange.source == "service_worker":
        answer["_fetchedViaServiceWorker"] = True
    return answer


def _protocol(response: Response | None) -> str:
    return (response.protocol if response else None) or "unknown"


def _pairs(headers: HeaderMap) -> list[dict[str, str]]:
    return [
        {"name": name, "value": line}
        for name, value in headers.items()
        for line in value.split("\n")
    ]


def _cookies(headers: HeaderMap, *, include_sensitive: bool) -> list[dict[str, str]]:
    """Return the cookies of a Cookie header, or of the lines of a Set-Cookie header."""
    low = {name.lower(): value for name, value in headers.items()}
    sent = low.get("cookie", "").split(";")
    came = [line.partition(";")[0] for line in low.get("set-cookie", "").split("\n")]
    pairs = [text.strip().partition("=") for text in (*sent, *came) if text.strip()]
    return [
        {"name": name, "value": value if include_sensitive else REDACTED}
        for name, _, value in pairs
    ]
