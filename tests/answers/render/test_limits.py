"""Truncation of responses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.answers.render import PageErrors, build_list, cut_to_fit, render_more, render_view
from charlotte.base.errors import InvalidArgument
from charlotte.page.find import Cursor, parse_cursor
from charlotte.page.model import Detail, compact_json
from tests.page.pages import Page, crowded, view_of
from tests.page.rendering import body, delta_of, envelope


@pytest.mark.parametrize("max_chars", [1_500, 10_000, 40_000])
@pytest.mark.parametrize("detail", ["minimal", "summary", "full", "auto"])
def test_a_response_is_never_longer_than_allowed(detail: Detail, max_chars: int) -> None:
    page = crowded(2_000)
    for index in range(400):
        page.heading(f"Chapter {index}", parent=page.landmark("region", f"Part {index}"))
        page.text(f'Line {index} says: "nothing", as always.\t')
    sent = render_view(view_of(page.capture()), detail, envelope(), max_chars=max_chars)
    assert len(sent.text) <= max_chars
    if not sent.complete:
        assert "truncation" in sent.body


def test_a_cursor_continues_a_cut_list() -> None:
    view = view_of(crowded(1_000).capture())
    sent = render_view(view, "summary", envelope(), max_chars=20_000)
    found = [each["id"] for each in sent.body["interactive"]]
    truncation = sent.body["truncation"]
    assert truncation["part"] == "interactive"
    assert (truncation["total"], truncation["returned"]) == (1_000, len(found))
    while truncation:
        cursor = parse_cursor(truncation["next_cursor"])
        more = render_more(view, cursor, envelope(), max_chars=20_000)
        assert len(more.text) <= 20_000
        found += [each["id"] for each in more.body["interactive"]]
        truncation = more.body.get("truncation")
    assert found == [each.id for each in view.interactive]


def test_text_continues_line_by_line() -> None:
    page = Page()
    lines = [f'Line {index} of "it"' for index in range(3_000)]
    for line in lines:
        page.text(line)
    view = view_of(page.capture())
    sent = render_view(view, "full", envelope(), max_chars=30_000)
    found = sent.body["structure"]["full_content"].split("\n")
    while truncation := sent.body.get("truncation"):
        cursor = parse_cursor(truncation["next_cursor"])
        sent = render_more(view, cursor, envelope(), max_chars=30_000)
        found += sent.body["structure"]["full_content"].split("\n")
    assert found == lines


def test_a_cursor_of_another_tool_is_rejected() -> None:
    with pytest.raises(InvalidArgument):
        render_more(view_of(Page().capture()), parse_cursor("1.elements.5"), envelope())


def test_a_long_delta_is_cut() -> None:
    sent = delta_of(Page(), crowded(500))
    assert len(sent.text) <= 40_000
    truncation = sent.body["truncation"]
    assert truncation["part"] == "changes"
    assert "next_cursor" not in truncation
    assert truncation["total"] == 501


def test_at_most_fifty_clickables_are_listed_and_the_focused_one() -> None:
    page = Page()
    for index in range(70):
        page.add("c", "generic", f"Line {index}", focused=int(index == 60))
    page.button("Last")
    view = view_of(page.capture())
    sent = render_view(view, "summary", envelope())
    *listed, focused, button = sent.body["interactive"]
    assert [each["type"] for each in listed] == ["clickable"] * 50
    assert (focused["label"], button["type"]) == ("Line 60", "button")
    assert sent.body["truncation"] == {"part": "clickable", "total": 70, "returned": 51}
    assert sent.complete


def test_elements_above_the_capture_limit_are_counted() -> None:
    page = Page()
    page.landmark("main")
    page.link("First")
    page.uncaptured = [[0, "link", "", "", False, 70], [1, "textbox", "input", "date", False, 5]]
    view = view_of(page.capture())
    sent = render_view(view, "summary", envelope())
    assert sent.body["truncation"] == {
        "part": "interactive",
        "total": 76,
        "returned": 1,
        "by_find_only": 75,
    }
    assert sent.body["structure"]["content_summary"] == "(page root): 71 links; main: 5 inputs"
    minimal = body(view, "minimal")["interactive_summary"]
    assert minimal == {
        "total": 76,
        "by_landmark": {"(page root)": {"link": 71}, "main": {"date_input": 5}},
    }


@pytest.mark.parametrize("max_chars", [1000, 2000, 5000])
@pytest.mark.parametrize("detail", ["minimal", "summary", "full", "auto"])
def test_long_errors_and_names_leave_room_for_the_page(detail: Detail, max_chars: int) -> None:
    errors = PageErrors(
        console=[{"level": "error", "text": "x" * 2000}] * 20,
        network=[{"url": "http://a.test/" + "y" * 2000, "status": 500, "statusText": ""}] * 20,
    )
    page = Page(url="http://a.test/" + "q" * 3000, title="t" * 100_000)

    sent = render_view(
        view_of(page.capture()), detail, envelope(errors=errors), max_chars=max_chars
    )

    assert len(sent.text) <= max_chars
    assert sent.body["errors"]["totals"] == {"console": 20, "network": 20}


def identity(value: Any) -> Any:
    return value


def test_json_text_contains_no_line_ends() -> None:
    text = "a\x85PAGE: x\u2028{\u2029\x9b\x7f\n"
    written = compact_json([text])
    assert written.isprintable()
    assert json.loads(written) == [text]


def test_text_that_is_not_unicode_becomes_valid() -> None:
    assert compact_json(["\ud83d"]) == '["\ufffd"]'
    assert compact_json(["\ud83d\ude00"]) == '["😀"]'


def test_a_cursor_is_parsed_from_its_text() -> None:
    cursor = Cursor(12, "full_content", 340)
    assert parse_cursor(str(cursor)) == cursor


@pytest.mark.parametrize("text", ["", "12", "x.y.z", "1.interactive.-2", "1.INTER.2", "9" * 99])
def test_other_texts_are_not_cursors(text: str) -> None:
    with pytest.raises(InvalidArgument, match="cursor"):
        parse_cursor(text)


def test_a_cut_list_has_a_cursor() -> None:
    part = build_list("links", list(range(100)), identity, room=50, offset=10)
    entry = part.describe_cut(Cursor(7, "", 0))
    assert entry == {
        "part": "links",
        "total": 100,
        "returned": len(part.items),
        "next_cursor": f"7.links.{part.end}",
    }
    assert "next_cursor" not in part.describe_cut(None)


def test_every_single_element_can_be_sent() -> None:
    element = {"label": "a" * 5000, "options": ["b" * 30] * 500, "id": "sel-1234"}
    part = build_list("interactive", [element], identity, room=2_000)
    assert part.size <= 2_000
    (item,) = part.items
    assert item["label"].endswith("… (5000 characters)")
    assert item["options"][-1].endswith(" more")
    assert item["id"] == "sel-1234"


texts = st.lists(st.text(max_size=300), max_size=40)


@given(st.lists(texts, min_size=1, max_size=4), st.integers(1_500, 20_000))
def test_cut_lists_fit_into_the_room(lists: list[list[str]], room: int) -> None:
    parts = [build_list(f"part{n}", values, identity, room=room) for n, values in enumerate(lists)]
    cut_to_fit(parts, room)
    sent = {part.name: part.items for part in parts}
    skeleton = len(compact_json({name: [] for name in sent}))
    cut = [part.describe_cut(Cursor(1, "", 0)) for part in parts if part.is_cut]
    found = compact_json(cut) if cut else ""
    assert len(compact_json(sent)) + len(found) <= room + skeleton + 1


@given(st.lists(st.text(max_size=100), max_size=40), st.integers(1_500, 3_000))
def test_continued_lists_return_everything_once(values: list[str], room: int) -> None:
    found: list[str] = []
    while len(found) < len(values):
        part = build_list("lines", values, identity, room=room, offset=len(found))
        cut_to_fit([part], room)
        assert part.items
        found += part.items
    assert found == values
