"""Snapshots: numbered views of a tab's page, and the actor that stores them."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
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


@attrs.define(eq=False)
class Numbers(Iterator[int]):
    """Numbers that rise from 1 and are never reused, as the ids of snapshots (C-SNAP-03)."""

    last: int = 0

    def __next__(self) -> int:
        self.last += 1
        return self.last


@attrs.define(eq=False)
class SnapshotStore:
    """State of the snapshot actor."""

    _ids: Iterator[int]

    async def save(self, ring: Ring, view: PageView, *, depth: int = DEPTH) -> Snapshot:
        """Store a view as the tab's newest snapshot and evict the oldest beyond ``depth``."""
        snapshot = Snapshot(next(self._ids), now(), view)
        ring.snapshots[snapshot.id] = snapshot
        while len(ring.snapshots) > depth:
            ring.snapshots.popitem(last=False)
        return snapshot

    async def find(self, ring: Ring, snapshot_id: int | None = None) -> Snapshot:
        """Return a snapshot, by default the tab's newest.

        Raises `SnapshotExpired`, which lists the stored ids, if it is not stored.
        """
        wanted = next(reversed(ring.snapshots), None) if snapshot_id is None else snapshot_id
        if wanted is not None and (snapshot := ring.snapshots.get(wanted)):
            return snapshot
        raise SnapshotExpired(
            f"Snapshot {wanted or 'newest'} is not kept: {ring.tab_id} has {ring}.",
            "Call observe for the present page, then diff against its snapshot_id.",
        )


@asynccontextmanager
async def open_snapshots(ids: Iterator[int]) -> AsyncGenerator[SnapshotStore]:
    """Open a store that numbers its snapshots with ``ids``."""
    yield SnapshotStore(ids)
