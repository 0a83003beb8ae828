"""Reading what changed since a capture that is known."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.capture import Capture, parse_answer
from tests.page.pages import Page

Row = list[Any]


def patch(known: Capture, now: Page, splices: list[Any], moved: list[Any] | None = None) -> str:
    """The probe's answer to one who knows ``known``."""
    page = json.loads(now.as_text())
    del page["nodes"]
    page |= {"answer": "doc1.2", "since": known.answer, "splices": splices, "moved": moved or []}
    return json.dumps(page)


def rows(page: Page) -> list[Row]:
    """Its rows as the probe writes them."""
    written: list[Row] = json.loads(page.as_text())["nodes"]
    return written


def shop() -> Page:
    page = Page()
    main = page.landmark("main", box=(0, 0, 500, 500))
    page.button("Save", parent=main)
    page.text("One", parent=main)
    page.button("Delete", parent=main, box=(10, 40, 80, 20))
    return page


def test_an_answer_to_one_who_knows_nothing_is_read_whole() -> None:
    page = shop()
    assert parse_answer(page.as_text(), None) == page.capture()


def test_a_probe_that_forgot_what_is_known_sends_everything() -> None:
    page = shop()
    known = page.capture()
    page.button("Other")
    assert parse_answer(page.as_text(), known) == page.capture()


def test_what_has_not_changed_at_all_is_what_was_known() -> None:
    known = shop().capture()
    assert parse_answer('{"same":true}', known) is known


def test_a_node_that_did_not_change_is_kept() -> None:
    before = shop()
    known, after = before.capture(), before.copy()
    after.rows[1][3] = "Saved"
    capture = parse_answer(patch(known, after, [[1, 1, [rows(after)[1]]]]), known)
    assert capture.nodes == after.capture().nodes
    assert [a is b for a, b in zip(capture.nodes, known.nodes, strict=True)] == [
        True,
        False,
        True,
        True,
    ]


def test_nodes_after_one_that_came_are_kept() -> None:
    before = shop()
    known, after = before.capture(), shop()
    after.rows.insert(0, [9, -1, "button", "First", [0, 0, 9, 9], {"k": "i"}])
    new = [9, 0, "button", "First", [0, 0, 9, 9], {"k": "i"}]
    capture = parse_answer(patch(known, after, [[0, 0, [new]]]), known)
    assert all(a is b for a, b in zip(capture.nodes[1:], known.nodes, strict=True))
    assert capture.nodes[0].name == "First"


@pytest.mark.req("C-PR-11")
def test_boxes_that_moved_together_are_told_once() -> None:
    """C-PR-11: bounds are of the viewport, so a scroll moves them all."""
    before = shop()
    known, after = before.capture(), before.copy()
    after.scroll = (0, 30, 0, 2000)
    for row in after.rows:
        if row[4]:
            row[4] = [row[4][0], row[4][1] - 30, *row[4][2:]]
    capture = parse_answer(patch(known, after, [], [[0, 4, 0, -30]]), known)
    assert capture.nodes == after.capture().nodes
    assert capture.nodes[2] is known.nodes[2]


@pytest.mark.req("C-ID-03")
def test_what_lies_in_a_group_follows_its_name() -> None:
    """C-ID-03: the container is part of an id's key."""
    before = Page()
    group = before.add("g", "group", "Address")
    inner = before.add("g", "group", "", parent=group)
    before.field("Street", parent=inner)
    before.field("Elsewhere")
    known, after = before.capture(), before.copy()
    after.rows[group][3] = "Home"
    capture = parse_answer(patch(known, after, [[0, 1, [rows(after)[0]]]]), known)
    assert capture.nodes == after.capture().nodes
    assert capture.nodes[2].container == "Home"
    assert capture.nodes[3] is known.nodes[3]


@pytest.mark.req("C-PR-09")
@pytest.mark.parametrize("was", [True, False])
def test_a_form_that_gets_or_loses_its_name_is_a_landmark_or_none(*, was: bool) -> None:
    """C-PR-09."""
    before, after = Page(), Page()
    for page, named in ((before, was), (after, not was)):
        form = page.add("f", "form", landmark=1) if named else page.add("f", "form")
        page.field("Email", parent=form)
    known = before.capture()
    capture = parse_answer(patch(known, after, [[0, 1, [rows(after)[0]]]]), known)
    assert capture.nodes == after.capture().nodes


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """A page of a few things, each in one that came before it or in none."""
    page = Page()
    numbers = draw(st.lists(st.integers(1, 12), unique=True, max_size=8))
    holders: list[int] = []
    for nid in numbers:
        parent = draw(st.sampled_from([-1, *holders]))
        kind = draw(st.sampled_from("ilgft"))
        name = draw(st.sampled_from(["", "A", "B"]))
        if kind == "t":
            page.text(name, parent=parent)
            continue
        x = draw(st.integers(0, 2))
        box = None if x == 2 else (x, 0, 10, 10)
        extra = {"landmark": 1} if kind == "f" and name else {}
        holders.append(page.add(kind, "region", name, box=box, parent=parent, nid=nid, **extra))
    return page


@given(before=pages(), after=pages(), data=st.data())
def test_any_patch_gives_what_a_whole_answer_gives(
    before: Page, after: Page, data: st.DataObject
) -> None:
    """Whatever the two have in common is kept, the rest is replaced."""
    old, new = rows(before), rows(after)
    head = data.draw(st.integers(0, _alike(old, new)))
    tail = data.draw(st.integers(0, _alike(old[head:][::-1], new[head:][::-1])))
    splice = [head, len(old) - head - tail, new[head : len(new) - tail]]
    known = before.capture()
    capture = parse_answer(patch(known, after, [splice]), known)
    assert capture.nodes == parse_answer(after.as_text()).nodes


def _alike(old: list[Row], new: list[Row]) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(old), len(new)))
