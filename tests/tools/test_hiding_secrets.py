"""Secrets are hidden in text answers before texts are cut and compared."""

import pytest

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.deltas import compare_views, outline_of
from charlotte.answers.remarks import write_tab
from charlotte.answers.text.page import write_header
from charlotte.page.model import PageView
from charlotte.secrets.redaction import Secrets
from tests.page.pages import Page, view_of

WORDS = "correct horse battery staple"


@pytest.fixture
def record() -> TabRecord:
    session = SessionRecord("session-1")
    session.settings.secrets = Secrets.of({"WORDS": WORDS})
    return TabRecord("tab-1", session, url="http://shop.test/", title="Shop")


def page_with(text: str) -> PageView:
    page = Page()
    page.text(text)
    return view_of(page.capture())


def test_the_outline_of_a_page_has_no_secrets(record: TabRecord) -> None:
    outline = outline_of(record, page_with(f"It is {WORDS}."))
    assert [line.text for line in outline.lines] == ["It is <secret>WORDS</secret>."]


def test_a_change_that_is_cut_contains_no_part_of_a_secret(record: TabRecord) -> None:
    for size in range(120):
        ends = (f"{word} {'and so on ' * 20}{'.' * size}{WORDS} {word}" for word in ("a", "b"))
        before, after = map(page_with, ends)
        lines = compare_views(record, before, after).changes.lines
        assert lines
        assert not any(word in line for line in lines for word in WORDS.split())


@pytest.mark.parametrize("size", range(270, 310, 3))
def test_a_title_that_is_cut_contains_no_part_of_a_secret(record: TabRecord, size: int) -> None:
    view = view_of(Page(title="." * size + WORDS, url=f"http://shop.test/{WORDS}").capture())
    header = write_header("tab-1", view, None, redact=record.session.hidden)
    assert not any(word in header for word in WORDS.split())


def test_an_address_that_is_cut_contains_no_part_of_a_secret(record: TabRecord) -> None:
    for size in range(1_940, 2_000, 3):
        record.url = f"http://shop.test/{'a' * size}{WORDS.replace(' ', '%20')}"
        assert not any(word in write_tab(record) for word in WORDS.split())
