"""Join of the captures of frames."""

from typing import Any

import attrs

from charlotte.page.capture import FrameCapture, RecordCache, frame_name, join_frames, split_number
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.records import Scene
from charlotte.page.model import Bounds
from tests.page.pages import Page, view_of

INNER = [5, 5, 1280, 720]  # as large as the viewport of a page in tests: not scaled


def frame(page: Page, name: str = "Part", *, inner: list[int] = INNER, **more: object) -> int:
    page.add("d", "iframe", name, inner=inner, **more)  # type: ignore[arg-type]
    return page.last


def joined(main: Page, *children: Page) -> FrameCapture:
    nids = [row[0] for row in main.rows if row[5]["k"] == "d"]
    inside = {
        nid: FrameCapture(number, child.capture())
        for number, (nid, child) in enumerate(zip(nids, children, strict=False), start=1)
    }
    return FrameCapture(0, main.capture(), inside)


def labels(whole: FrameCapture) -> list[tuple[str, str | None]]:
    return [(one.label, one.frame) for one in view_of(join_frames(whole)).interactive]


def test_uncaptured_elements_of_a_frame_count_in_the_landmark_around_it() -> None:
    main, child = Page(), Page(document="doc2")
    main.landmark("main")
    frame(main, parent=0)
    child.uncaptured = [[0, "link", "", "", False, 7]]
    main.uncaptured = [[1, "link", "", "", False, 2]]

    assert view_of(join_frames(joined(main, child))).uncaptured == {(0, "link"): 9}


def test_nodes_of_an_unchanged_frame_are_shared() -> None:
    main, child = Page(), Page(document="doc2")
    frame(main)
    child.button("Buy")
    captured = joined(main, child)
    carried = RecordCache()
    first = join_frames(captured, carried).nodes[1]

    assert join_frames(captured, carried).nodes[1] is first
    main.rows[0][4] = (10, 50, 80, 20)
    moved = attrs.evolve(captured, capture=main.capture())
    assert join_frames(moved, carried).nodes[1] == join_frames(moved).nodes[1] != first


def test_content_of_a_frame_comes_at_its_position() -> None:
    page, child = Page(), Page("doc2")
    page.button("Before")
    frame(page)
    page.button("After")
    child.button("In")

    assert labels(joined(page, child)) == [("Before", None), ("In", "Part"), ("After", None)]


def test_content_of_frames_counts_in_the_landmark_around_them() -> None:
    page, child = Page(counts={"paragraphs": 1}), Page("doc2", counts={"paragraphs": 2})
    main = page.landmark("main", counts={"paragraphs": 3})
    frame(page, parent=main)
    child.button("In main")
    nav = child.landmark("navigation")
    child.link("In nav", parent=nav)

    view = view_of(join_frames(joined(page, child)))

    assert [one.role for one in view.landmarks] == ["main", "navigation"]
    assert [one.landmark for one in view.interactive] == [0, 1]
    assert view.landmarks[0].counts["paragraphs"] == 5
    assert view.counts["paragraphs"] == 1


def test_boxes_are_moved_and_scaled_by_all_frames() -> None:
    page, child, grandchild = Page(), Page("doc2"), Page("doc3")
    outer = frame(page, inner=[90, 40, 640, 360])
    inner = frame(child, inner=[10, 0, 1280, 720])
    grandchild.button("Deep", box=(4, 8, 60, 20))
    deepest = FrameCapture(2, grandchild.capture())
    middle = FrameCapture(1, child.capture(), {inner: deepest})

    view = view_of(join_frames(FrameCapture(0, page.capture(), {outer: middle})))

    assert view.interactive[0].bounds == Bounds(112, 59, 30, 10)


def test_only_a_frame_with_the_focus_has_a_focused_element() -> None:
    page, child = Page(), Page("doc2")
    frame(page)
    frame(page, focused=1)
    child.field("Name", focused=1)

    view = view_of(join_frames(joined(page, child, child)))

    assert ["focused" in one.state for one in view.interactive] == [False, True]


def test_forms_in_frames_keep_their_fields() -> None:
    page, child = Page(), Page("doc2")
    form = page.add("f", "form")
    page.field("Outside", parent=form, form=1)
    frame(page)
    form = child.add("f", "form")
    child.field("Inside", parent=form, form=1)

    view = view_of(join_frames(joined(page, child)))

    assert [form.fields for form in view.forms] == [(one.id,) for one in view.interactive]


def test_column_heads_belong_to_tables_of_their_frame() -> None:
    page, child = Page(), Page("doc2")
    frame(page)
    record: dict[str, Any] = {"list": 8, "table": 9, "keys": {}, "cells": ["Ann"]}
    child.button("Edit", record=record, column="#1")
    heads: dict[int, dict[str, str]] = {9: {"#1": "Name"}}
    whole = joined(page, child)
    inner = whole.children[1]
    children = {1: attrs.evolve(inner, capture=attrs.evolve(inner.capture, column_heads=heads))}

    scene = Scene(join_frames(attrs.evolve(whole, children=children)))

    button = next(node for node in scene.capture.nodes if node.role == "button")
    assert scene.identity(button).column == ("#1", "Name")


def test_ids_do_not_depend_on_the_numbers_of_frames() -> None:
    page, child = Page(), Page("doc2")
    frame(page, "A")
    frame(page, "B")
    child.button("In")
    (nid_a, *_), (nid_b, *_) = page.rows
    capture, inside = page.capture(), child.capture()
    first = {nid_a: FrameCapture(1, inside), nid_b: FrameCapture(2, inside)}
    second = {nid_a: FrameCapture(8, inside), nid_b: FrameCapture(5, inside)}

    ids = [
        [one.id for one in view_of(join_frames(FrameCapture(0, capture, children))).interactive]
        for children in (first, second)
    ]

    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


def test_a_navigating_frame_does_not_change_other_ids() -> None:
    page, child, other = Page(), Page("doc2"), Page("doc3")
    nid = frame(page)
    page.button("In")
    child.button("In")
    other.button("In")
    book = IdBook()

    def ids(number: int, document: Page) -> list[str]:
        whole = FrameCapture(0, page.capture(), {nid: FrameCapture(number, document.capture())})
        return [one.id for one in view_of(join_frames(whole), book).interactive]

    assert ids(1, child) == ids(2, other)


def test_a_frame_name_is_its_accessible_name_or_its_url() -> None:
    assert frame_name("Ads", "http://a.test/x", "http://b.test/") == "Ads"
    assert frame_name("", "http://a.test/x?y", "http://a.test/") == "/x"
    assert frame_name("", "http://a.test/x", "http://b.test/") == "a.test/x"
    assert frame_name("", "about:srcdoc", "http://b.test/") == "about:srcdoc"
    assert frame_name("", "http://[bad", "http://b.test/") == "http://[bad"
    assert len(frame_name("", "data:text/html," + "x" * 500, "")) == 61


def test_the_controls_in_a_line_of_a_frame_are_those_of_the_frame() -> None:
    main, child = Page(), Page(document="doc2")
    frame(main)
    child.text("Read the terms", controls=[1, 9, 14])
    child.link("terms")
    line, link = join_frames(joined(main, child)).nodes[1:]
    assert line.extra["controls"] == ((link.nid, 9, 14),)
    assert split_number(link.nid) == (1, 1)
