"""Parts of a response around the page, and the finished response."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from charlotte.page.model import SnapshotDiff, compact_json, ellipsize
from charlotte.page.render.cut import Cursor, count_fitting

_MOST_ERRORS = 10
_LONGEST_ERROR = 250


@attrs.frozen(kw_only=True)
class PageErrors:
    """Errors of C-PR-30, oldest first: rows ``{level, text}`` and ``{url, status, statusText}``."""

    console: Sequence[Mapping[str, Any]] = ()
    network: Sequence[Mapping[str, Any]] = ()

    def as_json(self, max_chars: int, *, empty: bool) -> dict[str, Any]:
        """Return the key ``errors`` with the last rows of each kind.

        Without errors the key is left out unless ``empty``. Each kind takes at most a quarter of
        ``max_chars``.
        """
        kinds = {"console": self.console, "network": self.network}
        errors: dict[str, Any] = {}
        for kind, rows in kinds.items():
            if rows or empty:
                short = [_shorten(row) for row in rows[-_MOST_ERRORS:]]
                sizes = [len(compact_json(row)) + 1 for row in reversed(short)]
                kept = count_fitting(sizes, max_chars // 4 - 1)
                errors[kind] = short[len(short) - kept :]
        if any(len(rows) > len(errors.get(kind, rows)) for kind, rows in kinds.items()):
            errors["totals"] = {kind: len(rows) for kind, rows in kinds.items()}
        return {"errors": errors} if errors else {}


def _shorten(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: ellipsize(value, _LONGEST_ERROR) if isinstance(value, str) else value
        for key, value in row.items()
    }


@attrs.frozen(kw_only=True)
class Envelope:
    """Parts of a response around the view.

    ``snapshot_id`` is 0 if no snapshot is stored, ``timestamp`` ISO 8601. For detail ``delta``,
    ``errors`` are the new ones. ``extras`` are further top-level keys with JSON values, such as
    ``reload_event`` and ``pending_dialog``. ``delta_number`` is the number of the list of changes
    for cursors, ``kept`` the number of the view if it is not that of the snapshot.
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
        """The id of the snapshot, if one is stored."""
        return {"snapshot_id": self.snapshot_id} if self.snapshot_id else {}

    def with_extras(self, **extras: Any) -> "Envelope":
        """Return the envelope with more top-level keys."""
        return attrs.evolve(self, extras={**self.extras, **extras})

    @property
    def cursor(self) -> Cursor | None:
        """Cursor for cut lists; None if the view is not stored, so nothing can continue."""
        if self.kept is not None:
            return Cursor(self.kept, "", 0, kept=True)
        return Cursor(self.snapshot_id, "", 0) if self.snapshot_id else None

    @property
    def delta_cursor(self) -> Cursor | None:
        """Cursor for the list of changes."""
        return None if self.delta_number is None else Cursor(self.delta_number, "", 0)


@attrs.frozen
class RenderedText:
    """The text of a response; ``complete`` if nothing was cut.

    ``shown`` are the ids whose role and name the text contains.
    """

    text: str
    complete: bool
    shown: Sequence[str] = ()

    @cached_property
    def body(self) -> Any:
        """The response as a JSON value."""
        return json.loads(self.text)
