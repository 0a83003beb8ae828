"""Tools that read what the monitors wrote down; they answer whatever the page is doing."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import attrs

from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.monitors.transcript import ConsoleMessage
from charlotte.actors.state.request_log import RequestRecord
from charlotte.errors import InvalidArgument
from charlotte.page.render.cut import load
from charlotte.tools.answer import Answer
from charlotte.tools.exchanges import exchange_of, in_full, saved_archive
from charlotte.tools.pages import json_answer, position
from charlotte.tools.parameters import Limit
from charlotte.tools.results import Listing, Requests, request_of
from charlotte.tools.schema import Limits
from charlotte.tools.tool import tool

T = TypeVar("T", ConsoleMessage, RequestRecord)

_LIMIT = 100
_ENDS = 400
"""Characters set aside for what surrounds a list."""

Clear = Annotated[bool, "Forget all afterwards"]
Older = Annotated[str | None, "next_cursor: older ones"]
Level = Literal["all", "log", "info", "warn", "error", "debug"]


def _check_cursor(arguments: Mapping[str, Any]) -> None:
    if arguments["cursor"] is not None:
        position(arguments["cursor"])


@tool(group="monitoring", read_only=True, check=_check_cursor)
async def console(
    monitor: ConsoleMonitor,
    *,
    level: Level = "all",
    clear: Clear = False,
    limit: Limit = _LIMIT,
    cursor: Older = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Console messages of a tab, oldest first, uncaught exceptions included (level error)."""
    messages, dropped = await monitor.read(None if level == "all" else level, clear=clear)
    window = _Window(cursor, limit, monitor.max_chars())
    body = _newest("messages", messages, _message, window)
    some = tuple(_older(messages, cursor)[-limit:])
    note = {"note": monitor.note} if monitor.note else {}
    return json_answer(
        _listing(body, len(messages), dropped, {"level": level, "cleared": clear, **note}),
        Listing(items=some, total=len(messages), dropped=dropped, note=monitor.note),
        tab_id=monitor.tab_id,
    )


@tool(group="monitoring", read_only=True, check=_check_cursor)
async def requests(
    monitor: NetworkMonitor,
    *,
    url_pattern: Annotated[str | None, "Part of the URL, any case"] = None,
    resource_type: Annotated[str | None, "document, fetch, xhr, script, image …"] = None,
    status_min: Annotated[int | None, Limits(minimum=0, maximum=599)] = None,
    failed: Annotated[bool, "No answer, or status from 400"] = False,
    clear: Clear = False,
    limit: Limit = _LIMIT,
    cursor: Older = None,
    id_: Annotated[int | None, "In full, with bodies"] = None,
    har: bool = False,
    include_sensitive: bool = False,
) -> Answer[Requests]:
    """Requests of a tab, oldest first; failed ones have status 0 and `error`. Or a HAR file."""
    records, dropped = await monitor.read(clear=clear)
    if id_ is not None:
        record = _numbered(records, id_)
        told = await in_full(monitor, record, include_sensitive=include_sensitive)
        value = Requests(items=(request_of(record, exchange_of(told)),), total=1)
        return json_answer({**_request(record), **told}, value, tab_id=monitor.tab_id)

    wanted = _Filter(url_pattern, resource_type, status_min, failed=failed)
    found = [record for record in records if wanted.takes(record)]
    if har:
        saved = await saved_archive(monitor, found, include_sensitive=include_sensitive)
        value = Requests(items=(), total=len(found), har=Path(saved["path"]))
        return json_answer(saved, value, tab_id=monitor.tab_id)
    window = _Window(cursor, limit, monitor.max_chars())
    body = _newest("requests", found, _request, window)
    some = tuple(map(request_of, _older(found, cursor)[-limit:]))
    return json_answer(
        _listing(body, len(found), dropped, {"cleared": clear}),
        Requests(items=some, total=len(found), dropped=dropped),
        tab_id=monitor.tab_id,
    )


@attrs.frozen
class _Filter:
    """Which requests are wanted: those of which all that is given holds."""

    url_part: str | None
    resource_type: str | None
    status_min: int | None
    failed: bool

    def takes(self, record: RequestRecord) -> bool:
        """Whether this is one of them."""
        return (
            (self.url_part is None or self.url_part.lower() in record.url.lower())
            and (self.resource_type is None or self.resource_type.lower() == record.resource_type)
            and (self.status_min is None or (record.status or 0) >= self.status_min)
            and (not self.failed or record.has_failed)
        )


def _numbered(records: Sequence[RequestRecord], number: int) -> RequestRecord:
    if record := next((one for one in records if one.number == number), None):
        return record
    raise InvalidArgument(
        f"There is no request {number} on record.",
        "Ids are those of requests; the oldest are dropped and cleared ones forgotten.",
    )


def _message(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}


def _request(record: RequestRecord) -> dict[str, Any]:
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


def _listing(
    body: dict[str, Any], count: int, dropped: int, more: dict[str, Any]
) -> dict[str, Any]:
    counted = {**body, "count": count, **more}
    return counted | ({"dropped": dropped} if dropped else {})


def _older(records: Sequence[T], cursor: str | None) -> list[T]:
    """Those before number ``cursor``, or all, in order."""
    before = math.inf if cursor is None else position(cursor)
    return sorted((one for one in records if one.number < before), key=lambda one: one.number)


@attrs.frozen
class _Window:
    """What of a list is wanted: ``limit`` records before number ``cursor``, as far as they fit."""

    cursor: str | None
    limit: int
    max_chars: int


def _newest(
    name: str, records: Sequence[T], as_json: Callable[[T], dict[str, Any]], window: _Window
) -> dict[str, Any]:
    """The newest records that the window shows, oldest first."""
    older = _older(records, window.cursor)
    newest = older[-window.limit :][::-1]
    rows = load(name, newest, as_json, room=window.max_chars - _ENDS).items[::-1]
    if len(rows) == len(older):
        return {name: rows}
    first = older[-len(rows)].number
    cut = {"part": name, "total": len(records), "returned": len(rows), "next_cursor": str(first)}
    return {name: rows, "truncation": cut}
