"""Lists without a snapshot, sent page by page: their cursors and the rows that fit."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import attrs

from charlotte.actors.state.console_log import ConsoleMessage
from charlotte.actors.state.request_log import RequestRecord
from charlotte.errors import InvalidArgument
from charlotte.page.render.cut import build_list

T = TypeVar("T", ConsoleMessage, RequestRecord)

ClearAfter = Annotated[bool, "ClearAfter the list afterwards"]
Older = Annotated[str | None, "next_cursor, for older ones"]

_TRUNCATION = 120
"""Characters reserved for the truncation of a list."""

_ENDS = 400
"""Characters reserved for the fields around a list of records."""


def position(cursor: str) -> int:
    """Return the number that a cursor consists of; raises `InvalidArgument`."""
    if re.fullmatch("[0-9]{1,9}", cursor) is None:
        raise InvalidArgument(
            f"cursor must be a next_cursor of a truncation, got {cursor[:60]!r}.",
            "Pass a next_cursor exactly as an answer contains it.",
        )
    return int(cursor)


def check_cursor(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` for a cursor that is not a number."""
    if arguments["cursor"] is not None:
        position(arguments["cursor"])


def rows_from(
    name: str, rows: list[dict[str, Any]], cursor: str | None, max_chars: int
) -> dict[str, Any]:
    """Return ``rows`` from ``cursor`` on, under their name: as many as fit, and a next cursor."""
    part = build_list(
        name, rows, dict, room=max_chars - _TRUNCATION, offset=position(cursor or "0")
    )
    if not part.is_cut:
        return {name: part.items}
    cut = {"part": name, "total": part.total, "returned": len(part.items)}
    return {name: part.items, "truncation": {**cut, "next_cursor": str(part.end)}}


@attrs.frozen
class Window:
    """The part of a record list to return: ``limit`` records before number ``cursor``."""

    cursor: str | None
    limit: int
    max_chars: int

    def older(self, records: Sequence[T]) -> list[T]:
        """Return the records before the cursor, or all, in order."""
        before = math.inf if self.cursor is None else position(self.cursor)
        older = (record for record in records if record.number < before)
        return sorted(older, key=lambda record: record.number)

    def newest(
        self, name: str, records: Sequence[T], as_json: Callable[[T], dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the newest records that fit, oldest first, under their name."""
        older = self.older(records)
        newest = older[-self.limit :][::-1]
        rows = build_list(name, newest, as_json, room=self.max_chars - _ENDS).items[::-1]
        if len(rows) == len(older):
            return {name: rows}
        first = older[-len(rows)].number
        cut = {"part": name, "total": len(records), "returned": len(rows)}
        return {name: rows, "truncation": {**cut, "next_cursor": str(first)}}
