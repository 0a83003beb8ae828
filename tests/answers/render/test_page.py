"""Responses at all detail levels, and the text that is in no record."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from charlotte.answers.render import PageErrors, remaining_text, render_view
from charlotte.page.diff.views import diff_views
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import Detail
from charlotte.page.view import narrow_view
from tests.page.pages import Page, crowded, stored, view_of
from tests.page.rendering import body, delta_of, envelope

GOLDEN = Path(__file__).parent / "golden"
CHARACTERS_OF_A_TOKEN = 4
DETAILS: tuple[Detail, ...] = ("minimal", "summary")


@pytest.mark.parametrize("detail", ["minimal", "full"])
def test_the_golden_page_is_rendered(detail: Detail) -> None:
    expected = json.loads((GOLDEN / f"shop.{detail}.json").read_text(encoding="utf-8"))
    sent = body(view_of(stored("shop")), detail)
    assert sent == expected
    assert list(sent) == list(expected)


def test_summary_is_full_with_only_the_text_that_is_in_no_record() -> None:
    expected = json.loads((GOLDEN / "shop.full.json").read_text(encoding="utf-8"))
    full_content = expected["structure"].pop("full_content")

    sent = body(view_of(stored("shop")), "summary")

    assert set(sent.pop("text")) <= set(full_content.split("\n"))
    assert sent == expected


def test_only_the_last_errors_are_returned() -> None:
    rows = [{"level": "error", "text": f"{index} " + "x" * 9000} for index in range(12)]
    sent = body(view_of(Page().capture()), "minimal", errors=PageErrors(console=rows))
    assert [row["text"][:2].strip() for row in sent["errors"]["console"]] == [
        str(index) for index in range(2, 12)
    ]
    assert sent["errors"]["totals"] == {"console": 12, "network": 0}
    assert len(compactly(sent)) < 7_000


def compactly(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_extra_keys_have_their_positions() -> None:
    view = view_of(Page().capture())
    delta = diff_views(view, view, from_snapshot=2, to_snapshot=3)
    extras: dict[str, Any] = {
        "status": 404,
        "pending_dialog": {"type": "alert", "message": "Hi", "timestamp": "…"},
        "reload_event": {"trigger": "file_change", "files_changed": [], "timestamp": "…"},
    }
    sent = body(view, "summary", extras=extras, delta=delta)
    assert list(sent) == [
        *("url", "title", "viewport", "snapshot_id", "timestamp", "structure", "interactive"),
        *("forms", "errors", "reload_event", "pending_dialog", "delta", "tab_id", "status"),
    ]


def test_changes_of_the_acted_on_element_are_returned_at_minimal() -> None:
    before, after = view_of(Page().capture()), view_of(crowded(60).capture())
    delta = diff_views(before, after, from_snapshot=0, to_snapshot=0)
    unstored = attrs.evolve(envelope(delta=delta), snapshot_id=0)

    sent = json.loads(render_view(after, "minimal", unstored).text)

    assert "interactive_summary" in sent
    assert list(sent["delta"]) == ["summary"]


def test_auto_is_summary_for_a_short_page() -> None:
    assert body(view_of(stored("shop")), "auto")["detail"] == "summary"
    sent = render_view(view_of(crowded(60).capture()), "auto", envelope())
    assert sent.body["detail"] == "minimal"
    assert "interactive" not in sent.body


def test_auto_changes_to_minimal_above_four_thousand_characters() -> None:
    page = Page()
    page.button("x")
    rest = 4_000 - len(render_view(view_of(page.capture()), "auto", envelope()).text)
    page.rows[0][3] = "x" * (rest + 1)
    longest = render_view(view_of(page.capture()), "auto", envelope())
    assert (longest.body["detail"], len(longest.text)) == ("summary", 4_000)
    page.rows[0][3] += "x"
    assert render_view(view_of(page.capture()), "auto", envelope()).body["detail"] == "minimal"


def test_detail_delta_without_a_delta_returns_the_page() -> None:
    assert body(view_of(stored("shop")), "delta")["detail"] == "summary"


def test_a_long_readonly_value_is_cut() -> None:
    page = Page()
    page.add("i", "textbox", "Log", tag="textarea", value="x" * 1000, readonly=1)
    page.add("i", "textbox", "Log", tag="textarea", value="x" * 1000)
    fixed, edited = body(view_of(page.capture()), "summary")["interactive"]
    assert (len(fixed["value"]), fixed["value"][-19:]) == (269, "… (1000 characters)")
    assert len(edited["value"]) == 1000


def sorted_by_a_click(detail: Detail) -> Any:
    """Build a page whose rows change with a click on the last column head."""
    before, after = Page(), Page()
    for page, rows in ((before, range(20)), (after, range(100, 120))):
        for row in rows:
            page.button(f"Row {row}", nid=row + 10)
        page.button("Name", nid=5, sort="none" if page is before else "ascending")
    return delta_of(before, after, acted_on=5, detail=detail).body


def test_changes_of_the_acted_on_element_come_first() -> None:
    before, after = Page(), Page()
    for page, sort in ((before, "none"), (after, "ascending")):
        page.button(f"Rows are {sort}", nid=4)
        page.button("Name", nid=5, sort=sort)
    (first, _) = delta_of(before, after, acted_on=5).body["delta"]["changes"]
    assert (first["property"], first["to"]) == ("state.sort", "ascending")


@pytest.mark.parametrize("detail", ["delta", "minimal"])
def test_changes_of_the_acted_on_element_are_reported_with_a_replaced_page(detail: Detail) -> None:
    sent = sorted_by_a_click(detail)
    assert ("instead_of_delta" in sent) == (detail == "delta")
    changes = sent["changes"] if detail == "delta" else sent["delta"]["changes"]
    assert [(one["property"], one["to"]) for one in changes] == [("state.sort", "ascending")]


@pytest.mark.req("C-DET-08")
def test_a_typical_page_takes_at_most_500_tokens_at_minimal_and_1500_at_summary() -> None:
    page = Page(title="Orders of a shop")
    for role in ("banner", "navigation", "main", "contentinfo"):
        part = page.landmark(role)
        page.heading(f"Part {role}", parent=part)
        for index in range(8):
            page.link(f"Order {index} of {role}", parent=part)
    view = view_of(page.capture())

    sizes = {
        detail: len(render_view(view, detail, envelope()).text) / CHARACTERS_OF_A_TOKEN
        for detail in DETAILS
    }

    assert sizes["minimal"] <= 500
    assert sizes["minimal"] < sizes["summary"] / 2
    assert sizes["summary"] <= 1500


def test_minimal_of_many_links_is_short() -> None:
    page = Page(url="http://127.0.0.1:43210/links.html", title="A page with many links")
    page.heading("All the links there are", 1)
    for index in range(230):
        page.link(f"Link number {index}")
    assert len(render_view(view_of(page.capture()), "minimal", envelope()).text) <= 450


def test_texts_of_live_regions_come_first_if_text_is_cut() -> None:
    page = Page(alerts=["Wrong email or password."])
    for number in range(40):
        page.text(f"A sentence with the number {number}.")
    page.text("Wrong email or password.")

    first, second, *_, last = lines = remaining_text(view_of(page.capture()), 500)

    assert (first, second) == ("Wrong email or password.", "A sentence with the number 0.")
    assert last.startswith(f"… {41 - (len(lines) - 1)} more lines of text: observe")
    assert len("".join(lines)) < 500


def test_items_of_a_numbered_list_begin_with_their_numbers() -> None:
    page = Page()
    page.text("Tide", page.part("item", page.part("list")), numbers=["4 upper-roman"])
    assert remaining_text(view_of(page.capture()), 500) == ["IV. Tide"]


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
