"""Tools that read the console and the requests of a tab, whatever its page is doing."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.state.logs import ConsoleMessage, RequestRecord
from charlotte.errors import InvalidArgument
from charlotte.page.render import build_list
from charlotte.tools.answer import Answer, Listing, Requests, request_of
from charlotte.tools.pages import json_answer, position
from charlotte.tools.request_export import RequestExport, save_archive
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Limit
from charlotte.tools.schema.tool import tool

T = TypeVar("T", ConsoleMessage, RequestRecord)

LevelFilter = Literal["all", "log", "info", "warn", "error", "debug"]
ClearAfter = Annotated[bool, "ClearAfter the list afterwards"]
Older = Annotated[str | None, "next_cursor, for older ones"]

_ENDS = 400
"""Characters reserved for the fields around a list of records."""


def _check_cursor(arguments: Mapping[str, Any]) -> None:
    if arguments["cursor"] is not None:
        position(arguments["cursor"])


@tool(group="monitoring", position=460, read_only=True, check=_check_cursor)
async def console(
    tab: TabHandle,
    *,
    level: LevelFilter = "all",
    clear: ClearAfter = False,
    limit: Limit = 100,
    cursor: Older = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Return console messages of a tab, oldest first, and uncaught exceptions (level error)."""
    messages, dropped, note = await tab.ask(
        tab.record.console, ConsoleMonitor.report, None if level == "all" else level, clear=clear
    )
    newest, listed = _newest(tab, "messages", messages, _message_row, cursor=cursor, limit=limit)
    body = {
        **listed,
        "count": len(messages),
        "level": level,
        "cleared": clear,
        **({"note": note} if note else {}),
        **({"dropped": dropped} if dropped else {}),
    }
    value = Listing(items=newest, total=len(messages), dropped=dropped, note=note)
    return json_answer(body, value, tab_id=tab.record.id)


def _message_row(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}


@tool(group="monitoring", position=470, read_only=True, check=_check_cursor)
async def requests(
    tab: TabHandle,
    *,
    url_pattern: Annotated[str | None, "Part of the URL, case-insensitive"] = None,
    resource_type: Annotated[str | None, "document, fetch, xhr, script, image …"] = None,
    status_min: Annotated[int | None, Limits(minimum=0, maximum=599)] = None,
    failed: Annotated[bool, "No response, or status >= 400"] = False,
    clear: ClearAfter = False,
    limit: Limit = 100,
    cursor: Older = None,
    id_: Annotated[int | None, "Return this one, with bodies"] = None,
    har: bool = False,
    include_sensitive: bool = False,
) -> Answer[Requests]:
    """Return requests of a tab, oldest first, or a HAR file.

    Failed ones have status 0 and `error`.
    """
    network = tab.record.network
    records, dropped = await tab.ask(network, NetworkMonitor.read, clear=clear)
    if id_ is not None:
        record = _find_request(records, id_)
        bodies = await tab.ask(network, NetworkMonitor.bodies, record)
        export = RequestExport(record, include_sensitive)
        details = await export.in_full(bodies, tab.record)
        value = Requests(items=(request_of(record, details),), total=1)
        return json_answer({**_request_row(record), **details}, value, tab_id=tab.record.id)

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

    newest, listed = _newest(tab, "requests", found, _request_row, cursor=cursor, limit=limit)
    body = {
        **listed,
        "count": len(found),
        "cleared": clear,
        **({"dropped": dropped} if dropped else {}),
    }
    value = Requests(items=tuple(map(request_of, newest)), total=len(found), dropped=dropped)
    return json_answer(body, value, tab_id=tab.record.id)


def _find_request(records: Sequence[RequestRecord], number: int) -> RequestRecord:
    if record := next((record for record in records if record.number == number), None):
        return record
    raise InvalidArgument(
        f"Request {number} not found.",
        "Pass an id that requests returned; it drops the oldest and forgets cleared ones.",
    )


def _request_row(record: RequestRecord) -> dict[str, Any]:
    row = {
        "id": record.number,
        "url": record.url,
        "method": record.method,
        "status": record.status,
        "statusText": record.status_text,
        "resourceType": record.resource_type,
        "timestamp": record.timestamp,
    }
    more = {"error": record.error, "by": record.by, "from": record.exchange.source}
    return row | {name: value for name, value in more.items() if value}


def _newest(
    tab: TabHandle,
    name: str,
    records: Sequence[T],
    as_json: Callable[[T], dict[str, Any]],
    *,
    cursor: str | None,
    limit: int,
) -> tuple[tuple[T, ...], dict[str, Any]]:
    """Return the newest ``limit`` records before ``cursor`` in order, and the rows that fit."""
    before = math.inf if cursor is None else position(cursor)
    older = sorted(
        (record for record in records if record.number < before),
        key=lambda record: record.number,
    )
    newest = tuple(older[-limit:])
    room = tab.record.session.settings.max_chars - _ENDS
    rows = build_list(name, newest[::-1], as_json, room=room).items[::-1]
    if len(rows) == len(older):
        return newest, {name: rows}
    cut = {"part": name, "total": len(records), "returned": len(rows)}
    next_cursor = str(older[-len(rows)].number)
    return newest, {name: rows, "truncation": {**cut, "next_cursor": next_cursor}}
