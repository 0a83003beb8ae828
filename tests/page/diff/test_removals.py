"""What an agent is told of what is not there any more."""

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
    """The page without what is called so, or lies in what is."""
    rest = page.copy()
    gone = {place for place, row in enumerate(rest.rows) if row[3].startswith(names)}
    kept = [place for place in range(len(rest.rows)) if place not in gone]
    for row in rest.rows:
        row[1] = kept.index(row[1]) if row[1] in kept else -1
    rest.rows = [rest.rows[place] for place in kept]
    return rest


def test_ten_things_are_named_one_by_one() -> None:
    """An agent that removed a row wants to see that it was that row."""
    page = _sections({"Results": 10})
    told = changes(page, _without(page, "Results "))
    assert [each["detail"] for each in told] == [f'link "Results {n}"' for n in range(10)]


def test_more_are_told_by_the_landmark_they_were_in() -> None:
    """In as few words as possible: how many of what, and the first ids."""
    page = _sections({"Results": 300, "Menu": 40})
    page.button("Search", parent=0)
    (results,) = changes(page, _without(page, "Results ", "Search"))
    assert results["detail"] == 'in region "Results": 300 links, 1 button'
    assert len(results["from"]) == 6
    assert results["from"][-1] == "… 296 more"
    assert summary(page, _without(page, "Results ", "Search")) == (
        "302 changes: 301 removed, 1 changed."
    )


def test_a_landmark_that_went_takes_along_what_was_in_it() -> None:
    """One line for both."""
    page = _sections({"Results": 30, "Menu": 4})
    (told,) = changes(page, _without(page, "Results"))
    assert told["detail"] == 'region "Results" with 30 links'
    assert told["from"][0].startswith("rgn-")


def test_one_or_two_are_named_even_beside_many() -> None:
    """A count of one would say less, and is no shorter."""
    page = _sections({"Results": 30, "Menu": 4})
    menu, results = changes(page, _without(page, "Results ", "Menu 3"))[::-1]
    assert menu["detail"] == 'link "Menu 3"'
    assert results["detail"] == 'in region "Results": 30 links'


def test_things_outside_any_landmark_are_only_counted() -> None:
    """There is no place to name."""
    page = Page()
    for number in range(12):
        page.button(f"Key {number}")
    (told,) = changes(page, Page())
    assert told["detail"] == "12 buttons"


def test_many_places_are_told_together() -> None:
    """A page of hundreds of cards."""
    page = _sections({f"Card {number:03}": 3 for number in range(400)})
    told = changes(page, _without(page, "Card"))
    assert len(told) == 11
    assert told[-1]["detail"] == "in 390 other places: 1170 links, 390 landmarks"
    assert summary(page, _without(page, "Card")).startswith("1601 changes: 1600 removed")
