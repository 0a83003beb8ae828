"""The snapshot store: an actor that keeps the last views of every tab, each tab in its own ring."""

import itertools
from collections import OrderedDict, defaultdict
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import attrs

from charlotte.clock import now
from charlotte.errors import SnapshotExpired
from charlotte.page.model import PageView

DEPTH = 50


@attrs.frozen
class Snapshot:
    """One immutable view (C-SNAP-05); ``timestamp`` is ISO 8601."""

    id: int
    timestamp: str
    view: PageView


Ring = OrderedDict[int, Snapshot]


@attrs.define(eq=False)
class Rings:
    """What the store keeps; outlives it. Ids rise from 1 and are never reused (C-SNAP-03)."""

    ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))
    by_tab: defaultdict[str, Ring] = attrs.field(factory=lambda: defaultdict[str, Ring](Ring))


class SnapshotStore:
    """The actor's state: saves, finds and evicts."""

    def __init__(self, rings: Rings) -> None:
        self._rings = rings

    async def save(self, tab_id: str, view: PageView, *, depth: int = DEPTH) -> Snapshot:
        """Keep a view as the tab's newest; the oldest beyond ``depth`` are evicted."""
        snapshot = Snapshot(next(self._rings.ids), now(), view)
        ring = self._rings.by_tab[tab_id]
        ring[snapshot.id] = snapshot
        while len(ring) > depth:
            ring.popitem(last=False)
        return snapshot

    async def find(self, tab_id: str, snapshot_id: int | None = None) -> Snapshot:
        """A kept snapshot, or the tab's newest; raises `SnapshotExpired` saying what is kept."""
        ring = self._rings.by_tab[tab_id]
        wanted = next(reversed(ring), None) if snapshot_id is None else snapshot_id
        if wanted is not None and (snapshot := ring.get(wanted)):
            return snapshot
        kept = (
            f"{tab_id} has snapshots {', '.join(map(str, ring))}" if ring else f"{tab_id} has none"
        )
        raise SnapshotExpired(
            f"Snapshot {wanted or 'newest'} is not kept: {kept}.",
            "Call observe for the page as it is now, then diff against its snapshot_id.",
        )

    async def forget(self, tab_id: str) -> None:
        """Drop a closed tab's ring."""
        self._rings.by_tab.pop(tab_id, None)


@asynccontextmanager
async def open_snapshots(rings: Rings) -> AsyncGenerator[SnapshotStore]:
    """Serve the rings."""
    yield SnapshotStore(rings)
