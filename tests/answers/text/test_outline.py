"""The lines of a page: which share a line, which have one of their own, and what is left out."""

from typing import Any

import pytest

from charlotte.answers.text.outline import build_outline
from charlotte.page.model import PageView
from tests.answers.text.examples import add_row
from tests.page.pages import Page, view_of


def lines(page: Page | PageView, **options: Any) -> list[str]:
    """Return the lines of a page, with the digits of ids replaced by their prefix."""
    view = view_of(page.capture()) if isinstance(page, Page) else page
    texts = [line.written for line in build_outline(view, None, **options).lines]
    for element in view.interactive:
        texts = [text.replace(element.id, element.id[:3]) for text in texts]
    return texts


def table_of(count: int) -> Page:
    page = Page()
    table = page.part("table")
    for number in range(count):
        row = page.part("row", table)
        page.text(f"Station {number}", row, cell=0)
        page.button("Watch", parent=row, cell=1)
    return page


def test_a_control_is_at_the_place_of_its_name_in_a_text() -> None:
    page = Page()
    page.text("Read the terms, then accept them.", controls=[1, 9, 14])
    page.link("terms")
    assert lines(page) == ['Read the lnk "terms", then accept them.']


def test_the_visible_text_of_a_control_with_another_name_is_left_out() -> None:
    page = Page()
    page.text("Revenue i", controls=[1, 8, 9])
    page.button("About revenue")
    assert lines(page) == ['Revenue btn "About revenue"']


def test_the_leaves_of_an_item_share_a_line_and_a_single_control_needs_no_mark() -> None:
    page = Page()
    items = page.part("list")
    card = page.part("item", items)
    page.text("Silent Tide", card)
    page.text("£ 12.50", card)
    page.text("Home", page.link("Home", parent=page.part("item", items)))
    assert lines(page) == ["* Silent Tide | £ 12.50", 'lnk "Home"']


def test_items_of_several_lines_are_indented_below_their_first_line() -> None:
    page = Page()
    item = page.part("item", page.part("list"))
    page.text("Fruit", item)
    inner = page.part("list", item)
    for name in ("Apples", "Pears"):
        page.text(name, page.part("item", inner))
        page.text("fresh", page.rows.index(page.rows[-2]))
    assert lines(page) == ["* Fruit", "  * Apples | fresh", "  * Pears | fresh"]


def test_a_table_in_an_item_of_several_lines_is_indented() -> None:
    page = Page()
    item = page.part("item", page.part("list"))
    page.text("Silent Tide", item)
    table = page.part("table", item)
    add_row(page, table, "Price", "£ 12.50")
    assert lines(page) == ["* Silent Tide", "  | Price | £ 12.50"]


def test_an_image_that_links_to_the_same_page_as_a_heading_is_left_out() -> None:
    page = Page()
    card = page.part("article")
    page.link("Silent Tide", parent=card, unwritten=1)
    heading = page.add("h", "heading", "Silent Tide", parent=card, level=3)
    page.text("Silent Tide", heading, controls=[4, 0, 11])
    page.link("Silent Tide", parent=heading)
    page.text("£ 12.50", card)
    assert lines(page) == ['* ### lnk-2 "Silent Tide" | £ 12.50']


def test_a_row_that_answers_clicks_is_one_line_with_its_control() -> None:
    page = Page()
    row: dict[str, Any] = {"as": "row"}
    clickable = page.add("c", "clickable", "Ann 12", parent=page.part("table"), **row)
    page.text("Ann", clickable, cell=0)
    page.text("12", clickable, cell=1)
    assert lines(page) == ['| clk "" [row] Ann | 12']


def test_unnamed_wrappers_vanish_and_named_structure_is_indented() -> None:
    page = Page()
    main = page.landmark("main")
    page.text("Welcome to the shop of the harbour.", main)
    form = page.add("f", "form", parent=main, nid=50)
    for name in ("Name", "Town"):
        page.field(name, parent=form, form=50)
    page.button("Send", parent=form, form=50, submits=1)
    [text, head, *fields] = lines(page)
    assert text == "Welcome to the shop of the harbour."
    assert head.startswith("[form frm-")
    assert fields == ['  inp "Name"', '  inp "Town"', '  btn "Send"']


def test_a_structure_shares_the_line_of_a_heading_with_its_name() -> None:
    page = Page()
    region = page.landmark("region", "Revenue")
    page.heading("Revenue", parent=region)
    page.text("£48,210", region)
    assert lines(page) == ["[region] ## Revenue", "  £48,210"]


def test_a_term_shares_the_line_of_its_only_definition() -> None:
    page = Page()
    terms = page.part("list")
    for role, text in (
        ("term", "Size"),
        ("item", "XL"),
        ("term", "Colours"),
        ("item", "red"),
        ("item", "blue"),
    ):
        page.text(text, page.part(role, terms))
    assert lines(page) == ["* Size | XL", "* Colours", "* red", "* blue"]


def test_a_control_in_a_control_shares_its_line() -> None:
    page = Page()
    tree = page.add("g", "tree", "Files")
    for name in ("axis.ts", "bar.ts"):
        item = page.add("i", "treeitem", name, parent=tree)
        page.text(name, page.link(name, parent=item))
    page.text("a text that is too long for the line of a menu, so that each has its own", tree)
    assert lines(page)[1:3] == ['  btn "axis.ts" lnk "axis.ts"', '  btn "bar.ts" lnk "bar.ts"']


def test_rows_that_did_not_change_are_shared_with_the_outline_before() -> None:
    page = table_of(6)
    capture = page.capture()
    known = build_outline(view_of(capture))
    again = build_outline(view_of(capture), known)
    assert all(line is old for line, old in zip(again.lines[1:], known.lines[1:], strict=True))
    page.rows[2][3] = "Station 99"
    changed = build_outline(view_of(page.capture()), known)
    assert [line.text for line in changed.lines][1].startswith("| Station 99 ")


def test_ids_of_headings_and_boxes_of_controls_are_written_on_request() -> None:
    page = Page()
    page.heading("Books", 1)
    page.button("Order", box=(10, 20, 30, 40))
    [heading, button] = lines(page, with_refs=True, with_bounds=True)
    assert heading.startswith("# hdg-")
    assert heading.endswith(" Books")
    assert button == 'btn "Order" [@ 10,20 30x40]'


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


def test_items_of_a_numbered_list_begin_with_their_numbers() -> None:
    page = Page()
    items = page.part("list")
    for number in ("1 decimal", "14 upper-roman", "28 lower-alpha", "0 lower-roman", "3 thai"):
        page.text("Tide", page.part("item", items), numbers=[number])
    page.text("Home", page.link("Home", parent=page.part("item", items)), numbers=["6 decimal"])
    inner = page.part("item", page.part("list", page.part("item", items)))
    page.text("Deep", inner, numbers=["7 decimal", "1 decimal"])
    numbers = ["1.", "XIV.", "ab.", "0.", "3."]
    shown = [f"{number} Tide" for number in numbers]
    assert lines(page) == [*shown, '6. lnk "Home"', "7. 1. Deep"]


def test_tokens_for_what_has_no_text_are_written_as_they_are_and_marks_are_shown() -> None:
    page = Page()
    page.text('[image "a\u202eb" 9×9]', controls=[-9, 0, 17])
    page.text('[image "c" 9×9]')
    heading = page.add("h", "heading", "About 106", level=2)
    page.text("About 10^6", heading)
    page.text("~~Old~~ $12^99", controls=[2, 0, 7, 3, 8, 14])
    page.link("Old")
    page.link("$1299")
    card = page.button("Lamp $950")
    page.text("Lamp", card)
    page.text("$9^50", card)
    editor = page.add("i", "textbox", "Note", editable=1, value="It costs 34")
    page.text("It ~~costs~~ 34", editor)
    assert lines(page) == [
        '[image "a\\u202eb" 9×9]',
        '\\[image "c" 9×9]',
        "## About 10^6",
        'lnk "Old" [shows "~~Old~~"] lnk "$1299" [shows "$12^99"]',
        'btn "Lamp $950" [shows "Lamp $9^50"]',
        'inp "Note" [multiline, = "It costs 34"]',
    ]
