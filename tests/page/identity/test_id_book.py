"""Ids of elements and their life."""

import re
from collections.abc import Iterable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.capture import Capture
from charlotte.page.identity.assignment import composite_key, hashed_id
from charlotte.page.identity.id_book import IdBook
from tests.page.pages import Page, Row, stored


def ids_of(capture: Capture, book: IdBook | None = None) -> list[str]:
    """Return the first ids of all nodes in document order."""
    ids = (book or IdBook()).identify(capture)
    return [ids[node.nid] for node in capture.nodes if node.nid in ids]


@pytest.mark.req("C-ID-02")
def test_the_hash_is_the_one_of_the_specification() -> None:
    assert hashed_id("button", "button|button|Submit||||0") == "btn-8d35"


@pytest.mark.req("C-ID-03")
def test_the_key_has_seven_components() -> None:
    page = Page()
    main = page.landmark("main", "Basket")
    group = page.add("g", "group", "Totals", parent=main)
    page.button("Pay", parent=group, sib=2)
    capture = page.capture()
    key = composite_key(capture, capture.nodes[2], "toggle")
    assert key == "toggle|button|Pay|main|Basket|Totals|2"


@pytest.mark.req("C-ID-01", "C-ID-05")
def test_every_kind_has_its_prefix() -> None:
    page = Page()
    page.landmark("main")
    page.heading("Title")
    page.add("f", "form")
    found = ids_of(stored("controls")) + ids_of(page.capture())
    found += [hashed_id(kind, "") for kind in ("static_text", "other")]
    assert all(re.fullmatch(r"[a-z]+-[0-9a-f]{4}(-\d+)?", each) for each in found)
    prefixes = {each.split("-")[0] for each in found}
    assert " ".join(sorted(prefixes)) == "btn chk clk el frm hdg inp lnk rad rgn sel tog txt"


@pytest.mark.req("C-ID-06")
def test_equal_keys_are_distinguished_by_a_suffix() -> None:
    page = Page()
    for _ in range(3):
        page.button("Submit")
    assert ids_of(page.capture()) == ["btn-8d35", "btn-8d35-2", "btn-8d35-3"]


def test_a_node_that_comes_back_has_its_old_id() -> None:
    book, page = IdBook(), Page()
    page.button("Mute")
    page.button("Close")
    mute, close = ids_of(page.capture(), book)
    row = page.rows.pop(0)
    assert ids_of(page.capture(), book) == [close]
    row[3] = "Unmute"
    page.rows.append(row)
    assert ids_of(page.capture(), book) == [close, mute]


def test_a_heading_that_can_be_focused_has_an_id_of_each_kind() -> None:
    ids = IdBook().identify(stored("controls"))
    assert (ids[25][:4], ids[-25][:4]) == ("btn-", "hdg-")


def test_a_node_can_be_looked_up() -> None:
    book = IdBook()
    assert book.resolve("btn-8d35") is None
    assert book.get_node(1) is None
    page = Page()
    page.button("Submit")
    book.identify(page.capture())
    nid = book.resolve("btn-8d35")
    assert nid is not None
    assert book.get_id(nid) == "btn-8d35"
    node = book.get_node(nid)
    assert node is not None
    assert (node.role, node.name) == ("button", "Submit")
    assert book.resolve("btn-0000") is None


def test_shown_elements_are_remembered_with_their_document() -> None:
    book, page = IdBook(), Page()
    page.button("Submit")
    book.identify(page.capture())
    assert book.get_last_shown("btn-8d35") is None
    book.note_shown(["btn-8d35", "btn-ffff"])
    page.rows[0][3] = "Loading…"
    book.identify(page.capture())
    shown = book.get_last_shown("btn-8d35")
    assert shown is not None
    assert (shown.nid, shown.identity.role, shown.identity.name) == (1, "button", "Submit")
    assert book.is_from_here(shown)
    assert book.get_last_shown("btn-ffff") is None
    book.identify(Page(document="doc2").capture())
    assert book.get_last_shown("btn-8d35") == shown
    assert not book.is_from_here(shown)


def test_remembered_ids_are_limited() -> None:
    book, page = IdBook(), Page()
    for index in range(20_001):
        page.button(f"Row {index}")
    ids = ids_of(page.capture(), book)
    book.note_shown(ids)
    assert book.get_last_shown(ids[0]) is None
    assert book.get_last_shown(ids[1]) is not None


@pytest.mark.req("C-ID-08")
def test_a_failed_capture_leaves_the_book_unchanged() -> None:
    book, page = IdBook(), Page()
    page.button("Submit")
    book.identify(page.capture())
    page.button("Other")
    capture = page.capture()
    astray = attrs.evolve(capture.nodes[1], landmark=99)
    with pytest.raises(KeyError):
        book.identify(attrs.evolve(capture, nodes=(capture.nodes[0], astray)))
    assert book.resolve("btn-8d35") == 1
    assert len(ids_of(capture, book)) == 2


def test_lost_ids_are_flagged() -> None:
    book, page = IdBook(), Page()
    page.button("Save")
    page.button("Cancel")
    fewer = page.copy()
    del fewer.rows[0]
    lost: list[bool] = []
    for each in (page, page, fewer, fewer, page):
        book.identify(each.capture())
        lost.append(book.lost_some)
    assert lost == [False, False, True, False, False]


@pytest.mark.req("C-ID-04")
def test_siblings_with_one_name_have_different_hashes() -> None:
    page = Page()
    page.button("Delete", sib=0)
    page.button("Delete", sib=1)
    first, second = ids_of(page.capture())
    assert first.count("-") == second.count("-") == 1
    assert first != second


names = st.sampled_from(["Save", "Delete", "Edit", ""])
pages = st.lists(st.tuples(st.integers(1, 12), names, st.integers(0, 1)), max_size=12).map(
    lambda rows: list({nid: (nid, name, sib) for nid, name, sib in rows}.values())
)


def capture_of(rows: Iterable[tuple[int, str, int]]) -> Capture:
    page = Page()
    for nid, name, sib in rows:
        page.button(name, nid=nid, sib=sib)
    return page.capture()


@given(st.lists(pages, max_size=6))
def test_live_nodes_never_share_an_id(history: list[list[tuple[int, str, int]]]) -> None:
    book = IdBook()
    for rows in history:
        ids = book.identify(capture_of(rows))
        assert len(set(ids.values())) == len(rows)
        assert all(book.resolve(ids[nid]) == nid for nid, *_ in rows)


@given(st.lists(pages, min_size=2, max_size=6))
def test_a_node_that_stays_keeps_its_id(history: list[list[tuple[int, str, int]]]) -> None:
    book = IdBook()
    before = dict(book.identify(capture_of(history[0])))
    for rows in history[1:]:
        after = dict(book.identify(capture_of(rows)))
        assert all(after[nid] == before[nid] for nid in after.keys() & before.keys())
        before = after


@given(pages)
def test_the_same_page_gets_the_same_ids(rows: list[tuple[int, str, int]]) -> None:
    renumbered = [(nid + 100, name, sib) for nid, name, sib in rows]
    assert ids_of(capture_of(rows)) == ids_of(capture_of(renumbered))


steps = st.lists(
    st.tuples(
        st.sampled_from(["come", "go", "hide", "show", "rename", "make again"]),
        st.integers(0, 5),
        st.sampled_from(["Save", "Edit"]),
    ),
    max_size=30,
)


@given(steps)
def test_an_id_leads_only_to_its_node_while_it_lives(history: list[tuple[str, int, str]]) -> None:
    book = IdBook()
    page = Page()
    hidden: list[Row] = []
    given_ids: dict[int, str] = {}
    for what, which, name in history:
        _change(page, hidden, what, which, name)
        capture = page.capture()
        alive = {row[0] for row in hidden}
        ids = book.identify(capture, alive=[n for n in book.find_contested(capture) if n in alive])
        living = {*ids, *alive}
        given_ids = {nid: one for nid, one in given_ids.items() if nid in living}
        for nid, element_id in ids.items():
            assert given_ids.setdefault(nid, element_id) == element_id
        assert len(set(given_ids.values())) == len(given_ids)


def _change(page: Page, hidden: list[Row], what: str, which: int, name: str) -> None:
    rows = page.rows
    if what == "come" or not (rows or hidden):
        page.button(name)
    elif what == "show" and hidden:
        rows.append(hidden.pop(which % len(hidden)))
    elif rows:
        row = rows[which % len(rows)]
        if what == "rename":
            row[3] = name
        elif what == "make again":
            page.last += 1
            row[0] = page.last
        else:
            rows.remove(row)
            hidden += [row] if what == "hide" else []
