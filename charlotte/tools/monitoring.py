"""Tools that read the console and the requests of a tab, whatever its page is doing."""

import json
import math
import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar
from urllib.parse import parse_qsl, urlsplit

import attrs
import trio

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import BODY_WAIT, NetworkMonitor
from charlotte.actors.state.logs import Bodies, ConsoleMessage, HeaderMap, RequestRecord
from charlotte.actors.state.records import TabRecord
from charlotte.errors import LONGEST
from charlotte.files import write
from charlotte.page.render import build_list
from charlotte.page.text.plain import write_address, write_line, write_size
from charlotte.protocol.network import Body
from charlotte.tools.answer import Answer, Listing, Requests, request_of
from charlotte.tools.answer_format import wants_text
from charlotte.tools.pages import json_answer, lines_answer, position
from charlotte.tools.remarks import fit_lines, write_remark
from charlotte.tools.schema.arguments import Limit, Limits, camel_case
from charlotte.tools.schema.tool import tool
from charlotte.version import __version__

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

T = TypeVar("T", ConsoleMessage, RequestRecord)
LevelFilter = Literal["all", "log", "info", "warn", "error", "debug"]
ClearAfter = Annotated[bool, "Clear the list afterwards"]
Older = Annotated[str | None, "next_cursor, for older ones"]
_LIST_ENDS = 400
"""Characters reserved for the fields around a list of records."""


@attrs.frozen
class RequestExport:
    """A request with its headers; values of credentials are replaced unless they are wanted."""

    record: RequestRecord
    include_sensitive: bool

    def _headers(self, headers: HeaderMap) -> dict[str, str]:
        return {
            name: value if self.include_sensitive or not _SENSITIVE.search(name) else REDACTED
            for name, value in headers.items()
        }

    async def in_full(self, bodies: Bodies, tab: TabRecord) -> dict[str, Any]:
        """Return headers, timing in ms, and bodies: text, or a file if binary or long."""
        exchange, response = self.record.exchange, self.record.exchange.response
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
            data, suffix, beginning = text.encode(), ".txt", {"beginning": text[:1000]}
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
        return entry

    def _har_request(self) -> dict[str, Any]:
        record, exchange = self.record, self.record.exchange
        sent, query = exchange.post_data, parse_qsl(urlsplit(record.url).query)
        request: dict[str, Any] = {
            "method": record.method,
            "url": record.url,
            **self._har_message(exchange.sent_headers),
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
        size, response = round(exchange.size), exchange.response
        answer: dict[str, Any] = {
            "status": record.status or 0,
            "statusText": record.status_text,
            **self._har_message(exchange.received_headers),
            "content": {"size": max(size, 0), "mimeType": response.mime_type if response else ""},
            "redirectURL": _lower(self._headers(exchange.received_headers)).get("location", ""),
            "bodySize": size,
        }
        if record.error:
            answer["_error"] = record.error
        if exchange.source == "service_worker":
            answer["_fetchedViaServiceWorker"] = True
        return answer

    def _har_message(self, headers: HeaderMap) -> dict[str, Any]:
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


def _check_cursor(arguments: Mapping[str, Any]) -> None:
    if arguments["cursor"] is not None:
        position(arguments["cursor"])


@tool(
    group="monitoring",
    title="Read the console",
    position=460,
    read_only=True,
    check=_check_cursor,
    writes=True,
)
async def console(
    tab: TabHandle,
    *,
    level: Annotated[LevelFilter, "Level of messages to return."] = "all",
    clear: Annotated[ClearAfter, "Clear the list afterwards."] = False,
    limit: Annotated[Limit, "Maximum number to return, newest first to fit."] = 100,
    cursor: Annotated[Older, "Cursor from a cut answer, which returns older messages."] = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Return console messages of a tab, oldest first, and uncaught exceptions (level error)."""
    messages, dropped, note = await tab.ask(
        tab.record.console, ConsoleMonitor.report, None if level == "all" else level, clear=clear
    )
    part = _newest(tab, "messages", messages, cursor, limit)
    value = Listing(items=part.newest, total=len(messages), dropped=dropped, note=note)
    if wants_text():
        lines = [*part.lines(_write_message), *_write_dropped("messages", dropped)]
        lines += [write_remark(note, LONGEST)] if note else []
        return lines_answer(lines or ["no messages"], value, tab_id=tab.record.id)
    body = {
        **part.as_json(_message_row),
        "count": len(messages),
        "level": level,
        "cleared": clear,
        **({"note": note} if note else {}),
        **({"dropped": dropped} if dropped else {}),
    }
    return json_answer(body, value, tab_id=tab.record.id)


@tool(
    group="monitoring",
    title="List requests",
    position=470,
    read_only=True,
    check=_check_cursor,
    writes=True,
)
async def requests(
    tab: TabHandle,
    *,
    url_pattern: Annotated[str | None, "Part of the URL, in any case."] = None,
    resource_type: Annotated[
        str | None, "Type, such as document, fetch, xhr, script or image."
    ] = None,
    status_min: Annotated[
        int | None, Limits(minimum=0, maximum=599), "Lowest HTTP status to return, such as 400."
    ] = None,
    failed: Annotated[bool, "Only those without a response or with status >= 400."] = False,
    clear: Annotated[ClearAfter, "Clear the list afterwards."] = False,
    limit: Annotated[Limit, "Maximum number to return, newest first to fit."] = 100,
    cursor: Annotated[Older, "Cursor from a cut answer, which returns older requests."] = None,
    id_: Annotated[int | None, "Id of one request: return its headers, timing and bodies."] = None,
    har: Annotated[bool, "Save the requests to a HAR file."] = False,
    include_sensitive: Annotated[bool, "Do not redact credentials in headers and cookies."] = False,
) -> Answer[Requests]:
    """Return requests of a tab, oldest first, or a HAR file.

    Those without a response have an error instead of a status.
    """
    network = tab.record.network
    if id_ is not None:
        record, bodies = await tab.ask(network, NetworkMonitor.read_one, id_, clear=clear)
        export = RequestExport(record, include_sensitive)
        details = await export.in_full(bodies, tab.record)
        value = Requests(items=(request_of(record, details),), total=1)
        return json_answer({**_request_row(record), **details}, value, tab_id=tab.record.id)

    records, dropped = await tab.ask(network, NetworkMonitor.read, clear=clear)
    found = [
        record
        for record in records
        if (url_pattern is None or url_pattern.lower() in record.url.lower())
        and (resource_type is None or resource_type.lower() == record.resource_type)
        and (status_min is None or (record.status or 0) >= status_min)
        and (not failed or record.has_failed)
    ]
    if har:
        exports = [RequestExport(record, include_sensitive) for record in found]
        file = await save_archive(exports, tab.record)
        saved = {"path": str(file), "entries": len(found)}
        value = Requests(items=(), total=len(found), har=file)
        return json_answer(saved, value, tab_id=tab.record.id)
    return _list_requests(tab, _newest(tab, "requests", found, cursor, limit), dropped, clear=clear)


def _list_requests(
    tab: TabHandle, part: "_Newest[RequestRecord]", dropped: int, *, clear: bool
) -> Answer[Requests]:
    value = Requests(items=tuple(map(request_of, part.newest)), total=part.total, dropped=dropped)
    if wants_text():
        lines = [*part.lines(_write_request), *_write_dropped("requests", dropped)]
        return lines_answer(lines or ["no requests"], value, tab_id=tab.record.id)
    body = {
        **part.as_json(_request_row),
        "count": part.total,
        "cleared": clear,
        **({"dropped": dropped} if dropped else {}),
    }
    return json_answer(body, value, tab_id=tab.record.id)


def _message_row(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}


def _write_message(message: ConsoleMessage) -> str:
    """Return a message as ``[error 10:22:31.120] text``."""
    return f"[{message.level} {_time_of_day(message.timestamp)}] {write_line(message.text)}"


def _request_row(record: RequestRecord) -> dict[str, Any]:
    fields = attrs.asdict(
        request_of(record),
        filter=lambda field, value: bool(value) or field.default is attrs.NOTHING,
    )
    return {"from" if name == "source" else camel_case(name): fields[name] for name in fields}


def _write_request(record: RequestRecord) -> str:
    """Return a request as ``12 GET 404 http://… (fetch, 1.2 kB)``; 12 is its id."""
    result = str(record.status) if record.status else record.error or "pending"
    facts = [record.resource_type.lower()]
    if (size := record.exchange.size) >= 0:
        facts.append(write_size(size))
    if source := record.exchange.source:
        facts.append(f"from {source.replace('_', ' ')}")
    if record.by:
        facts.append(f"by {record.by.replace('_', ' ')}")
    method = write_line(record.method)
    address = write_address(record.url, limit=LONGEST)
    return f"{record.number} {method} {result} {address} ({', '.join(filter(None, facts))})"


def _time_of_day(timestamp: str) -> str:
    return timestamp.partition("T")[2].removesuffix("Z")


def _write_dropped(name: str, dropped: int) -> Sequence[str]:
    return [f"! {dropped} earlier {name} were dropped."] if dropped else []


@attrs.frozen
class _Newest(Generic[T]):
    """The newest of the ``older`` records before a cursor, of ``total`` records."""

    name: str
    newest: tuple[T, ...]
    older: Sequence[T]
    total: int
    room: int

    def as_json(self, as_json: Callable[[T], dict[str, Any]]) -> dict[str, Any]:
        """Return the rows that fit, the newest first to fit, under the name of the list."""
        rows = build_list(self.name, self.newest[::-1], as_json, room=self.room).items[::-1]
        if len(rows) == len(self.older):
            return {self.name: rows}
        cut = {"part": self.name, "total": self.total, "returned": len(rows)}
        return {self.name: rows, "truncation": {**cut, "next_cursor": self._cursor(len(rows))}}

    def lines(self, write: Callable[[T], str]) -> list[str]:
        """Return the lines that fit, the newest first to fit, after a line that counts the rest."""
        lines = fit_lines([write(record) for record in self.newest[::-1]], self.room)[::-1]
        if more := len(self.older) - len(lines):
            cursor = self._cursor(len(lines))
            lines.insert(0, f'… {more} earlier {self.name}: cursor "{cursor}"')
        return lines

    def _cursor(self, shown: int) -> str:
        return str(self.older[-shown].number)


def _newest(
    tab: TabHandle, name: str, records: Sequence[T], cursor: str | None, limit: int
) -> _Newest[T]:
    """Return the newest ``limit`` records before ``cursor`` in order."""
    before = math.inf if cursor is None else position(cursor)
    older = sorted(
        (record for record in records if record.number < before), key=lambda record: record.number
    )
    room = tab.record.session.settings.max_chars - _LIST_ENDS
    return _Newest(name, tuple(older[-limit:]), older, len(records), room)
