"""Escapes of text that looks like Markdown, and spaces between texts."""

import pytest

from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, button, el, heading


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(*args, **kws)", r"f(\*args, \*\*kws)"),
        ("2 * 3 is 2*3", r"2 * 3 is 2\*3"),
        ("__init__ and snake_case", r"\_\_init\_\_ and snake_case"),
        ("`tick`", r"\`tick\`"),
        ("[1], a[0] and [b](c)", r"[1], a[0] and [b\](c)"),
        ("[x] no box", r"\[x] no box"),
        ("<b>no tag</b> 1 < 2", r"\<b>no tag\</b> 1 < 2"),
        ("&lt; & co", r"\&lt; & co"),
        (r"C:\*.txt and C:\dir", r"C:\\\*.txt and C:\dir"),
        ("~~kept~~", r"\~~kept\~~"),
        ("===", r"\==="),
    ],
)
def test_literal_marks_are_escaped(text: str, expected: str) -> None:
    assert markdown(el("p", text)) == expected
    assert lines(el("p", text))[0].count("\\") == 2 * text.count("\\")


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (el("em", "f(*args, **kws)"), r"*f(\*args, \*\*kws)*"),
        (el("a", "a]b ", el("code", "c[0]"), href="/x"), r"[a\]b `c[0]`](/x)"),
        (el("a", el("div", r"a\]b"), href="/x", block=1), r"[a\\\]b](/x)"),
        (el("code", "a`b*c"), "``a`b*c``"),
        (el("code", "`a`"), "`` `a` ``"),
        (el("code", "*args, __init__"), "`*args, __init__`"),
        (heading(2, "__init__"), r"## \_\_init\_\_"),
    ],
    ids=["emphasis", "link", "link around", "tick", "ticks", "code", "heading"],
)
def test_marks_around_literal_marks_are_unambiguous(inside: Element, expected: str) -> None:
    assert markdown(inside) == expected


def test_spaces_separate_buttons_and_blocks_from_text() -> None:
    row: list[Element | str] = [
        "Quantity",
        button("-"),
        el("span", "3"),
        button("+"),
        button("Buy"),
    ]
    title = el("h1", el("span", "One", block=1), el("span", "two", block=1), role="heading")

    assert lines(*row) == ['  TEXT "Quantity - 3 + Buy"']
    assert lines(title) == ['  HEADING level=2 "One two"']


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ((el("mi", "x"), el("mo", "="), el("mn", "1")), "x=1"),
        ((el("mfrac", el("mn", "1"), el("mrow", el("mi", "a"), el("mi", "+"))),), "1/(a+)"),
        ((el("msup", el("mi", "e"), el("mi", "x")),), "e^x"),
        ((el("msubsup", el("mo", "∫"), el("mn", "0"), el("mn", "1")),), "∫_0^1"),
        ((el("msqrt", el("mi", "a"), el("mo", "+"), el("mi", "b")),), "√(a+b)"),
        ((el("mtable", *[el("mtr", el("mtd", "1"), el("mtd", "2"))] * 2),), "1, 2; 1, 2"),
    ],
    ids=["row", "fraction", "power", "limits", "root", "matrix"],
)
def test_a_formula_is_text_of_its_line(inside: tuple[Element, ...], expected: str) -> None:
    assert lines(el("p", "Let ", el("math", *inside), " be.")) == [f'  TEXT "Let {expected} be."']
