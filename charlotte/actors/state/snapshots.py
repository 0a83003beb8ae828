"""Snapshots: numbered views of a tab's page, kept in a ring per tab."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Literal

import attrs

from charlotte.config import AutoSnapshot
from charlotte.page.diff.views import diff_views
from charlotte.page.model import PageView, SnapshotDiff

SnapshotCause = Literal["action", "observe", "request"]
"""Why a view is taken: by an action or another tool, by observe, or to be stored in any mode."""

_STORED: Mapping[AutoSnapshot, tuple[SnapshotCause, ...]] = {
    "every_action": ("action", "observe", "request"),
    "observe_only": ("observe", "request"),
    "manual": ("request",),
}

DEPTH = 50
_MOST_LISTED = 10


def is_stored(mode: AutoSnapshot, cause: SnapshotCause) -> bool:
    """Return whether a view taken for a cause is stored as a snapshot (C-SNAP-06)."""
    return cause in _STORED[mode]


@attrs.frozen
class Snapshot:
    """An immutable view (C-SNAP-05); ``timestamp`` is ISO 8601, ``id`` 0 if it is not stored."""

    id: int
    timestamp: str
    view: PageView


@attrs.define(eq=False)
class Ring:
    """The snapshots of a tab by id, oldest first; its record owns it and ends with it."""

    tab_id: str
    snapshots: OrderedDict[int, Snapshot] = attrs.field(factory=OrderedDict[int, Snapshot])

    def __str__(self) -> str:
        ids = [str(number) for number in self.snapshots]
        if len(ids) <= _MOST_LISTED:
            return f"snapshots {', '.join(ids)}" if ids else "none"
        return f"{len(ids)} snapshots from {ids[0]} to {ids[-1]}"


def delta_of(before: Snapshot, after: Snapshot, acted_on: str | None = None) -> SnapshotDiff | None:
    """Return the changes between two snapshots, None if the second shows another document."""
    if before.view.document != after.view.document:
        return None
    return diff_views(
        before.view,
        after.view,
        from_snapshot=before.id,
        to_snapshot=after.id,
        scope="delta",
        acted_on=acted_on,
    )
