"""The text that a short page says besides its headings and elements."""

from charlotte.page.besides import text_besides
from tests.page.pages import Page, view_of
from tests.page.rendering import body


def login() -> Page:
    page = Page()
    page.heading("Sign in")
    page.text("Wrong email or password.")
    page.text("Email")
    page.field("Email")
    page.button("Sign in")
    page.button("1")
    page.button("2")
    page.text("1 2")
    return page


def test_what_headings_and_labels_tell_is_not_told_again() -> None:
    assert text_besides(view_of(login().capture())) == ["Wrong email or password."]


def test_what_stands_in_an_editor_is_not_told_again() -> None:
    page = login()
    page.add("i", "textbox", "Note", tag="div", editable=1, value="Dear all,\nthank you.")
    page.text("Dear all,")
    page.text("thank you.")

    assert text_besides(view_of(page.capture())) == ["Wrong email or password."]


def test_of_much_text_what_live_regions_say_is_left() -> None:
    page = login()
    page.alerts = ["Wrong email or password."]
    for number in range(40):
        page.text(f"A sentence with the number {number}.")

    assert text_besides(view_of(page.capture())) == ["Wrong email or password."]


def test_it_comes_with_auto_alone() -> None:
    view = view_of(login().capture())

    assert body(view, "auto")["text"] == ["Wrong email or password."]
    assert "text" not in body(view, "summary")
    assert "text" not in body(view, "minimal")


def test_a_large_page_comes_with_its_alerts() -> None:
    page = Page(alerts=["Saved."])
    for number in range(100):
        page.button(f"Button {number}")

    sent = body(view_of(page.capture()), "auto")

    assert (sent["detail"], sent["text"]) == ("minimal", ["Saved."])
