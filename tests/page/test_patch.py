"""Parsing of the probe's rows, and of incremental captures."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.capture import Capture, element_type, parse_answer
from tests.page.pages import Page, stored

Row = list[Any]


def patch(known: Capture, now: Page, splices: list[Any], moved: list[Any] | None = None) -> str:
    page = json.loads(now.as_text())
    del page["nodes"]
    page |= {"answer": "doc1.2", "since": known.answer, "splices": splices, "moved": moved or []}
    return json.dumps(page)


def rows(page: Page) -> list[Row]:
    written: list[Row] = json.loads(page.as_text())["nodes"]
    return written


def shop() -> Page:
    page = Page()
    main = page.landmark("main", box=(0, 0, 500, 500))
    page.button("Save", parent=main)
    page.text("One", parent=main)
    page.button("Delete", parent=main, box=(10, 40, 80, 20))
    return page


def test_an_unchanged_page_is_the_known_capture() -> None:
    known = shop().capture()
    assert parse_answer('{"same":true}', known) is known


def test_unchanged_nodes_are_shared() -> None:
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


def test_nodes_after_a_new_node_are_shared() -> None:
    before = shop()
    known, after = before.capture(), shop()
    after.rows.insert(0, [9, -1, "button", "First", [0, 0, 9, 9], {"k": "i"}])
    new = [9, 0, "button", "First", [0, 0, 9, 9], {"k": "i"}]
    capture = parse_answer(patch(known, after, [[0, 0, [new]]]), known)
    assert all(a is b for a, b in zip(capture.nodes[1:], known.nodes, strict=True))
    assert capture.nodes[0].name == "First"


@pytest.mark.req("C-PR-11")
def test_elements_that_moved_together_are_one_change() -> None:
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
def test_content_of_a_group_is_below_its_name() -> None:
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
def test_only_a_named_form_is_a_landmark(*, was: bool) -> None:
    before, after = Page(), Page()
    for page, named in ((before, was), (after, not was)):
        form = page.add("f", "form", landmark=1) if named else page.add("f", "form")
        page.field("Email", parent=form)
    known = before.capture()
    capture = parse_answer(patch(known, after, [[0, 1, [rows(after)[0]]]]), known)
    assert capture.nodes == after.capture().nodes


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """Draw a page of a few nodes, each inside an earlier one or in none."""
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
def test_any_patch_results_in_the_same_capture_as_a_full_answer(
    before: Page, after: Page, data: st.DataObject
) -> None:
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


@pytest.mark.req("C-ID-03")
def test_a_node_has_its_nearest_landmark_and_labelled_group() -> None:
    page = Page()
    main = page.landmark("main")
    address = page.add("g", "group", "Address", parent=main)
    unnamed = page.add("g", "group", "", parent=address)
    page.field("Street", parent=unnamed)
    page.field("Elsewhere")
    nodes = page.capture().nodes
    assert (nodes[3].landmark, nodes[3].container) == (nodes[main].nid, "Address")
    assert nodes[main].landmark == 0
    assert (nodes[4].landmark, nodes[4].container) == (0, "")


@pytest.mark.req("C-PR-09")
def test_a_named_form_is_the_landmark_of_its_controls() -> None:
    page = Page()
    form = page.add("f", "form", "Join", landmark=1)
    page.field("Email", parent=form)
    nodes = page.capture().nodes
    assert nodes[1].landmark == nodes[form].nid


@pytest.mark.req("C-PR-15")
@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Save", "button"),
        ("Help", "link"),
        ("Email", "text_input"),
        ("Comment", "textarea"),
        ("Country", "select"),
        ("I agree", "checkbox"),
        ("By post", "radio"),
        ("Dark mode", "toggle"),
        ("Avatar", "file_input"),
        ("Volume", "range"),
        ("Birthday", "date_input"),
        ("Colour", "color_input"),
        ("Guests", "text_input"),
        ("Details", "button"),
        ("More", "button"),
        ("Wrap lines", "checkbox"),
        ("Small", "radio"),
        ("Toppings", "select"),
        ("Notes", "textarea"),
        ("Breakpoint", "clickable"),
        ("Chapter", "button"),
        ("Search", "text_input"),
    ],
)
def test_controls_are_classified(label: str, expected: str) -> None:
    (node,) = (node for node in stored("controls").nodes if node.name == label)
    assert element_type(node) == expected


_NODES = Page()
for _letter in "abcd":
    _NODES.button(_letter)
