"""Line breaks in the text modes."""

import pytest

from charlotte.page.modes.lines import format_lines
from charlotte.page.modes.tree import tree
from tests.page.modes.contents import lines, markdown
from tests.page.modes.documents import Element, document, el

POEM = el("p", "one  1\ntwo", el("br"), "three")


def test_line_breaks_in_text_are_kept() -> None:
    output = tree(document(POEM))

    assert markdown(POEM) == "one 1\ntwo\nthree"
    assert lines(POEM) == ['  TEXT "one 1"', '  TEXT "two"', '  TEXT "three"']
    assert format_lines((), output.lines, (), {}).split("\n")[1:] == [
        '  - paragraph "one 1"',
        '    - text "two"',
        '    - text "three"',
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (el("code", "def f():\n    return 1", block=1), "```\ndef f():\n    return 1\n```"),
        (el("p", "so ", el("code", "a\n  b")), "so\n\n```\na\n  b\n```"),
        (el("pre", "a", el("br"), "b"), "```\na\nb\n```"),
        (el("pre", el("div", "a"), el("div", "b"), "c\n"), "```\na\nb\nc\n```"),
        (el("pre", el("div", "a\n"), "\n", el("div", "b")), "```\na\n\nb\n```"),
        (el("code", "make", block=1), "`make`"),
    ],
    ids=["block", "in a line", "br", "blocks", "blocks with line ends", "one line"],
)
def test_code_keeps_its_lines(code: Element, expected: str) -> None:
    assert markdown(code) == expected
