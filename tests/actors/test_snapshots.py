"""Every tab keeps its last views in a ring of its own."""

import pytest

from charlotte.actors.snapshots import DEPTH, Rings, SnapshotStore, open_snapshots
from charlotte.errors import SnapshotExpired
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of


@pytest.fixture
def store() -> SnapshotStore:
    return SnapshotStore(Rings())


@pytest.fixture
def view() -> PageView:
    return view_of(Page().capture())


async def test_a_saved_view_is_found_again(store: SnapshotStore, view: PageView) -> None:
    saved = await store.save("tab-1", view)

    assert saved.view is view
    assert saved.timestamp.endswith("Z")
    assert await store.find("tab-1", saved.id) is saved


@pytest.mark.req("C-SNAP-03")
async def test_ids_rise_from_one_over_all_tabs_and_are_never_used_again(
    store: SnapshotStore, view: PageView
) -> None:
    ids = [(await store.save(tab, view)).id for tab in ("tab-1", "tab-2", "tab-1")]
    await store.forget("tab-1")
    ids.append((await store.save("tab-1", view)).id)

    assert ids == [1, 2, 3, 4]


async def test_without_an_id_the_newest_is_found(store: SnapshotStore, view: PageView) -> None:
    await store.save("tab-1", view)
    newest = await store.save("tab-1", view)
    await store.save("tab-2", view)

    assert await store.find("tab-1") is newest


async def test_a_snapshot_of_another_tab_is_not_found(store: SnapshotStore, view: PageView) -> None:
    saved = await store.save("tab-1", view)
    await store.save("tab-2", view)

    with pytest.raises(SnapshotExpired, match="Snapshot 1 is not kept: tab-2 has snapshots 2"):
        await store.find("tab-2", saved.id)


@pytest.mark.req("C-SNAP-01", "C-SNAP-04")
async def test_the_oldest_make_room_in_their_own_ring_only(
    store: SnapshotStore, view: PageView
) -> None:
    assert DEPTH == 50
    first = await store.save("tab-1", view)
    for _ in range(DEPTH + 1):
        await store.save("tab-2", view)

    assert await store.find("tab-1") is first
    with pytest.raises(SnapshotExpired):
        await store.find("tab-2", 2)
    assert (await store.find("tab-2", 3)).id == 3


async def test_a_smaller_depth_evicts_at_the_next_save(
    store: SnapshotStore, view: PageView
) -> None:
    for _ in range(4):
        await store.save("tab-1", view)
    await store.save("tab-1", view, depth=2)

    with pytest.raises(SnapshotExpired, match="tab-1 has snapshots 4, 5"):
        await store.find("tab-1", 3)


async def test_the_one_that_is_worked_with_is_spared(store: SnapshotStore, view: PageView) -> None:
    first = await store.save("tab-1", view)
    for _ in range(4):
        await store.save("tab-1", view, depth=3, spared=first.id)

    assert await store.find("tab-1", first.id) is first
    with pytest.raises(SnapshotExpired, match="tab-1 has snapshots 1, 4, 5"):
        await store.find("tab-1", 3)


async def test_where_nothing_is_kept_the_error_says_so(store: SnapshotStore) -> None:
    with pytest.raises(SnapshotExpired, match="Snapshot newest is not kept: tab-1 has none"):
        await store.find("tab-1")


async def test_a_forgotten_tab_has_no_snapshots_and_can_be_forgotten_twice(
    store: SnapshotStore, view: PageView
) -> None:
    await store.save("tab-1", view)
    await store.forget("tab-1")
    await store.forget("tab-1")

    with pytest.raises(SnapshotExpired):
        await store.find("tab-1")


async def test_snapshots_outlive_the_actor(view: PageView) -> None:
    rings = Rings()
    async with open_snapshots(rings) as store:
        saved = await store.save("tab-1", view)
    async with open_snapshots(rings) as store:
        assert await store.find("tab-1", saved.id) is saved
        assert (await store.save("tab-1", view)).id == 2
