"""Text outside of headings and elements."""

import json

from charlotte.answers.render import remaining_text
from charlotte.page.identity.id_book import IdBook
from charlotte.page.view import narrow_view
from tests.page.pages import Page, view_of
from tests.page.rendering import body


def test_texts_of_live_regions_come_first_if_text_is_cut() -> None:
    page = Page(alerts=["Wrong email or password."])
    for number in range(40):
        page.text(f"A sentence with the number {number}.")
    page.text("Wrong email or password.")

    first, second, *_, last = lines = remaining_text(view_of(page.capture()), 500)

    assert (first, second) == ("Wrong email or password.", "A sentence with the number 0.")
    assert last.startswith(f"… {41 - (len(lines) - 1)} more lines of text: observe")
    assert len("".join(lines)) < 500


def test_a_small_page_is_returned_with_all_text_that_fits() -> None:
    page = Page()
    for number in range(40):
        page.text(f"A sentence with the number {number}.")

    sent = body(view_of(page.capture()), "auto")

    assert len(sent["text"]) == 40
    assert len(json.dumps(sent)) < 4_000


def test_the_text_of_a_selected_part_is_returned_without_its_labels() -> None:
    page, book = Page(), IdBook()
    page.text("Outside")
    box = page.add("x", "generic", "")
    save = page.button("Save", parent=box)
    page.text("Save", parent=save)
    view = view_of(page.capture(), book)

    part = narrow_view(view, book, {save}, ["Just now", "Save"])

    assert body(part, "summary")["text"] == ["Just now"]


def test_a_large_page_is_returned_with_its_alerts() -> None:
    page = Page(alerts=["Saved."])
    for number in range(100):
        page.button(f"Button {number}")

    sent = body(view_of(page.capture()), "auto")

    assert (sent["detail"], sent["text"]) == ("minimal", ["Saved."])
