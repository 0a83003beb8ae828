"""Properties of ids for random pages."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.capture import Capture
from charlotte.page.identity.id_book import IdBook
from tests.page.identity.test_id_book import ids_of
from tests.page.pages import Page, Row

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
