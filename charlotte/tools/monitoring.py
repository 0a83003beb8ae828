"""Tools that read the console and the requests of a tab, whatever its page is doing."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Generic, Literal, TypeVar

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.state.logs import Bodies, ConsoleMessage, RequestRecord
from charlotte.actors.state.messages import LONGEST_MESSAGE, SocketMessage
from charlotte.actors.state.registry import list_refused
from charlotte.answers.answer import Answer, Listing, Requests, request_of
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import json_answer, lines_answer, position
from charlotte.answers.remarks import fit_lines
from charlotte.answers.render import build_list, cut_entry
from charlotte.answers.request_export import RequestExport, save_archive
from charlotte.base.errors import LONGEST, ellipsize
from charlotte.base.log import from_seconds
from charlotte.page.model import compact_json
from charlotte.page.tokens import write_address, write_line, write_size
from charlotte.tools.schema.arguments import Limit, Limits, Uses, camel_case
from charlotte.tools.schema.tool import tool

T = TypeVar("T", ConsoleMessage, RequestRecord, SocketMessage)
R = TypeVar("R")
LevelFilter = Literal["all", "log", "info", "warn", "error", "debug"]
ClearAfter = Annotated[bool, "Clear the list afterwards"]
Older = Annotated[str | None, "next_cursor, for older ones"]
_LIST_ENDS = 400
"""Characters reserved for the fields around a list of records."""

_SHORT_MESSAGE = 500
"""Characters that every message may take; with a lower limit of messages, each may take more."""

_LEAST_ROOM = 1000
_PAUSED = "Messages arrived so fast that some were not recorded."


def _check_cursor(arguments: Mapping[str, Any]) -> None:
    if arguments["cursor"] is not None:
        position(arguments["cursor"])


_log_tool = partial(tool, group="monitoring", read_only=True, writes=True, check=_check_cursor)


@_log_tool(title="Read the console", position=460)
async def console(
    tab: TabHandle,
    *,
    level: Annotated[LevelFilter, "Level of messages to return."] = "all",
    clear: Annotated[ClearAfter, "Clear the list afterwards."] = False,
    limit: Annotated[Limit, "Maximum number to return, newest first to fit."] = 100,
    cursor: Annotated[Older, "Cursor from a cut answer, which returns older messages."] = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Return console messages of a tab, oldest first, and uncaught exceptions (level error)."""
    messages, dropped = await tab.ask(
        tab.record.console, ConsoleMonitor.read, None if level == "all" else level, clear=clear
    )
    part = _newest(tab, "messages", messages, cursor, limit)
    value = Listing(items=part.newest, total=part.total, dropped=dropped)
    as_json, more = _message_row, {"level": level, "cleared": clear}
    return _list_answer(tab, part, value, dropped, as_json=as_json, write=write_message, **more)


@_log_tool(title="List requests", position=470)
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
    id_: Annotated[
        int | None, "Id of one request: return its headers, timing, and bodies or messages."
    ] = None,
    har: Annotated[bool, Uses("files"), "Save the requests to a HAR file."] = False,
    include_sensitive: Annotated[bool, "Do not redact credentials in headers and cookies."] = False,
) -> Answer[Requests]:
    """Return requests of a tab, oldest first, or a HAR file.

    Those without a response have an error instead of a status. WebSockets and event streams have
    messages.
    """
    list_refused(tab.record)
    network = tab.record.network
    if include_sensitive or har:
        tab.record.check_not_owners("Values of cookies and HAR files")
    if id_ is not None:
        record, bodies = await tab.ask(network, NetworkMonitor.read_one, id_, clear=clear)
        if not tab.record.is_granted(record.url):
            # of a frame or service that the browser's owner has not granted
            bodies = Bodies(sent=None)
        export, details = RequestExport(record, include_sensitive, bodies), dict[str, Any]()
        if cursor is None:
            details |= await export.in_full(tab.record)
        details |= _messages(tab, record, cursor, limit, used=len(compact_json(details)))
        value = Requests(items=(request_of(record, details),), total=1)
        return json_answer({**_request_row(record), **details}, value, tab_id=tab.record.id)

    records, dropped = await tab.ask(network, NetworkMonitor.read, clear=clear)
    found = [
        record
        for record in records
        if (url_pattern is None or url_pattern.lower() in record.url.lower())
        and (resource_type is None or resource_type.lower() == record.resource_type)
        and (status_min is None or (record.status or 0) >= status_min)
        and (not failed or record.is_error or record.status == 0)
    ]
    if har:
        known = await tab.ask(network, NetworkMonitor.read_bodies, found)
        exports = [
            RequestExport(record, include_sensitive, known[record.number]) for record in found
        ]
        file = await save_archive(exports, tab.record)
        saved: dict[str, Any] = {"path": str(file), "entries": len(found)}
        if without := sum(export.lacks_body for export in exports):
            saved["without_body"] = without
        value = Requests(items=(), total=len(found), har=file)
        return json_answer(saved, value, tab_id=tab.record.id)
    part = _newest(tab, "requests", found, cursor, limit)
    value = Requests(items=tuple(map(request_of, part.newest)), total=part.total, dropped=dropped)
    as_json, write = _request_row, _write_request
    return _list_answer(tab, part, value, dropped, as_json=as_json, write=write, cleared=clear)


def _list_answer(
    tab: TabHandle,
    part: "_Newest[T]",
    value: R,
    dropped: int,
    *,
    as_json: Callable[[T], dict[str, Any]],
    write: Callable[[T], str],
    **more: Any,
) -> Answer[R]:
    if wants_text():
        lines = part.lines(write)
        lines += [f"! {dropped} earlier {part.name} were dropped."] if dropped else []
        return lines_answer(lines or [f"no {part.name}"], value, tab_id=tab.record.id)
    lost = {"dropped": dropped} if dropped else {}
    body = {**part.as_json(as_json), "count": part.total, **more, **lost}
    return json_answer(body, value, tab_id=tab.record.id)


def _messages(
    tab: TabHandle, record: RequestRecord, cursor: str | None, limit: int, *, used: int
) -> dict[str, Any]:
    """Return the newest messages of a WebSocket or event stream that fit beside the rest."""
    conversation = record.conversation
    if conversation is None:
        return {}
    part = _newest(tab, "messages", [*conversation.kept], cursor, limit)
    part = attrs.evolve(part, room=max(part.room - used, _LEAST_ROOM))
    longest = max(part.room // max(len(part.newest), 1), _SHORT_MESSAGE)
    rows = part.as_json(lambda message: _conversation_row(message, longest))
    dropped = {"dropped": conversation.dropped} if conversation.dropped else {}
    paused = {"note": _PAUSED} if conversation.paused else {}
    return {**rows, **dropped, **paused}


def _conversation_row(message: SocketMessage, longest: int) -> dict[str, Any]:
    """Return a message with at most ``longest`` characters; bytes are only counted."""
    row: dict[str, Any] = {
        "direction": "sent" if message.is_sent else "received",
        "timestamp": from_seconds(message.time),
    }
    if message.event:
        row["event"] = ellipsize(message.event, LONGEST)
    if message.event_id:
        row["eventId"] = ellipsize(message.event_id, LONGEST)
    if message.is_binary:
        return row | {"bytes": message.length}
    is_cut = len(message.text) > longest or message.length > LONGEST_MESSAGE
    cut = {"length": message.length} if is_cut else {}
    return {**row, "text": ellipsize(message.text, longest), **cut}


def write_message(message: ConsoleMessage) -> str:
    """Return a message as ``[error 10:22:31.120] text``."""
    time = message.timestamp.partition("T")[2].removesuffix("Z")
    return f"[{message.level} {time}] {write_line(message.text)}"


def _message_row(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}


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
    if conversation := record.conversation:
        facts.append(f"{conversation.sent} sent, {conversation.received} received")
    if record.by:
        facts.append(f"by {record.by.replace('_', ' ')}")
    method = write_line(record.method)
    address = write_address(record.url, limit=LONGEST)
    return f"{record.number} {method} {result} {address} ({', '.join(filter(None, facts))})"


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
        cut = cut_entry(self.name, self.total, len(rows), self._cursor(len(rows)))
        return {self.name: rows, "truncation": cut}

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
