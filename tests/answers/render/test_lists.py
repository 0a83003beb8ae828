"""Rendering of lists and diffs."""

import pytest

from charlotte.answers.render import render_diff, render_list, render_more_changes
from charlotte.page.find import parse_cursor
from charlotte.page.model import Change, SnapshotDiff, compact_json


@pytest.mark.req("C-FIND-06")
def test_an_uncut_list_is_an_array() -> None:
    values = [{"id": index} for index in range(120)]
    assert render_list("elements", values[:50], dict, number=3).body == values[:50]
    sent = render_list("elements", values, dict, number=3)
    assert sent.body["elements"] == values[:50]
    assert sent.body["truncation"]["next_cursor"] == "3.elements.50"
    last = render_list("elements", values, dict, number=3, offset=100)
    assert last.body == values[100:]
    short = render_list("elements", values, dict, number=3, limit=500, max_chars=1_000)
    assert len(short.text) <= 1_000


def test_a_long_diff_continues_to_its_end() -> None:
    changes = tuple(Change(type="removed", element=f"btn-{n:04x}") for n in range(500))
    delta = SnapshotDiff(from_snapshot=1, to_snapshot=2, changes=changes, summary="500 changes.")
    whole = render_diff(delta, "tab-1", number=7)
    assert whole.body == {**delta.as_json(), "tab_id": "tab-1"}
    cut = render_diff(delta, "tab-1", number=7, max_chars=2_000)
    assert len(compact_json(cut.body)) <= 2_000
    found = list(cut.body["changes"])
    cursor = cut.body["truncation"]["next_cursor"]
    assert cursor == f"7.changes.{len(found)}"
    while cursor:
        more = render_more_changes(changes, parse_cursor(cursor), "tab-1", max_chars=2_000)
        assert len(more.text) <= 2_000
        found += more.body["delta"]["changes"]
        cursor = more.body.get("truncation", {}).get("next_cursor")
    assert found == [change.as_json() for change in changes]
