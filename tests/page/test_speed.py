"""How long the pure part of an answer may take; times are CPU time, the best of several."""

import time
from collections.abc import Callable

from charlotte.page.capture import read_capture
from charlotte.page.diff import diff_views
from charlotte.page.ids import IdBook
from charlotte.page.render import Envelope, render
from charlotte.page.view import build_view
from tests.page.pages import Page, crowded, mixed

SLACK = 2.5
"""Of the machine the tests run on: the budgets are those of an ordinary one at rest."""


def milliseconds(work: Callable[[], object]) -> float:
    """The least CPU time of a few runs."""

    def once() -> float:
        start = time.process_time()
        work()
        return (time.process_time() - start) * 1000

    return min(once() for _ in range(7))


def test_a_table_of_7500_controls_is_read_in_70_ms() -> None:
    """From the probe's text to the view, with all ids new."""
    text = crowded(7_500).as_text()
    assert milliseconds(lambda: build_view(read_capture(text), IdBook())) <= 70 * SLACK


def test_a_page_of_5000_mixed_rows_is_read_in_25_ms() -> None:
    """Text, links, headings and landmarks."""
    text = mixed(5_000).as_text()
    assert milliseconds(lambda: build_view(read_capture(text), IdBook())) <= 25 * SLACK


def test_ids_of_7500_controls_take_30_ms_and_then_8() -> None:
    """New ones are hashed, known ones are looked up."""
    capture, book = crowded(7_500).capture(), IdBook()
    assert milliseconds(lambda: IdBook().identify(capture)) <= 30 * SLACK
    book.identify(capture)
    assert milliseconds(lambda: book.identify(capture)) <= 8 * SLACK


def test_equal_names_do_not_slow_ids_down() -> None:
    """The search for a free number goes on where it ended."""
    page = Page()
    for _ in range(5_000):
        page.button("Delete")
    capture = page.capture()
    assert milliseconds(lambda: IdBook().identify(capture)) <= 25 * SLACK


def test_comparing_7500_controls_takes_60_ms() -> None:
    """All of them pushed down by a banner."""
    book = IdBook()
    before = crowded(7_500)
    after = before.copy()
    for row in after.rows:
        row[4][1] += 60
    old, new = build_view(before.capture(), book), build_view(after.capture(), book)
    taken = milliseconds(lambda: diff_views(old, new, from_snapshot=1, to_snapshot=2))
    assert taken <= 60 * SLACK


def test_rendering_does_not_grow_with_what_is_not_sent() -> None:
    """A response of 40,000 characters, whatever the page."""
    view = build_view(crowded(7_500).capture(), IdBook())
    envelope = Envelope(snapshot_id=1, timestamp="2026-03-04T05:06:07Z", tab_id="tab-1")
    assert milliseconds(lambda: render(view, "full", envelope)) <= 12 * SLACK
