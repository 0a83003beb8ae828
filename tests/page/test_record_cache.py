"""Records that views share."""

from charlotte.page.capture import RecordCache, parse_answer
from charlotte.page.identity.id_book import IdBook
from charlotte.page.view import build_view
from tests.page.pages import Page
from tests.page.test_patch import patch, rows


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
