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


def test_many_removals_are_grouped_by_landmark() -> None:
    page = _sections({"Results": 300, "Menu": 40})
    page.button("Search", parent=0)
    (results,) = changes(page, _without(page, "Results ", "Search"))
    assert results["detail"] == 'in region "Results": 300 links, 1 button'
    assert len(results["from"]) == 6
    assert results["from"][-1] == "… 296 more"
    assert summary(page, _without(page, "Results ", "Search")) == (
        "302 changes: 301 removed, 1 changed."
    )


def test_a_removed_landmark_does_not_report_its_text() -> None:
    page = _sections({"Results": 30, "Menu": 4})
    (found,) = changes(page, _without(page, "Results"))
    assert found["detail"] == 'region "Results" with 30 links'
    assert found["from"][0].startswith("rgn-")


def test_small_groups_of_removals_are_listed() -> None:
    page = _sections({"Results": 30, "Menu": 4})
    menu, results = changes(page, _without(page, "Results ", "Menu 3"))[::-1]
    assert menu["detail"] == 'link "Menu 3"'
    assert results["detail"] == 'in region "Results": 30 links'


def test_removals_in_many_landmarks_share_a_change() -> None:
    page = _sections({f"Card {number:03}": 3 for number in range(400)})
    found = changes(page, _without(page, "Card"))
    assert len(found) == 11
    assert found[-1]["detail"] == "in 390 other places: 1170 links, 390 landmarks"
    assert summary(page, _without(page, "Card")).startswith("1601 changes: 1600 removed")
