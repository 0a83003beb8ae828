"""The snapshot store: an actor that keeps the last views of every tab in the tab's own ring."""

import itertools
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Literal

import attrs

from charlotte.clock import now
from charlotte.config import AutoSnapshot
from charlotte.errors import SnapshotExpired
from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.diff.views import diff_views
from charlotte.page.model import PageView

Source = Literal["action", "observe", "request"]
"""For what a view is taken: an action or other tool, to be observed, to be stored by all means."""

_STORED: Mapping[AutoSnapshot, tuple[Source, ...]] = {
    "every_action": ("action", "observe", "request"),
    "observe_only": ("observe", "request"),
    "manual": ("request",),
}

DEPTH = 50
_NAMED = 10


def stores(mode: AutoSnapshot, source: Source) -> bool:
    """Whether a view that was taken for that is stored as a snapshot (C-SNAP-06)."""
    return source in _STORED[mode]


@attrs.frozen
class Snapshot:
    """One immutable view (C-SNAP-05); ``timestamp`` is ISO 8601, ``id`` 0 if it is not stored."""

    id: int
    timestamp: str
    view: PageView


@attrs.define(eq=False)
class Ring:
    """The snapshots of one tab by id, oldest first; its record owns it and ends with it."""

    tab_id: str
    snapshots: OrderedDict[int, Snapshot] = attrs.field(factory=OrderedDict[int, Snapshot])

    def __str__(self) -> str:
        ids = [str(number) for number in self.snapshots]
        if len(ids) <= _NAMED:
            return f"snapshots {', '.join(ids)}" if ids else "none"
        return f"{len(ids)} snapshots from {ids[0]} to {ids[-1]}"


def snapshot_ids() -> Iterator[int]:
    """Return the ids of all snapshots; they rise from 1 and are never reused (C-SNAP-03)."""
    return itertools.count(1)


class SnapshotStore:
    """The actor's state: saves, finds and evicts."""

    def __init__(self, ids: Iterator[int]) -> None:
        self._ids = ids

    async def save(
        self, ring: Ring, view: PageView, *, depth: int = DEPTH, spared: int = 0
    ) -> Snapshot:
        """Keep a view as the tab's newest; the oldest beyond ``depth`` are evicted.

        The one with the id ``spared`` is not: it is still being worked with.
        """
        snapshot = Snapshot(next(self._ids), now(), view)
        kept = ring.snapshots
        kept[snapshot.id] = snapshot
        oldest = [number for number in kept if number != spared]
        for number in oldest[: max(len(kept) - depth, 0)]:
            del kept[number]
        return snapshot

    async def find(self, ring: Ring, snapshot_id: int | None = None) -> Snapshot:
        """A kept snapshot, or the tab's newest; raises `SnapshotExpired` saying what is kept."""
        wanted = next(reversed(ring.snapshots), None) if snapshot_id is None else snapshot_id
        if wanted is not None and (snapshot := ring.snapshots.get(wanted)):
            return snapshot
        raise SnapshotExpired(
            f"Snapshot {wanted or 'newest'} is not kept: {ring.tab_id} has {ring}.",
            "Call observe for the page as it is now, then diff against its snapshot_id.",
        )


@asynccontextmanager
async def open_snapshots(ids: Iterator[int]) -> AsyncGenerator[SnapshotStore]:
    """Open a store that numbers its snapshots with ``ids``."""
    yield SnapshotStore(ids)


def delta_of(before: Snapshot, after: Snapshot, acted_on: str | None = None) -> SnapshotDiff | None:
    """What an action changed; None when it led to another document, which is to be shown whole."""
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
