"""Lists and diffs as they are sent."""

import pytest

from charlotte.page.cut import compact
from charlotte.page.lists import render_diff, render_list
from charlotte.page.model import Change, SnapshotDiff


@pytest.mark.req("C-FIND-06")
def test_a_list_is_an_array_while_it_is_whole() -> None:
    """C-FIND-06; a cut one says where it goes on."""
    values = [{"id": index} for index in range(120)]
    assert render_list("elements", values[:50], dict, number=3).body == values[:50]
    sent = render_list("elements", values, dict, number=3)
    assert sent.body["elements"] == values[:50]
    assert sent.body["truncation"]["next_cursor"] == "3.elements.50"
    last = render_list("elements", values, dict, number=3, offset=100)
    assert last.body == values[100:]
    short = render_list("elements", values, dict, number=3, limit=500, max_chars=1_000)
    assert len(short.text) <= 1_000


def test_a_diff_that_is_too_long_says_how_much_of_it_is_there() -> None:
    changes = tuple(Change(type="removed", element=f"btn-{n:04x}") for n in range(500))
    delta = SnapshotDiff(from_snapshot=1, to_snapshot=2, changes=changes, summary="500 changes.")
    whole = render_diff(delta, "tab-1")
    assert whole.body == {**delta.as_json(), "tab_id": "tab-1"}
    cut = render_diff(delta, "tab-1", max_chars=2_000)
    assert len(compact(cut.body)) <= 2_000
    returned = len(cut.body["changes"])
    assert cut.body["truncation"] == {"part": "changes", "total": 500, "returned": returned}
