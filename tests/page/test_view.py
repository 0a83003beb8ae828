"""Construction of views from captures, and the records that views share."""

import re
from typing import Any

import pytest

from charlotte.page.capture import RecordCache, parse_answer
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import Element, PageView
from charlotte.page.view import build_view
from tests.page.pages import Page, stored, view_of
from tests.page.test_patch import patch, rows


def control(view: PageView, label: str) -> Element:
    (found,) = (each for each in view.interactive if each.label == label)
    return found


def only(page: Page) -> dict[str, Any]:
    (element,) = view_of(page.capture()).interactive
    return element.as_json()


@pytest.mark.req("C-PR-08", "C-PR-09")
def test_the_eight_landmarks_have_their_label_or_their_role() -> None:
    view = view_of(stored("landmarks"))
    assert [(each.role, each.label) for each in view.landmarks] == [
        ("banner", "banner"),
        ("navigation", "Main"),
        ("search", "search"),
        ("main", "main"),
        ("region", "Comments"),
        ("complementary", "complementary"),
        ("form", "Newsletter"),
        ("contentinfo", "contentinfo"),
    ]


@pytest.mark.req("C-PR-10")
def test_headings_have_level_text_and_id() -> None:
    first, second = view_of(stored("landmarks")).headings
    assert first.as_json() == {"level": 1, "text": "A quiet day", "id": first.id}
    assert second.level == 2
    (focusable,) = view_of(stored("controls")).headings
    assert (focusable.level, focusable.id[:4]) == (3, "hdg-")


@pytest.mark.req("C-PR-08", "C-PR-11")
def test_a_landmark_has_its_bounds_in_viewport_pixels() -> None:
    record = view_of(stored("landmarks")).landmarks[1].as_json()
    assert re.fullmatch("rgn-[0-9a-f]{4}", record.pop("id"))
    bounds = {"x": 200, "y": -490, "w": 900, "h": 40}
    assert record == {"role": "navigation", "label": "Main", "bounds": bounds}


def test_an_element_has_every_required_key() -> None:
    page = Page()
    page.button("Go", box=(1, 2, 3, 4))
    record = only(page)
    assert record == {
        "id": record["id"],
        "type": "button",
        "label": "Go",
        "bounds": {"x": 1, "y": 2, "w": 3, "h": 4},
        "state": {},
    }


def test_the_scroll_position_is_known() -> None:
    scroll = view_of(stored("landmarks")).scroll
    assert scroll.as_json() == {"x": 0, "y": 500, "max_x": 0, "max_y": 3000}


def test_options_beyond_fifty_are_counted() -> None:
    page = Page()
    options = [f"Option {index}" for index in range(120)]
    page.add("i", "combobox", "Country", tag="select", options=options)
    assert only(page)["options"] == [*options[:50], "… 70 more"]


@pytest.mark.parametrize(
    ("label", "state"),
    [
        ("Save", {"enabled": False}),
        ("Email", {"focused": True, "required": True, "invalid": True}),
        ("I agree", {"checked": False}),
        ("Some of them", {"checked": "mixed"}),
        ("By post", {"checked": True}),
        ("Dark mode", {"checked": False}),
        ("Details", {"selected": True}),
        ("More", {"expanded": False}),
        ("Bold", {"pressed": True}),
        ("Search", {"readonly": True}),
        ("Comment", {}),
    ],
)
def test_the_state_has_only_unusual_values(label: str, state: dict[str, Any]) -> None:
    assert control(view_of(stored("controls")), label).state == state


def test_a_form_has_its_fields_and_submit_button() -> None:
    view = view_of(stored("shop"))
    (form,) = view.forms
    labels = {each.id: each.label for each in view.interactive}
    assert [labels[field] for field in form.fields] == ["Email", "Password", "Remember me"]
    assert form.submit is not None
    assert labels[form.submit] == "Continue"
    assert (form.action, form.method) == ("http://shop.test/login", "POST")


@pytest.mark.req("C-PR-13", "C-PR-21")
def test_a_visible_submit_button_is_preferred_to_a_hidden_one() -> None:
    page = Page()
    page.add("f", "form", nid=50)
    page.button("Default", form=50, submits=1, box=None, hidden=1)
    page.button("Next", form=50, submits=1)
    view = view_of(page.capture())
    assert view.forms[0].submit == view.interactive[1].id
    hidden = view.interactive[0].as_json()
    assert (hidden["bounds"], hidden["state"]) == (None, {"visible": False})


def shop() -> Page:
    page = Page()
    page.landmark("navigation")
    main = page.landmark("main")
    page.heading("Cart", parent=main)
    page.button("Save", parent=main)
    page.button("Delete", parent=main)
    return page


def test_records_of_unchanged_nodes_are_shared() -> None:
    before, book, kept = shop(), IdBook(), RecordCache()
    known, after = before.capture(), before.copy()
    after.rows[4][3] = "Saved"
    capture = parse_answer(patch(known, after, [[4, 1, [rows(after)[4]]]]), known)
    old, new = build_view(known, book, kept), build_view(capture, book, kept)
    assert new == build_view(after.capture(), book)
    assert new.interactive[0] is not old.interactive[0]
    assert new.interactive[1] is old.interactive[1]
    assert new.headings[0] is old.headings[0]
    assert new.landmarks[1] is old.landmarks[1]
    assert new.lines[0] is old.lines[0]


def test_a_shared_record_has_the_new_landmark_index() -> None:
    before, book, kept = shop(), IdBook(), RecordCache()
    known, after = before.capture(), before.copy()
    del after.rows[0]
    for row in after.rows[1:]:
        row[1] -= 1
    capture = parse_answer(patch(known, after, [[0, 1, []]]), known)
    build_view(known, book, kept)
    new = build_view(capture, book, kept)
    assert new == build_view(after.capture(), book)
    assert {element.landmark for element in new.interactive} == {0}
