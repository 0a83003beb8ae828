"""Whole answers about random pages that imitate Charlotte: cut pages, deltas, lists and errors."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.deltas import Delta, write_delta
from charlotte.answers.remarks import tab_states, write_error, write_remark, write_tab
from charlotte.answers.text.changes import compare
from charlotte.answers.text.lines import Line
from charlotte.answers.text.outline import build_outline
from charlotte.answers.text.page import render_page, write_header
from charlotte.base.errors import ElementNotFound
from charlotte.page.identity.id_book import IdBook
from charlotte.page.identity.references import DocumentNode, Match
from charlotte.page.model import PageDetail, UnreachableContent, clip_text
from charlotte.tools.find import write_found
from tests.answers.text.hostile import build, page_pairs, plans, texts
from tests.answers.text.outlines import control
from tests.answers.text.parser import ParseError, parse_answer, parse_line, parse_tab
from tests.answers.text.test_imitation import clean, squash
from tests.page.pages import Page, view_of

AT = "2026-01-02T10:20:30.400Z"


@given(st.builds(build, plans(25)), st.sampled_from(["auto", "full"]), texts)
def test_a_cut_page_counts_the_lines_that_it_leaves_out(
    page: Page, detail: PageDetail, remark: str
) -> None:
    view = view_of(page.capture())
    outline = build_outline(view)
    kept: list[Line] = []

    def keep(lines: Sequence[Line]) -> str:
        kept.extend(lines)
        return "1.lines.0"

    header, remarks = write_header("tab-1", view, None), [write_remark(remark)]
    text = render_page(outline, detail, header, remarks, keep=keep, max_chars=700).text
    answer = parse_answer(text)
    assert answer.header is not None
    assert len(answer.remarks) == (2 if kept else 1)
    cuts = [int(line.note.split(" ")[0].replace(",", "")) for line in answer.of_kind("cut")]
    assert sum(cuts) <= len(kept)
    rest = {element.id for line in kept for element in line.controls()}
    shown = {element.id for element in answer.controls}
    assert shown | rest == {element.id for line in outline.lines for element in line.controls()}


@given(st.builds(build, plans()))
def test_the_shortest_answer_has_the_structure_of_the_page(page: Page) -> None:
    view = view_of(page.capture())
    text = render_page(
        build_outline(view), "minimal", "tab-1", (), keep=lambda _: "", max_chars=9_000
    ).text
    answer = parse_answer(text)
    assert {line.kind for line in answer.lines} <= {"structure", "heading", "cut"}


@given(page_pairs(), texts)
def test_the_answer_to_an_action_has_the_remarks_that_it_was_given(
    pair: tuple[Page, Page], remark: str
) -> None:
    book = IdBook()
    old, new = (view_of(page.capture(), book) for page in pair)
    changes = compare(build_outline(old), build_outline(new))
    delta = Delta(old, changes, is_other_document=False, is_replaced=False, earlier=changes)
    header, remarks = write_header("tab-1", new, old), [write_remark(remark)]
    text, is_cut = write_delta(delta, header, remarks, keep=lambda _: "1.lines.0", max_chars=4_000)
    answer = parse_answer(text)
    by_itself = [line for line in answer.remarks if line.startswith("before this, by itself")]
    assert len(by_itself) == bool(changes)
    assert bool(answer.of_kind("none")) == (not changes)
    assert not is_cut or any("of changes are cut" in line for line in answer.remarks)


@given(texts, texts, texts)
def test_found_controls_and_nodes_are_one_line_each(name: str, text: str, address: str) -> None:
    url = f"http://shop.test/{address}"
    link = control("lnk-1a2b", name, href=url, near=text, title=text, role="link")
    node = Match(
        place=DocumentNode("", 1),
        selector="p",
        tag=name,
        text=text,
        bounds=None,
        heading=name,
        landmark=name,
    )
    lines = write_found([link, node], lambda _: "dom-12ab", "http://other.test/")
    first, second = (parse_line(line).controls for line in lines)
    shown = clean(clip_text(name, 400)), clean(text)
    assert tuple(clean(each.name) for each in (*first, *second)) == shown
    assert first[0].states["href"].startswith("http://shop.test/")
    assert clean(first[0].states["near"]) == clean(text)
    assert clean(second[0].states["under"]) == clean(name)


@given(texts, texts)
def test_a_tab_is_one_line_with_its_dialog(title: str, message: str) -> None:
    record = TabRecord("tab-1", SessionRecord("session-1"), title=title, url="http://shop.test/a b")
    record.dialog = PendingDialog("alert", message, AT)
    header, states = parse_tab(write_tab(record, tab_states(record)))
    assert (header.tab, clean(header.title)) == ("tab-1", clean(title))
    assert squash(message).startswith(squash(states["dialog"]).rstrip("…"))


@given(texts, texts)
def test_an_error_is_its_code_with_a_message_and_a_suggestion(message: str, advice: str) -> None:
    answer = parse_answer(write_error(ElementNotFound(message, advice)))
    [error] = answer.of_kind("error")
    assert error.note.startswith("ELEMENT_NOT_FOUND: ")
    assert len(answer.lines) == 2
    assert len(answer.remarks) == 1


@given(texts)
def test_what_covers_a_page_is_named_in_one_remark(name: str) -> None:
    behind = UnreachableContent(
        covered_by=f'dialog "{name}"',
        landmarks=(),
        headings=(),
        interactive=(control("btn-1a2b", name),),
        forms=(),
        lines=(),
    )
    page = Page()
    page.text("A page")
    view = attrs.evolve(view_of(page.capture()), unreachable=behind)
    text = render_page(
        build_outline(view), "full", "tab-1", (), keep=lambda _: "", max_chars=9_000
    ).text
    answer = parse_answer(text)
    assert len(answer.lines) == 2
    [remark] = answer.remarks
    assert remark.startswith("1 control behind dialog ")


@pytest.mark.parametrize(
    "text",
    [
        "# [draft]",
        "Home | [draft]",
        'lnk-1a2b "Home" [nonsense: 1]',
        "[draft]] text",
        "→ 5",
        "read btn-1a2b",
        "   three spaces",
        'lnk-1a2b "a\u202eb"',
    ],
)
def test_what_the_grammar_does_not_allow_is_no_answer(text: Any) -> None:
    with pytest.raises(ParseError):
        parse_line(text)
