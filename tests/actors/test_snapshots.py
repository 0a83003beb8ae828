"""Every tab keeps its last views in a ring of its own."""

import pytest

from charlotte.actors.state.snapshots import DEPTH, Numbers, Ring, SnapshotStore, open_snapshots
from charlotte.base.errors import SnapshotExpired
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of


@pytest.fixture
def store() -> SnapshotStore:
    return SnapshotStore(Numbers())


@pytest.fixture
def first() -> Ring:
    return Ring("tab-1")


@pytest.fixture
def second() -> Ring:
    return Ring("tab-2")


@pytest.fixture
def view() -> PageView:
    return view_of(Page().capture())


async def test_a_snapshot_of_another_tab_is_not_found(
    store: SnapshotStore, view: PageView, first: Ring, second: Ring
) -> None:
    saved = await store.save(first, view)
    await store.save(second, view)

    with pytest.raises(SnapshotExpired, match="Snapshot 1 is not kept: tab-2 has snapshots 2"):
        await store.find(second, saved.id)


@pytest.mark.req("C-SNAP-01", "C-SNAP-04")
async def test_the_oldest_make_room_in_their_own_ring_only(
    store: SnapshotStore, view: PageView, first: Ring, second: Ring
) -> None:
    assert DEPTH == 50
    saved = await store.save(first, view)
    for _ in range(DEPTH + 1):
        await store.save(second, view)

    assert await store.find(first) is saved
    with pytest.raises(SnapshotExpired):
        await store.find(second, 2)
    assert (await store.find(second, 3)).id == 3


async def test_snapshots_outlive_the_actor(view: PageView, first: Ring) -> None:
    ids = Numbers()
    async with open_snapshots(ids) as store:
        saved = await store.save(first, view)
    async with open_snapshots(ids) as store:
        assert await store.find(first, saved.id) is saved
        assert (saved.view is view, saved.timestamp[-1]) == (True, "Z")
        assert (await store.save(first, view)).id == 2
