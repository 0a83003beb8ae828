"""A request in full, as an answer and as an entry of a HAR file."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import attrs
import trio

from charlotte.actors.monitors.network import BODY_WAIT
from charlotte.actors.state.logs import Bodies, HeaderMap, RequestRecord
from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import ellipsize
from charlotte.base.files import write
from charlotte.base.version import __version__
from charlotte.protocol.network import Body
from charlotte.secrets.redaction import REDACTED

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


@attrs.frozen
class RequestExport:
    """A request with its headers; values of credentials are replaced unless they are wanted."""

    record: RequestRecord
    include_sensitive: bool
    bodies: Bodies

    @property
    def lacks_body(self) -> bool:
        """Whether the response had a body that is not known."""
        record, exchange = self.record, self.record.exchange
        is_whole = exchange.response is not None and not exchange.is_hop
        known = self.bodies.received is not None and not self.bodies.is_forwarded
        return is_whole and record.conversation is None and not known

    def _headers(self, headers: HeaderMap) -> dict[str, str]:
        return {
            name: value if self.include_sensitive or not _SENSITIVE.search(name) else REDACTED
            for name, value in headers.items()
        }

    async def in_full(self, tab: TabRecord) -> dict[str, Any]:
        """Return headers, timing in ms, and bodies: text, or a file if binary or long."""
        exchange, response = self.record.exchange, self.record.exchange.response
        bodies = self.bodies
        request: dict[str, Any] = {"headers": self._headers(exchange.sent_headers)}
        if bodies.sent is not None:
            request["body"] = await self._body(tab, "request", bodies.sent)
        details: dict[str, Any] = {"request": request, "timing": self._timings()}
        if response is not None:
            body = None if bodies.is_forwarded else bodies.received
            details["response"] = {
                "headers": self._headers(exchange.received_headers),
                "mimeType": response.mime_type,
                "protocol": response.protocol,
                "body": await self._body(tab, "response", body) if body else None,
            }
        if exchange.is_hop:
            details["note"] = _HOP
        elif bodies.is_forwarded:
            details["note"] = _PASSED_ON
        elif bodies.is_late:
            details["note"] = _LATE
        return details

    async def _body(self, tab: TabRecord, side: str, body: Body) -> str | dict[str, Any]:
        name, data, beginning = f"{tab.id}-{side}-{self.record.number}", _bytes(body), {}
        suffix = ".bin"
        if not body.base64_encoded:
            text = tab.session.hidden(body.body)
            if len(text) <= _LONGEST_BODY:
                return text
            data, suffix, beginning = text.encode(), ".txt", {"beginning": ellipsize(text, 1000)}
        place = tab.session.settings.writable.new_file(name + suffix, suffix)
        await trio.to_thread.run_sync(write, place, data)
        return {"path": str(place), "bytes": len(data), **beginning}

    def _timings(self) -> dict[str, float]:
        """Return the phases of a request in ms, under their names in HAR; -1 if there was none."""
        exchange = self.record.exchange
        timing = (exchange.response.timing if exchange.response else None) or {}
        total = max(exchange.ended - exchange.began, 0) * 1000 if exchange.ended else 0
        received = timing.get("receiveHeadersEnd", 0)
        passed = (timing.get("requestTime", exchange.began) - exchange.began) * 1000 + received
        send = max(timing.get("sendEnd", 0) - timing.get("sendStart", 0), 0)
        return {
            **{name: _phase(timing, name) for name in ("dns", "connect", "ssl")},
            "send": round(send, 1),
            "wait": round(max(received - timing.get("sendEnd", 0), 0), 1),
            "receive": round(max(total - passed, 0), 1),
            "total": round(total, 1),
        }

    def as_har(self) -> dict[str, Any]:
        """Return the entry of an archive."""
        record, parts = self.record, self._timings()
        entry: dict[str, Any] = {
            "startedDateTime": record.timestamp,
            "time": parts.pop("total"),
            "request": self._har_request(),
            "response": self._har_response(),
            "cache": {},
            "timings": parts,
            "_resourceType": record.resource_type,
        }
        if record.by:
            entry["_initiator"] = {"type": record.by}
        if (source := record.exchange.source) in {"memory", "disk"}:
            entry["_fromCache"] = source
        return entry | self._har_conversation()

    def _har_conversation(self) -> dict[str, Any]:
        """Return the messages of a connection as Chrome's developer tools save them."""
        conversation = self.record.conversation
        if conversation is None:
            return {}
        if conversation.is_stream:
            events = [
                {
                    "time": one.time,
                    "eventName": one.event,
                    "eventId": one.event_id,
                    "data": one.text,
                }
                for one in conversation.kept
            ]
            return {"_eventSourceMessages": events}
        frames = [
            {
                "type": "send" if one.is_sent else "receive",
                "time": one.time,
                "opcode": 2 if one.is_binary else 1,
                "data": one.text,
            }
            for one in conversation.kept
        ]
        return {"_webSocketMessages": frames}

    def _har_request(self) -> dict[str, Any]:
        record, exchange = self.record, self.record.exchange
        sent, query = self.bodies.sent, parse_qsl(urlsplit(record.url).query)
        request: dict[str, Any] = {
            "method": record.method,
            "url": record.url,
            **self._har_common(exchange.sent_headers),
            "queryString": [{"name": name, "value": value} for name, value in query],
            "bodySize": len(_bytes(sent)) if sent else 0,
        }
        if sent is not None:
            kind = _lower(self._headers(exchange.sent_headers)).get("content-type", "")
            request["postData"] = {"mimeType": kind, "text": sent.body}
            if sent.base64_encoded:
                request["postData"]["_encoding"] = "base64"
        return request

    def _har_response(self) -> dict[str, Any]:
        record, exchange = self.record, self.record.exchange
        answer: dict[str, Any] = {
            "status": record.status or 0,
            "statusText": record.status_text,
            **self._har_common(exchange.received_headers),
            "content": self._har_content(),
            "redirectURL": _lower(self._headers(exchange.received_headers)).get("location", ""),
            "bodySize": round(exchange.size),
        }
        if record.error:
            answer["_error"] = record.error
        if exchange.source == "service_worker":
            answer["_fetchedViaServiceWorker"] = True
        return answer

    def _har_content(self) -> dict[str, Any]:
        """Return the response body, without its text if it is not known."""
        response, body = self.record.exchange.response, self.bodies.received
        content: dict[str, Any] = {
            "size": max(round(self.record.exchange.size), 0),
            "mimeType": response.mime_type if response else "",
        }
        if body is not None and not self.bodies.is_forwarded:
            content |= {"size": len(_bytes(body)), "text": body.body}
            if body.base64_encoded:
                content["encoding"] = "base64"
        return content

    def _har_common(self, headers: HeaderMap) -> dict[str, Any]:
        """Return the parts that requests and responses have in common."""
        response, low = self.record.exchange.response, _lower(headers)
        lines = low.get("set-cookie", "").split("\n")
        cookies = [*low.get("cookie", "").split(";"), *(line.partition(";")[0] for line in lines)]
        pairs = [text.strip().partition("=") for text in cookies if text.strip()]
        return {
            "httpVersion": (response.protocol if response else None) or "unknown",
            "cookies": [
                {"name": name, "value": value if self.include_sensitive else REDACTED}
                for name, _, value in pairs
            ],
            "headers": [
                {"name": name, "value": line}
                for name, value in self._headers(headers).items()
                for line in value.split("\n")
            ],
            "headersSize": _UNKNOWN,
        }


def _bytes(body: Body) -> bytes:
    return b64decode(body.body) if body.base64_encoded else body.body.encode()


def _lower(headers: HeaderMap) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _phase(timing: Mapping[str, float], name: str) -> float:
    start = timing.get(f"{name}Start", _UNKNOWN)
    return _UNKNOWN if start < 0 else round(max(timing.get(f"{name}End", 0) - start, 0), 1)


async def save_archive(exports: Sequence[RequestExport], tab: TabRecord) -> Path:
    """Write a HAR file of the requests and return its path."""
    entries = [export.as_har() for export in exports]
    creator = {"name": "Charlotte", "version": __version__}
    archive = {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": entries}}
    last = exports[-1].record.number if exports else 0
    place = tab.session.settings.writable.free_file(f"{tab.id}-requests-{last}.har")
    await trio.to_thread.run_sync(write, place, tab.session.hidden(json.dumps(archive)).encode())
    return place
