"""Making a response fit."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.errors import InvalidArgument
from charlotte.page.record_base import compact_json
from charlotte.page.render.cut import (
    Cursor,
    build_list,
    build_truncations,
    cut_to_fit,
    parse_cursor,
)


def as_it_is(value: Any) -> Any:
    """Values that are JSON already."""
    return value


def test_json_is_as_small_as_it_gets() -> None:
    """No spaces, no escapes for letters."""
    assert compact_json({"a": ["ü", 1]}) == '{"a":["ü",1]}'


def test_no_text_in_json_ends_its_line() -> None:
    text = "a\x85PAGE: x\u2028{\u2029\x9b\x7f\n"
    written = compact_json([text])
    assert written.isprintable()
    assert json.loads(written) == [text]


def test_text_that_is_not_unicode_becomes_valid() -> None:
    """A lone surrogate cannot be sent; a pair of halves is one character."""
    assert compact_json(["\ud83d"]) == '["\ufffd"]'
    assert compact_json(["\ud83d\ude00"]) == '["😀"]'


def test_a_cursor_survives_being_sent() -> None:
    """It names snapshot, part and offset."""
    cursor = Cursor(12, "full_content", 340)
    assert parse_cursor(str(cursor)) == cursor


@pytest.mark.parametrize("text", ["", "12", "x.y.z", "1.interactive.-2", "1.INTER.2", "9" * 99])
def test_anything_else_is_no_cursor(text: str) -> None:
    """Agents invent them."""
    with pytest.raises(InvalidArgument, match="cursor"):
        parse_cursor(text)


def test_the_first_parts_are_cut_first() -> None:
    """And no part below a quarter while another one is longer."""
    first = build_list("first", ["x" * 98] * 90, as_it_is, room=10_000)
    second = build_list("second", ["y" * 98] * 90, as_it_is, room=10_000)
    third = build_list("third", ["z" * 98] * 3, as_it_is, room=10_000)
    cut_to_fit([first, second, third], 10_000)
    assert 20 <= len(first.items) < len(second.items)
    assert not third.is_cut
    assert first.size + second.size + third.size <= 10_000


def test_what_was_cut_says_where_it_goes_on() -> None:
    """Without a snapshot to continue in, there is no cursor."""
    part = build_list("links", list(range(100)), as_it_is, room=50, offset=10)
    (entry,) = build_truncations([part], Cursor(7, "", 0))
    assert entry == {
        "part": "links",
        "total": 100,
        "returned": len(part.items),
        "next_cursor": f"7.links.{part.end}",
    }
    assert "next_cursor" not in build_truncations([part], None)[0]


def test_one_element_is_never_too_big_to_be_sent() -> None:
    """Its long texts and lists are cut, and say so."""
    element = {"label": "a" * 5000, "options": ["b" * 30] * 500, "id": "sel-1234"}
    part = build_list("interactive", [element], as_it_is, room=2_000)
    assert part.size <= 2_000
    (item,) = part.items
    assert item["label"].endswith("… (5000 characters)")
    assert item["options"][-1].endswith(" more")
    assert item["id"] == "sel-1234"


texts = st.lists(st.text(max_size=300), max_size=40)


@given(st.lists(texts, min_size=1, max_size=4), st.integers(1_500, 20_000))
def test_what_is_fitted_fits(lists: list[list[str]], room: int) -> None:
    """The sizes are those of the text that is sent, and the entries have their room."""
    parts = [build_list(f"part{n}", values, as_it_is, room=room) for n, values in enumerate(lists)]
    cut_to_fit(parts, room)
    sent = {part.name: part.items for part in parts}
    skeleton = len(compact_json({name: [] for name in sent}))
    cut = build_truncations(parts, Cursor(1, "", 0))
    told = compact_json(cut) if cut else ""
    assert len(compact_json(sent)) + len(told) <= room + skeleton + 1


@given(st.lists(st.text(max_size=100), max_size=40), st.integers(1_500, 3_000))
def test_continuing_gives_everything_once(values: list[str], room: int) -> None:
    """Page by page, in order, and it ends."""
    found: list[str] = []
    while len(found) < len(values):
        part = build_list("lines", values, as_it_is, room=room, offset=len(found))
        cut_to_fit([part], room)
        assert part.items
        found += part.items
    assert found == values
