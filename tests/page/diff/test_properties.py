"""Properties of any difference between two views."""

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import PageView
from tests.page.differing import changes
from tests.page.pages import Page, view_of

rows = st.lists(
    st.tuples(
        st.integers(1, 9),
        st.sampled_from(["button", "link", "heading", "text"]),
        st.sampled_from(["Buy", "Sell", "Hold", "Wait for it"]),
        st.integers(0, 3),
    ),
    max_size=9,
).map(lambda found: list({each[0]: each for each in found}.values()))


def _page(found: list[tuple[int, str, str, int]]) -> Page:
    page = Page()
    for nid, kind, name, place in found:
        box = (0, place * 100, 50, 20)
        if kind == "text":
            page.text(name)
        elif kind == "heading":
            page.add("h", "heading", name, nid=nid, level=1, box=box)
        else:
            page.add("i", kind, name, nid=nid, box=box)
    return page


def _listed(view: PageView) -> dict[str, str]:
    named = {each.id: each.label for each in view.interactive}
    return named | {each.id: each.text for each in view.headings}


@given(rows)
def test_a_view_has_no_changes_to_itself(found: list[tuple[int, str, str, int]]) -> None:
    page = _page(found)
    assert changes(page, page, "all") == []


@given(rows, rows)
def test_changes_applied_to_the_old_page_result_in_the_new_page(
    first: list[tuple[int, str, str, int]], second: list[tuple[int, str, str, int]]
) -> None:
    book = IdBook()
    old, new = (view_of(_page(found).capture(), book) for found in (first, second))
    known = _listed(old)
    for change in diff_views(old, new, from_snapshot=1, to_snapshot=2).changes:
        element = change.element or ""
        if change.type == "removed":
            del known[element]
        elif change.type == "added":
            known[element] = change.after.get("label") or change.after.get("text")
        elif element in known and change.property in {"label", "text"}:
            known[element] = change.after
    assert known == _listed(new)
