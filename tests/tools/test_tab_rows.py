"""The list of tabs when it exceeds one answer."""

from charlotte.page.model import compact_json
from charlotte.tools.tabs import list_tabs

LIMIT = 5_000
ROWS = [{"id": f"tab-{n}", "url": "data:," + "x" * 500, "title": ""} for n in range(40)]


def test_a_short_list_is_an_array() -> None:
    assert list_tabs(ROWS[:3], None, LIMIT) == ROWS[:3]


def test_a_long_list_is_truncated_and_continued_without_gap_or_repetition() -> None:
    seen: list[object] = []
    start: str | None = None
    for _ in ROWS:
        answer = list_tabs(ROWS, start, LIMIT)
        assert len(compact_json(answer)) <= LIMIT
        *rows, cut = answer
        if cut.get("type") != "truncation":
            assert seen + answer == ROWS
            return
        assert (cut["total"], cut["returned"]) == (len(ROWS), len(rows))
        seen += rows
        start = cut["next_cursor"]
    raise AssertionError("the list has no end")
