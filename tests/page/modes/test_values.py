"""The values of controls in the mode content."""

import pytest

from charlotte.page.modes.content import block_texts
from tests.page.modes.contents import lines, markdown, text
from tests.page.modes.documents import Element, document, el


def field(value: str, tag: str = "input", **facts: object) -> Element:
    role = "combobox" if tag == "select" else "textbox"
    return el(tag, role=role, **({"value": value} if value else {}), **facts)


def box(checked: object, tag: str = "input", *inside: str, **facts: object) -> Element:
    return el(tag, *inside, role="checkbox", checked=checked, **facts)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (("Quantity", field("3"), "of ", field("red", "select")), "Quantity 3 of red"),
        (("Name", field(""), "!"), "Name !"),
        (("Notes", field("one\ntwo", "textarea")), "Notes one\ntwo"),
        (("Name", field("Bob", block=1)), "Name\n\nBob"),
        ((el("input", role="button", name="Send", type="submit"),), "Send"),
        ((el("div", "Free ", el("b", "text"), editable=1),), "Free **text**"),
    ],
    ids=["in a line", "empty", "text area", "block", "button", "editor"],
)
def test_the_value_of_a_control_is_at_its_position(
    inside: tuple[Element | str, ...], expected: str
) -> None:
    assert markdown(*inside) == expected


def test_checkboxes_in_items_make_a_task_list() -> None:
    items = [el("li", box(1), " done"), el("li", el("label", box(0), "open")), el("li", "text")]
    output = markdown(el("ul", *items))

    assert output == "- [x] done\n- [ ] open\n- text"
    assert lines(el("ul", *items))[1:] == ['    - "[x] done"', '    - "[ ] open"', '    - "text"']
    assert markdown(box("mixed", "span", "some"), box(1, "div", "all", block=1)) == (
        "[-] some\n\n[x] all"
    )


def test_values_are_returned_in_table_cells() -> None:
    cells = [el("td", "name"), el("td", field("Bob")), el("td", field("a\nb", "textarea"))]

    assert lines(el("table", el("tr", *cells)))[1:] == ['    - "name | Bob | a b"']


def test_checkboxes_and_values_do_not_count_as_words() -> None:
    page = document(el("p", box(0), "open ", field("x")))

    assert "words=2" in text(page)
    assert list(block_texts(page)) == ["open"]
