"""The snapshot store: an actor that saves, finds and evicts the snapshots of all tabs."""

import itertools
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

from charlotte.actors.state.snapshots import DEPTH, Ring, Snapshot
from charlotte.clock import now
from charlotte.errors import SnapshotExpired
from charlotte.page.model import PageView


def snapshot_ids() -> Iterator[int]:
    """Return the ids of all snapshots; they rise from 1 and are never reused (C-SNAP-03)."""
    return itertools.count(1)


class SnapshotStore:
    """State of the snapshot actor."""

    def __init__(self, ids: Iterator[int]) -> None:
        self._ids = ids

    async def save(
        self, ring: Ring, view: PageView, *, depth: int = DEPTH, spared: int = 0
    ) -> Snapshot:
        """Store a view as the tab's newest snapshot and evict the oldest beyond ``depth``.

        The snapshot with the id ``spared`` is never evicted, because a caller still needs it.
        """
        snapshot = Snapshot(next(self._ids), now(), view)
        kept = ring.snapshots
        kept[snapshot.id] = snapshot
        oldest = [number for number in kept if number != spared]
        for number in oldest[: max(len(kept) - depth, 0)]:
            del kept[number]
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
