"""Every tab keeps its last views in a ring of its own."""

import pytest

from charlotte.actors.state.snapshots import (
    DEPTH,
    Numbers,
    Ring,
)
from charlotte.base.errors import SnapshotExpired
from charlotte.page.model import PageView
from tests.page.pages import Page, view_of


@pytest.fixture
def ids() -> Numbers:
    return Numbers()


@pytest.fixture
def first(ids: Numbers) -> Ring:
    return Ring("tab-1", ids)


@pytest.fixture
def second(ids: Numbers) -> Ring:
    return Ring("tab-2", ids)


@pytest.fixture
def view() -> PageView:
    return view_of(Page().capture())


def test_a_saved_view_is_found_again(view: PageView, first: Ring) -> None:
    saved = first.save(view)

    assert saved.view is view
    assert saved.timestamp.endswith("Z")
    assert first.find(saved.id) is saved


def test_a_snapshot_of_another_tab_is_not_found(view: PageView, first: Ring, second: Ring) -> None:
    saved = first.save(view)
    second.save(view)

    with pytest.raises(SnapshotExpired, match="Snapshot 1 is not kept: tab-2 has snapshots 2"):
        second.find(saved.id)


@pytest.mark.req("C-SNAP-01", "C-SNAP-04")
def test_the_oldest_make_room_in_their_own_ring_only(
    view: PageView, first: Ring, second: Ring
) -> None:
    assert DEPTH == 50
    saved = first.save(view)
    for _ in range(DEPTH + 1):
        second.save(view)

    assert first.find() is saved
    with pytest.raises(SnapshotExpired):
        second.find(2)
    assert (second.find(3)).id == 3
