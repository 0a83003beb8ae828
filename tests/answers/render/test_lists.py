"""Rendering of lists and diffs."""

import pytest

from charlotte.answers.render import render_diff, render_list, render_more_changes
from charlotte.page.find import Cursor, parse_cursor
from charlotte.page.model import Change, SnapshotDiff, compact_json

FIRST = Cursor(3, "elements", 0)


@pytest.mark.req("C-FIND-06")
def test_a_list_is_one_array_that_ends_with_a_truncation_if_it_was_cut() -> None:
    values = [{"id": f"lnk-{index}"} for index in range(120)]
    assert render_list(values[:50], dict, FIRST).body == values[:50]

    *sent, cut = render_list(values, dict, FIRST).body
    assert sent == values[:50]
    assert cut == {
        "type": "truncation",
        "part": "elements",
        "total": 120,
        "returned": 50,
        "next_cursor": "3.elements.50",
    }
    last = render_list(values, dict, Cursor(3, "elements", 100))
    assert (last.body, last.shown) == (values[100:], [one["id"] for one in values[100:]])


def test_a_list_is_cut_to_fit() -> None:
    values = [{"id": f"lnk-{index}"} for index in range(500)]

    short = render_list(values, dict, FIRST, limit=500, max_chars=1_000)

    assert len(short.text) <= 1_000
    *sent, cut = short.body
    assert (sent, cut["returned"]) == (values[: len(sent)], len(sent))


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
