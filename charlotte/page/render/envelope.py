"""What a response says besides the page, and the response itself."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.record_base import compact_json
from charlotte.page.render.cut import Cursor, count_fitting

_ERRORS = 10
_LONGEST_ERROR = 250


@attrs.frozen(kw_only=True)
class PageErrors:
    """C-PR-30, oldest first: rows ``{level, text}`` and ``{url, status, statusText}``."""

    console: Sequence[Mapping[str, Any]] = ()
    network: Sequence[Mapping[str, Any]] = ()

    def as_json(self, max_chars: int, *, empty: bool) -> dict[str, Any]:
        """The key ``errors`` with the last few of each; nothing for no errors unless ``empty``.

        Each kind takes at most a quarter of ``max_chars``.
        """
        kinds = {"console": self.console, "network": self.network}
        told: dict[str, Any] = {
            kind: _last([_short(row) for row in rows[-_ERRORS:]], max_chars // 4)
            for kind, rows in kinds.items()
            if rows or empty
        }
        if any(len(rows) > len(told.get(kind, rows)) for kind, rows in kinds.items()):
            told["totals"] = {kind: len(rows) for kind, rows in kinds.items()}
        return {"errors": told} if told else {}


def _last(rows: Sequence[dict[str, Any]], room: int) -> Sequence[dict[str, Any]]:
    """As many of the last ones as there is room for, in their brackets."""
    kept = count_fitting([len(compact_json(row)) + 1 for row in reversed(rows)], room - 1)
    return rows[len(rows) - kept :]


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _clipped(value) if isinstance(value, str) else value for key, value in row.items()}


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}…"


@attrs.frozen(kw_only=True)
class Envelope:
    """What a response says besides the view.

    ``snapshot_id`` is 0 if it is not stored, ``timestamp`` ISO 8601. For detail ``delta``,
    ``errors`` are the new ones. ``extras`` are further top-level keys with JSON values:
    reload_event, pending_dialog, opened_tabs, status, ….
    ``delta_number`` is what a cursor says for the list of changes, None if it is not kept.
    ``kept`` is the number of the view, if it is not the snapshot's own.
    """

    snapshot_id: int
    timestamp: str
    tab_id: str
    errors: PageErrors = attrs.field(factory=PageErrors)
    extras: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
    delta: SnapshotDiff | None = None
    delta_number: int | None = None
    kept: int | None = None

    @property
    def stored(self) -> dict[str, Any]:
        """The id of the snapshot, if it is stored as one."""
        return {"snapshot_id": self.snapshot_id} if self.snapshot_id else {}

    def with_extras(self, **more: Any) -> "Envelope":
        """The same with more top-level keys."""
        return attrs.evolve(self, extras={**self.extras, **more})

    @property
    def cursor(self) -> Cursor | None:
        """Where what is cut begins; None when it is nowhere stored, so nothing can be continued."""
        if self.kept is not None:
            return Cursor(self.kept, "", 0, kept=True)
        return Cursor(self.snapshot_id, "", 0) if self.snapshot_id else None

    @property
    def delta_cursor(self) -> Cursor | None:
        """The same for the list of changes."""
        return None if self.delta_number is None else Cursor(self.delta_number, "", 0)


@attrs.frozen
class RenderedText:
    """A response as the text that is sent; ``complete`` if nothing was cut.

    ``shown`` are the ids whose role and name its reader is told.
    """

    text: str
    complete: bool
    shown: Sequence[str] = ()

    @cached_property
    def body(self) -> Any:
        """The response as a JSON value."""
        return json.loads(self.text)
