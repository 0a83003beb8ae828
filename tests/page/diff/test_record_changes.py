"""Changes for records that are no longer on the page."""

from tests.page.differing import changes, summary
from tests.page.pages import Page


def _sections(sizes: dict[str, int]) -> Page:
    page = Page()
    for name, size in sizes.items():
        section = page.landmark("region", name)
        for number in range(size):
            page.link(f"{name} {number}", parent=section)
    return page


def _without(page: Page, *names: str) -> Page:
    """Return the page without the rows of that name and the rows in them."""
    rest = page.copy()
    gone = {place for place, row in enumerate(rest.rows) if row[3].startswith(names)}
    kept = [place for place in range(len(rest.rows)) if place not in gone]
    for row in rest.rows:
        row[1] = kept.index(row[1]) if row[1] in kept else -1
    rest.rows = [rest.rows[place] for place in kept]
    return rest


def test_of_many_removals_the_first_are_listed_and_the_others_counted() -> None:
    page = _sections({"Results": 300, "Menu": 40})
    page.button("Search", parent=0)
    *listed, more = changes(page, _without(page, "Results ", "Search"))
    assert [change["detail"] for change in listed] == [f'link "Results {n}"' for n in range(10)]
    assert more["detail"] == "290 links, 1 button more"
    assert summary(page, _without(page, "Results ", "Search")) == (
        "302 changes: 301 removed, 1 changed."
    )


def test_a_comparison_that_was_asked_for_lists_all_removals() -> None:
    page = _sections({"Results": 300})
    removed = changes(page, _without(page, "Results "), scope="interactive")
    assert [change["type"] for change in removed] == ["removed"] * 300
    assert all(change["element"] for change in removed)
