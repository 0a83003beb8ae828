"""Rows of headers of columns."""

import pytest

from charlotte.answers.text.outline import build_outline
from tests.page.pages import Page, view_of


@pytest.mark.parametrize("has_list", [False, True])
def test_rows_of_headers_are_rows_that_are_not_counted(*, has_list: bool) -> None:
    page = Page()
    table = page.part("table", nid=70)
    for number, role in enumerate(["head", *["row"] * 6]):
        row = page.part(role, table, nid=71 + number)
        page.text(f"Cell {number}", row, cell=0)
        if has_list:
            page.button("Sort", parent=page.part("list", row, nid=80 + number, cell=1))
    lines = build_outline(view_of(page.capture())).lines
    assert lines[0].text == "[table, 6 rows]"
    assert [(line.kind, line.is_head) for line in lines[1:4]] == [
        ("row", True),
        ("row", False),
        ("row", False),
    ]
