"""Random pages that imitate Charlotte: their text form says what their JSON form says."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

import attrs
from hypothesis import given
from hypothesis import strategies as st

from charlotte.answers.text.changes import compare
from charlotte.answers.text.outline import build_outline
from charlotte.answers.text.page import write_header
from charlotte.base.errors import ellipsize
from charlotte.page.identity.id_book import IdBook
from charlotte.page.model import Element, PageView
from tests.answers.text.hostile import names, page_pairs, pages, texts
from tests.answers.text.parser import (
    INVISIBLE,
    ROLES,
    Answer,
    Control,
    Header,
    HeadingMark,
    parse_answer,
    parse_header,
)
from tests.page.pages import Page, view_of

_BLANK = re.compile("[\\s\x00-\x1f\x7f-\x9f]+")
_LONGEST_ICON = 2
_WORDS = {
    "banner": "header",
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
}
_FLAGS: Mapping[str, tuple[str, str]] = {
    "enabled": ("", "disabled"),
    "visible": ("", "hidden"),
    "focused": ("focused", ""),
    "invalid": ("invalid", ""),
    "readonly": ("readonly", ""),
    "expanded": ("expanded", "collapsed"),
    "selected": ("selected", ""),
    "pressed": ("on", "off"),
    "aria_hidden": ("aria-hidden", ""),
}


def written(view: PageView, **more: bool) -> str:
    """Return the lines of a page after a header."""
    return "\n".join(["tab-1", *(line.written for line in build_outline(view, None, **more).lines)])


def clean(value: Any) -> Any:
    """Return a JSON value in valid Unicode, as the JSON form has it."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list | tuple):
        return tuple(map(clean, cast("Sequence[Any]", value)))
    return value


def squash(text: str) -> str:
    """Return a text without spaces, separators and case."""
    return str(clean(_BLANK.sub("", text).casefold()))


def is_icon(text: str) -> bool:
    """Return whether a text is a symbol, which a control next to it may have as its icon."""
    return len(text) <= _LONGEST_ICON and not any(map(str.isalnum, text))


def state_words(record: Mapping[str, Any]) -> Iterator[str]:
    """Return the words for the flags of an element's JSON record."""
    for name, value in record["state"].items():
        if name == "sort" and value != "none":
            yield f"sorted {value}"
        elif name == "current":
            yield "current" if value is True else f"current {value}"
        elif name in _FLAGS:
            word = f"{name} mixed" if value == "mixed" else _FLAGS[name][not value]
            if word:
                yield word
    if record.get("password"):
        yield "password"
    if click := record.get("click_type"):
        yield f"{click} click"


def check_control(control: Control, element: Element) -> None:
    record = element.as_json()
    states = control.states
    if "row" in control.words:
        assert control.name == ""
    else:
        assert clean(control.name) == clean(record["label"])
    assert squash(states.get("value", "")) == squash(element.value or "")
    assert states.get("checked") == record["state"].get("checked")
    assert states.get("required", False) == record["state"].get("required", False)
    if "options" in states:
        assert clean(states["options"]) == clean(record["options"])
    else:
        assert states.get("count", 0) == len(element.options or ())
    assert clean(states.get("title")) in {None, clean(record.get("title"))}
    assert clean(states.get("near")) in {None, clean(record.get("near"))}
    assert clean(states.get("hint")) in {None, clean(record.get("placeholder"))}
    words = {word for word in control.words if word not in ROLES}
    assert words - {"row", "multiline", "slider", "file", "date", "color"} == {*state_words(record)}


def find_repeated(view: PageView, shown: set[str]) -> set[str]:
    """Return ids of links without an own line: another link has the same name and destination."""
    links = [element for element in view.interactive if element.type == "link"]
    return {
        link.id
        for link in links
        for other in links
        if other.id in shown
        and link.id not in shown
        and other.href == link.href
        and link.label.casefold() in other.label.casefold()
    }


def iterate_content(answer: Answer) -> Iterator[str]:
    """Return what the lines of an answer quote from the page, in order."""
    for line in answer.lines:
        if line.structure and line.structure.name:
            yield line.structure.name
        for piece in line.pieces:
            if isinstance(piece, Control):
                yield (piece.name or "") + piece.states.get("value", "")
            elif isinstance(piece, str):
                yield piece


def head_words(view: PageView) -> Iterator[tuple[str, str]]:
    for node in view.nodes:
        if node.kind == "f":
            yield "form", clean(node.name if node.extra.get("named") else "")
        elif node.kind in {"l", "g"} or node.role == "table":
            yield _WORDS.get(node.role, node.role), clean(node.name)


def ids_in_rows(view: PageView) -> set[str]:
    """Return the ids of the nodes in rows, whose cells are written by columns."""
    within: set[int] = set()
    for node in view.nodes:
        if node.parent in within or (node.kind == "s" and node.role == "row"):
            within.add(node.nid)
    return {
        node_id
        for node, node_id in zip(view.nodes, view.node_ids, strict=True)
        if node.nid in within
    }


def unknown_heads(answer: Answer, heads: Counter[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Return the written structures that are not in ``heads``; a heading may have the name."""
    rest = Counter(heads)
    for line in answer.lines:
        if line.structure:
            head = line.structure.kind, clean(line.structure.name or "")
            pieces = [*line.pieces]
            if pieces and isinstance(pieces[0], HeadingMark):
                shared = head[0], squash("".join(map(str, pieces[1:2])))
                names = [one for one in +rest if (one[0], squash(one[1])) == shared]
                head = next(iter(names), head)
            rest[head] -= 1
            if rest[head] < 0:
                yield head


@given(pages)
def test_all_controls_are_in_the_text_with_their_names_and_states(page: Page) -> None:
    view = view_of(page.capture())
    answer = parse_answer(written(view))
    elements = {element.id: element for element in view.interactive}
    counts = Counter(control.id for control in answer.controls)
    assert all(count == 1 for count in counts.values())
    assert counts.keys() <= elements.keys()
    assert elements.keys() - counts.keys() == find_repeated(view, {*counts})
    for control in answer.controls:
        check_control(control, elements[control.id])


@given(pages)
def test_all_texts_are_in_the_text(page: Page) -> None:
    view = view_of(page.capture())
    sentences = {node.name for node in view.nodes if "controls" in node.extra}
    content = squash("".join(iterate_content(parse_answer(written(view)))))
    for line in view.lines:
        parts = line.text.split() if line.text in sentences else [line.text]
        assert all(squash(part) in content or is_icon(part) for part in parts)


@given(pages)
def test_headings_have_their_levels_and_ids(page: Page) -> None:
    view = view_of(page.capture())
    answer = parse_answer(written(view, with_refs=True))
    marks = [piece for line in answer.lines for piece in line.pieces if type(piece) is HeadingMark]
    levels = {heading.id: heading.level for heading in view.headings}
    assert all(levels[mark.id or ""] == mark.level for mark in marks)
    inside = {node.nid for node in view.nodes if node.kind in {"i", "c"}}
    outside = [
        element_id
        for node, element_id in zip(view.nodes, view.node_ids, strict=True)
        if node.kind == "h" and node.parent not in inside
    ]
    shown = [mark.id for mark in marks if mark.id in outside]
    assert Counter(shown) == Counter(outside)
    in_rows = ids_in_rows(view)
    assert [one for one in shown if one not in in_rows] == [
        one for one in outside if one not in in_rows
    ]


@given(pages)
def test_no_text_of_a_page_is_a_line_of_charlotte(page: Page) -> None:
    view = view_of(page.capture())
    answer = parse_answer(written(view))
    assert {line.kind for line in answer.lines} <= {
        *("heading", "structure", "row", "item", "line")
    }
    assert all(line.mark == "" for line in answer.lines)
    assert [] == [*unknown_heads(answer, Counter(head_words(view)))]
    counts = Counter(node.role for node in view.nodes if node.kind == "s")
    as_rows = Counter(node.extra.get("as") for node in view.nodes)
    kinds = Counter(line.kind for line in answer.lines)
    assert kinds["row"] <= counts["row"] + as_rows["row"]
    items = sum(line.is_item for line in answer.lines)
    assert items <= counts["item"] + counts["article"] + as_rows["item"] + as_rows["article"]


@given(pages)
def test_characters_that_are_not_drawn_hide_no_token(page: Page) -> None:
    text = written(view_of(page.capture()))
    drawn = re.sub("[^\\S\n]", " ", INVISIBLE.sub("", text))
    shown, read = parse_answer(drawn), parse_answer(text)
    assert [line.kind for line in shown.lines] == [line.kind for line in read.lines]
    assert [control.id for control in shown.controls] == [control.id for control in read.controls]


@given(names, texts, st.sampled_from([None, 200, 404]))
def test_the_header_is_that_of_the_page(title: str, path: str, status: int | None) -> None:
    page = Page(title=title, url=f"http://shop.test/{path}")
    view = view_of(page.capture())
    header = parse_header(write_header("tab-1", view, None, status))
    assert clean(header.title) == clean(ellipsize(title, 300))
    assert header.viewport is None  # the usual one
    other = attrs.evolve(view, viewport=(800, 600))
    assert parse_header(write_header("tab-1", other, view)).viewport == (800, 600)
    assert header.status == (404 if status == 404 else None)
    assert header.url is not None
    assert unquote(header.url) == unquote(re.sub("[\ud800-\udfff]", "?", page.url))
    assert parse_header(write_header("tab-1", view, view)) == Header("tab-1")


@given(page_pairs())
def test_changes_are_signed_lines_and_heads_of_tables(pair: tuple[Page, Page]) -> None:
    book = IdBook()
    old, new = (view_of(page.capture(), book) for page in pair)
    lines = compare(build_outline(old), build_outline(new)).lines
    answer = parse_answer("\n".join(["tab-1", *lines]))
    for line in answer.lines:
        assert line.mark or line.kind in {"remark", "structure"}
    before, after = ({element.id: element for element in view.interactive} for view in (old, new))
    for line in answer.lines:
        ids = {control.id for control in line.controls}
        match line.mark:
            case "+" | "":
                assert ids <= after.keys()
            case "-":
                assert ids <= before.keys()
            case "~":
                assert ids <= before.keys() | after.keys()
    shown = {control.id for line in answer.lines for control in line.controls}
    written_after = {control.id for control in parse_answer(written(new)).controls}
    rest = written_after - before.keys() - shown
    assert not rest or any(line.kind == "cut" for line in answer.lines)
    present = [line for line in answer.lines if line.mark != "-"]
    for control in (control for line in present for control in line.controls):
        element = after.get(control.id)
        if element and "value" in control.states:
            assert squash(control.states["value"])[:100] == squash(element.value or "")[:100]
