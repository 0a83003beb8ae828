"""Truncation of responses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.answers.render import build_list, cut_to_fit
from charlotte.base.errors import InvalidArgument
from charlotte.page.find import Cursor, parse_cursor
from charlotte.page.model import compact_json


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
