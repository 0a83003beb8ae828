"""Answers in the text form are marked as untrusted, in boundary lines if configured."""

import re

import pytest

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.answer import Answer, Image, Text
from charlotte.answers.deltas import compare_views, outline_of
from charlotte.answers.remarks import write_tab
from charlotte.answers.text.page import write_header
from charlotte.page.model import PageView
from charlotte.secrets.redaction import Secrets
from tests.page.pages import Page, view_of

ANSWER = Answer((Text("tab-1\nno changes"), Image("aGk=", "image/png"), Text("{}", form="json")))


def test_metadata_marks_a_text_answer_as_untrusted() -> None:
    marked = ANSWER.marked_untrusted(with_boundaries=False)
    assert marked.metadata == {"untrusted": True}
    assert marked.blocks == ANSWER.blocks


def test_boundaries_enclose_every_text_but_json_and_have_another_number_each_time() -> None:
    first, second = (ANSWER.marked_untrusted(with_boundaries=True) for _ in range(2))
    text, *others = first.blocks
    assert others == list(ANSWER.blocks[1:])
    assert isinstance(text, Text)
    assert re.fullmatch(
        r"--- page (\w{16}) ---\ntab-1\nno changes\n--- end of page \1 ---", text.text
    )
    assert text != second.blocks[0]


def test_text_of_a_page_is_enclosed_too() -> None:
    answer = Answer((Text("- a list of the page", form="page"),))
    [block] = answer.marked_untrusted(with_boundaries=True).blocks
    assert isinstance(block, Text)
    assert block.text.startswith("--- page ")


def test_secrets_are_hidden_in_text_and_the_form_of_a_block_is_kept() -> None:
    secrets = Secrets.of({"PIN": "hunter2"})
    answer = Answer((Text('inp-1 "Code" [= "hunter2"]'), Text('{"a":"hunter2"}', form="json")))
    assert answer.hiding(secrets).blocks == (
        Text('inp-1 "Code" [= "<secret>PIN</secret>"]'),
        Text('{"a":"<secret>PIN</secret>"}', form="json"),
    )


def test_what_follows_the_text_of_a_page_begins_a_line() -> None:
    answer = Answer((Text("- a list", form="page"), Text("… 3 more lines")))
    assert answer.text == "- a list\n… 3 more lines"
    page, end = answer.marked_untrusted(with_boundaries=True).text.split("\n- a list\n")
    assert page.startswith("--- page ")
    assert end.splitlines()[0] == page.replace("page", "end of page")
    assert Answer((Text("- a list", form="page"),)).text == "- a list"


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
