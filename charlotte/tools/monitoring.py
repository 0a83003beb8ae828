"""Tools that read the console and the requests of a tab, whatever its page is doing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.state.console_log import ConsoleMessage
from charlotte.actors.state.request_log import RequestRecord
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.pages import ClearAfter, Older, Window, check_cursor, json_answer
from charlotte.tools.request_export import exchange_of, in_full, saved_archive
from charlotte.tools.results import Listing, Requests, request_of
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Limit
from charlotte.tools.schema.tool import tool

LevelFilter = Literal["all", "log", "info", "warn", "error", "debug"]


@tool(group="monitoring", position=460, read_only=True, check=check_cursor)
async def console(
    monitor: ConsoleMonitor,
    *,
    level: LevelFilter = "all",
    clear: ClearAfter = False,
    limit: Limit = 100,
    cursor: Older = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Return console messages of a tab, oldest first, and uncaught exceptions (level error)."""
    messages, dropped = await monitor.read(None if level == "all" else level, clear=clear)
    window = Window(cursor, limit, monitor.max_chars())
    body = {
        **window.newest("messages", messages, _message_row),
        "count": len(messages),
        "level": level,
        "cleared": clear,
        **({"note": monitor.note} if monitor.note else {}),
        **({"dropped": dropped} if dropped else {}),
    }
    newest = tuple(window.older(messages)[-limit:])
    value = Listing(items=newest, total=len(messages), dropped=dropped, note=monitor.note)
    return json_answer(body, value, tab_id=monitor.tab_id)


def _message_row(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}


@tool(group="monitoring", position=470, read_only=True, check=check_cursor)
async def requests(
    monitor: NetworkMonitor,
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
    records, dropped = await monitor.read(clear=clear)
    if id_ is not None:
        record = _numbered(records, id_)
        details = await in_full(monitor, record, include_sensitive=include_sensitive)
        value = Requests(items=(request_of(record, exchange_of(details)),), total=1)
        return json_answer({**_row(record), **details}, value, tab_id=monitor.tab_id)

    found = [
        record
        for record in records
        if (url_pattern is None or url_pattern.lower() in record.url.lower())
        and (resource_type is None or resource_type.lower() == record.resource_type)
        and (status_min is None or (record.status or 0) >= status_min)
        and (not failed or record.has_failed)
    ]
    if har:
        saved = await saved_archive(monitor, found, include_sensitive=include_sensitive)
        value = Requests(items=(), total=len(found), har=Path(saved["path"]))
        return json_answer(saved, value, tab_id=monitor.tab_id)

    window = Window(cursor, limit, monitor.max_chars())
    body = {
        **window.newest("requests", found, _row),
        "count": len(found),
        "cleared": clear,
        **({"dropped": dropped} if dropped else {}),
    }
    newest = tuple(map(request_of, window.older(found)[-limit:]))
    value = Requests(items=newest, total=len(found), dropped=dropped)
    return json_answer(body, value, tab_id=monitor.tab_id)


def _numbered(records: Sequence[RequestRecord], number: int) -> RequestRecord:
    if record := next((record for record in records if record.number == number), None):
        return record
    raise InvalidArgument(
        f"Request {number} not found.",
        "Pass an id that requests returned; it drops the oldest and forgets cleared ones.",
    )


def _row(record: RequestRecord) -> dict[str, Any]:
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
