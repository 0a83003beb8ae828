"""Changes of visible text."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.diff.lines import pair_lines
from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from tests.page.pages import Page, view_of


def text_changes_of(before: list[str], after: list[str]) -> list[dict[str, Any]]:
    """Return the changes between two texts in the page root."""
    pages = [Page(), Page()]
    for page, lines in zip(pages, (before, after), strict=True):
        for line in lines:
            page.text(line)
    return changes(*pages)


def changes(before: Page, after: Page) -> list[dict[str, Any]]:
    book = IdBook()
    old, new = view_of(before.capture(), book), view_of(after.capture(), book)
    diff = diff_views(old, new, from_snapshot=1, to_snapshot=2, scope="delta")
    return [change.as_json() for change in diff.changes]


def test_a_changed_line_is_reported_with_both_texts() -> None:
    assert text_changes_of(["Ready"], ["Button clicked"]) == [
        {"type": "changed", "property": "text", "from": "Ready", "to": "Button clicked"}
    ]


def editor(*lines: str) -> Page:
    page = Page()
    note = page.add("i", "textbox", "Note", tag="div", editable=1, value="\n".join(lines))
    for line in lines:
        page.text(line, parent=note)
    return page


def test_editable_text_is_reported_only_as_a_value() -> None:
    (change,) = changes(editor("Dear all,"), editor("Dear all,", "thank you."))
    assert (change["property"], change["to"]) == ("value", "Dear all,\nthank you.")


def test_the_changed_line_of_a_long_value_is_reported() -> None:
    long = "word " * 60
    value, line = changes(editor(long, "Dear all"), editor(long, "Dear you"))
    assert "Dear" not in value["to"]
    assert (line["from"], line["to"]) == ("Dear all", "Dear you")


def test_more_than_twenty_lines_are_counted() -> None:
    changed = text_changes_of([], [f"Line {index}" for index in range(57)])
    assert len(changed) == 21
    assert changed[-1]["detail"] == "… 37 more lines of text"


def test_at_most_five_removed_lines_are_listed() -> None:
    changed = text_changes_of([f"Line {index}" for index in range(12)], [])
    assert len(changed) == 6
    assert changed[-1]["detail"] == "… 7 more lines of text"


def test_a_sorted_list_is_one_change() -> None:
    lines = [f"Name {chr(65 + index * 7 % 26)}" for index in range(26)]
    (change,) = text_changes_of(lines, sorted(lines))
    assert change["type"] == "moved"
    assert "lines of text changed place" in change["detail"]


def test_the_text_of_a_new_button_is_reported_once() -> None:
    page, after = Page(), Page()
    page.text("Page 2 of 9")
    after.text("Page 3 of 9")
    after.text("3", parent=after.button("3"))
    assert [each.get("to") for each in changes(page, after) if each["type"] == "changed"] == [
        "Page 3 of 9"
    ]


def pairs(
    before: list[str], after: list[str], text_of: Callable[[str], str] = str
) -> list[tuple[str, str]]:
    """Return the pairs, with "" for no line."""
    return [(old or "", new or "") for old, new in pair_lines(before, after, text_of)]


def test_lines_that_share_half_of_their_words_are_paired() -> None:
    before = ["2 books, 1 read", "Sorted by title"]
    after = ["News", "3 books, 0 read", "Sorted by author"]
    assert pairs(before, after) == [
        ("", "News"),
        ("2 books, 1 read", "3 books, 0 read"),
        ("Sorted by title", "Sorted by author"),
    ]


lines = st.lists(st.sampled_from(["Buy", "Buy tea", "Sell tea", "1", "2", "Wait"]), max_size=8)


@given(lines, lines)
def test_every_line_is_returned_once_and_in_order(before: list[str], after: list[str]) -> None:
    found = pairs(before, after)
    assert [old for old, _ in found if old] == before
    assert [new for _, new in found if new] == after
