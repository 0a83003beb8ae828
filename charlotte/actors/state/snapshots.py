"""Snapshots: numbered views of a tab's page."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Literal

import attrs

from charlotte.base.errors import SnapshotExpired
from charlotte.base.log import now
from charlotte.config.config import AutoSnapshot
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
class Numbers(Iterator[int]):
    """Numbers that rise from 1 and are never reused, as the ids of snapshots (C-SNAP-03)."""

    last: int = 0

    def __next__(self) -> int:
        self.last += 1
        return self.last


@attrs.define(eq=False)
class Ring:
    """The snapshots of a tab by id, oldest first; ``numbers`` are the ids of all tabs."""

    tab_id: str
    numbers: Numbers = attrs.field(factory=Numbers)
    snapshots: OrderedDict[int, Snapshot] = attrs.field(factory=OrderedDict[int, Snapshot])

    def save(self, view: PageView, *, depth: int = DEPTH, spared: int = 0) -> Snapshot:
        """Store a view as the newest snapshot and evict the oldest beyond ``depth``.

        The snapshot with the id ``spared`` is never evicted, because a caller still needs it.
        """
        snapshot = Snapshot(next(self.numbers), now(), view)
        kept = self.snapshots
        kept[snapshot.id] = snapshot
        oldest = [number for number in kept if number != spared]
        for number in oldest[: max(len(kept) - depth, 0)]:
            del kept[number]
        return snapshot

    def find(self, snapshot_id: int | None = None) -> Snapshot:
        """Return a snapshot, by default the newest.

        Raises `SnapshotExpired`, which lists the stored ids, if it is not stored.
        """
        wanted = next(reversed(self.snapshots), None) if snapshot_id is None else snapshot_id
        if wanted is not None and (snapshot := self.snapshots.get(wanted)):
            return snapshot
        ids = [str(number) for number in self.snapshots]
        stored = f"snapshots {', '.join(ids)}" if ids else "none"
        if len(ids) > _MOST_LISTED:
            stored = f"{len(ids)} snapshots from {ids[0]} to {ids[-1]}"
        raise SnapshotExpired(
            f"Snapshot {wanted or 'newest'} is not kept: {self.tab_id} has {stored}.",
            "Call observe for the present page, then diff against its snapshot_id.",
        )


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
